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

from minigrad.creation import zeros_like
from minigrad.engine import grad as autograd_grad
from minigrad.missing import module_hooks
from minigrad.modes import enable_grad
from minigrad.ops.shapes import stack
from minigrad.tensor import Tensor

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
__dir__, __getattr__ = module_hooks(__name__, __all__)

Func = Callable[..., Any]
Tensors = tuple[Tensor, ...]

# What strict mode says. {} is the number of the input or output.
FUNCTION = "of the user-provided function"
STRICT = "This is not allowed in strict mode"
DETACHED = (
    f"Output {{}} {FUNCTION} does not require gradients. The outputs must be computed in a "
    "differentiable manner from the input when running in strict mode."
)
INDEPENDENT = f" {FUNCTION} is independent of input {{}}. {STRICT}"
UNUSED = f"The output{INDEPENDENT}."
CONSTANT_JACOBIAN = (
    f"While computing the hessian, found that the jacobian {FUNCTION} with respect to input {{}} "
    f"is independent of the input. {STRICT}."
)


# Arguments and results


def as_tuple(value: Any, role: str, caller: str) -> tuple[Tensors, bool]:
    """The tensors in a tuple, and whether they were in one. Raises TypeError for anything else."""
    is_tuple = isinstance(value, tuple)
    tensors = value if is_tuple else (value,)
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"The {role} given to {caller} must be either a Tensor or a tuple of Tensors but "
                f"the given {role} has type {type(tensor)}."
            )
    return tensors, is_tuple


def new_inputs(inputs: Any, create_graph: bool, caller: str) -> tuple[Tensors, bool]:
    """What `func` is called with, and whether the inputs were in a tuple.

    The tensors are new so that a derivative counts an input only where `func` uses its argument,
    not where it uses the same tensor from outside. They are connected with the caller's graph only
    if that is wanted.
    """
    tensors, is_tuple = as_tuple(inputs, "inputs", caller)
    new = [
        t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_()
        for t in tensors
    ]
    return tuple(new), is_tuple


def as_vector(v: Any, like: Tensors, create_graph: bool, caller: str) -> Tensors | None:
    """The vector of a product, with the shapes of `like`; None, for a 1, if that is enough."""
    if v is None:
        if len(like) == 1 and like[0].numel() == 1:
            return None
        what = "user-provided function returns"
        if caller != "vjp":
            what = "input to the user-provided function is"
        raise RuntimeError(
            f"The vector v can only be None if the {what} a single Tensor with a single element."
        )
    vectors, _ = as_tuple(v, "v", caller)
    if len(vectors) != len(like):
        many = f"v is a tuple of invalid length: should be {len(like)} but got {len(vectors)}."
        raise RuntimeError(many if len(like) > 1 else "The given v should contain a single Tensor.")
    for vector, tensor in zip(vectors, like, strict=True):
        if vector.shape != tensor.shape:
            raise RuntimeError(
                f"v has invalid size: should be {tensor.shape} but got {vector.shape}."
            )
    return vectors if create_graph else tuple([vector.detach() for vector in vectors])


def call(func: Func, inputs: Tensors, caller: str, strict: bool) -> tuple[Tensors, bool]:
    """The outputs of `func` in a tuple, and whether they were in one."""
    outputs, is_tuple = as_tuple(func(*inputs), f"outputs {FUNCTION}", caller)
    for index, output in enumerate(outputs):
        if strict and not output.requires_grad:
            raise RuntimeError(DETACHED.format(index))
    needs_number = caller in ("vhp", "hvp", "hessian")
    if needs_number and is_tuple:
        raise RuntimeError(f"The function given to {caller} should return a single Tensor")
    if needs_number and outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {caller} should contain a single element"
        )
    return outputs, is_tuple


def result(tensors: Tensors, is_tuple: bool, create_graph: bool) -> Any:
    """What the caller gets: without history unless `create_graph`, and in a tuple if wanted."""
    if not create_graph:
        tensors = tuple([tensor.detach() for tensor in tensors])
    return tensors if is_tuple else tensors[0]


# Differentiation


def gradients(
    outputs: Tensors,
    inputs: Tensors,
    vectors: Tensors | None,
    create_graph: bool,
    strict: bool = False,
    errors: tuple[str, str] = (UNUSED, UNUSED),
) -> Tensors:
    """`autograd.grad` of the outputs that require grad, with zeros for each unused input.

    In strict mode, the errors are raised for an unused input, and for a gradient that should have
    a graph and is constant.
    """
    every_pair = zip(outputs, vectors or [None] * len(outputs), strict=True)
    pairs = [(output, vector) for output, vector in every_pair if output.requires_grad]
    grads: Sequence[Tensor | None] = [None] * len(inputs)
    if pairs:
        roots, weights = zip(*pairs, strict=True)
        grads = autograd_grad(roots, inputs, weights, True, create_graph, allow_unused=True)
    for index, grad in enumerate(grads if strict else ()):
        if grad is None or (create_graph and not grad.requires_grad):
            raise RuntimeError(errors[grad is not None].format(index))
    return tuple([zeros_like(i) if g is None else g for g, i in zip(grads, inputs, strict=True)])


def independent(subject: str, derivative: str) -> tuple[str, str]:
    """The errors in strict mode when the result itself is computed."""
    return f"{subject}{INDEPENDENT}.", f"The {derivative}{INDEPENDENT} when create_graph=True."


# Products with vectors


def product(
    name: str, func: Func, inputs: Any, v: Any, create_graph: bool, strict: bool
) -> tuple[Any, Any]:
    """The outputs of `func`, and the product that `name` stands for.

    A product with the Hessian is one with the Jacobian of the gradient. ``v @ J`` is a backward
    pass. It is linear in v, and its own derivative in the direction w is ``J @ w``: so ``J @ w`` is
    a backward pass through a backward pass whose vectors are dummies.
    Source: https://j-towns.github.io/2017/06/12/A-new-trick.html
    """
    of_hessian, forward = name in ("vhp", "hvp"), name in ("jvp", "hvp")
    with enable_grad():
        inputs, is_tuple = new_inputs(inputs, create_graph, name)
        vectors = None if name == "vjp" else as_vector(v, inputs, create_graph, name)
        outputs, output_is_tuple = call(func, inputs, name, strict)
        if name == "vjp":
            vectors = as_vector(v, outputs, create_graph, name)
        values, sources = outputs, inputs
        if of_hessian:
            values = gradients(values, inputs, None, True, strict, (UNUSED, CONSTANT_JACOBIAN))
        if forward:
            sources = tuple([zeros_like(value, requires_grad=True) for value in values])
            values = gradients(values, inputs, sources, True, strict and not of_hessian)
        subject = "The output" if name == "vjp" else "The jacobian"
        errors = independent(subject, "hessian" if of_hessian else "jacobian")
        products = gradients(values, sources, vectors, create_graph, strict, errors)
    value = result(outputs, output_is_tuple, create_graph)
    return value, result(products, output_is_tuple if name == "jvp" else is_tuple, create_graph)


def vjp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The outputs of `func`, and the vector-Jacobian product: `v` times the Jacobian.

    `v` has the shapes of the outputs; it can be left out if there is one output with one element.

    >>> import minigrad as torch
    >>> torch.autograd.functional.vjp(lambda x: x**2, torch.tensor([1.0, 2.0]), torch.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    return product("vjp", func, inputs, v, create_graph, strict)


def jvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The outputs of `func`, and the Jacobian-vector product: the Jacobian times `v`.

    `v` has the shapes of the inputs; it can be left out if there is one input with one element.

    >>> import minigrad as torch
    >>> torch.autograd.functional.jvp(lambda x: x**2, torch.tensor([1.0, 2.0]), torch.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    return product("jvp", func, inputs, v, create_graph, strict)


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
    return product("vhp", func, inputs, v, create_graph, strict)


def hvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The output of `func`, a single number, and the Hessian-vector product: the Hessian times `v`.

    `vhp` is the same for a twice continuously differentiable function, and faster: this function
    needs a third backward pass.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.hvp(lambda x: (x**3).sum(), x, torch.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    return product("hvp", func, inputs, v, create_graph, strict)


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
    if strict and vectorize:
        raise RuntimeError("`strict=True` and `vectorized=True` are not supported together.")
    with enable_grad():
        inputs, is_tuple = new_inputs(inputs, create_graph, "jacobian")
        outputs, output_is_tuple = call(func, inputs, "jacobian", strict)
        blocks = []
        for number, output in enumerate(outputs):
            errors = independent(f"Output {number}", "jacobian")
            block = jacobian_block(output, inputs, create_graph, strict, errors)
            blocks.append(result(block, is_tuple, create_graph))
    return tuple(blocks) if output_is_tuple else blocks[0]


def jacobian_block(output: Tensor, inputs: Tensors, *options: Any) -> Tensors:
    """The derivative of each element of an output, by inputs. The options are for `gradients`."""
    rows = []
    for index in np.ndindex(output._array.shape):
        unit = zeros_like(output)
        unit._array[index] = 1
        rows.append(gradients((output,), inputs, (unit,), *options))
    columns = zip(zip(*rows, strict=True), inputs, strict=True)
    return tuple([stack(grads).view((*output.shape, *i.shape)) for grads, i in columns])


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

    def gradient(*inputs: Tensor) -> Tensors:
        outputs, _ = call(func, inputs, "hessian", strict)
        return gradients(outputs, inputs, None, True, strict, (CONSTANT_JACOBIAN,) * 2)

    blocks = jacobian(gradient, inputs, create_graph, strict, vectorize)
    return blocks if is_tuple else blocks[0][0]
