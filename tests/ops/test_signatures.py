"""What becomes of numbers that minigrad does not have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minigrad as torch

COMPLEX = """
torch.full((2,), 1j)
torch.full_like(x, 1j)
torch.tensor([1j])
torch.tensor(np.array([1j]))
torch.from_numpy(np.array([1j]))
torch.ones(2, dtype=complex)
torch.linspace(0, 1j, 3)
x + 1j
1j * x
x == 1j
x > 1j
x.add_(1j)
x.gt_(1j)
x.gt(np.complex64(1))
x.fill_(1j)
x.pow(1j)
x.clamp(min=1j)
x.masked_fill(x > 1, 1j)
torch.where(x > 1, 1j, x)
"""


@pytest.mark.parametrize("call", COMPLEX.strip().splitlines())
def test_complex_numbers_are_refused_and_change_nothing(call: str) -> None:
    x: Any = torch.tensor([1.0, 2.0])
    with pytest.raises(NotImplementedError, match="minigrad has no complex numbers"):
        eval(call, {"torch": torch, "np": np, "x": x})
    assert x.tolist() == [1.0, 2.0]
