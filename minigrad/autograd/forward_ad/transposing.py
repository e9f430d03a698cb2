"""From tangents of an operation's inputs to those of its results, by the formulas that it has.

For each input there is one for v -> vjp(v), the gradient that belongs to a gradient v of the
result. It is linear in v, and its transpose is wanted: that is its derivative with respect to v, as
the backward pass computes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from minigrad.autograd.forward_ad.tangents import (
    Aside,
    Level,
    carry,
    differentiable,
    flat,
    levels,
    with_tangents,
)
from minigrad.autograd.functional import gradients
from minigrad.autograd.grad_mode import enable_grad, is_grad_enabled
from minigrad.autograd.saved import SavingNode
from minigrad.creation import ones_like, zeros_like
from minigrad.ops.check import check
from minigrad.ops.promotion import with_tensors
from minigrad.ops.rule import Plan, Rule
from minigrad.tensor import Tensor

NOT_IMPLEMENTED = (
    "Trying to use forward AD with {} that does not support it because it has not been implemented "
    "yet.\nPlease file an issue to PyTorch at https://github.com/pytorch/pytorch/issues/new?template="
    "feature-request.yml so that we can prioritize its implementation"
)
OF_FUNCTIONS = NOT_IMPLEMENTED + " or submit a PR adding the implementation to derivatives.yaml"
IN_PLACE = NOT_IMPLEMENTED + "."
OTHERS = "Trying to use forward AD with aten::{} that does not support it."
# What formulas say of what PyTorch does not differentiate, and what it says of that here.
REFUSALS = {
    r"derivative for aten::(\w+) is not implemented": OTHERS,
    r"the derivative for 'inplace version of (\w+)' is not implemented": IN_PLACE.replace(
        "{}", "{}_"
    ),
    r"the derivative for '(\w+)' is not implemented": OF_FUNCTIONS,
}
# What it differentiates once, and so not here, by the names of nodes.
ONCE = {
    "CdistBackward0": "_cdist_forward",
    "ScaledDotProductFlashAttentionForCpuBackward0": "_scaled_dot_product_flash_attention_for_cpu",
}
# Nodes whose formulas are their own transpose, but not differentiable, at least not everywhere.
SYMMETRIC = {"HardsigmoidBackward0", "LogitBackward0"}
# Nodes of operations that are linear in all their inputs together, but are not transposed by their
# formulas everywhere: where a place is written to twice, not all of the source, or is padding.
LINEAR = {
    "EmbeddingBackward0", "IndexCopyBackward0", "IndexPutBackward0", "IndexPutImplBackward0",
    "PutBackward0", "ScatterAddBackward0", "ScatterBackward0",
}  # fmt: skip
plans: dict[Any, Plan] = {}


def operate(rule: Rule, own: Callable[..., Any], *arguments: Any) -> Any:
    """Return what an operation does, with tangents if an input has one."""
    result = own(*arguments)
    for level in levels():
        if level.duals:
            with Aside(level.around):
                follow(level, rule, arguments, result)
    return result


def follow(level: Level, rule: Rule, arguments: Sequence[Any], result: Any) -> None:
    """Give the results of an operation their tangents at a level, if an input has one there."""
    inputs = arguments[0] if rule.variadic else [arguments[place] for place in rule.inputs]
    tangents = list(map(level.tangent_of, inputs))
    known = [one for one in tangents if one is not None]
    outputs = result if isinstance(result, tuple) else (result,)
    is_view = isinstance(outputs[0], Tensor) and outputs[0]._base is not None
    if is_view and id(arguments[0]) in level.duals:
        seen = rule.operation(tangents[0], *arguments[1:]) if known else [None] * len(outputs)
        seen = seen if isinstance(seen, (tuple, list)) else [seen]
        for output, tangent in zip(outputs, seen, strict=True):
            level.keep(output, tangent)
    elif known and any(map(differentiable, outputs)):
        if rule.name in LINEAR:
            found = [rule.operation(*in_place_of_inputs(rule, arguments, tangents))]
        else:
            found = transposed(rule, arguments, tangents, outputs, isinstance(result, tuple))
        for output, tangent in zip(outputs, found, strict=True):
            if tangent is not None:
                level.set_tangent(output, tangent, known)
                keep_saved(level, output)


def in_place_of_inputs(rule: Rule, arguments: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
    """Return the arguments with tangents, or zeros, for those that have them."""
    given = list(arguments)
    for place, tangent in zip(rule.inputs, tangents, strict=True):
        given[place] = zeros_like(given[place]) if tangent is None else tangent
    return given


def transposed(
    rule: Rule, arguments: Sequence[Any], tangents: Sequence[Any], outputs: Any, several: bool
) -> list[Any]:
    """Return the tangents of an operation's outputs: None of those that have no gradient."""
    check(rule.name not in ONCE, OF_FUNCTIONS, ONCE.get(rule.name), error=NotImplementedError)
    tensors = with_tangents([*flat(arguments), *flat(tangents)])
    graph = is_grad_enabled() and any(one._requires_grad for one in tensors)
    if rule.promoted and not rule.sequences:
        arguments = with_tensors(arguments, rule.inputs)
    plan = plan_of(rule, tuple([one is not None for one in tangents]), arguments, outputs, several)
    with enable_grad():
        arguments, known = primal(arguments, graph), primal(outputs, graph)
        starts = [start_like(one) if differentiable(one) else None for one in outputs]
        values = plan.taken(arguments, known)
        if rule.name in SYMMETRIC:
            return list(evaluated(plan, primal(tangents[0], graph), values))
        found = evaluated(plan, starts if several else starts[0], values)
        pairs = [
            (gradient, tangent.to(gradient.dtype).expand(gradient.shape))
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

    active = False


def start_like(output: Tensor) -> Tensor:
    """Return a vector to evaluate formulas with.

    Any will do, but those that take logarithms do not like zeros.
    """
    start: Tensor = ones_like(output, requires_grad=True)
    start._scope = Apart  # type: ignore[attr-defined]
    return start


def plan_of(
    rule: Rule, needed: tuple[bool, ...], arguments: Sequence[Any], outputs: Any, several: bool
) -> Plan:
    """Return what evaluates the formulas of the inputs that have tangents."""
    dtypes = tuple(map(differentiable, outputs))
    key = rule, needed, tuple(map(type, arguments)), dtypes, several
    if key not in plans:
        plans[key] = rule.plan(needed, arguments, outputs if several else outputs[0])
    return plans[key]


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


def evaluated(plan: Plan, gradient: Any, values: Sequence[Any]) -> Sequence[Any]:
    """Return what formulas make of a gradient.

    Raises:
        NotImplementedError: with PyTorch's text, if they refuse.
    """
    try:
        return plan.from_tensors(gradient, values)
    except RuntimeError as error:
        for said, text in REFUSALS.items():
            if refused := re.match(said, str(error)):
                raise NotImplementedError(text.format(refused[1])) from None
        raise


def keep_saved(level: Level, output: Tensor) -> None:
    """Let what a node saved of its output have its tangent, too."""
    node, number, *_ = output._edge or (None, 0)
    if isinstance(node, SavingNode):
        for place in range(len(node.versions)):
            if node.output_saved(place) == number:
                level.keep(node.values[place], level.tangent_of(output))
