"""Random programs about the graph show the same on both engines, after each statement."""

from __future__ import annotations

import math
import re
from typing import Any

import hypothesis
import pytest

import minigrad
from tests.parity.graph_programs import programs, shown
from tests.parity.reached import LARGE
from tests.parity.transcript import UNUSABLE

pytestmark = pytest.mark.parity

NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]?\d+)?")


def same(found: Any, expected: Any) -> bool:
    """Return whether two texts, or several, are equal: numbers up to rounding."""
    if found == expected or (UNUSABLE in expected and "Error: " in found):
        return True
    if isinstance(found, tuple) and isinstance(expected, tuple):
        return len(found) == len(expected) and all(map(same, found, expected))
    ours, theirs = (re.sub(r"\s+", "", NUMBER.sub("#", one)) for one in (found, expected))
    if ours != theirs:
        return False
    numbers = (map(float, NUMBER.findall(one)) for one in (found, expected))
    return all(
        math.isclose(a, b, rel_tol=2e-3, abs_tol=2e-3) for a, b in zip(*numbers, strict=True)
    )


def agree(program: tuple[str, ...]) -> None:
    """Assert that a program shows the same on both engines."""
    import torch

    torch.set_warn_always(True)
    theirs = shown(torch, program)
    if "INTERNAL ASSERT FAILED" in str(theirs):  # PyTorch reports a fault of its own
        hypothesis.reject()
    for found, expected in zip(shown(minigrad, program), theirs, strict=True):
        different = [pair for pair in zip(found, expected, strict=True) if not same(*pair)]
        assert not different, "\n".join([*program, "", found[0], *map(str, different)])


def test_any_program_shows_the_same(pytestconfig: pytest.Config) -> None:
    wanted = pytestconfig.getoption("--programs")

    @hypothesis.settings(
        max_examples=wanted // 10, deadline=None, database=None, derandomize=wanted < LARGE
    )
    @hypothesis.given(programs())
    def compare(program: tuple[str, ...]) -> None:
        agree(program)

    compare()
