"""Elementary functions of float32 differ from PyTorch's by one unit in the last place at most."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad
from minigrad.arrays import PRINTED
from tests.ops.test_elementary import FUNCTIONS, elements


@pytest.mark.parity
@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_number_is_two_from_that_of_pytorch(name: str) -> None:
    import torch

    x = elements(PRINTED)
    ours = getattr(minigrad, name)(minigrad.from_numpy(x)).numpy()
    theirs = getattr(torch, name)(torch.from_numpy(x)).numpy()
    assert np.abs(ours.view(np.int32) - theirs.view(np.int32)).max() <= 1
