"""Every formula is right, and would be noticed if it were not.

The declarations are found by walking the registry: a new one is tested without being listed. Their
derivatives are compared with finite differences; then the sign of each formula is flipped in turn,
which must make that comparison fail.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import minigrad as torch
from minigrad.ops.rule import Rule
from tests.ops.examples import Example, declared, examples

# Declarations that no example can go through, and why.
UNREACHED = {
    r"CdistBackwardBackward0|NotImplemented|Unique|Error": "PyTorch has no formula for them",
    r"A\w+hBackward1": "PyTorch has no formula for them in place",
    r"ToCopy": "another precision, through which finite differences do not see",
    r"(Eq|Ne|Lt|Le|Gt|Ge)Backward": "comparisons in place: no slope",
    r"(Normal|Bernoulli|Uniform|Exponential|Random|LogNormal|Geometric|Cauchy)": "random numbers",
}

RULES = [rule for rule in declared() if not any(re.match(one, rule.name) for one in UNREACHED)]
NAMES = [f"{place}-{rule.name}" for place, rule in enumerate(RULES)]


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def right(one: Example) -> bool:
    """Return whether first and second derivatives are what finite differences say."""
    options: dict[str, Any] = {"raise_exception": False}
    if not torch.autograd.gradcheck(one.function, one.points, **options):
        return False
    try:
        return bool(torch.autograd.gradgradcheck(one.function, one.points, **options))
    except RuntimeError as error:  # PyTorch has no formula for all second derivatives either
        text = r"(derivative for aten::\w+|the derivative for '\w+') is not implemented"
        return bool(re.match(text, str(error)))


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_derivatives_are_what_finite_differences_say(rule: Rule) -> None:
    assert rule in examples(), "no call goes through it: write one in tests/ops/examples.py"
    _, found = examples()[rule]
    assert [one.line for one in found if not right(one)] == []


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_a_flipped_sign_is_noticed(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, found = examples()[rule]
    original = kind.apply
    for place, name in enumerate(rule.formulas):
        gave: list[Any] = []

        def flipped(
            self: Any, arrived: Any, recorded: bool, place: int = place, gave: list[Any] = gave
        ) -> Any:
            gradients = list(original(self, arrived, recorded))
            for number, gradient in enumerate(gradients):
                if gradient is not None and (number == place or rule.variadic):
                    gave.append(gradient)
                    gradients[number] = -gradient
            return gradients

        monkeypatch.setattr(kind, "apply", flipped)
        noticed = any(not right(one) for one in found)
        slopes = any(abs(float(one.sum())) > 1e-12 for one in gave)
        assert noticed or not slopes, f"the gradient of '{name}' may have either sign"
    monkeypatch.undo()
