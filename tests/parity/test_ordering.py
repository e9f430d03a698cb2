"""Which of equal elements is found, and where nans are, is as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minigrad.ops import choosing

pytestmark = pytest.mark.parity

LENGTHS = (1, 2, 5, 16, 17, 70, 300)
CALLS = {
    "sort": lambda x, n: x.sort(1).indices,
    "sort dim 0": lambda x, n: x.t().sort(0, descending=True).indices,
    "sort stable": lambda x, n: x.sort(dim=1, stable=True).indices,
    "argsort": lambda x, n: x.argsort(1),
    "mode": lambda x, n: x.mode(1).indices,
    "kthvalue": lambda x, n: x.kthvalue((n + 1) // 2, 1).indices,
    "median": lambda x, n: x.median(1).indices,
    "max": lambda x, n: x.max(1).indices,
}


def agree_on_line(call: Any, lines: np.ndarray[Any, Any]) -> None:
    """Compare what a call finds on both engines."""
    import torch

    import minigrad

    length = lines.shape[1]
    theirs, ours = (call(one.from_numpy(lines.copy()), length) for one in (torch, minigrad))
    assert ours.tolist() == theirs.tolist()
    assert ours.stride() == theirs.stride() or length == 1


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "int64"])
def test_equal_elements_are_found_where_pytorch_finds_them(
    call: str, length: int, dtype: str
) -> None:
    generator = np.random.default_rng(length)
    for kinds in (1, 3, 20):
        agree_on_line(CALLS[call], generator.integers(0, kinds, (3, length)).astype(dtype))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("in_order", [True, False])
def test_the_first_of_equal_elements_are_those_that_pytorch_finds(
    length: int, largest: bool, in_order: bool
) -> None:
    generator = np.random.default_rng(length)
    for kinds in (1, 3, 20, 10**6):
        lines = generator.integers(0, kinds, (3, length)).astype(np.float32)
        lines[lines == 1] = np.nan
        for k in {0, 1, length // 64, length // 3, length}:
            agree_on_line(lambda x, n, k=k: x.topk(k, 1, largest, in_order).indices, lines)


@pytest.mark.parametrize("length", range(1, 17))
def test_nans_are_found_where_pytorch_finds_them(length: int) -> None:
    generator = np.random.default_rng(length)
    lines = generator.integers(0, 4, (20, length)).astype(np.float32)
    lines[lines == 1] = np.nan
    lines[0] = np.nan
    for call in ("sort", "mode", "kthvalue", "median", "max"):
        agree_on_line(CALLS[call], lines)
    agree_on_line(lambda x, n: x.nanmedian(1).indices, lines)


def test_what_misleads_medians_of_three_is_sorted_by_a_heap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = np.array([killer(400)], np.int64)
    lines = np.minimum(lines, lines.max() - 1)  # two are equal
    asked = []
    for name in ("smallest", "heaped"):
        monkeypatch.setattr(choosing, name, noting(asked, name))
    agree_on_line(CALLS["sort"], lines)
    agree_on_line(lambda x, n: x.topk(n - 10, 1, False, False).indices, lines)
    assert set(asked) == {"smallest", "heaped"}


def killer(length: int) -> list[int]:
    """Return numbers whose medians of three are always among the smallest."""
    half = range(1, length // 2 + 1)
    first = [one if one % 2 else length // 2 + one - 1 for one in half]
    return [0, *first, *[2 * one for one in half]]


def noting(asked: list[str], name: str) -> Any:
    """Return what notes that a function was called, and calls it."""
    function = getattr(choosing, name)
    return lambda *given: (asked.append(name), function(*given))[1]
