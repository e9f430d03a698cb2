"""gradcheck and gradgradcheck: gradients compared with finite differences.

Source: https://docs.pytorch.org/docs/stable/notes/gradcheck.html
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from minigrad.autograd.functional import Func, Tensors, gradients, jacobian_block
from minigrad.creation import zeros_like
from minigrad.engine import edge_of, run_in_mode
from minigrad.graph import Array
from minigrad.modes import quiet
from minigrad.targets import Targets
from minigrad.tensor import Tensor, from_array
from minigrad.warn import warn


class GradcheckError(RuntimeError):
    """A gradient differs from the finite differences, or breaks a rule that gradients keep."""


def gradcheck(
    func: Func,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_batched_grad: bool = False,
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
    tensors, vmap, forward mode), or they check less (`fast_mode`).

    >>> import minigrad as torch
    >>> x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.exp, x)
    True
    """
    inputs = as_tuple(inputs)
    checked = differentiable(inputs)
    for index, input in enumerate(inputs):
        if differentiable(input) and input._array.dtype != np.float64:
            warn(
                f"Input #{index} requires gradient and is not a double precision floating point or "
                "complex. This check will likely fail. "
            )
    if not checked:
        raise ValueError("gradcheck expects at least one input tensor to require gradient")
    run = functools.partial(func, *inputs)
    try:
        check_jacobians(run, checked, eps, atol, rtol, nondet_tol)
        outputs = differentiable(run())
        zeros = gradients(outputs, checked, tuple(map(zeros_like, outputs)), False)
        if any(zero._array.any() for zero in zeros):
            raise GradcheckError("backward not multiplied by grad_output")
        if check_undefined_grad:
            check_undefined(run, checked)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(func: Func, inputs: Any, grad_outputs: Any = None, **options: Any) -> bool:
    """Compare the second derivatives of `func` with central differences of the first.

    `grad_outputs` are the vectors of the first vector-Jacobian product, one for each output that
    requires grad (default: random ones, from the global generator). `options` are those of
    `gradcheck`.

    >>> import minigrad as torch
    >>> x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.exp, x)
    True
    """
    inputs = as_tuple(inputs)
    if grad_outputs is None:
        zeros = map(zeros_like, differentiable(func(*inputs)))
        grad_outputs = [vector.uniform_(-1, 1).requires_grad_() for vector in zeros]
    vectors = as_tuple(grad_outputs)

    def gradient(*args: Any) -> Tensors:
        func_inputs, func_vectors = args[: len(inputs)], args[len(inputs) :]
        outputs = differentiable(func(*func_inputs))
        return gradients(outputs, differentiable(func_inputs), func_vectors, True)

    return gradcheck(gradient, (*inputs, *vectors), **options)


# The tensors among arguments and results


def as_tuple(values: Any) -> tuple[Any, ...]:
    return tuple(values) if isinstance(values, tuple | list) else (values,)


def differentiable(values: Any) -> Tensors:
    """The tensors that require grad."""
    return tuple([t for t in as_tuple(values) if isinstance(t, Tensor) and t.requires_grad])


# Jacobians have a row for each element of the input and a column for each element of the output.


def check_jacobians(
    run: Func, inputs: Tensors, eps: float, atol: float, rtol: float, nondet_tol: float
) -> None:
    """Compare the Jacobian of each output with respect to each input."""
    results = as_tuple(run())
    outputs = [(i, o) for i, o in enumerate(results) if differentiable(o) and o.numel()]
    numerical = [numerical_jacobians(run, input, eps) for input in inputs]
    if not outputs and any(jacobian.any() for row in numerical for jacobian in row):
        raise GradcheckError("Numerical gradient for function expected to be zero")
    for number, (index, output) in enumerate(outputs):
        for input_number, computed in enumerate(analytical_jacobians(output, inputs, nondet_tol)):
            expected = numerical[input_number][index]
            if not np.allclose(computed, expected, rtol, atol):
                raise GradcheckError(
                    f"Jacobian mismatch for output {number} with respect to input {input_number},\n"
                    f"numerical:{from_array(expected)}\nanalytical:{from_array(computed)}\n"
                )


def numerical_jacobians(run: Func, input: Tensor, eps: float) -> list[Array]:
    """The Jacobian of each result of `run` with respect to one input, by central differences."""

    def results() -> list[Array]:
        # What is no tensor has no derivative.
        return [getattr(r, "_array", np.zeros(0)).copy() for r in as_tuple(run())]

    array = input._array  # written to directly, which autograd doesn't notice
    jacobians = [np.zeros((array.size, result.size)) for result in results()]
    for row, index in enumerate(np.ndindex(array.shape)):
        value = array[index]
        try:
            array[index] = value - eps
            before = results()
            array[index] = value + eps
            after = results()
        finally:
            array[index] = value
        for jacobian, a, b in zip(jacobians, before, after, strict=True):
            for what, x, y in (("shape", a.shape, b.shape), ("dtype", a.dtype, b.dtype)):
                if x != y:
                    raise AssertionError(
                        f"Expected `func` to return outputs with the same {what} when inputs are "
                        f"perturbed on index {index} by {eps}, but got: {what}s {x} and {y}."
                    )
            slope = quiet().run(np.subtract, b, a, dtype=float) / (2 * eps)
            jacobian[row] = slope.reshape(-1)
    return jacobians


def analytical_jacobians(output: Tensor, inputs: Tensors, nondet_tol: float) -> list[Array]:
    """The Jacobian of an output with respect to each input, by backward passes (all twice)."""
    first, second = (jacobian_block(output, inputs, False) for _ in range(2))
    for a, b in zip(first, second, strict=True):
        if not np.allclose(a._array, b._array, 0, nondet_tol, equal_nan=True):
            raise GradcheckError(
                "Backward is not reentrant, i.e., running backward with same input and grad_output "
                f"multiple times gives values that differ by more than {nondet_tol}."
            )
    return [block._array.reshape(output.numel(), -1).T for block in first]


def check_undefined(run: Func, inputs: Tensors) -> None:
    """Missing gradients of the outputs must count as zeros."""
    roots = [(edge_of(output), None) for output in differentiable(run())]
    targets = Targets(list(map(edge_of, inputs)), capture=True)
    try:
        run_in_mode(roots, False, False, targets)
        failed = any(grad is not None and grad.any() for grad in targets.captured.values())
    except RuntimeError:
        failed = True
    if failed:
        warn("Backwards compatibility: New undefined gradient support checking feature is enabled")
        raise GradcheckError("Expected backward function to handle undefined output grads.")
