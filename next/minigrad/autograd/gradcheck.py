"""gradcheck and gradgradcheck: gradients compared with finite differences.

Source: https://docs.pytorch.org/docs/stable/notes/gradcheck.html
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.autograd.function import Function
from minigrad.engine import grad as autograd_grad
from minigrad.graph import Array
from minigrad.modes import quiet
from minigrad.tensor import Tensor, from_array
from minigrad.warn import warn

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

UNDEFINED_GRAD_WARNING = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by "
    "default, but it may break existing callers of this function. If this is true for you, you can "
    'call this function with "check_undefined_grad=False" to disable the feature'
)


class GradcheckError(RuntimeError):
    """A gradient differs from the finite differences, or breaks a rule that gradients keep."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compare the gradients of `func` with central differences; return True if they agree.

    Every input that requires grad is moved by `eps`, one element at a time, so the inputs should be
    float64 (others get a warning). An element of the Jacobian may differ by
    ``atol + rtol * abs(numerical)``. Further rules that are checked: a second backward pass gives
    the same gradients (within `nondet_tol`), gradients are proportional to the gradients of the
    outputs, and (`check_undefined_grad`) missing gradients of outputs count as zeros.

    Raises GradcheckError, or returns False if `raise_exception` is False. The remaining options are
    accepted, but change nothing: they concern parts of PyTorch that minigrad doesn't have (sparse
    tensors, vmap, forward mode), or they check less (`fast_mode`) or what the engine ensures
    (`check_grad_dtypes`).

    >>> import minigrad as torch
    >>> x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.exp, x)
    True
    """
    inputs = as_tuple(inputs)
    checked_inputs = check_inputs(inputs)
    try:
        check_jacobians(func, inputs, checked_inputs, eps, atol, rtol, nondet_tol)
        check_proportional(func, inputs, checked_inputs)
        if check_undefined_grad:
            check_undefined(func, inputs, checked_inputs)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    gen_non_contig_grad_outputs: bool = False,
    check_fwd_over_rev: bool = False,
    **options: Any,
) -> bool:
    """Compare the second derivatives of `func` with central differences of the first.

    `grad_outputs` are the vectors of the first vector-Jacobian product, one for each output that
    requires grad (default: random ones). `options` are those of `gradcheck`.

    >>> import minigrad as torch
    >>> x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.exp, x)
    True
    """
    inputs = as_tuple(inputs)
    if grad_outputs is None:
        outputs = differentiable(func(*inputs))
        grad_outputs = [random_vector(o, gen_non_contig_grad_outputs) for o in outputs]
    vectors = as_tuple(grad_outputs)

    def gradient(*args: Any) -> tuple[Tensor, ...]:
        func_inputs, func_vectors = args[: len(inputs)], args[len(inputs) :]
        outputs = differentiable(func(*func_inputs))
        checked = differentiable(func_inputs)
        grads = autograd_grad(outputs, checked, func_vectors, create_graph=True, allow_unused=True)
        return tuple([grad for grad in grads if grad is not None])

    return gradcheck(gradient, (*inputs, *vectors), **options)


def random_vector(output: Tensor, noncontiguous: bool) -> Tensor:
    """Random numbers from -1 to 1 in the shape of an output, from the global generator."""
    shape = (*output.shape, 2) if noncontiguous else output.shape
    vector = from_array(np.empty(shape, output._array.dtype)).uniform_(-1, 1)
    leaf: Tensor = vector[..., 0] if noncontiguous else vector
    return leaf.requires_grad_()


# The tensors among arguments and results


def as_tuple(values: Any) -> tuple[Any, ...]:
    return tuple(values) if isinstance(values, tuple | list) else (values,)


def differentiable(values: Any) -> list[Tensor]:
    """The tensors that require grad."""
    return [t for t in as_tuple(values) if isinstance(t, Tensor) and t.requires_grad]


def check_inputs(inputs: tuple[Any, ...]) -> list[Tensor]:
    """The inputs to check. Raises ValueError or RuntimeError for those that can't be moved."""
    for index, input in enumerate(inputs):
        if not isinstance(input, Tensor) or not input.requires_grad:
            continue
        if input._array.dtype != np.float64:
            warn(
                f"Input #{index} requires gradient and is not a double precision floating point or "
                "complex. This check will likely fail if all the inputs are not of double "
                "precision floating point or complex. "
            )
        strides = zip(input._array.strides, input._array.shape, strict=True)
        if any(stride == 0 and size > 1 for stride, size in strides):
            raise RuntimeError(
                f"The {index}th input has a dimension with stride 0. gradcheck only supports "
                "inputs that are non-overlapping to be able to compute the numerical gradients "
                "correctly. You should call .contiguous on the input before passing it to "
                "gradcheck."
            )
    checked = differentiable(inputs)
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them "
            "have requires_grad=True."
        )
    return checked


# Jacobians have a row for each element of the input and a column for each element of the output.


def check_jacobians(
    func: Callable[..., Any],
    inputs: tuple[Any, ...],
    checked_inputs: list[Tensor],
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
) -> None:
    results = as_tuple(func(*inputs))
    outputs = [(i, o) for i, o in enumerate(results) if isinstance(o, Tensor) and o.requires_grad]
    numerical = [numerical_jacobians(func, inputs, input, eps) for input in checked_inputs]
    if not outputs and any(jacobian.any() for row in numerical for jacobian in row):
        raise GradcheckError("Numerical gradient for function expected to be zero")
    for output_number, (index, output) in enumerate(outputs):
        analytical = analytical_jacobians(output, checked_inputs, nondet_tol)
        for input_number, computed in enumerate(analytical):
            expected = numerical[input_number][index]
            if not np.allclose(computed, expected, rtol, atol):
                raise GradcheckError(
                    f"Jacobian mismatch for output {output_number} with respect to input "
                    f"{input_number},\nnumerical:{from_array(expected)}\n"
                    f"analytical:{from_array(computed)}\n"
                )


def numerical_jacobians(
    func: Callable[..., Any], inputs: tuple[Any, ...], input: Tensor, eps: float
) -> list[Array]:
    """The Jacobian of each result of `func` with respect to one input, by central differences."""
    array = input._array  # written to directly, which autograd doesn't notice
    rows = []
    for index in np.ndindex(array.shape):
        value = array[index]
        try:
            array[index] = value - eps
            before = detached_results(func, inputs)
            array[index] = value + eps
            after = detached_results(func, inputs)
        finally:
            array[index] = value
        row = []
        for a, b in zip(before, after, strict=True):
            check_same_kind(a, b, index, eps)
            row.append(quiet().run(np.subtract, b, a, dtype=float).reshape(-1) / (2 * eps))
        rows.append(row)
    return [np.array(columns) for columns in zip(*rows, strict=True)]


def detached_results(func: Callable[..., Any], inputs: tuple[Any, ...]) -> list[Array]:
    # A result that is no tensor has no derivative, but keeps its place.
    return [
        result._array.copy() if isinstance(result, Tensor) else np.zeros(0)
        for result in as_tuple(func(*inputs))
    ]


def check_same_kind(a: Array, b: Array, index: tuple[int, ...], eps: float) -> None:
    perturbed = f"when inputs are perturbed on index {index} by {eps}, but got:"
    if a.shape != b.shape:
        raise AssertionError(
            f"Expected `func` to return outputs with the same shape {perturbed} shapes "
            f"{from_array(a).shape} and {from_array(b).shape}."
        )
    if a.dtype != b.dtype:
        raise AssertionError(
            f"Expected `func` to return outputs with the same dtype {perturbed} dtypes "
            f"{from_array(a).dtype} and {from_array(b).dtype}."
        )


def analytical_jacobians(output: Tensor, inputs: list[Tensor], nondet_tol: float) -> list[Array]:
    """The Jacobian of an output with respect to each input, by backward passes (all twice)."""
    first, second = vjp_columns(output, inputs), vjp_columns(output, inputs)
    for a, b in zip(first, second, strict=True):
        if not np.allclose(a, b, 0, nondet_tol, equal_nan=True):
            raise GradcheckError(
                "Backward is not reentrant, i.e., running backward with same input and grad_output "
                "multiple times gives different values, although analytical gradient matches "
                f"numerical gradient.The tolerance for nondeterminism was {nondet_tol}."
            )
    return first


def vjp_columns(output: Tensor, inputs: list[Tensor]) -> list[Array]:
    jacobians = [np.zeros((input.numel(), output.numel()), input._array.dtype) for input in inputs]
    for column in range(output.numel()):
        unit = np.zeros(output.numel(), output._array.dtype)
        unit[column] = 1
        vector = from_array(unit.reshape(output.shape))
        grads = autograd_grad(output, inputs, vector, retain_graph=True, allow_unused=True)
        for jacobian, grad in zip(jacobians, grads, strict=True):
            if grad is not None:
                jacobian[:, column] = grad._array.reshape(-1)
    return jacobians


# Rules that all gradients keep


def zero_vectors(outputs: Sequence[Tensor]) -> list[Tensor]:
    return [from_array(np.zeros_like(output._array)) for output in outputs]


def check_proportional(
    func: Callable[..., Any], inputs: tuple[Any, ...], checked_inputs: list[Tensor]
) -> None:
    """Zeros as gradients of the outputs must give zeros."""
    outputs = differentiable(func(*inputs))
    grads = autograd_grad(outputs, checked_inputs, zero_vectors(outputs), allow_unused=True)
    if any(grad is not None and grad._array.any() for grad in grads):
        raise GradcheckError("backward not multiplied by grad_output")


class UndefinedGrad(Function):
    """The identity; its backward returns None instead of a gradient."""

    @staticmethod
    def forward(ctx: Any, tensor: Any) -> Any:
        return tensor.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> None:
        return None


def check_undefined(
    func: Callable[..., Any], inputs: tuple[Any, ...], checked_inputs: list[Tensor]
) -> None:
    """A missing gradient must count as zeros: of all outputs, then of one at a time."""
    count = len(differentiable(func(*inputs)))
    choices = [set(range(count))] + [{number} for number in range(count) if count > 1]
    for undefined in choices:
        outputs = [
            UndefinedGrad.apply(output) if number in undefined else output
            for number, output in enumerate(differentiable(func(*inputs)))
        ]
        try:
            grads = autograd_grad(outputs, checked_inputs, zero_vectors(outputs), allow_unused=True)
        except RuntimeError as error:
            warn(UNDEFINED_GRAD_WARNING)
            raise GradcheckError(
                "Expected backward function to handle undefined output grads. Please look at "
                '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
            ) from error
        if any(grad is not None and grad._array.any() for grad in grads):
            warn(UNDEFINED_GRAD_WARNING)
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are "
                'undefined or zero. Please look at "Notes about undefined output gradients" in '
                '"tools/autograd/derivatives.yaml"'
            )
