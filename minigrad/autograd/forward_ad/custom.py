"""What a custom function's own `jvp` does: it is given tangents, and what it returns is checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad.autograd.forward_ad.tangents import (
    DualLevel,
    Following,
    _set_fwd_grad_enabled,
    differentiable,
    levels,
)
from minigrad.autograd.forward_ad.transposing import keep_saved
from minigrad.autograd.function import MORE, Function, FunctionNode, Outputs
from minigrad.autograd.grad_mode import state
from minigrad.c_code import type_name
from minigrad.creation import zeros_like
from minigrad.functions import stack
from minigrad.ops.check import check
from minigrad.tensor import Tensor

DUAL_TANGENT = (
    "Setting a forward grad that itself has a forward gradient at the same level0 is not supported."
)
NOT_FLOATING = "Expected {} to be floating point or complex, but got: {}"
OTHER_SIZE = (
    "Trying to set a forward gradient that has a different size than that of the original Tensor, "
    "this is not supported. Tensor is of size {} while the given forward gradient is of size {}."
)
COUNT = "Function's jvp returned an invalid number of forward gradients (expected {} but got {})"
OF_CONSTANT = (
    "Function's jvp returned a gradient at position {}, but  the corresponding forward output is "
    "not a differentiable Tensor.You should return None at that position instead."
)
NO_FLOAT = "Expected both tensor and its forward grad to be floating point or complex"
NOT_IN_PLACE = (
    "An inplace custom Function is not modifying the forward mode gradients inplace. If the "
    "forward is modifying an input inplace, then the jvp function must modify the corresponding "
    "gradient inplace."
)
NOT_AS_IS = (
    "An inplace custom Function is not returning the forward mode gradients as-is. If the forward "
    "is modifying an input inplace, then the jvp function must modify the gradient inplace and "
    "return it as-is."
)
NO_VIEW = (
    "A custom Function's forward is returning a view (or an input as-is) but the jvp is not "
    "returning a view."
)
OTHER_VIEW = (
    "A custom Function is returning a view but the jvp is not returning a view of the given grad "
    "input."
)
OTHER_BASE = (
    "A custom Function is returning a view but the jvp is not returning a view of the same base as "
    "the given grad input."
)

BOTH = (
    "You tried to vmap over {}, but it has both generate_vmap_rule=True and an overridden vmap "
    "staticmethod. Please set generate_vmap_rule=False or delete the overridden vmap staticmethod "
    f"to avoid ambiguity. {MORE}"
)
NEITHER = (
    "You tried to vmap over {}, but it does not have vmap support. Please override and implement "
    f"the vmap staticmethod or set generate_vmap_rule=True. {MORE}"
)


def check_mappable(function: type[Function]) -> None:
    """Refuse a function that `vmap` cannot map over: it has no way to, or two."""
    own, name = function.vmap is not Function.vmap, function.__name__
    check(not (own and function.generate_vmap_rule), BOTH, name)
    check(own or function.generate_vmap_rule, NEITHER, name)


def follow_finish(
    own: Any, node: FunctionNode, outputs: Outputs, returned: Any, separate: bool
) -> Any:
    """Give the outputs of a custom function the tangents that its `jvp` returns."""
    if state.transforms and any(level.lead for level in levels()):
        check_mappable(node.context_class._forward_cls)  # as many directions are mapped over
    context = node.public()
    saved, dirty = context.saved_for_forward, set(map(id, context.dirty_tensors or ()))
    result = own(node, outputs, returned, separate)
    several = isinstance(returned, tuple)
    results, returned = (result, returned) if several else ((result,), (returned,))
    for level in levels():
        call = Call(level, outputs.args, dirty)
        if any(one is not None for one in call.tangents):
            with Following(level.around):
                call.follow(node, saved, outputs, returned, results)
    return result


class Call:
    """A call of a custom function, with the tangents of its arguments before its `jvp` ran."""

    def __init__(self, level: DualLevel, args: Sequence[Any], dirty: set[int]) -> None:
        self.level, self.args, self.dirty = level, args, dirty
        self.tangents = list(map(level.tangent_of, args))
        self.versions = [None if one is None else one._version for one in self.tangents]

    def follow(
        self, node: FunctionNode, saved: Any, outputs: Outputs, returned: Any, results: Any
    ) -> None:
        """Give the results of the call their tangents."""
        if not self.level.lead:
            found = self.answered(node, saved, self.tangents)
        else:
            rows = zip(*map(self.level.rows, self.tangents), strict=True)
            every = [self.answered(node, saved, row) for row in rows]
            columns = zip(*every, strict=True)
            found = tuple([None if one[0] is None else stack(one) for one in columns])
        check(len(found) == len(results), COUNT, len(results), len(found))
        for place, (before, output, tangent) in enumerate(
            zip(returned, results, found, strict=True)
        ):
            if id(before) in outputs.constant or not differentiable(output):
                refused = isinstance(output, Tensor) and tangent is not None
                check(not refused, OF_CONSTANT, place)
            else:
                self.give(output, tangent)

    def answered(self, node: FunctionNode, saved: Any, tangents: Sequence[Any]) -> tuple[Any, ...]:
        """Return what `jvp` returns; arguments without a tangent have zeros, unless told so."""
        given = [
            zeros_like(argument)
            if tangent is None and node.materialize_grads and differentiable(argument)
            else tangent
            for argument, tangent in zip(self.args, tangents, strict=True)
        ]
        context = node.public()
        context.saved_for_forward = saved or ()  # not what was saved for backward
        try:
            with _set_fwd_grad_enabled(False):
                found = context.apply_jvp(*given)
        finally:
            context.saved_for_forward = None
        found = found if isinstance(found, tuple) else (found,)
        for one in found:
            text = "expected Variable or None (got {}) for grad output 0."
            check(one is None or isinstance(one, Tensor), text, type_name(one))
        return found

    def give(self, output: Tensor, tangent: Any) -> None:
        """Give an output its tangent, if it is as it has to be."""
        if id(output) in self.dirty:
            place = next(place for place, one in enumerate(self.args) if one is output)
            if self.tangents[place] is None or self.level.lead:
                self.level.change_tangent(output, tangent)
            else:
                changed = tangent is not None and tangent._version != self.versions[place]
                check(changed, NOT_IN_PLACE)
                check(tangent is self.tangents[place], NOT_AS_IS)
            keep_saved(self.level, output)
            return
        if not self.level.lead:
            self.check_view(output, tangent)
        check(differentiable(tangent), NO_FLOAT)
        check(self.level.tangent_of(tangent) is None, DUAL_TANGENT)
        size = tangent.shape[len(self.level.lead) :]
        check(output.shape == size, OTHER_SIZE, list(output.shape), list(size))
        self.level.set_tangent(output, tangent)
        keep_saved(self.level, output)

    def check_view(self, output: Tensor, tangent: Any) -> None:
        """Refuse a tangent that is no view of an argument's, where the output is one of that."""
        for one, known in zip(self.args, self.tangents, strict=True):
            if known is None or output._base is None:
                continue
            if output._base is (one if one._base is None else one._base):
                check(tangent is not None and tangent._base is not None, NO_VIEW)
                if known._base is None:
                    check(tangent._base is known, OTHER_VIEW)
                else:
                    check(tangent._base is known._base, OTHER_BASE)
