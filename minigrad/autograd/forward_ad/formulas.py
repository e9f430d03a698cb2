"""The formulas of operations as forward mode evaluates them, and what it says where they refuse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from minigrad.autograd.forward_ad.tangents import differentiable
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
# Nodes whose formulas also take many gradients at once, along a new first dimension, if what else
# they get is shifted to make room for it.
AT_ONCE = {
    "CeluBackward1", "CholeskySolveBackward0", "ConstantPadNdBackward0", "CopyBackwards",
    "CumprodBackward0", "DistBackward0", "EluBackward1", "EuclideanDistBackward0",
    "FillBackward0", "FillBackward2", "GluBackward0", "HuberLossBackward0",
    "LeakyReluBackward1", "LinalgCholeskyExBackward0", "LinalgCrossBackward0",
    "LinalgEighBackward0", "LinalgInvExBackward0", "LinalgLstsqBackward0",
    "LinalgPinvBackward0", "LinalgQrBackward0", "LinalgSolveExBackward0",
    "LinalgSolveTriangularBackward0", "LinalgSvdBackward0", "LinalgVectorNormBackward0",
    "LogSoftmaxBackward0", "LogSoftmaxBackwardDataBackward0", "LogsumexpBackward0",
    "MseLossBackward0", "NormBackward1", "PreluKernelBackward0", "ProdBackward1",
    "Rot90Backward0", "RreluWithNoiseBackward0", "RreluWithNoiseBackward1",
    "SafeSoftmaxBackward0", "SelectScatterBackward0", "SliceScatterBackward0",
    "SoftmaxBackward0", "SoftmaxBackwardDataBackward0", "SqueezeBackward4", "StdBackward0",
    "ThresholdBackward1", "TrilBackward0", "TriuBackward0", "UnsafeSplitBackward0",
    "UnsafeSplitWithSizesBackward0", "UnsafeViewBackward0", "VarBackward0", "VdotBackward0",
    "ZeroBackward0",
}  # fmt: skip
# Names of what counts dimensions.
DIMENSIONS = {"dim", "dim0", "dim1", "dims"}
plans: dict[Any, Plan] = {}


def plan_of(
    rule: Rule, needed: tuple[bool, ...], arguments: Sequence[Any], outputs: Any, several: bool
) -> Plan:
    """Return what evaluates the formulas of the inputs that have tangents."""
    dtypes = tuple(map(differentiable, outputs))
    key = rule, needed, tuple(map(type, arguments)), dtypes, several
    if key not in plans:
        plans[key] = rule.plan(needed, arguments, outputs if several else outputs[0])
    return plans[key]


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


def takes_many(plan: Plan, values: Sequence[Any]) -> bool:
    """Return whether a plan's formulas take many gradients at once, with these saved values."""
    return plan.rule.name in AT_ONCE and are_told(plan.names, values)


def are_told(names: Sequence[str], values: Sequence[Any]) -> bool:
    """Return whether dimensions among some values are numbers: others may stand for all."""
    dims = [value for name, value in zip(names, values, strict=True) if name in DIMENSIONS]
    return all(type(one) is int or one for one in dims)


def shifted(dim: Any) -> Any:
    """Return the number of a dimension, or several, behind a new first one."""
    return tuple(map(shifted, dim)) if type(dim) is not int else dim + (dim >= 0)


def with_room(plan: Plan, values: Sequence[Any], lead: tuple[int, ...]) -> list[Any]:
    """Return saved values with room for a dimension in front, if there is one."""
    if not lead:
        return list(values)
    found = []
    for name, value in zip(plan.names, values, strict=True):
        if isinstance(value, Tensor):
            value = value.unsqueeze(0)
        elif name in DIMENSIONS:
            value = shifted(value)
        elif name.endswith("_sym_sizes"):
            value = (*lead, *value)
        found.append(value)
    return found
