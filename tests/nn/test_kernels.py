"""torch itself has the kernels of networks' functions (tests/parity compares what they return)."""

from __future__ import annotations

import pytest

import minigrad as torch
from minigrad.nn import kernels


def test_torch_has_all_of_them() -> None:
    assert kernels.__all__ == list(torch.KERNELS)
    assert all(getattr(torch, name) is getattr(kernels, name) for name in kernels.__all__)


@pytest.mark.parametrize("p", [-0.1, 1.5, float("nan")])
def test_what_is_no_probability_is_refused_by_the_kernel_and_before_it(p: float) -> None:
    text = f"^dropout probability has to be between 0 and 1, but got {p}$"
    for name in ("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout_"):
        with pytest.raises(RuntimeError, match=text):
            getattr(torch, name)(torch.ones(2, 2), p, True)
    with pytest.raises(RuntimeError if p != p else ValueError, match=text):
        torch.nn.functional.dropout(torch.ones(2, 2), p)
