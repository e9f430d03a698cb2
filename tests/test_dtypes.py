"""The dtypes: names, limits, promotion, and the default dtype."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from minigrad import dtypes


@pytest.fixture
def float64_default(torch: Any) -> Iterator[None]:
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize(
    ("name", "other", "text"),
    [
        ("float", "float32", "torch.float32"),
        ("double", "float64", "torch.float64"),
        ("bool", "bool", "torch.bool"),
    ],
)
def test_a_dtype_is_one_object_with_a_name(torch: Any, name: str, other: str, text: str) -> None:
    dtype = getattr(torch, name)
    assert dtype is getattr(torch, other)
    assert repr(dtype) == text
    assert copy.deepcopy(dtype) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype


def test_kinds(torch: Any) -> None:
    assert torch.float32.is_floating_point
    assert not torch.int64.is_floating_point
    assert not torch.bool.is_signed
    assert (torch.int8.itemsize, torch.float64.itemsize) == (1, 8)
    x = torch.zeros(2, 3, dtype=torch.float64)[:, 1:]
    assert (x.itemsize, x.element_size(), x.nelement(), x.nbytes) == (8, 8, 4, 32)


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("i / 2", "float32"),
        ("b + 1", "int64"),
        ("f + d", "float64"),
        ("f + d.sum()", "float32"),
        ("u + torch.tensor([1], dtype=torch.int8)", "int16"),
        ("torch.cat([i, f])", "float32"),
    ],
)
def test_promotion(torch: Any, program: str, name: str) -> None:
    names = {
        "b": torch.bool,
        "u": torch.uint8,
        "i": torch.int64,
        "f": torch.float,
        "d": torch.double,
    }
    tensors = {key: torch.ones(1, dtype=dtype) for key, dtype in names.items()}
    assert eval(program, {"torch": torch, **tensors}).dtype is getattr(torch, name)


@pytest.mark.usefixtures("float64_default")
def test_the_default_dtype_is_that_of_new_floats(torch: Any) -> None:
    assert torch.get_default_dtype() is torch.float64
    made = [torch.tensor(1.5), torch.zeros(1), torch.arange(2.0), torch.arange(2) / 2, torch.eye(1)]
    assert all(one.dtype is torch.float64 for one in made)
    assert torch.arange(2).dtype is torch.int64
    assert repr(torch.zeros(1)) == "tensor([0.])"
    assert repr(torch.zeros(1, dtype=torch.float32)) == "tensor([0.], dtype=torch.float32)"


def test_the_default_dtype_is_floating_point(torch: Any) -> None:
    text = "only floating-point types are supported as the default type"
    with pytest.raises(TypeError, match=text):
        torch.set_default_dtype(torch.int64)
    assert torch.get_default_dtype() is torch.float32


def test_a_number_must_fit_its_dtype() -> None:
    assert dtypes.cast(2.7, dtypes.int64.numpy) == 2
    assert dtypes.cast(-1, dtypes.uint8.numpy) == 255
    for number, dtype in (
        (300, dtypes.uint8),
        (float("nan"), dtypes.int64),
        (1e39, dtypes.float32),
    ):
        with pytest.raises(RuntimeError, match="cannot be converted to type .* without overflow"):
            dtypes.cast(number, dtype.numpy)
