"""From tangents of an operation's inputs to those of its results, by the formulas that it has.

For each input there is one for v -> vjp(v), the gradient that belongs to a gradient v of the
result. It is linear in v, and its transpose is wanted: that is its derivative with respect to v, as
the backward pass computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minigrad.autograd.forward_ad.directly import known_directly
from minigrad.autograd.forward_ad.formulas import (
    DIMENSIONS,
    OF_FUNCTIONS,
    ONCE,
    evaluated,
    plan_of,
    takes_many,
    with_room,
)
from minigrad.autograd.forward_ad.tangents import (
    Aside,
    DualLevel,
    carry,
    differentiable,
    flat,
    levels,
    with_tangents,
)
from minigrad.autograd.functional import gradients
from minigrad.autograd.grad_mode import enable_grad, is_grad_enabled
from minigrad.autograd.saved import SavingNode
from minigrad.creation import ones, zeros_like
from minigrad.functions import stack
from minigrad.ops.check import check
from minigrad.ops.promotion import with_tensors
from minigrad.ops.rule import Rule
from minigrad.tensor import Tensor


def operate(rule: Rule, own: Callable[..., Any], *arguments: Any) -> Any:
    """Return what an operation does, with tangents if an input has one."""
    result = own(*arguments)
    for level in levels():
        if level.duals:
            with Aside(level.around):
                follow(level, rule, arguments, result)
    return result


def follow(level: DualLevel, rule: Rule, arguments: Sequence[Any], result: Any) -> None:
    """Give the results of an operation their tangents at a level, if an input has one there."""
    inputs = arguments[0] if rule.variadic else [arguments[place] for place in rule.inputs]
    tangents = list(map(level.tangent_of, inputs))
    known = [one for one in tangents if one is not None]
    outputs = result if isinstance(result, tuple) else (result,)
    is_view = bool(outputs) and isinstance(outputs[0], Tensor) and outputs[0]._base is not None
    if is_view and id(arguments[0]) in level.duals:
        follow_views(level, rule, arguments, outputs, tangents[0] if known else None)
    elif known and any(map(differentiable, outputs)):
        if rule.promoted and not rule.sequences:
            arguments = with_tensors(arguments, rule.inputs)
        found = found_at(level, rule, arguments, tangents, outputs, isinstance(result, tuple))
        for output, tangent in zip(outputs, found, strict=True):
            if tangent is not None:
                level.set_tangent(output, tangent, known)
                keep_saved(level, output)


def follow_views(
    level: DualLevel, rule: Rule, arguments: Sequence[Any], outputs: Sequence[Any], tangent: Any
) -> None:
    """Give views the same views of the tangent, if there is one."""
    seen: Any = [None] * len(outputs)
    if tangent is not None:
        if level.lead:
            seen = [level.part(tangent, one) for one in outputs]
        else:
            seen = rule.operation(tangent, *arguments[1:])
            seen = seen if isinstance(seen, (tuple, list)) else [seen]
    for output, one in zip(outputs, seen, strict=True):
        level.keep(output, one)


def found_at(
    level: DualLevel,
    rule: Rule,
    arguments: Sequence[Any],
    tangents: Sequence[Any],
    outputs: Sequence[Any],
    several: bool,
) -> list[Any]:
    """Return the tangents of an operation's outputs: None of those that have no gradient.

    Where that is not known of many directions at once, they are followed one after another.
    """
    found = known_directly(level, rule, arguments, tangents, outputs)
    if found is None:
        found = transposed(level, rule, arguments, tangents, outputs, several)
    if found is not None:
        return found
    single = DualLevel(level.around)
    rows = [
        found_at(single, rule, arguments, row, outputs, several)
        for row in zip(*map(level.rows, tangents), strict=True)
    ]
    if not rows:
        return [level.zeros_for(one) if differentiable(one) else None for one in outputs]
    return [None if column[0] is None else stack(column) for column in zip(*rows, strict=True)]


def transposed(
    level: DualLevel,
    rule: Rule,
    arguments: Sequence[Any],
    tangents: Sequence[Any],
    outputs: Any,
    several: bool,
) -> list[Any] | None:
    """Return the tangents of an operation's outputs, by the transpose of its formulas.

    It is None if these take one gradient at a time, and the level has many directions.
    """
    check(rule.name not in ONCE, OF_FUNCTIONS, ONCE.get(rule.name), error=NotImplementedError)
    tensors = with_tangents([*flat(arguments), *flat(tangents)])
    graph = is_grad_enabled() and any(one._requires_grad for one in tensors)
    plan = plan_of(rule, tuple([one is not None for one in tangents]), arguments, outputs, several)
    values = plan.taken(arguments, outputs)
    if level.lead and not takes_many(plan, values):
        return None
    with enable_grad():
        starts = [start_at(level, one) if differentiable(one) else None for one in outputs]
        values = with_room(plan, primal(values, graph), level.lead)
        given = starts if several else with_dimensions(level, starts[0], rule, arguments)
        found = evaluated(plan, given, values)
        pairs = [
            (
                gradient,
                level.expanded(tangent.to(gradient.dtype), gradient.shape[len(level.lead) :]),
            )
            for gradient, tangent in zip(found, tangents, strict=True)
            if gradient is not None and tangent is not None
        ]
        slopes, vectors = zip(*pairs, strict=True) if pairs else ((), ())
        begun = tuple([one for one in starts if one is not None])
        products = iter(gradients(slopes, begun, vectors, graph))
    filled = [None if one is None else (next(products), one) for one in starts]
    return [
        None if pair is None else zeros_like(pair[1]) if pair[0] is None else pair[0]
        for pair in filled
    ]


class Apart:
    """The scope of leaves that nobody else differentiates by: see `minigrad.func.levels`."""

    transform = None


def start_at(level: DualLevel, output: Tensor) -> Tensor:
    """Return vectors to evaluate formulas with.

    Any will do, but those that take logarithms do not like zeros.
    """
    start: Tensor = ones((*level.lead, *output.shape), dtype=output.dtype, requires_grad=True)
    start._scope = Apart  # type: ignore[attr-defined]
    return start


def with_dimensions(level: DualLevel, start: Any, rule: Rule, arguments: Sequence[Any]) -> Any:
    """Return the gradients of a total along many directions with the dimensions it had before."""
    if start.ndim > len(level.lead) or not level.lead or DIMENSIONS.intersection(rule.parameters):
        return start
    dims = max([one.ndim for one in flat(arguments)])
    return start.reshape(*level.lead, *[1] * dims)


def primal(values: Any, graph: bool) -> Any:
    """Return values with tensors, also in lists, apart from the graph unless that is wanted.

    Their tangents are at the levels around alone.
    """
    if type(values) in (list, tuple):
        return type(values)([primal(one, graph) for one in values])
    if not isinstance(values, Tensor):
        return values
    alias = values.clone() if values.is_inference() else values._alias()
    if graph and values._requires_grad:
        alias._edge, alias._requires_grad = values._gradient_edge(), True
    carry(alias, values, lambda tangent: primal(tangent, graph))
    return alias


def keep_saved(level: DualLevel, output: Tensor) -> None:
    """Let what a node saved of its output have its tangent, too."""
    node, number, *_ = output._edge or (None, 0)
    if isinstance(node, SavingNode):
        for place in range(len(node.versions)):
            if node.output_saved(place) == number:
                level.keep(node.values[place], level.tangent_of(output))
