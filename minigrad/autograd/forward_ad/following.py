"""What is followed while a level is open: all operations, and what else tangents go through.

The code of these functions is exchanged meanwhile, so that nothing asks at other times. Each of
those that take its place gets the function itself first, and then what that gets.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from minigrad.autograd import engine, function
from minigrad.autograd.forward_ad.custom import follow_finish
from minigrad.autograd.forward_ad.formulas import IN_PLACE
from minigrad.autograd.forward_ad.tangents import (
    DualLevel,
    Following,
    _set_fwd_grad_enabled,
    carry,
    flat,
    has_tangent,
    levels,
    tangents_of,
)
from minigrad.autograd.forward_ad.transposing import operate
from minigrad.autograd.grad_mode import inference_mode, is_grad_enabled, set_grad_enabled
from minigrad.autograd.node import GraphRoot
from minigrad.autograd.saved import SavingNode
from minigrad.ops import assignment, by_hand, declare, in_place, linalg, out, view_in_place
from minigrad.ops.check import check
from minigrad.ops.declare import rules
from minigrad.ops.registry import Operation
from minigrad.ops.rule import Rule
from minigrad.overrides.exchange import Exchanged, Exchanges
from minigrad.overrides.watching import leave, watch, watched_functions
from minigrad.tensor import Tensor, from_array

OF_OUT = (
    "Trying to use forward AD with {}_out that does not support it because it is an out= function"
)


_followed: list[Exchanged] = []  # what is known to be: what is there besides operations first
_declared = 0  # how many of the operations are among that


def follow_start(own: Any, tensor: Tensor, recorded: bool) -> Tensor:
    """Let a tensor as it was before it is modified have its tangents, as they were."""
    before: Tensor = own(tensor, recorded)
    if not (levels() and is_grad_enabled()):
        carry(before, tensor)
    else:  # they may be saved with what tangents are computed of it
        before._value = before._array.copy()
        for level, tangent in tangents_of(tensor):
            with Following(level.around):
                level.set_tangent(before, tangent.clone())
    return before


def follow_change(own: Any, tensor: Tensor, result: Tensor, changed: Any) -> None:
    """Change the tangents of a tensor with its elements."""
    own(tensor, result, changed)
    for level in levels():
        with Following(level.around):
            level.change_tangent(tensor, level.tangent_of(result))


def follow_assignment(own: Any, view: Tensor, given: Tensor) -> bool:
    """Assign by what is followed."""
    return own(view, given) or has_tangent(view, given)


def follow_turn(own: Any, input: Tensor, recorded: bool, *operation: Any) -> Tensor:
    """Show the tangents as the tensor itself is shown from now on."""
    tangents = tangents_of(input)
    with _set_fwd_grad_enabled(False):
        own(input, recorded, *operation)
    for level, tangent in tangents:
        with Following(level.around):
            if level.lead:
                level.keep(input, level.part(tangent, input))
                continue
            recorded = is_grad_enabled() and tangent._requires_grad
            view_in_place.seen_otherwise(tangent, recorded, *operation)
    return input


def follow_row(own: Any, vector: Tensor) -> Tensor:
    """Give a row the tangents of the vector."""
    row: Tensor = own(vector)
    for level, tangent in tangents_of(vector):
        with Following(level.around):
            level.keep(row, level.part(tangent, row) if level.lead else linalg.as_row(tangent))
    return row


def follow_out(own: Any, name: str, out: Any, compute: Any, arguments: Any) -> Any:
    """Refuse tangents of results that are written to tensors given for them."""

    def computed() -> Any:
        refused = has_tangent(*flat([out, *arguments]))
        check(not refused, OF_OUT, name, error=NotImplementedError)
        return compute()

    # What would be recorded is refused first.
    return own(name, out, computed, arguments)


def follow_detach(own: Any, tensor: Tensor) -> None:
    """Let a tensor that is detached in place have no tangents."""
    own(tensor)
    for level in levels():
        level.duals.pop(id(tensor), None)


def follow_resize(own: Any, input: Tensor) -> None:
    """Refuse to give a tensor with a tangent another shape."""
    own(input)
    check(not has_tangent(input), "cannot resize variables that has a forward grad")


def follow_set(own: Any, tensors: Sequence[Tensor]) -> bool:
    """Refuse to give a tensor with a tangent another memory, or the memory of one that has."""
    check(not has_tangent(*tensors), IN_PLACE, "set_", error=NotImplementedError)
    recorded: bool = own(tensors)
    return recorded


def follow_accumulation(own: Any, leaf: Tensor, gradient: Any) -> None:
    """Add to a leaf's gradient in place, where that is not recorded; the first one is detached."""
    if is_grad_enabled() or not isinstance(gradient, Tensor):
        own(leaf, gradient)
        return
    before = leaf._grad
    own(leaf, gradient._array)
    if before is None:
        return
    for level in levels():
        tangents = [one for one in map(level.tangent_of, (before, gradient)) if one is not None]
        if tangents:
            with Following(level.around):
                level.change_tangent(before, sum(tangents[1:], tangents[0]))


def follow_walk(own: Any, walk: engine.Walk, recorded: bool, retain_graph: bool) -> None:
    """Let a backward pass go on tensors, which may have tangents."""
    own(walk, recorded or any(level.duals for level in levels()), retain_graph)


def follow_run(own: Any, walk: engine.Walk, root: Any, arrived: Any) -> None:
    """Let a backward pass on tensors begin with tensors."""
    if walk.recorded:
        arrived = list(map(as_tensor, arrived))
        if isinstance(root, GraphRoot):
            root.gradients = list(map(as_tensor, root.gradients))
    own(walk, root, arrived)


def as_tensor(value: Any) -> Any:
    """Return a gradient, an array or a tensor or None, as a tensor."""
    return value if value is None or isinstance(value, Tensor) else from_array(value)


def follow_pack(own: Any, node: SavingNode, position: int, tensor: Tensor, *hooks: Any) -> None:
    """Keep the tangents of a saved tensor with what a hook has made of it."""
    own(node, position, tensor, *hooks)
    carry(node.values[position], tensor)


def follow_saved(own: Any, node: Any, position: int) -> Any:
    """Give a saved tensor, an output or one from a hook, the tangents that it had."""
    value = own(node, position)
    if not has_tangent(value):
        carry(value, node.values[position])
    return value


def follow_forward(own: Any, *arguments: Any) -> Any:
    """Follow nothing of what the forward function of a custom function computes."""
    with _set_fwd_grad_enabled(False):
        return own(*arguments)


class Followed(Exchanged):
    """A function that does more while a level is open."""

    def __init__(self, function: Callable[..., Any], how: Callable[..., Any]) -> None:
        super().__init__(function, following)
        self.how = how

    def called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return self.how(self.own, *args, **kwargs)


def follow_declaration(own: Any, *arguments: Any, **options: Any) -> Operation:
    """Follow an operation from its declaration on."""
    operation: Operation = own(*arguments, **options)
    following.exchange()
    return operation


def begin() -> None:
    """Follow what is computed, in any thread, until `end` is called as often."""
    watch()
    following.begin()


def end() -> None:
    """Undo what `begin` did."""
    following.end()
    leave()


@contextlib.contextmanager
def dual_level_within(count: int | None) -> Iterator[DualLevel]:
    """Open a level, of many directions if told how many, within those that this thread follows.

    Forward mode is on in the ``with`` block, and inference mode off.
    """
    around, recorded = levels(), is_grad_enabled()
    level = DualLevel(around, count)
    begin()
    try:
        with (
            inference_mode(False),
            set_grad_enabled(recorded),
            _set_fwd_grad_enabled(True),
            Following((*around, level)),
        ):
            yield level
    finally:
        level.duals.clear()
        end()


def followed() -> list[Exchanged]:
    """Return all that is followed: operations, and what else tangents go through."""
    global _declared
    if not _followed:
        _followed.extend(besides())
    for rule in rules[_declared:]:
        _followed.extend(of_rule(rule))
        _declared += 1
    return _followed


def of_rule(rule: Rule) -> list[Exchanged]:
    """Return what runs where an operation is called."""
    operation, how = rule.operation, functools.partial(operate, rule)
    found: list[Exchanged] = [Followed(operation, how)]
    if hasattr(operation, "operator"):
        # It may be public as it is: what runs once nobody answers its calls is followed.
        public = watched_functions().get(operation.operator)
        found.append(Followed(operation.operator if public is None else public.own, how))
    return found


def besides() -> list[Exchanged]:
    """Return what is followed besides operations."""
    functions: dict[Any, Any] = {
        declare.op: follow_declaration,
        in_place.as_it_was: follow_start,
        in_place.take_over: follow_change,
        assignment.is_followed: follow_assignment,
        view_in_place.seen_otherwise: follow_turn,
        linalg.as_row: follow_row,
        out.written_to: follow_out,
        by_hand.check_resizable: follow_resize,
        by_hand.is_recorded: follow_set,
        Tensor._forget_edge: follow_detach,
        Tensor._accumulate_grad: follow_accumulation,
        engine.Walk.__init__: follow_walk,
        engine.Walk.run: follow_run,
        SavingNode.pack: follow_pack,
        SavingNode.saved: follow_saved,
        function.run_forward: follow_forward,
        function.FunctionNode.finish: follow_finish,
    }
    return [Followed(one, how) for one, how in functions.items()]


following = Exchanges(followed)  # at levels that are open, in any thread
