"""torch.autograd.functional: Jacobians, Hessians, and their products with vectors.

Each function takes `func`, a Python function of tensors that returns a tensor or a tuple of
tensors, and `inputs`, a tensor or a tuple of tensors. `func` is called with new tensors, so no
`grad` of the inputs changes.

- ``create_graph=True`` records the computation, so that the results can be differentiated again.
- ``strict=True`` raises RuntimeError if an output doesn't depend on an input. By default, such a
  derivative is zeros.

Source: https://docs.pytorch.org/docs/stable/autograd.html#functional-higher-level-api
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.engine import grad as autograd_grad
from minigrad.modes import enable_grad
from minigrad.ops.joins import stack
from minigrad.tensor import Tensor, from_array

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Func = Callable[..., Any]
Tensors = tuple[Tensor, ...]

# When the vector of a product can't be left out.
FUNCTION_RETURNS = "user-provided function returns"
INPUT_IS = "input to the user-provided function is"

# What strict mode says. {} is the number of the input or output.
OUTPUT_DETACHED = (
    "Output {} of the user-provided function does not require gradients. The outputs must be "
    "computed in a differentiable manner from the input when running in strict mode."
)
OUTPUT_INDEPENDENT = (
    "The output of the user-provided function is independent of input {}. This is not allowed in "
    "strict mode."
)
GRADIENT_CONSTANT = (
    "The gradient with respect to input {} is independent of the inputs of the user-provided "
    "function. This is not allowed in strict mode."
)
GRADIENT_INDEPENDENT = (
    "The gradient with respect to the input is independent of entry {} in the grad_outputs when "
    "using the double backward trick to compute forward mode gradients. This is not allowed in "
    "strict mode."
)
JACOBIAN_CONSTANT = (
    "While computing the hessian, found that the jacobian of the user-provided function with "
    "respect to input {} is independent of the input. This is not allowed in strict mode. You "
    "should ensure that your function is twice differentiable and that the jacobian depends on the "
    "inputs (this would be violated by a linear function for example)."
)
JACOBIAN_INDEPENDENT = (
    "The jacobian of the user-provided function is independent of input {}. This is not allowed in "
    "strict mode."
)
HESSIAN_INDEPENDENT = (
    "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. "
    "This is not allowed in strict mode as it prevents from using the double backward trick to "
    "replace forward mode AD."
)
CONSTANT = (
    "The {} of the user-provided function is independent of input {}. This is not allowed in "
    "strict mode when create_graph=True."
)


# Arguments and results


def as_tuple(value: Any, role: str, caller: str) -> tuple[Tensors, bool]:
    """The tensors in a tuple, and whether they were in one. Raises TypeError for anything else."""
    is_tuple = isinstance(value, tuple)
    tensors = value if is_tuple else (value,)
    for index, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            which = f"the value at index {index}" if is_tuple else f"the given {role}"
            raise TypeError(
                f"The {role} given to {caller} must be either a Tensor or a tuple of Tensors but "
                f"{which} has type {type(tensor)}."
            )
    return tensors, is_tuple


def new_tensor(tensor: Tensor, create_graph: bool, requires_grad: bool) -> Tensor:
    """A tensor of the same memory, connected with the caller's graph only if that is wanted."""
    if create_graph and tensor.requires_grad:
        return tensor.view_as(tensor)  # type: ignore[no-any-return]
    return tensor.detach().requires_grad_(requires_grad)


def new_inputs(inputs: Any, create_graph: bool, caller: str) -> tuple[Tensors, bool]:
    """What `func` is called with, and whether the inputs were in a tuple.

    The tensors are new so that a derivative counts an input only where `func` uses its argument,
    not where it uses the same tensor from outside.
    """
    tensors, is_tuple = as_tuple(inputs, "inputs", caller)
    return tuple([new_tensor(tensor, create_graph, True) for tensor in tensors]), is_tuple


def as_vector(
    v: Any, like: Tensors, like_is_tuple: bool, create_graph: bool, caller: str, role: str
) -> Tensors | None:
    """The vector of a product, with the shapes of `like`; None, for a 1, if that is enough."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(
                f"The vector v can only be None if the {role} a single Tensor with a single "
                "element."
            )
        return None
    vectors, _ = as_tuple(v, "v", caller)
    if len(vectors) != len(like):
        if like_is_tuple:
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(like)} but got {len(vectors)}."
            )
        raise RuntimeError("The given v should contain a single Tensor.")
    for index, (vector, tensor) in enumerate(zip(vectors, like, strict=True)):
        if vector.shape != tensor.shape:
            where = f"Entry {index} in " if like_is_tuple else ""
            raise RuntimeError(
                f"{where}v has invalid size: should be {tensor.shape} but got {vector.shape}."
            )
    return tuple([new_tensor(vector, create_graph, False) for vector in vectors])


def call(func: Func, inputs: Tensors, caller: str, strict: bool) -> tuple[Tensors, bool]:
    """The outputs of `func` in a tuple, and whether they were in one."""
    outputs, is_tuple = as_tuple(func(*inputs), "outputs of the user-provided function", caller)
    if strict:
        check_depends(outputs, OUTPUT_DETACHED)
    return outputs, is_tuple


def call_scalar(func: Func, inputs: Tensors, caller: str, strict: bool) -> Tensors:
    """The single output of `func` that has a Hessian, in a tuple."""
    outputs, is_tuple = call(func, inputs, caller, strict)
    if is_tuple:
        raise RuntimeError(f"The function given to {caller} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {caller} should contain a single element"
        )
    return outputs


def check_depends(tensors: Sequence[Tensor | None], message: str) -> None:
    """Raise for the first tensor that does not depend on the inputs."""
    for index, tensor in enumerate(tensors):
        if tensor is None:
            raise RuntimeError(OUTPUT_INDEPENDENT.format(index))
        if not tensor.requires_grad:
            raise RuntimeError(message.format(index))


def result(tensors: Tensors, is_tuple: bool, create_graph: bool) -> Any:
    """What the caller gets: without history unless `create_graph`, and in a tuple if wanted."""
    if not create_graph:
        tensors = tuple([tensor.detach() for tensor in tensors])
    return tensors if is_tuple else tensors[0]


# Differentiation


def gradients(
    outputs: Sequence[Tensor | None],
    inputs: Tensors,
    vectors: Tensors | None,
    create_graph: bool,
    retain_graph: bool | None = None,
) -> tuple[Tensor | None, ...]:
    """`autograd.grad` of the outputs that require grad; None for each unused input."""
    pairs = [
        (output, vector)
        for output, vector in zip(outputs, vectors or [None] * len(outputs), strict=True)
        if output is not None and output.requires_grad
    ]
    if not pairs:
        return (None,) * len(inputs)
    roots, weights = zip(*pairs, strict=True)
    return autograd_grad(roots, inputs, weights, retain_graph, create_graph, allow_unused=True)


def fill_zeros(
    grads: Sequence[Tensor | None],
    like: Tensors,
    strict: bool,
    create_graph: bool,
    message: str,
    derivative: str,
) -> Tensors:
    """Zeros for the gradients that are None. In strict mode they raise RuntimeError."""
    filled = []
    for index, (grad, tensor) in enumerate(zip(grads, like, strict=True)):
        if grad is None:
            if strict:
                raise RuntimeError(message.format(index))
            grad = zeros_like(tensor)
        elif strict and create_graph and not grad.requires_grad:
            raise RuntimeError(CONSTANT.format(derivative, index))
        filled.append(grad)
    return tuple(filled)


def zeros_like(tensor: Tensor, requires_grad: bool = False) -> Tensor:
    return from_array(np.zeros_like(tensor._array)).requires_grad_(requires_grad)


def scalar_gradient(
    func: Func, inputs: Tensors, caller: str, strict: bool
) -> tuple[Tensors, tuple[Tensor | None, ...]]:
    """The single output of `func`, and its gradient, ready for a second derivative."""
    outputs = call_scalar(func, inputs, caller, strict)
    gradient = gradients(outputs, inputs, None, create_graph=True)
    if strict:
        check_depends(gradient, JACOBIAN_CONSTANT)
    return outputs, gradient


# Products with vectors


def vjp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The outputs of `func`, and the vector-Jacobian product: `v` times the Jacobian.

    `v` has the shapes of the outputs; it can be left out if there is one output with one element.

    >>> import minigrad as torch
    >>> torch.autograd.functional.vjp(lambda x: x**2, torch.tensor([1.0, 2.0]), torch.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        inputs, is_tuple = new_inputs(inputs, create_graph, "vjp")
        outputs, output_is_tuple = call(func, inputs, "vjp", strict)
        v = as_vector(v, outputs, output_is_tuple, create_graph, "vjp", FUNCTION_RETURNS)
        grads = gradients(outputs, inputs, v, create_graph)
        product = fill_zeros(grads, inputs, strict, create_graph, OUTPUT_INDEPENDENT, "jacobian")
    value = result(outputs, output_is_tuple, create_graph)
    return value, result(product, is_tuple, create_graph)


def jvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The outputs of `func`, and the Jacobian-vector product: the Jacobian times `v`.

    `v` has the shapes of the inputs; it can be left out if there is one input with one element.
    The product comes from two backward passes: ``u -> u @ J`` is linear in u, and its own
    vector-Jacobian product with `v` is ``J @ v`` (the double backward trick,
    https://j-towns.github.io/2017/06/12/A-new-trick.html).

    >>> import minigrad as torch
    >>> torch.autograd.functional.jvp(lambda x: x**2, torch.tensor([1.0, 2.0]), torch.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        inputs, is_tuple = new_inputs(inputs, create_graph, "jvp")
        v = as_vector(v, inputs, is_tuple, create_graph, "jvp", INPUT_IS)
        outputs, output_is_tuple = call(func, inputs, "jvp", strict)
        dummies = tuple([zeros_like(output, requires_grad=True) for output in outputs])
        grads = gradients(outputs, inputs, dummies, create_graph=True)
        if strict:
            check_depends(grads, GRADIENT_CONSTANT)
        products = gradients(grads, dummies, v, create_graph)
        product = fill_zeros(
            products, outputs, strict, create_graph, GRADIENT_INDEPENDENT, "jacobian"
        )
    value = result(outputs, output_is_tuple, create_graph)
    return value, result(product, output_is_tuple, create_graph)


def vhp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The output of `func`, a single number, and the vector-Hessian product: `v` times the Hessian.

    `v` has the shapes of the inputs; it can be left out if there is one input with one element.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.vhp(lambda x: (x**3).sum(), x, torch.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        inputs, is_tuple = new_inputs(inputs, create_graph, "vhp")
        v = as_vector(v, inputs, is_tuple, create_graph, "vhp", INPUT_IS)
        outputs, gradient = scalar_gradient(func, inputs, "vhp", strict)
        grads = gradients(gradient, inputs, v, create_graph)
        product = fill_zeros(grads, inputs, strict, create_graph, JACOBIAN_INDEPENDENT, "hessian")
    return result(outputs, False, create_graph), result(product, is_tuple, create_graph)


def hvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The output of `func`, a single number, and the Hessian-vector product: the Hessian times `v`.

    `vhp` is the same for a twice continuously differentiable function, and faster: this function
    needs a third backward pass (see `jvp`).

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.hvp(lambda x: (x**3).sum(), x, torch.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        inputs, is_tuple = new_inputs(inputs, create_graph, "hvp")
        v = as_vector(v, inputs, is_tuple, create_graph, "hvp", INPUT_IS)
        outputs, gradient = scalar_gradient(func, inputs, "hvp", strict)
        dummies = tuple([zeros_like(input, requires_grad=True) for input in inputs])
        grads = gradients(gradient, inputs, dummies, create_graph=True)
        products = gradients(grads, dummies, v, create_graph)
        product = fill_zeros(products, inputs, strict, create_graph, HESSIAN_INDEPENDENT, "hessian")
    return result(outputs, False, create_graph), result(product, is_tuple, create_graph)


# Whole matrices


def jacobian(
    func: Func,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The derivative of each element of the outputs with respect to each element of the inputs.

    For one output of shape S and one input of shape T, it is a tensor of shape S + T. Several
    outputs make a tuple, and so do several inputs: ``jacobian[i][j]`` is the derivative of output
    i with respect to input j. One backward pass computes one row. `vectorize` and `strategy`
    choose how PyTorch computes the same result; here they change nothing.

    >>> import minigrad as torch
    >>> torch.autograd.functional.jacobian(lambda x: x**2, torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    check_strategy(strategy)
    if strict and vectorize:
        raise RuntimeError(
            "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
            "supported together. Please either set `strict=False` or `vectorize=False`."
        )
    with enable_grad():
        inputs, is_tuple = new_inputs(inputs, create_graph, "jacobian")
        outputs, output_is_tuple = call(func, inputs, "jacobian", strict)
        blocks = [
            result(jacobian_blocks(output, number, inputs, create_graph, strict), is_tuple, True)
            for number, output in enumerate(outputs)
        ]
    return tuple(blocks) if output_is_tuple else blocks[0]


def jacobian_blocks(
    output: Tensor, number: int, inputs: Tensors, create_graph: bool, strict: bool
) -> Tensors:
    """The Jacobian of one output with respect to each input."""
    rows: list[Tensors] = []
    message = (
        f"Output {number} of the user-provided function is independent of input {{}}. This is not "
        "allowed in strict mode."
    )
    for element in range(output.numel()):
        unit = np.zeros(output.numel(), output._array.dtype)
        unit[element] = 1
        vector = from_array(unit.reshape(output.shape))
        grads = gradients((output,), inputs, (vector,), create_graph, retain_graph=True)
        rows.append(fill_zeros(grads, inputs, strict, create_graph, message, "jacobian"))
    return tuple(
        [
            stack([row[index] for row in rows]).view((*output.shape, *input.shape))
            for index, input in enumerate(inputs)
        ]
    )


def hessian(
    func: Func,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function whose output is a single number.

    For one input of shape T, it is a tensor of shape T + T. Several inputs make a tuple of tuples:
    ``hessian[i][j]`` is the derivative with respect to input i, then input j. `vectorize` and
    `outer_jacobian_strategy` choose how PyTorch computes the same result; here they change nothing.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.hessian(lambda x: (x**3).sum(), x)
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    inputs, is_tuple = as_tuple(inputs, "inputs", "hessian")
    check_strategy(outer_jacobian_strategy)

    def scalar(*inputs: Tensor) -> Any:
        return call_scalar(func, inputs, "hessian", strict)[0].reshape(())

    def gradient(*inputs: Tensor) -> Tensors:
        rows: Tensors = jacobian(scalar, inputs, create_graph=True)
        if strict:
            check_depends(rows, JACOBIAN_CONSTANT)
        return rows

    blocks = jacobian(gradient, inputs, create_graph, strict, vectorize)
    return blocks if is_tuple else blocks[0][0]


def check_strategy(strategy: str) -> None:
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your '
            'function has more outputs than inputs, "forward-mode" tends to be more performant. '
            'Otherwise, prefer to use "reverse-mode".'
        )
