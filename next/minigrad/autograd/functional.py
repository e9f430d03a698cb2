"""torch.autograd.functional: Jacobians, Hessians, and their products with vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.engine import grad as autograd_grad
from minigrad.op import functions
from minigrad.tensor import Tensor
from minigrad.modes import enable_grad, is_grad_enabled, set_grad_enabled

ONLY_SCALAR = "The vector v can only be None if the {} a single Tensor with a single element."
INDEPENDENT = (
    "Output {} of the user-provided function is independent of input {}. This is not allowed in "
    "strict mode."
)


def as_tuple(given: Any, what: str, caller: str) -> tuple[bool, tuple]:
    """Whether it is a tuple, and the tuple of tensors."""
    is_tuple = isinstance(given, tuple)
    parts = given if is_tuple else (given,)
    for i, one in enumerate(parts):
        if not isinstance(one, Tensor):
            kind = type(one)
            if is_tuple:
                raise TypeError(
                    f"The {what} given to {caller} must be either a Tensor or a tuple of Tensors "
                    f"but the value at index {i} has type {kind}."
                )
            raise TypeError(
                f"The {what} given to {caller} must be either a Tensor or a tuple of Tensors but "
                f"the given {what} has type {kind}."
            )
    return is_tuple, parts


def alone(is_tuple: Any, parts: tuple) -> Any:
    return parts if is_tuple else parts[0]


def prepared(inputs: tuple, create_graph: bool, need_graph: bool) -> tuple:
    """Inputs with a history apart from the caller's, or on top of it."""
    result = []
    for one in inputs:
        if create_graph and one.requires_grad:
            result.append(one.view_as(one))
        else:
            result.append(one.detach().requires_grad_(need_graph))
    return tuple(result)


def finished(parts: Any, create_graph: bool) -> Any:
    if isinstance(parts, Tensor):
        return parts if create_graph else parts.detach()
    return tuple([finished(one, create_graph) for one in parts])


def check_v(v: tuple, other: tuple, is_tuple: bool) -> None:
    if len(other) != len(v):
        if is_tuple:
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(other)} but got {len(v)}."
            )
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (one, that) in enumerate(zip(v, other)):
        if one.shape != that.shape:
            prefix = f"Entry {i} in " if is_tuple else ""
            raise RuntimeError(
                f"{prefix}v has invalid size: should be {that.shape} but got {one.shape}."
            )


def check_requires_grad(parts: tuple, kind: str, strict: bool) -> None:
    """In strict mode, refuse results that do not depend on the inputs."""
    for i, one in enumerate(parts if strict else ()):
        if one is None:
            raise RuntimeError(
                "The output of the user-provided function is independent of input "
                f"{i}. This is not allowed in strict mode."
            )
        if not one.requires_grad:
            text = {
                "hessian": f"The hessian of the user-provided function with respect to input {i} "
                "is independent of the input. This is not allowed in strict mode. You should "
                "ensure that your function is thrice differentiable and that the hessian depends "
                "on the inputs.",
                "jacobian": "While computing the hessian, found that the jacobian of the "
                f"user-provided function with respect to input {i} is independent of the input. "
                "This is not allowed in strict mode. You should ensure that your function is twice "
                "differentiable and that the jacobian depends on the inputs (this would be "
                "violated by a linear function for example).",
                "grad_inputs": f"The gradient with respect to input {i} is independent of the "
                "inputs of the user-provided function. This is not allowed in strict mode.",
                "outputs": f"Output {i} of the user-provided function does not require gradients. "
                "The outputs must be computed in a differentiable manner from the input when "
                "running in strict mode.",
            }[kind]
            raise RuntimeError(text)


def grads(outputs: Any, inputs: tuple, v: Any = None, create_graph: bool = False) -> tuple:
    """autograd.grad of those outputs that require grad."""
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    v = (None,) * len(outputs) if v is None else v
    live = [(o, w) for o, w in zip(outputs, v) if o is not None and o.requires_grad]
    if not live:
        return (None,) * len(inputs)
    return autograd_grad(
        [o for o, _ in live],
        inputs,
        [w for _, w in live],
        allow_unused=True,
        create_graph=create_graph,
        retain_graph=True,
    )


def with_zeros(found: tuple, like: tuple, strict: bool, create_graph: bool, stage: str) -> tuple:
    """Zeros where there is no gradient, unless that is not allowed."""
    result = []
    for i, one in enumerate(found):
        if one is None:
            if strict:
                raise RuntimeError(
                    {
                        "back": "The output of the user-provided function is independent of input "
                        f"{i}. This is not allowed in strict mode.",
                        "back_trick": f"The gradient with respect to the input is independent of entry "
                        f"{i} in the grad_outputs when using the double backward trick to compute "
                        "forward mode gradients. This is not allowed in strict mode.",
                        "double_back": "The jacobian of the user-provided function is independent of "
                        f"input {i}. This is not allowed in strict mode.",
                        "double_back_trick": "The hessian of the user-provided function is independent "
                        f"of entry {i} in the grad_jacobian. This is not allowed in strict mode as it "
                        "prevents from using the double backward trick to replace forward mode AD.",
                    }[stage]
                )
            one = functions["zeros_like"](like[i])
        elif strict and create_graph and not one.requires_grad:
            if "double" not in stage:
                raise RuntimeError(
                    "The jacobian of the user-provided function is independent of input "
                    f"{i}. This is not allowed in strict mode when create_graph=True."
                )
            raise RuntimeError(
                "The hessian of the user-provided function is independent of input "
                f"{i}. This is not allowed in strict mode when create_graph=True."
            )
        result.append(one)
    return tuple(result)


def mode(create_graph: bool) -> set_grad_enabled:
    return set_grad_enabled(True if create_graph else is_grad_enabled())


def called(func: Callable, inputs: tuple, name: str, kind: str, strict: bool) -> tuple[bool, tuple]:
    is_tuple, outputs = as_tuple(func(*inputs), "outputs of the user-provided function", name)
    check_requires_grad(outputs, kind, strict)
    return is_tuple, outputs


def vector(v: Any, name: str, of: tuple, is_tuple: bool, whose: str, create_graph: bool) -> tuple:
    """The given vector, or one if it may be left out."""
    if v is not None:
        _, v = as_tuple(v, "v", name)
        v = prepared(v, create_graph, False)
        check_v(v, of, is_tuple)
        return v
    if len(of) != 1 or of[0].nelement() != 1:
        raise RuntimeError(ONLY_SCALAR.format(whose))
    return (functions["ones_like"](of[0]),)


def one_output(is_tuple: bool, outputs: tuple, name: str) -> None:
    if is_tuple or not isinstance(outputs[0], Tensor):
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )


def vjp(
    func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The outputs, and the product of a vector with the Jacobian."""
    with enable_grad():
        several, inputs = as_tuple(inputs, "inputs", "vjp")
        inputs = prepared(inputs, create_graph, True)
        many, outputs = called(func, inputs, "vjp", "outputs", strict)
        v = vector(v, "vjp", outputs, many, "user-provided function returns", create_graph)
    with mode(create_graph):
        found = grads(outputs, inputs, v, create_graph)
        found = with_zeros(found, inputs, strict, create_graph, "back")
    return alone(many, finished(outputs, create_graph)), alone(
        several, finished(found, create_graph)
    )


def jvp(
    func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The outputs, and the product of the Jacobian with a vector: by differentiating twice."""
    with enable_grad():
        several, inputs = as_tuple(inputs, "inputs", "jvp")
        inputs = prepared(inputs, create_graph, True)
        v = vector(
            v, "jvp", inputs, several, "input to the user-provided function is", create_graph
        )
        many, outputs = called(func, inputs, "jvp", "outputs", strict)
        trick = tuple([functions["zeros_like"](o).requires_grad_() for o in outputs])
        inner = grads(outputs, inputs, trick, True)
        check_requires_grad(inner, "grad_inputs", strict)
    with mode(create_graph):
        found = grads(inner, trick, v, create_graph)
        found = with_zeros(found, outputs, strict, create_graph, "back_trick")
    return alone(many, finished(outputs, create_graph)), alone(many, finished(found, create_graph))


def jacobian(
    func: Callable,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of a function: for each output and each input a tensor of both shapes."""
    with enable_grad():
        several, inputs = as_tuple(inputs, "inputs", "jacobian")
        inputs = prepared(inputs, create_graph, True)
        many, outputs = called(func, inputs, "jacobian", "outputs", strict)
        rows = tuple(
            [rows_of(out, i, inputs, create_graph, strict) for i, out in enumerate(outputs)]
        )
        rows = finished(rows, create_graph)
    return alone(many, tuple([alone(several, row) for row in rows]))


def rows_of(out: Tensor, number: int, inputs: tuple, create_graph: bool, strict: bool) -> tuple:
    """The Jacobian of one output, one element of it after the other."""
    columns: list[list[Tensor]] = [[] for _ in inputs]
    for element in out.reshape(-1):
        found = grads((element,), inputs, None, create_graph)
        for i, (one, input) in enumerate(zip(found, inputs)):
            if one is None:
                if strict:
                    raise RuntimeError(INDEPENDENT.format(number, i))
                one = functions["zeros_like"](input)
            elif strict and create_graph and not one.requires_grad:
                raise RuntimeError(
                    "The jacobian of the user-provided function is independent of input "
                    f"{i}. This is not allowed in strict mode when create_graph=True."
                )
            columns[i].append(one)
    return tuple(
        [
            functions["stack"](column).view((*out.shape, *input.shape))
            if column
            else functions["zeros"](*out.shape, *input.shape)
            for column, input in zip(columns, inputs)
        ]
    )


def hessian(
    func: Callable,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function with one number as its value."""
    several, inputs = as_tuple(inputs, "inputs", "hessian")

    def of_scalar(*inputs: Any) -> Tensor:
        many, outputs = as_tuple(func(*inputs), "outputs of the user-provided function", "hessian")
        check_requires_grad(outputs, "outputs", strict)
        one_output(many, outputs, "hessian")
        return outputs[0].reshape(())

    def inner(*inputs: Any) -> Any:
        found = jacobian(of_scalar, inputs, create_graph=True)
        check_requires_grad(found, "jacobian", strict)
        return found

    result = jacobian(inner, inputs, create_graph, strict)
    return alone(several, tuple([alone(several, row) for row in result]))


def vhp(
    func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The output, and the product of a vector with the Hessian."""
    with enable_grad():
        several, inputs = as_tuple(inputs, "inputs", "vhp")
        inputs = prepared(inputs, create_graph, True)
        v = vector(
            v, "vhp", inputs, several, "input to the user-provided function is", create_graph
        )
        many, outputs = called(func, inputs, "vhp", "outputs", strict)
        one_output(many, outputs, "vhp")
        jac = grads(outputs, inputs, None, True)
        check_requires_grad(jac, "jacobian", strict)
    with mode(create_graph):
        found = grads(jac, inputs, v, create_graph)
        found = with_zeros(found, inputs, strict, create_graph, "double_back")
    return alone(many, finished(outputs, create_graph)), alone(
        several, finished(found, create_graph)
    )


def hvp(
    func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The output, and the product of the Hessian with a vector: by differentiating once more."""
    with enable_grad():
        several, inputs = as_tuple(inputs, "inputs", "hvp")
        inputs = prepared(inputs, create_graph, True)
        v = vector(
            v, "hvp", inputs, several, "input to the user-provided function is", create_graph
        )
        many, outputs = called(func, inputs, "hvp", "outputs", strict)
        one_output(many, outputs, "hvp")
        jac = grads(outputs, inputs, None, True)
        check_requires_grad(jac, "jacobian", strict)
        trick = tuple([functions["zeros_like"](i).requires_grad_() for i in inputs])
        double = grads(jac, inputs, trick, True)
        check_requires_grad(double, "hessian", strict)
    with mode(create_graph):
        found = grads(double, trick, v, create_graph)
        found = with_zeros(found, inputs, strict, create_graph, "double_back_trick")
    return alone(many, finished(outputs, create_graph)), alone(
        several, finished(found, create_graph)
    )
