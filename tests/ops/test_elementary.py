"""Elementary functions of float32 give the nearest number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minigrad

FUNCTIONS = (
    "acos", "asin", "atan", "cos", "cosh", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2",
    "sin", "sinh", "tan", "tanh",
)  # fmt: skip


def elements(count: int) -> Any:
    return np.random.default_rng(0).uniform(0.01, 0.99, count).astype(np.float32)


def exact(name: str, of: Any) -> Any:
    """Return the function in float64, by numpy's name."""
    return getattr(np, name.replace("a", "arc", 1) if name[0] == "a" else name)(of.astype(float))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shape", [(), (3,), (25, 40)])
def test_what_is_printed_in_full_is_the_nearest_number(name: str, shape: tuple[int, ...]) -> None:
    x = elements(int(np.prod(shape))).reshape(shape)
    found = getattr(minigrad, name)(minigrad.from_numpy(x))
    assert found.tolist() == exact(name, x).astype(np.float32).tolist()


def test_powers_are_the_nearest_numbers_or_products() -> None:
    x, y = elements(100), elements(100)[::-1].copy()
    a, b = minigrad.from_numpy(x), minigrad.from_numpy(y)
    wide = x.astype(float)
    for found, expected in (
        (a**b, wide**y),
        (a**2.5, wide**2.5),
        (2**a, 2**wide),
        (a**3, x * x * x),
        (a**-2, 1 / (x * x)),
    ):
        assert found.tolist() == expected.astype(np.float32).tolist()
