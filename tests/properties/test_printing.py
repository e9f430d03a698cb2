"""The text of a tensor, with every option."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad

DTYPES = ("float32", "float64", "int64", "int32", "uint8", "bool")
INTERESTING = (0.0, 1.0, -2.0, 0.5, 1e-5, 123456.0, 1e9, 3.14159, 2.5e-38, 9999.5)
NUMBERS = st.one_of(
    st.sampled_from([*INTERESTING, -0.0, math.inf, -math.inf, math.nan]),
    st.integers(-300, 300).map(float),
    st.floats(-1000, 1000, width=32),
    st.floats(width=32),
)
LARGE = ((1001,), (3, 400), (40, 30), (7, 8, 30), (2, 1200), (1000, 1, 2))
SHAPES = st.one_of(hnp.array_shapes(min_dims=0, min_side=0, max_side=9), st.sampled_from(LARGE))
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 8),
        "threshold": st.sampled_from((0, 5, 2000)),
        "edgeitems": st.integers(1, 4),
        "linewidth": st.sampled_from((20, 40, 60, 120, 200)),
        "sci_mode": st.booleans(),
        "profile": st.sampled_from(("default", "short", "full")),
    },
)
FORMS = st.sampled_from(
    ("{0!r}", "{0}", "{0.T!r}", "{1!r}", "{2!r}", "[{0!r}, {0!r}]", "{3!r}", "{0.shape}")
)


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    """An array of any shape in which a few numbers are repeated."""
    shape, numbers = draw(SHAPES), draw(st.lists(NUMBERS, min_size=1, max_size=8))
    array = np.resize(np.array(numbers), shape)
    dtype = draw(st.sampled_from(DTYPES))
    if not dtype.startswith("float"):
        array = np.nan_to_num(array, posinf=7, neginf=-7).clip(-1e15, 1e15)
    with np.errstate(all="ignore"):
        return np.asarray(array).astype(dtype)


def text(torch: Any, array: np.ndarray[Any, Any], options: dict[str, Any], form: str) -> str:
    """What `print` shows of a tensor, of a leaf, of a result, and of a list of tensors."""
    tensor = torch.from_numpy(np.array(array))
    leaf = tensor.clone().requires_grad_() if array.dtype.kind == "f" else tensor
    torch.set_printoptions(**options)
    try:
        return form.format(tensor, leaf, leaf * 1, {"of": [leaf.reshape(-1)]})
    finally:
        torch.set_printoptions(profile="default")


@pytest.fixture(autouse=True)
def _silence(recwarn: pytest.WarningsRecorder) -> Iterator[None]:
    """`.T` of other than matrices is deprecated, and says so."""
    yield
    recwarn.clear()


@pytest.mark.parity
@given(arrays(), OPTIONS, FORMS)
def test_tensors_print_as_in_pytorch(
    pytorch: Any, array: np.ndarray[Any, Any], options: dict[str, Any], form: str
) -> None:
    assert text(minigrad, array, options, form) == text(pytorch, array, options, form)


@pytest.mark.parity
@given(NUMBERS, st.sampled_from(("", ".2f", "8.3f", "e", ".3", "5")))
def test_single_elements_format_as_in_pytorch(pytorch: Any, number: float, spec: str) -> None:
    ours, theirs = (format(torch.tensor(number), spec) for torch in (minigrad, pytorch))
    assert ours == theirs


@given(arrays().filter(np.size))
def test_the_text_is_an_expression_for_the_tensor(torch: Any, array: np.ndarray[Any, Any]) -> None:
    options = {"threshold": math.inf, "precision": 17, "sci_mode": True}
    names = {"tensor": torch.tensor, "torch": torch, "inf": math.inf, "nan": math.nan}
    tensor = eval(text(torch, array, options, "{0!r}"), names)
    assert tensor.numpy().dtype == array.dtype
    np.testing.assert_array_equal(tensor.numpy(), array)
