"""The formulas of operations as forward mode evaluates them, and what it says where they refuse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from minigrad.autograd.forward_ad.tangents import differentiable
from minigrad.ops.rule import Plan, Rule

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
