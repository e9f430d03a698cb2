"""gradcheck: formulas against finite differences."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.engine import grad as autograd_grad
from minigrad.op import functions
from minigrad.tensor import Tensor, from_array
from minigrad.autograd.function import Function


class GradcheckError(RuntimeError):
    """A formula and finite differences disagree."""


def tensors_of(things: Any) -> tuple:
    things = things if isinstance(things, (tuple, list)) else (things,)
    return tuple(things)


def differentiable(things: Any) -> list[Tensor]:
    return [one for one in tensors_of(things) if isinstance(one, Tensor) and one.requires_grad]


def numerical(func: Callable, inputs: tuple, moved: Tensor, eps: float) -> list[np.ndarray]:
    """The Jacobians of all outputs by central differences, a row for each element of the input."""
    rows = []
    shape = [one._array.shape for one in differentiable(func(*inputs))]
    for place in np.ndindex(moved._array.shape):
        value, ends = moved._array[place], []
        for step in (eps, -eps):
            moved._array[place] = value + step
            outputs = [o for o in tensors_of(func(*inputs)) if isinstance(o, Tensor)]
            ends.append([o._array.copy() for o in outputs if o.is_floating_point()])
        moved._array[place] = value
        if any(a.shape != b.shape for a, b in zip(*ends)):
            raise AssertionError(
                "Expected `func` to return outputs with the same shape when inputs are perturbed "
                f"on index {place} by {eps}, but got:\n shapes {[a.shape for a in ends[0]]} and "
                f"{shape}."
            )
        if any(a.dtype != b.dtype for a, b in zip(*ends)):
            raise AssertionError(
                "Expected `func` to return outputs with the same dtype when inputs are perturbed "
                f"on index {place} by {eps}, but got:\n dtypes {[a.dtype for a in ends[0]]}."
            )
        rows.append([((a - b) / (2 * eps)).reshape(-1) for a, b in zip(*ends)])
    return [np.array(column) for column in zip(*rows)]


def analytical(output: Tensor, inputs: list[Tensor], nondet_tol: float) -> list[np.ndarray]:
    """The same from backward passes, a column for each element of the output."""
    columns: list[list[np.ndarray]] = [[] for _ in inputs]
    for place in np.ndindex(output._array.shape):
        v = np.zeros_like(output._array)
        v[place] = 1
        runs = [
            autograd_grad(output, inputs, from_array(v), retain_graph=True, allow_unused=True)
            for _ in range(2)
        ]
        for column, one, again, input in zip(columns, *runs, inputs):
            if one is None:
                column.append(np.zeros(input._array.size))
                continue
            if np.abs(one._array - again._array).max(initial=0) > nondet_tol:
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and "
                    "grad_output multiple times gives different values, although analytical "
                    "gradient matches numerical gradient.The tolerance for nondeterminism was "
                    f"{nondet_tol}."
                )
            column.append(one._array.reshape(-1))
    return [np.array(c).T.reshape(i._array.size, -1) for c, i in zip(columns, inputs)]


def gradcheck(
    func: Callable,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    fast_mode: bool = False,
    **_: Any,
) -> bool:
    """Whether the gradients of a function agree with finite differences."""
    try:
        return check(func, tensors_of(inputs), eps, atol, rtol, nondet_tol, check_undefined_grad)
    except GradcheckError:
        if raise_exception:
            raise
        return False


def check(
    func: Callable,
    inputs: tuple,
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
    undefined: bool,
) -> bool:
    moved = differentiable(inputs)
    for i, one in enumerate(inputs):
        if isinstance(one, Tensor) and one.requires_grad and one._array.dtype != np.float64:
            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or "
                "complex. This check will likely fail if all the inputs are not of double "
                "precision floating point or complex. "
            )
    if not moved:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them "
            "have requires_grad=True."
        )
    outputs = differentiable(func(*inputs))
    expected = [numerical(func, inputs, one, eps) for one in moved]
    if not outputs:
        if any(np.abs(one).max(initial=0) > eps for one in sum(expected, [])):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return True
    for number, output in enumerate(outputs):
        for place, found in enumerate(analytical(output, moved, nondet_tol)):
            wanted = expected[place][number].reshape(found.shape)
            if not np.allclose(found, wanted, rtol, atol):
                raise GradcheckError(
                    f"Jacobian mismatch for output {number} with respect to input {place},\n"
                    f"numerical:{from_array(wanted)}\nanalytical:{from_array(found)}\n"
                )
    check_scaling(outputs, moved)
    return check_undefined(func, inputs, moved) if undefined else True


def check_scaling(outputs: list[Tensor], moved: list[Tensor]) -> None:
    zeros = [functions["zeros_like"](one) for one in outputs]
    for one in autograd_grad(outputs, moved, zeros, retain_graph=True, allow_unused=True):
        if one is not None and one._array.any():
            raise GradcheckError("backward not multiplied by grad_output")


class Undefined(Function):
    """Passes no gradient on."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> Any:
        ctx.count = len(tensors)
        return tuple([one.clone() for one in tensors])

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return (None,) * ctx.count


def check_undefined(func: Callable, inputs: tuple, moved: list[Tensor]) -> bool:
    """Gradients that did not arrive must be taken for zeros."""
    failed = (
        "Expected backward function to handle undefined output grads. Please look at 'Notes about "
        "undefined output gradients' in 'tools/autograd/derivatives.yaml'"
    )
    outputs = differentiable(func(*inputs))
    undefined = tensors_of(Undefined.apply(*outputs))
    try:
        found = autograd_grad(
            undefined, moved, [functions["zeros_like"](o) for o in undefined], allow_unused=True
        )
    except RuntimeError as error:
        warnings.warn(
            "Backwards compatibility: New undefined gradient support checking feature is enabled "
            "by default, but it may break existing callers of this function. If this is true for "
            'you, you can call this function with "check_undefined_grad=False" to disable the '
            "feature"
        )
        raise GradcheckError(failed) from error
    if any(one is not None and one._array.any() for one in found):
        raise GradcheckError(
            "Expected all input grads to be undefined or zero when all output grads are undefined "
            "or zero. Please look at 'Notes about undefined output gradients' in "
            "'tools/autograd/derivatives.yaml'"
        )
    return True


def gradgradcheck(func: Callable, inputs: Any, grad_outputs: Any = None, **options: Any) -> bool:
    """Whether second derivatives agree with finite differences of the first."""
    inputs = tensors_of(inputs)
    if grad_outputs is None:
        outputs = differentiable(func(*inputs))
        grad_outputs = tuple(
            [
                from_array(
                    np.random.randn(*o._array.shape).astype(o._array.dtype)
                    if o.ndim
                    else np.array(np.random.randn(), o._array.dtype)
                ).requires_grad_()
                for o in outputs
            ]
        )
    grad_outputs = tensors_of(grad_outputs)
    count = len(inputs)
    options.pop("gen_non_contig_grad_outputs", None)

    def first(*args: Any) -> tuple:
        given, v = args[:count], args[count:]
        outputs = differentiable(func(*given))
        wanted = differentiable(given)
        found = autograd_grad(outputs, wanted, v, create_graph=True, allow_unused=True)
        return tuple([one for one in found if one is not None])

    return gradcheck(first, inputs + grad_outputs, **options)
