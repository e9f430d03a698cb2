"""Numbers as text: short, and the same on both engines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minigrad.viz.read.values import format_number, read_value


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (100.0, "100"),
        (0.1 + 0.2, "0.3"),
        (-2.17878, "-2.1788"),
        (1e-5, "1e-05"),
        (1.5e6, "1.5e+06"),
        (999999.5, "999999.5"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (True, "True"),
        (12345678901, "12345678901"),
        (1.5 - 2j, "1.5-2j"),
    ],
)
def test_format(number, text):
    assert format_number(number) == text


@given(st.floats(-1e300, 1e300))
def test_formatted_numbers_are_close_to_the_number(number):
    tolerance = 5.1e-5 if 1e-4 <= abs(number) < 1e6 else abs(number) * 5.1e-5
    assert abs(float(format_number(number)) - number) <= tolerance


def test_a_long_dimension_shows_its_ends(torch):
    value = read_value(torch.arange(20))
    assert (value.dtype, value.shape) == ("int64", (20,))
    assert value.text == "[0, 1, 2, …, 17, 18, 19]"
    assert read_value(torch.arange(6)).text == "[0, 1, 2, 3, 4, 5]"


def test_a_large_matrix_shows_its_corners(torch):
    value = read_value(torch.arange(400.0).reshape(20, 20))
    assert value.rows == [
        ["0", "1", "2", "…", "17", "18", "19"],
        ["20", "21", "22", "…", "37", "38", "39"],
        ["40", "41", "42", "…", "57", "58", "59"],
        ["…"],
        ["340", "341", "342", "…", "357", "358", "359"],
        ["360", "361", "362", "…", "377", "378", "379"],
        ["380", "381", "382", "…", "397", "398", "399"],
    ]


def test_empty_and_many_dimensional_tensors(torch):
    assert read_value(torch.zeros(0)).rows == [["no items"]]
    assert read_value(torch.zeros(2, 0)).text == "[[], []]"
    assert read_value(torch.ones(1, 2, 1)).text == "[[[1], [1]]]"
    assert read_value(torch.ones(*[2] * 12)).text == "not shown"


def test_reading_needs_no_grad_mode_and_records_nothing(torch):
    x = torch.ones(20, requires_grad=True)
    y = x * 2
    assert read_value(y).text == "[2, 2, 2, …, 2, 2, 2]"
    assert x.grad is None


@pytest.mark.parity
def test_a_tensor_of_pytorch_without_numbers_is_no_obstacle():
    import torch

    assert read_value(torch.ones(2, device="meta")).text == "not shown"
    assert read_value(torch.ones(2, dtype=torch.bfloat16)).text == "[1, 1]"
