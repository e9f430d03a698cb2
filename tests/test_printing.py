"""Tensors print, character for character, what PyTorch 2.13 prints."""

import ast
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import minigrad as torch
from minigrad.printing import tensor_repr
from tests.data.record_printed_tensors import ANSWERS, Array, Case, cases, printed

RECORDED: dict[str, Case] = json.loads(ANSWERS.read_text(encoding="utf-8"))
SHAPES = hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=6)
FLOATS = hnp.arrays(np.float32, SHAPES, elements=st.floats(-1e6, 1e6, width=32))


@pytest.fixture(autouse=True)
def default_options() -> Iterator[None]:
    """Leave the print options as they were found."""
    yield
    torch.set_printoptions(profile="default")


def test_every_case_is_recorded() -> None:
    assert {title: {**case, "text": ""} for title, case in cases().items()} == {
        title: {**case, "text": ""} for title, case in RECORDED.items()
    }


@pytest.mark.parametrize("title", RECORDED)
def test_prints_what_pytorch_prints(title: str) -> None:
    assert printed(torch, RECORDED[title]) == RECORDED[title]["text"]


@given(FLOATS)
def test_the_text_tells_shape_and_values(array: Array) -> None:
    torch.set_printoptions(threshold=math.inf, sci_mode=False)
    text = str(torch.from_numpy(array))
    told = np.array(ast.literal_eval(text.removeprefix("tensor")))
    assert told.shape == array.shape
    np.testing.assert_allclose(told, array, rtol=1e-15, atol=0.5e-4 * (1 + 1e-6))


# PyTorch leaves zeros out when it chooses the width of an element: all-zero lines are too long.
@given(FLOATS.filter(np.all), st.integers(40, 120))
def test_no_line_is_longer_than_linewidth(array: Array, linewidth: int) -> None:
    torch.set_printoptions(linewidth=linewidth)
    text = torch.from_numpy(array).__repr__()
    # The brackets that close a row are not counted, as in PyTorch.
    assert max(map(len, text.split("\n"))) <= linewidth + array.ndim


@given(hnp.arrays(np.float32, st.integers(1001, 3000)))
def test_a_summary_shows_both_ends_alone(array: Array) -> None:
    middle_changed = array.copy()
    middle_changed[3:-3] = 7
    assert str(torch.from_numpy(array)) == str(torch.from_numpy(middle_changed))


def test_a_view_without_valid_grad_fn_is_printed() -> None:
    class Invalid:
        _array = np.ones(2, dtype=np.float32)
        dtype = torch.float32
        requires_grad = True

        @property
        def grad_fn(self) -> None:
            raise RuntimeError("A view was created in no_grad mode ...")

    assert tensor_repr(Invalid()) == "Invalid([1., 1.], grad_fn=<Invalid>)"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"precision": -1}, ValueError, "precision must not be negative, but got -1"),
        ({"precision": 2.5}, TypeError, "precision must be an integer, but got float"),
        ({"threshold": "9"}, TypeError, "threshold must be a number, but got str"),
        ({"edgeitems": -1}, ValueError, "edgeitems must not be negative, but got -1"),
        ({"linewidth": "9"}, TypeError, "linewidth must be an integer, but got str"),
        ({"profile": "long"}, ValueError, "profile must be one of default, short, full, but got"),
    ],
)
def test_a_wrong_option_is_refused_and_changes_nothing(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    torch.set_printoptions(precision=2)
    valid = {"linewidth": 10, "sci_mode": True}
    with pytest.raises(error, match=message):
        torch.set_printoptions(**{**valid, **options})
    assert str(torch.tensor([1.25, 2.0])) == "tensor([1.25, 2.00])"
