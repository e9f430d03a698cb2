"""Tangents that need no transposition: of operations on each element by itself, and of linear ones.

The Jacobian of the first is diagonal, and so its own transpose: their formulas give tangents for
tangents as they give gradients for gradients. The second are themselves done to tangents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minigrad.autograd.forward_ad.formulas import DIMENSIONS, are_told, evaluated, plan_of, shifted
from minigrad.autograd.forward_ad.tangents import DualLevel
from minigrad.functions import matmul
from minigrad.ops.rule import Rule
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

# Of those that work along a dimension that they are told.
ALONG = {
    "CatBackward0", "CumsumBackward0", "FlipBackward0", "IndexSelectBackward0", "MeanBackward1",
    "StackBackward0", "SumBackward1",
}  # fmt: skip
# What is done instead to many, along a new first dimension: to all elements of each, and to
# operands of which one is many.
TOTALS = {
    "MeanBackward0": lambda self, dtype: self.unsqueeze(-1).flatten(1).mean(1, dtype=dtype),
    "SumBackward0": lambda self, dtype: self.unsqueeze(-1).flatten(1).sum(1, dtype=dtype),
}
PRODUCTS: dict[str, Callable[..., Any]]
PRODUCTS = {
    "BmmBackward0": matmul,
    "DotBackward0": lambda self, tensor: (self * tensor).sum(-1),
    "MmBackward0": matmul,
    "MvBackward0": lambda self, vec: matmul(self, vec.unsqueeze(-1)).squeeze(-1),
}


def logcumsumexp_tangent(level: DualLevel, tangent: Any, self: Tensor, dim: int) -> Any:
    """Return the tangent of a running log of sums: its formula for gradients takes their logarithm.

    The derivatives of that are not numbers where a gradient is zero.
    """
    if not self.numel() or not self.ndim:
        return tangent
    sizes = (self - self.max(dim, True)[0]).exp()
    along = shifted(dim) if level.lead else dim
    return (sizes * tangent).cumsum(along) / (sizes.cumsum(dim) + 1e-13)


# Of those whose tangents have formulas of their own.
OWN = {"LogcumsumexpBackward0": logcumsumexp_tangent}


def known_directly(
    level: DualLevel,
    rule: Rule,
    arguments: Sequence[Any],
    tangents: Sequence[Any],
    outputs: Sequence[Any],
) -> list[Any] | None:
    """Return the tangents of an operation's results, None if they are not known like this."""
    if rule.name in LINEAR:
        given = in_place_of_inputs(level, rule, arguments, tangents)
        if not level.lead:
            found = rule.operation(*given)
            return list(found) if isinstance(found, (tuple, list)) else [found]
        if rule.name in TOTALS:
            return [TOTALS[rule.name](*given)]
        if rule.name in ALONG and are_told(rule.parameters, given):
            return [rule.operation(*shifted_dimensions(rule, given))]
    if rule.name in MULTILINEAR and (not level.lead or rule.name in PRODUCTS):
        multiply = PRODUCTS[rule.name] if level.lead else rule.operation
        places = [place for place, one in enumerate(tangents) if one is not None]
        return [
            added(
                [
                    multiply(*[*arguments[:place], tangents[place], *arguments[place + 1 :]])
                    for place in places
                ]
            )
        ]
    if rule.name in OWN:
        return [OWN[rule.name](level, tangents[0], *arguments)]
    if is_elementwise(rule) and len(outputs) == 1:
        return [elementwise(level, rule, arguments, tangents, outputs[0])]
    return None


def shifted_dimensions(rule: Rule, arguments: Sequence[Any]) -> list[Any]:
    """Return arguments, with dimensions numbered as there is one more in front of all."""
    return [
        shifted(one) if name in DIMENSIONS else one
        for name, one in zip(rule.parameters, arguments, strict=True)
    ]


def is_elementwise(rule: Rule) -> bool:
    """Return whether each element of the result depends on those at the same place alone."""
    if rule.promoted and not rule.sequences:
        return rule.name not in PROMOTED_BUT_NOT_ELEMENTWISE
    return rule.name in ELEMENTWISE


def in_place_of_inputs(
    level: DualLevel, rule: Rule, arguments: Sequence[Any], tangents: Sequence[Any]
) -> list[Any]:
    """Return the arguments with tangents in the place of all inputs, zeros for those without."""
    given = list(arguments)
    inputs = given[0] if rule.variadic else [given[place] for place in rule.inputs]
    filled = [
        level.zeros_for(one) if tangent is None else tangent
        for one, tangent in zip(inputs, tangents, strict=True)
    ]
    if rule.variadic:
        return [filled, *given[1:]]
    for place, tangent in zip(rule.inputs, filled, strict=True):
        given[place] = tangent
    return given


def elementwise(
    level: DualLevel,
    rule: Rule,
    arguments: Sequence[Any],
    tangents: Sequence[Any],
    output: Tensor,
) -> Any:
    """Return the sum of what the formula of each input gives for its tangent."""
    terms = []
    for place, tangent in enumerate(tangents):
        if tangent is not None:
            needed = tuple([number == place for number in range(len(tangents))])
            plan = plan_of(rule, needed, arguments, [output], False)
            values = plan.taken(arguments, [output])
            given = level.expanded(tangent.to(output.dtype), output.shape)
            terms.append(evaluated(plan, given, values)[place])
    return added([one for one in terms if one is not None])


def added(terms: Sequence[Tensor]) -> Any:
    """Return the sum of tensors, None if there are none."""
    return sum(terms[1:], terms[0]) if terms else None
