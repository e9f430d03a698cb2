"""What messages call the types of values: what is built in C with its module, as PyTorch does."""

from __future__ import annotations

from collections import OrderedDict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

TYPES: dict[str, Any] = {
    "Tensor": lambda torch: torch.ones(1),
    "Parameter": lambda torch: torch.nn.Parameter(torch.ones(1)),
    "Linear": lambda torch: torch.nn.Linear(1, 1),
    "torch.dtype": lambda torch: torch.float32,
    "torch.device": lambda torch: torch.device("cpu"),
    "torch.layout": lambda torch: torch.strided,
    "torch.memory_format": lambda torch: torch.contiguous_format,
    "torch.Size": lambda torch: torch.Size([1]),
    "torch.finfo": lambda torch: torch.finfo(torch.float32),
    "torch._C.Generator": lambda torch: torch.Generator(),
    "torch.return_types.max": lambda torch: torch.ones(1, 2).max(0),
    "numpy.ndarray": lambda torch: np.ones(2),
    "numpy.float32": lambda torch: np.float32(1),
    "collections.OrderedDict": lambda torch: OrderedDict(),
    "Fraction": lambda torch: Fraction(1),
    "NoneType": lambda torch: None,
}


@pytest.mark.parametrize("name", TYPES)
def test_what_a_type_is_called(torch: Any, name: str) -> None:
    value = TYPES[name](torch)
    with pytest.raises(TypeError, match=rf"got \(Tensor, float, foo={name}\), but expected"):
        torch.normal(torch.zeros(2), 1.0, foo=value)
    with pytest.raises(TypeError, match=f"'dim0' \\(position 2\\) must be int, not {name}$"):
        torch.transpose(torch.ones(1), value, 0)
    with pytest.raises(TypeError, match=rf"got \({name}, {name}\), but expected"):
        torch.finfo(value, value)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("expected a long, but got torch.dtype", lambda t, v: t.Generator().manual_seed(v)),
        ("expected a torch.ByteTensor, but got torch.dtype", lambda t, v: t.set_rng_state(v)),
        (r"are valid indices \(got torch.dtype\)", lambda t, v: t.ones(2)[v]),
        ("can't assign a torch.dtype to a", lambda t, v: t.ones(2).__setitem__(0, v)),
        ("Could not infer dtype of torch.dtype", lambda t, v: t.tensor([v])),
    ],
)
def test_what_a_type_is_called_elsewhere(torch: Any, text: str, call: Any) -> None:
    with pytest.raises((TypeError, IndexError, RuntimeError), match=text):
        call(torch, torch.float32)
