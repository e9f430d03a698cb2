"""Random tensors print on minigrad what they print on the installed PyTorch."""

import json
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import minigrad
from tests.data.record_printed_tensors import ANSWERS, Array, Case, pack, printed, record
from tests.parity.printed import agree_in_print

# Without PyTorch these tests are deselected by their marker, and are not to count as skipped.
torch: Any = import_module("torch") if find_spec("torch") else None
pytestmark = pytest.mark.parity

DTYPES = ["float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"]
PROGRAMS = ["print(x)", "print(x.requires_grad_())", "print(x.requires_grad_().view(x.shape))"]
AT_THE_LIMITS = [
    0.0,
    -0.0,
    1.0,
    1e-4,
    9.9e-5,
    1e8,
    1e8 + 8,
    1000.0,
    1001.0,
    np.nan,
    np.inf,
    -np.inf,
]

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 9),
        "threshold": st.sampled_from([0, 1, 5, 50, np.inf]),
        "edgeitems": st.integers(0, 4),
        "linewidth": st.integers(0, 200),
        "profile": st.sampled_from(["default", "short", "full"]),
        "sci_mode": st.booleans(),
    },
)


def assert_same(array: Array, program: str, options: dict[str, Any], default: str) -> None:
    """Compare what both engines print, of integers without the gradient that they cannot have."""
    case: Case = {"array": pack(array), "options": options, "default_dtype": default}
    case["program"] = program if array.dtype.kind == "f" else "print(x)"
    assert printed(minigrad, case) == printed(torch, case)


@st.composite
def small_arrays(draw: st.DrawFn) -> Array:
    """Arrays of up to four dimensions, any of which may be zero, and of every kind of number."""
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=8))
    elements = hnp.from_dtype(dtype)
    if dtype.kind == "f":
        whole = st.integers(-2000, 2000)
        elements |= st.sampled_from(AT_THE_LIMITS) | whole.map(float) | st.floats(-9, 9)
        with np.errstate(over="ignore"):
            return np.array(draw(hnp.arrays(object, shape, elements=elements)), dtype=dtype)
    return draw(hnp.arrays(dtype, shape, elements=elements))


@st.composite
def large_arrays(draw: st.DrawFn) -> Array:
    """Arrays of about a thousand elements or more, some so spread that the notation changes."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = draw(
        st.sampled_from([(999,), (1001,), (1, 1001), (40, 26), (2, 3, 170), (8, 8, 4, 4)])
        | st.tuples(st.integers(1, 60), st.integers(1, 60))
    )
    spread = draw(st.sampled_from([0, 1, 3, 30]))
    numbers = random.normal(size=shape) * 10.0 ** random.uniform(-spread, spread, shape)
    if draw(st.booleans()):
        numbers = np.round(numbers)
    with np.errstate(over="ignore", invalid="ignore"):
        return numbers.astype(draw(st.sampled_from(DTYPES)))


@given(
    small_arrays() | large_arrays(),
    st.sampled_from(PROGRAMS),
    OPTIONS,
    st.sampled_from(["float32", "float32", "float64", "float16"]),
)
@example(np.array(-0.0, dtype=np.float32), "print(x)", {"sci_mode": True}, "float32")
@settings(max_examples=1000, deadline=None)
def test_random_tensors(array: Array, program: str, options: dict[str, Any], default: str) -> None:
    assert_same(array, program, options, default)


@example(-1, "c")
@given(
    st.floats(width=32) | st.integers(-(2**63), 2**63 - 1) | st.booleans(),
    st.from_regex(
        r"[ =*]?[<>^]?[+ -]?#?0?[0-9]{0,2},?(\.[0-9])?[bcdeEfFgGnosxX%]?", fullmatch=True
    ),
)
def test_format_of_a_number(number: float, specification: str) -> None:
    case: Case = {"program": f"print(format(x, {specification!r}))"}
    case["array"] = pack(np.array(number))
    assert printed(minigrad, case) == printed(torch, case)


def test_the_recorded_answers_are_still_what_pytorch_says() -> None:
    assert record() == json.loads(ANSWERS.read_text(encoding="utf-8"))


def test_options_that_hold_for_a_while() -> None:
    agree_in_print(
        """
        x, options = torch.tensor([1 / 3, 2e5]), torch._tensor_str
        with options.printoptions(precision=2, sci_mode=False):
            print(x, options.get_printoptions())
            with options.printoptions(precision=6):
                print(x)
            print(x)
        attempt(lambda: options.get_printoptions())
        options.set_printoptions(precision=1)
        print(x)
        torch.set_printoptions(profile="default")
        """
    )
