"""Gives Tensor its methods, in-place methods and operators, and collects the functions.

The one place where the registry of `minigrad.ops.declare` becomes what users see.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.node import Edge
from minigrad.ops import (  # all that declare: importing them fills the registry
    activation,  # noqa: F401
    filling,  # noqa: F401
    indexing,  # noqa: F401
    linalg,
    loss,  # noqa: F401
    pointwise,
    reduction,  # noqa: F401
    shape,  # noqa: F401
)
from minigrad.ops.promotion import NUMBERS, OPERANDS, not_a_tensor
from minigrad.ops.registry import Operation, registry
from minigrad.ops.rule import OperationNode, parameter_names
from minigrad.tensor import Tensor, from_array


def in_place(name: str, function: Operation) -> Operation:
    """Return the in-place form of an operation: its result replaces the tensor's elements."""
    takes_other = parameter_names(function)[1:2] == ("other",)

    def modify(self: Tensor, *arguments: Any, **keywords: Any) -> Tensor:
        if takes_other and arguments and not isinstance(arguments[0], OPERANDS):
            raise not_a_tensor(name, "other", 1, arguments[0])
        self._check_in_place()
        before = as_it_was(self)
        result = function(before, *arguments, **keywords)
        check_result(self, result)
        if result._edge is not None and self._base is not None:
            raise NotImplementedError("in-place operations on views are not recorded yet")
        version = self._counter[0] + 1
        if result._edge is not None and isinstance(result._edge[0], OperationNode):
            keep_saved(result._edge[0], before, result, self, version)
        self._modify(result._array)
        set_history(self, result._edge)
        return self

    modify.__name__ = modify.__qualname__ = name
    modify.__doc__ = f"In-place version of `{name[:-1]}`: changes this tensor and returns it."
    return modify


def as_it_was(tensor: Tensor) -> Tensor:
    """Return a tensor with the history and memory that `tensor` has before it is modified."""
    before = tensor._alias()
    before._counter = [tensor._counter[0]]
    before._edge, before._requires_grad = tensor._edge, tensor._requires_grad
    return before


def check_result(tensor: Tensor, result: Tensor) -> None:
    """Refuse a result that does not fit into `tensor`, with PyTorch's texts."""
    if result._array.shape != tensor._array.shape:
        raise RuntimeError(
            f"output with shape {list(tensor.shape)} doesn't match the broadcast shape "
            f"{list(result.shape)}"
        )
    if not dtypes.can_cast(result.dtype, tensor.dtype):
        raise RuntimeError(
            f"result type {result.dtype.scalar_name} can't be cast to the desired output type "
            f"{tensor.dtype.scalar_name}"
        )


def keep_saved(
    node: OperationNode, before: Tensor, result: Tensor, tensor: Tensor, version: int
) -> None:
    """Let the node keep what it saved: the elements before as a copy, the result in `tensor`."""
    versions = list(node.versions)
    for position in range(len(versions)):
        saved = node.values[position]
        if saved is before:
            before._value = before._array.copy()
        elif saved._counter is result._counter:
            saved._value, saved._counter = tensor._array, tensor._counter
            versions[position] = version
    node.versions = tuple(versions)


def set_history(tensor: Tensor, edge: Edge | None) -> None:
    """Make a modified tensor the result of the operation that modified it."""
    if edge is None:
        return
    retains_grad = tensor.retains_grad
    if retains_grad and tensor._edge is not None:
        del tensor._edge[0].hooks.retained[tensor._edge[1]]
    tensor._edge = (*edge[:2], tensor._value.shape, tensor._value.dtype)
    tensor._requires_grad = True
    tensor._hooks = None  # those so far belong to what it was
    if retains_grad:
        tensor.retain_grad()


def binary_operator(function: Operation, operands: tuple[type, ...] = OPERANDS) -> Operation:
    """Return an operator method: for operands that it does not know, Python asks the other one."""
    if hasattr(function, "operator"):
        operator: Operation = function.operator
        return operator

    def method(self: Tensor, other: Any) -> Any:
        if isinstance(other, operands):
            return function(self, from_array(other) if isinstance(other, np.ndarray) else other)
        return NotImplemented

    return method


def reflected(function: Operation) -> Operation:
    """Return the method of an operator whose left operand is a number."""

    def method(self: Tensor, other: Any) -> Any:
        return function(self, other) if isinstance(other, NUMBERS) else NotImplemented

    return method


OPERATORS: dict[str, Operation] = {
    "add": pointwise.add_tensors,
    "sub": pointwise.sub,
    "mul": pointwise.mul,
    "truediv": pointwise.div_tensors,
    "floordiv": pointwise.floor_divide,
    "mod": pointwise.remainder,
    "pow": pointwise.pow,
    "and": pointwise.bitwise_and,
    "or": pointwise.bitwise_or,
    "xor": pointwise.bitwise_xor,
}
COMPARISONS: dict[str, Operation] = {
    "eq": pointwise.eq,
    "ne": pointwise.ne,
    "lt": pointwise.lt,
    "le": pointwise.le,
    "gt": pointwise.gt,
    "ge": pointwise.ge,
}
REFLECTED: dict[str, Callable[[Tensor, Any], Any]] = {
    "add": pointwise.add,
    "mul": pointwise.mul,
    "sub": pointwise.rsub,
    "truediv": lambda self, other: pointwise.reciprocal(self) * other,
    "floordiv": lambda self, other: pointwise.floor_divide(other, self),
    "mod": lambda self, other: pointwise.remainder(other, self),
    "pow": lambda self, other: pointwise.pow(other, self),
    "and": pointwise.bitwise_and,
    "or": pointwise.bitwise_or,
    "xor": pointwise.bitwise_xor,
}


def bind() -> dict[str, Operation]:
    """Give Tensor all that was declared, and return the functions by name."""
    functions: dict[str, Operation] = {}
    for name, function, variants in registry:
        if "function" in variants:
            functions[name] = function
        if "method" in variants:
            setattr(Tensor, name, function)
        if "inplace" in variants:
            setattr(Tensor, f"{name}_", in_place(f"{name}_", function))
        if "property" in variants:
            setattr(Tensor, name, property(function))
    for name, function in (OPERATORS | COMPARISONS).items():
        setattr(Tensor, f"__{name}__", binary_operator(function))
    for name, function in REFLECTED.items():
        setattr(Tensor, f"__r{name}__", reflected(function))
    for name, function in OPERATORS.items():
        operator = binary_operator(in_place(f"__i{name}__", function))
        setattr(Tensor, f"__i{name}__", operator)
    Tensor.__matmul__ = binary_operator(linalg.matmul, (Tensor, np.ndarray))  # type: ignore[method-assign]
    return functions


def missing(name: str) -> str:
    """Return the message for a name that minigrad does not have: it says what is near."""
    near = difflib.get_close_matches(name, [entry.name for entry in registry], n=3)
    hint = f" Near it: {', '.join(near)}." if near else ""
    return f"module 'torch' has no attribute '{name}'.{hint}"
