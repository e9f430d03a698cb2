"""Every operation carries tangents that are right: what finite differences say.

The declarations are found by walking the registry: a new one is tested without being listed.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import minigrad as torch
from minigrad.ops.rule import Rule
from tests.ops.examples import Example, examples
from tests.ops.test_every_formula import NAMES, RULES

# What PyTorch does not differentiate forward, nor therefore its formulas here, by its texts.
REFUSED = (
    r"Trying to use forward AD with (_cdist_forward|_scaled_dot_product_flash_attention_for_cpu"
    r"|aten::hardsigmoid_backward) that does not support it"
)
# What it does not differentiate twice.
ONCE = r"derivative for aten::multi(label)?_margin_loss_backward is not implemented"


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def right(one: Example) -> bool:
    """Return whether tangents of results, and of gradients, are what finite differences say."""
    options: dict[str, Any] = {
        "raise_exception": False,
        "check_undefined_grad": False,
        "fast_mode": True,
    }
    try:
        if not torch.autograd.gradcheck(
            one.function, one.points, check_forward_ad=True, check_backward_ad=False, **options
        ):
            return False
        return bool(
            torch.autograd.gradgradcheck(
                one.function,
                one.points,
                check_fwd_over_rev=True,
                check_rev_over_rev=False,
                **options,
            )
        )
    except RuntimeError as error:  # NotImplementedError is one
        return bool(re.match(f"{REFUSED}|{ONCE}", str(error)))


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_tangents_are_what_finite_differences_say(rule: Rule) -> None:
    _, found = examples()[rule]
    assert [one.line for one in found if not right(one)] == []


def bent(one: Example) -> list[float]:
    """Return the second derivative of an example along a line, by two levels of each mode."""
    jvp, grad = torch.func.jvp, torch.func.grad
    points = [point.detach() for point in one.points]
    steps = [torch.linspace(0.5, 1.5, point.numel()).view(point.shape) for point in points]
    start, step = torch.zeros((), dtype=torch.float64), torch.ones((), dtype=torch.float64)

    def along(t: Any) -> Any:
        torch.manual_seed(0)
        moved = [point + t * way for point, way in zip(points, steps, strict=True)]
        outputs = one.function(*moved)
        outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
        real = [output for output in outputs if output.is_floating_point()]
        return sum([(output * (output + 0.3)).sum() for output in real], 0 * t)

    def slope(t: Any) -> Any:
        return jvp(along, (t,), (step,))[1]

    derivatives = jvp(slope, (start,), (step,))[1], grad(grad(along))(start)
    return [derivative.item() for derivative in derivatives]


def agree(one: Example) -> bool:
    """Return whether both modes find the same second derivative, or it is refused."""
    try:
        forward, backward = bent(one)
    except RuntimeError as error:
        return bool(re.match(f"{REFUSED}|{ONCE}", str(error)))
    return forward == pytest.approx(backward, rel=1e-6)


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_tangents_have_tangents(rule: Rule) -> None:
    _, found = examples()[rule]
    assert [one.line for one in found[:1] if not agree(one)] == []
