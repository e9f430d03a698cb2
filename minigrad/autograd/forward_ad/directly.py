"""Tangents that need no transposition: of operations on each element by itself, and of linear ones.

The Jacobian of the first is diagonal, and so its own transpose: their formulas give tangents for
tangents as they give gradients for gradients. The second are themselves done to tangents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad.autograd.forward_ad.formulas import evaluated, plan_of
from minigrad.creation import zeros_like
from minigrad.ops.rule import Rule
from minigrad.ops.shape import expand_to
from minigrad.tensor import Tensor

# Nodes of operations on each element by itself, besides those that promote their inputs.
ELEMENTWISE = {
    "AddBackward1", "CeluBackward0", "ClampBackward1", "ClampMaxBackward0", "ClampMinBackward0",
    "CloneBackward0", "CopysignBackward1", "DivBackward1", "EluBackward0", "EluBackwardBackward0",
    "FmodBackward0", "GeluBackward0", "GeluBackwardBackward0", "HardshrinkBackward0",
    "HardsigmoidBackward0", "HardswishBackward0", "HardtanhBackward0", "LeakyReluBackward0",
    "LeakyReluBackwardBackward0", "LerpBackward0", "LogSigmoidBackward0", "MaskedFillBackward0",
    "MishBackward0", "MulBackward1", "NanToNumBackward0", "PolygammaBackward0", "PowBackward0",
    "PowBackward2", "RemainderBackward0", "RoundBackward0", "RoundBackward1", "RsubBackward1",
    "SigmoidBackwardBackward0", "SiluBackward0", "SoftplusBackward0", "SoftshrinkBackward0",
    "SubBackward1", "TanhBackwardBackward0", "ThresholdBackward0", "ThresholdBackwardBackward0",
    "ToCopyBackward0", "WhereBackward0", "XlogyBackward1", "XlogyBackward2",
}  # fmt: skip
PROMOTED_BUT_NOT_ELEMENTWISE = {"DistBackward0"}
# Of operations that are linear in all their inputs together.
LINEAR = {
    "AsStridedBackward1", "CatBackward0", "CumsumBackward0", "DiagEmbedBackward0",
    "DiagonalBackward0_copy", "DiagonalBackwardBackward0", "EmbeddingBackward0", "ExpandBackward0",
    "FlipBackward0", "GatherBackward0", "IndexBackward0", "IndexCopyBackward0",
    "IndexPutBackward0", "IndexPutImplBackward0", "IndexSelectBackward0", "MaskedSelectBackward0",
    "MeanBackward0", "MeanBackward1", "PutBackward0", "RepeatBackward0", "RollBackward0",
    "ScatterAddBackward0", "ScatterBackward0", "SelectBackwardBackward0",
    "SliceBackwardBackward0", "StackBackward0", "SumBackward0", "SumBackward1", "TakeBackward0",
    "TraceBackward0", "TrilBackward0", "TriuBackward0", "UnsafeViewBackward0",
}  # fmt: skip
# Of those that are linear in each input.
MULTILINEAR = {
    "BmmBackward0", "DotBackward0", "MmBackward0", "MvBackward0", "TrilinearBackward0",
    "VdotBackward0",
}  # fmt: skip


def known_directly(
    rule: Rule, arguments: Sequence[Any], tangents: Sequence[Any], outputs: Sequence[Any]
) -> list[Any] | None:
    """Return the tangents of an operation's results, None if they are not known like this."""
    if rule.name in LINEAR:
        found = rule.operation(*with_tangents(rule, arguments, tangents))
        return list(found) if isinstance(found, (tuple, list)) else [found]
    if rule.name in MULTILINEAR:
        places = [place for place, one in enumerate(tangents) if one is not None]
        return [added([with_tangent(rule, arguments, tangents, place) for place in places])]
    if is_elementwise(rule) and len(outputs) == 1:
        return [elementwise(rule, arguments, tangents, outputs[0])]
    return None


def is_elementwise(rule: Rule) -> bool:
    """Return whether each element of the result depends on those at the same place alone."""
    if rule.promoted and not rule.sequences:
        return rule.name not in PROMOTED_BUT_NOT_ELEMENTWISE
    return rule.name in ELEMENTWISE


def with_tangents(rule: Rule, arguments: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
    """Return the arguments with tangents in the place of all inputs, zeros for those without."""
    given = list(arguments)
    inputs = given[0] if rule.variadic else [given[place] for place in rule.inputs]
    filled = [
        zeros_like(one) if tangent is None else tangent
        for one, tangent in zip(inputs, tangents, strict=True)
    ]
    if rule.variadic:
        return [filled, *given[1:]]
    for place, tangent in zip(rule.inputs, filled, strict=True):
        given[place] = tangent
    return given


def with_tangent(
    rule: Rule, arguments: Sequence[Any], tangents: Sequence[Any], place: int
) -> Tensor:
    """Return what an operation gives for the tangent of one input, and the others as they are."""
    given = list(arguments)
    given[rule.inputs[place]] = tangents[place]
    result: Tensor = rule.operation(*given)
    return result


def elementwise(
    rule: Rule, arguments: Sequence[Any], tangents: Sequence[Any], output: Tensor
) -> Any:
    """Return the sum of what the formula of each input gives for its tangent."""
    terms = []
    for place, tangent in enumerate(tangents):
        if tangent is not None:
            needed = tuple([number == place for number in range(len(tangents))])
            plan = plan_of(rule, needed, arguments, [output], False)
            values = plan.taken(arguments, [output])
            given = tangent.to(output.dtype)
            given = given if given.shape == output.shape else expand_to(given, output.shape)
            terms.append(evaluated(plan, given, values)[place])
    return added([one for one in terms if one is not None])


def added(terms: Sequence[Tensor]) -> Any:
    """Return the sum of tensors, None if there are none."""
    return sum(terms[1:], terms[0]) if terms else None
