"""Dtypes, and which one a result has."""

from __future__ import annotations

import copy
import itertools
import math
import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad

INTEGERS = {"uint8": (0, 255), "int8": (-128, 127), "int16": (-(2**15), 2**15 - 1)}
INTEGERS |= {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
FLOATS = {"float16": 2, "float32": 4, "float64": 8}
DTYPES = ["bool", *INTEGERS, *FLOATS]

# What a dtype is


def test_a_dtype_says_what_it_is(torch: Any) -> None:
    sizes = {"bool": 1, "uint8": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8} | FLOATS
    for name in DTYPES:
        dtype = getattr(torch, name)
        assert repr(dtype) == str(dtype) == f"torch.{name}"
        assert dtype.itemsize == sizes[name]
        assert dtype.is_floating_point is (name in FLOATS)
        assert dtype.is_signed is (name not in ("bool", "uint8"))
        assert dtype.is_complex is False
        assert isinstance(dtype, torch.dtype)
        assert torch.zeros(3, dtype=dtype).element_size() == sizes[name]
        assert torch.zeros(3, dtype=dtype).is_floating_point() is (name in FLOATS)


def test_there_is_one_object_for_each_dtype(torch: Any) -> None:
    assert len({getattr(torch, name) for name in DTYPES}) == len(DTYPES)
    assert (torch.float, torch.double, torch.half) == (torch.float32, torch.float64, torch.float16)
    assert (torch.long, torch.int, torch.short) == (torch.int64, torch.int32, torch.int16)
    for dtype in (torch.float32, torch.bool):
        assert copy.deepcopy(dtype) is copy.copy(dtype) is dtype
        assert pickle.loads(pickle.dumps(dtype)) is dtype
        assert torch.zeros(1, dtype=dtype).dtype is dtype
    assert torch.float32 != "float32"


def test_dtypes_cannot_be_made(torch: Any) -> None:
    with pytest.raises(TypeError):
        torch.dtype("float32")


def test_the_default_dtype_is_a_floating_point_one(torch: Any) -> None:
    assert torch.get_default_dtype() is torch.float32
    for wrong in (torch.int64, torch.bool, "float64", float):
        with pytest.raises(TypeError, match="only floating-point types are supported as the defau"):
            torch.set_default_dtype(wrong)
    assert torch.get_default_dtype() is torch.float32


# By name alone

WITHOUT_TENSORS = ["bfloat16", "complex32", "complex64", "complex128", "uint16", "uint32", "uint64"]
WITHOUT_TENSORS += ["float8_e4m3fn", "float8_e5m2"]
WITHOUT_TENSORS += ["quint8", "qint8", "qint32", "quint4x2", "quint2x4"]


@pytest.mark.parametrize("name", WITHOUT_TENSORS)
def test_dtypes_without_tensors_are_compared_and_refused(name: str) -> None:
    dtype = getattr(minigrad, name)
    assert dtype not in {one.dtype for one in (minigrad.ones(1), minigrad.tensor([True]))}
    assert copy.deepcopy(dtype) is pickle.loads(pickle.dumps(dtype)) is dtype
    x, net = minigrad.ones(2, requires_grad=True), minigrad.nn.Linear(2, 2)
    calls: list[Callable[[], Any]] = [
        lambda: minigrad.zeros(2, dtype=dtype),
        lambda: minigrad.tensor([1, 2], dtype=dtype),
        lambda: minigrad.promote_types(dtype, minigrad.float64),
        lambda: x.to(dtype),
        lambda: x.type(dtype),
        lambda: x.detach().sum(dtype=dtype),
    ]
    if dtype.is_floating_point or dtype.is_complex:
        calls.append(lambda: net.to(dtype))
    if dtype.is_floating_point:
        calls.append(lambda: minigrad.set_default_dtype(dtype))
    for call in calls:
        with pytest.raises(NotImplementedError, match=f"has no tensors of dtype torch.{name}$"):
            call()
    assert minigrad.get_default_dtype() is net.weight.dtype is minigrad.float32


# Promotion


def test_promotion_has_no_order_and_an_end(torch: Any) -> None:
    dtypes = [getattr(torch, name) for name in DTYPES]
    promote = torch.promote_types
    for one, other in itertools.product(dtypes, repeat=2):
        together = promote(one, other)
        assert together is promote(other, one)
        assert promote(together, one) is promote(together, other) is together
        assert torch.can_cast(one, together)
    with pytest.raises(TypeError):
        promote(torch.float32, "float64")


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("bool", "uint8", "uint8"),
        ("uint8", "int8", "int16"),
        ("uint8", "int64", "int64"),
        ("int8", "int16", "int16"),
        ("int64", "float16", "float16"),
        ("int64", "float32", "float32"),
        ("bool", "float16", "float16"),
        ("float16", "float32", "float32"),
        ("float32", "float64", "float64"),
    ],
)
def test_two_tensors_meet_in_the_smallest_dtype_that_holds_both(
    torch: Any, one: str, other: str, together: str
) -> None:
    a, b = torch.ones(2, dtype=getattr(torch, one)), torch.ones(2, dtype=getattr(torch, other))
    wanted = getattr(torch, together)
    for result in (a + b, b + a, a * b, torch.maximum(a, b), torch.where(a > 0, a, b)):
        assert result.dtype is wanted
    assert torch.promote_types(a.dtype, b.dtype) is wanted


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (2,), (0,), (2, 1)])
def test_a_python_number_changes_only_the_category(
    torch: Any, dtype: str, shape: tuple[int, ...]
) -> None:
    x = torch.ones(shape, dtype=getattr(torch, dtype))
    with_bool = x.dtype
    with_int = x.dtype if dtype != "bool" else torch.int64
    with_float = x.dtype if dtype in FLOATS else torch.float32
    for function in (operator.add, operator.mul):
        assert function(x, True).dtype is function(True, x).dtype is with_bool
        assert function(x, 3).dtype is function(3, x).dtype is with_int
        assert function(x, 2.5).dtype is function(2.5, x).dtype is with_float
    assert (x / 2).dtype is with_float
    assert (x < 3).dtype is torch.bool
    if dtype != "bool":
        assert (x - 1.5).dtype is (1.5 - x).dtype is with_float
        assert (x // 2).dtype is (x % 2).dtype is (7 // x).dtype is with_int
        assert (2 - x).dtype is (x**2).dtype is (2**x).dtype is with_int
        assert (x**2.5).dtype is (2.5**x).dtype is with_float


@pytest.mark.parametrize("shape", [(), (2,), (0,)])
def test_a_number_before_the_percent_sign_does_not_widen(
    torch: Any, shape: tuple[int, ...]
) -> None:
    for dtype in (*INTEGERS, *FLOATS):
        x = torch.full(shape, 4, dtype=getattr(torch, dtype))
        assert (7 % x).dtype is x.dtype
        assert (7 % x).tolist() == torch.full(shape, 3, dtype=x.dtype).tolist()


@pytest.mark.parametrize("scalar", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_0d_tensor_never_widens(torch: Any, dtype: str, scalar: str) -> None:
    x = torch.ones(2, dtype=getattr(torch, dtype))
    s = torch.ones((), dtype=getattr(torch, scalar))
    categories: list[Any] = [["bool"], INTEGERS, FLOATS]
    rank = {name: place for place, names in enumerate(categories) for name in names}
    wanted = s.dtype if rank[scalar] > rank[dtype] else x.dtype
    for result in (x + s, s + x, x * s, torch.minimum(s, x), torch.where(x > 0, x, s)):
        assert result.dtype is wanted
        assert result.shape == (2,)
    # Two 0-d tensors are on an equal footing.
    assert (x.sum(dtype=x.dtype) + s).dtype is torch.promote_types(x.dtype, s.dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(), (2,), (0,), (1, 1)])
def test_what_is_computed_from_one_tensor_keeps_its_dtype(
    torch: Any, dtype: str, shape: tuple[int, ...]
) -> None:
    x = torch.full(shape, 0.5, dtype=getattr(torch, dtype))
    results = [x.exp(), x.log(), x.sin(), x.tanh(), x.sigmoid(), x.sqrt(), x.abs(), x.relu()]
    results += [-x, x.sum(), x.mean(), x.prod(), x**2, x**0.5, 2**x, 1 / x, x.clamp(0, 1)]
    results += [x.reshape(-1).softmax(0), x.reshape(-1).cumsum(0), x.clone(), x.norm()]
    assert {result.dtype for result in results} == {x.dtype}


def test_integers_become_floating_point_where_they_must(torch: Any) -> None:
    for dtype in ("bool", *INTEGERS):
        x = torch.ones(2, dtype=getattr(torch, dtype))
        for result in (x.exp(), x / x, x.sqrt(), x.tanh(), torch.atan2(x, x), x.sum() / 2):
            assert result.dtype is torch.float32
        assert x.sum().dtype is x.prod().dtype is torch.int64
        with pytest.raises(RuntimeError):
            x.mean()


# Numbers


@given(data=st.data(), dtype=st.sampled_from([*INTEGERS]))
def test_integers_wrap_around(torch: Any, data: Any, dtype: str) -> None:
    low, high = INTEGERS[dtype]
    a, b = (data.draw(st.integers(low, high)) for _ in range(2))
    span = high - low + 1
    x, y = (torch.tensor([one], dtype=getattr(torch, dtype)) for one in (a, b))

    def wrapped(number: int) -> int:
        return (number - low) % span + low

    functions: list[Callable[[Any, Any], Any]] = [operator.add, operator.sub, operator.mul]
    for function in functions:
        assert function(x, y).tolist() == [wrapped(function(a, b))]
        assert function(x[0], y[0]).item() == wrapped(function(a, b))
        assert function(x, b).tolist() == [wrapped(function(a, b))]
    assert (-x).tolist() == [wrapped(-a)]
    assert x.clone().add_(y).tolist() == [wrapped(a + b)]
    assert x.to(torch.uint8).tolist() == [a % 256]


@given(
    a=st.integers(-100, 100),
    b=st.integers(-100, 100).filter(bool),
    dtype=st.sampled_from(["int8", "int64", "float32", "float64"]),
)
def test_division_rounds_as_pythons_does(torch: Any, a: int, b: int, dtype: str) -> None:
    x, y = (torch.tensor([one], dtype=getattr(torch, dtype)) for one in (a, b))
    for quotient in (x // y, x // b, a // y, x[0] // y[0]):
        assert quotient.tolist() in ([a // b], a // b)
        assert quotient.dtype is x.dtype
    for remainder in (x % y, x % b, x[0] % y[0]):
        assert remainder.tolist() in ([a % b], a % b)
        assert remainder.dtype is x.dtype
    assert torch.div(x, y, rounding_mode="trunc").tolist() == [math.trunc(a / b)]


def test_division_by_zero(torch: Any) -> None:
    x = torch.tensor([1.0, -1.0, 0.0])
    assert str((x / 0).tolist()) == "[inf, -inf, nan]"
    assert str((torch.tensor([1, -1, 0]) / 0).tolist()) == "[inf, -inf, nan]"
    for refused in (lambda: torch.tensor(1) // 0, lambda: torch.tensor([1]) % 0):
        with pytest.raises(RuntimeError, match="^ZeroDivisionError$"):
            refused()


def test_python_integers_that_are_too_large(torch: Any) -> None:
    for x in (torch.tensor([1]), torch.tensor([1.0]), torch.tensor(1.0)):
        with pytest.raises(OverflowError):
            x + 2**64
    assert (torch.tensor([1.0]) + 2**62).tolist() == [float(2**62)]


@given(number=st.floats(width=32))
def test_float32_numbers_come_and_go_unchanged(torch: Any, number: float) -> None:
    assert str(torch.tensor(number).item()) == str(number)
    assert str((torch.tensor([number]) * 1.0)[0].item()) == str(number)
    assert str(torch.tensor(number).neg().neg().item()) == str(number)


def test_zeros_keep_their_sign(torch: Any) -> None:
    for x in (torch.ones(1), torch.tensor(1.0)):
        results = [x * -0.0, x * 0.0, x * 0, -(x * 0), x * torch.tensor(-0.0)]
        signs = [math.copysign(1, result.reshape(-1)[0].item()) for result in results]
        assert signs == [-1.0, 1.0, 1.0, -1.0, -1.0]


@pytest.mark.parity
def test_dtypes_have_short_names_and_name_what_they_lack() -> None:
    import torch

    import minigrad

    for one in ("float32", "float16", "uint8", "int64", "bool"):
        ours, theirs = getattr(minigrad, one), getattr(torch, one)
        assert (ours.abbr, str(ours.to_real())) == (theirs.abbr, str(theirs.to_real()))
    for engine in (minigrad, torch):
        with pytest.raises(AttributeError, match="^'torch.dtype' object has no attribute 'some'$"):
            _ = engine.float32.some
        with pytest.raises(AttributeError, match="^'torch._C.Generator' object has no attr"):
            _ = engine.Generator().some
