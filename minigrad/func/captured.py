"""Tensors from outside that a function uses: while it is differentiated it must not change them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from minigrad.autograd.grad_mode import Inside, Untracked, state
from minigrad.func.batched import plain
from minigrad.tensor import Tensor
from minigrad.utils._pytree import tree_leaves
from minigrad.views import before_change

CAPTURED = (
    "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call "
    "in-place operation (aten::{}) that would mutate a captured Tensor. This is not supported; "
    "please rewrite the function being transformed to explicitly accept the mutated Tensor(s) as "
    "inputs."
)
# What PyTorch calls operators, and which of several forms of an operation it means: one of another
# tensor, which numbers become, or by what the last operand is.
OPERATORS = {
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_",
    "__ifloordiv__": "floor_divide_", "__imod__": "remainder_", "__ipow__": "pow_",
}  # fmt: skip
OF_TENSORS = {
    "add_", "div_", "divide_", "floor_divide_", "mul_", "multiply_", "sub_", "subtract_",
    "true_divide_",
}  # fmt: skip
BY_OPERAND = {
    "__iand__", "__ilshift__", "__ior__", "__irshift__", "__ixor__", "bitwise_and_",
    "bitwise_or_", "bitwise_xor_", "copysign_", "eq_", "fill_", "float_power_", "fmod_", "ge_",
    "greater_", "greater_equal_", "gt_", "le_", "lerp_", "less_", "less_equal_", "lt_",
    "masked_fill_", "ne_", "not_equal_", "pow_", "remainder_",
}  # fmt: skip
SPECIAL = {
    "bernoulli_": ("Tensor", "float"),
    "bitwise_left_shift_": ("Tensor", "Tensor_Scalar"),
    "bitwise_right_shift_": ("Tensor", "Tensor_Scalar"),
    "clamp_": ("Tensor", ""),
    "clamp_max_": ("Tensor", ""),
    "clamp_min_": ("Tensor", ""),
    "clip_": ("Tensor", ""),
    "index_fill_": ("int_Tensor", "int_Scalar"),
    "scatter_": ("src", "value"),
    "set_": ("source_Tensor", ""),
    "xlogy_": ("Tensor", "Scalar_Other"),
    **dict.fromkeys(OF_TENSORS, ("Tensor", "Tensor")),
    **dict.fromkeys(BY_OPERAND, ("Tensor", "Scalar")),
}


class Scope:
    """What is made while the function of a transform runs is inside, and so are its inputs."""

    def __init__(self, levels: int = 1) -> None:
        self.around: Scope | None = state.scope
        self.depth = state.transforms  # how many others this one is within
        self.levels, self.level = levels, self.depth + levels  # as PyTorch counts them
        self.transform: Any = None  # that differentiates, while this is active
        self.counters: list[list[int]] = []  # of the inputs, which they share with tensors outside

    def has(self, tensor: Any) -> bool:
        """Return whether a tensor is inside."""
        counter = tensor._counter
        if isinstance(counter, Inside):
            return active_scope(counter.scope) is self
        return isinstance(counter, Untracked) or any(counter is one for one in self.counters)

    def made(self, tensor: Any) -> bool:
        """Return whether a tensor was made inside, or further inside."""
        counter = plain(tensor)._counter
        scope = active_scope(counter.scope) if isinstance(counter, Inside) else None
        return scope is not None and scope.depth >= self.depth

    def admit(self, tree: Any) -> None:
        """Let the function change tensors in place that it is given."""
        for one in tree_leaves(tree):
            if isinstance(one, Tensor):
                self.counters.append(plain(one)._counter)

    @contextlib.contextmanager
    def running(self, transform: Any) -> Iterator[None]:
        """Let what this thread makes be inside, and refuse to change anything else in place."""
        state.scope, self.transform = self, transform
        before_change.append(refuse_captured)
        state.transforms += self.levels
        try:
            yield
        finally:
            state.transforms -= self.levels
            before_change.remove(refuse_captured)
            state.scope, self.transform = self.around, None


def active_scope(scope: Scope | None) -> Scope | None:
    """Return where a tensor is that was made in a scope: if that was left, in the one around it."""
    while scope is not None and scope.transform is None:
        scope = scope.around
    return scope


def refuse_captured(changed: Tensor, operation: str, operands: Sequence[Any]) -> None:
    """Refuse an operation in place on a tensor from outside.

    Raises:
        RuntimeError: with PyTorch's text.
    """
    if operation and state.scope is not None and not state.scope.has(changed):
        raise RuntimeError(CAPTURED.format(overload(operation, operands)))


def overload(operation: str, operands: Sequence[Any]) -> str:
    """Return PyTorch's name of an operation on these operands."""
    name = OPERATORS.get(operation, operation)
    given = [one for one in operands if one is not None and not isinstance(one, str)]
    forms = SPECIAL.get(name)
    if forms is None:
        return name
    form = forms[not (given and isinstance(given[-1], Tensor))]
    if len(given) < len(operands) and "div" in name:
        form += "_mode"
    return f"{name}.{form}" if form else name
