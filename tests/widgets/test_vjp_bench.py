"""The VJP bench: J is built of real backward passes, each after a prediction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from minigrad.widgets import VJPBench
from minigrad.widgets.vjp_bench import VJPBenchState

J = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


@pytest.fixture
def functions(torch):
    matrix = torch.tensor(J)
    return {"linear": lambda x: matrix @ x, "square": lambda x: x * x, "flip": lambda x: x.flip(0)}


@pytest.fixture
def bench(torch, functions):
    return VJPBenchState(functions, torch.tensor([1.0, 2.0]))


def test_the_jacobian_is_built_row_by_row(bench):
    assert bench.question.prompt == "x = [1, 2], v = [1, 0, 0]. What is vᵀJ (row 0 of J)?"
    assert bench.jacobian == [None, None, None]
    for row, numbers in enumerate(J):
        bench.one_hot(row)
        assert bench.row == row
        assert bench.predict(numbers).right
        assert bench.product == numbers
    assert bench.jacobian == J
    assert bench.summary == "linear, 3 of 3 rows of J known"
    assert bench.rows[1] == ["0", "11", "3", "4"]


def test_what_was_not_predicted_is_covered(bench):
    assert bench.rows[0] == ["1", "5", "?", "?"]
    assert bench.rows[-1] == ["", "vᵀJ", "?", "?"]
    bench.set_v([1, 0, 2])
    assert bench.row is None
    bench.predict([11, 14])
    assert bench.rows[-1] == ["", "vᵀJ", "11", "14"]
    assert bench.jacobian == [None, None, None]
    bench.one_hot(0)
    assert bench.product is None
    bench.set_v([1, 0, 2])
    assert bench.question is None
    assert bench.product == [11, 14]


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_every_product_is_v_times_j(v):
    matrix = minigrad.tensor(J)
    bench = VJPBenchState({"f": lambda x: matrix @ x}, minigrad.tensor([1.0, 2.0]))
    bench.set_v(v)
    bench.predict([0, 0])
    np.testing.assert_allclose(bench.product, np.array(v) @ J, atol=1e-5)


def test_one_number_is_not_taken_for_all_entries(torch):
    bench = VJPBenchState({"f": lambda x: x.sum() * torch.ones(2)}, torch.ones(3))
    with pytest.raises(ValueError, match=r"^Type 3 numbers, such as 1, 1, 1\.$"):
        bench.predict("1")
    assert bench.question.is_open
    assert bench.predict("1, 1, 1").right


def test_once_all_is_predicted_the_product_follows_the_sliders(bench):
    for row, numbers in enumerate(J):
        bench.one_hot(row)
        bench.predict(numbers)
    bench.set_v([1, 1, 0])
    assert bench.product is None
    bench.predict([4, 6])
    for first in (0.5, 1.5, 2):
        bench.set_v([first, 0, -1])
        assert bench.question is None
        assert bench.product == [first - 5, 2 * first - 6]
    assert bench.summary == "linear, 3 of 3 rows of J known, now move v freely"
    bench.choose("square")
    assert bench.product is None


def test_typical_mistakes_are_named(torch):
    matrix = torch.tensor([[1.0, 2.0], [3.0, 5.0]])

    def told(v, prediction):
        bench = VJPBenchState({"f": lambda x: matrix @ x}, torch.tensor([1.0, 1.0]))
        bench.set_v(v)
        return str(bench.predict(prediction))

    assert "That's a column of J, but v picks a row. One-hot" in told([1, 0], [1, 3])
    assert "That's Jv, which takes forward mode" in told([1, 2], [5, 13])
    assert "That's the sum of all rows" in told([1, 2], [4, 7])
    assert "Each row has its own weight" in told([1, 2], [12, 21])
    assert told([1, 2], [7, 12]) == "Right: [7, 12]."


def test_the_function_can_be_chosen(bench):
    bench.predict([1, 2])
    bench.choose("flip")
    assert bench.size == 2
    assert bench.jacobian == [None, None]
    assert bench.predict([0, 1]).right
    bench.choose("linear")
    assert bench.jacobian[0] == [1, 2]


def test_a_part_that_no_gradient_reaches_is_zero(torch):
    w = torch.tensor([1.0], requires_grad=True)
    bench = VJPBenchState({"f": lambda x: w * 2}, torch.tensor([1.0, 2.0]))
    assert bench.predict([0, 0]).right


def test_the_learners_tensor_is_left_alone(torch, functions):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    VJPBenchState(functions, x).predict([1, 2])
    assert x.grad is None


def test_what_is_no_vector_function_is_refused(torch, functions, bench):
    x = torch.tensor([1.0, 2.0])
    with pytest.raises(TypeError, match="x must be a tensor, but is list"):
        VJPBenchState(functions, [1.0])
    said = r"x must be a vector of 1 to 6 numbers, not of shape \[\]"
    with pytest.raises(ValueError, match=said):
        VJPBenchState(functions, torch.tensor(1.0))
    with pytest.raises(ValueError, match=r"f\(x\) must be a vector of 1 to 6 numbers"):
        VJPBenchState({"f": lambda x: x.sum()}, x)
    with pytest.raises(TypeError, match=r"f\(x\) must be a tensor, but is float"):
        VJPBenchState({"f": lambda x: x.sum().item()}, x)
    with pytest.raises(ValueError, match=r"no gradient leads back from f\(x\)"):
        VJPBenchState({"f": lambda x: x.detach()}, x)
    with pytest.raises(ValueError, match="there must be a function"):
        VJPBenchState({}, x)
    said = "function must be one of linear, square, flip, but got 'f'"
    with pytest.raises(ValueError, match=said):
        bench.choose("f")
    with pytest.raises(ValueError, match="row must be from 0 to 2, but got 3"):
        bench.one_hot(3)
    with pytest.raises(ValueError, match="a number for each of the 3 entries of y"):
        bench.set_v([1, 2])


def test_its_controls(torch, functions):
    bench = VJPBench(functions, torch.tensor([1.0, 2.0]))
    assert [slider.value for slider in bench.sliders] == [1, 0, 0]
    hots = [button.description for button in bench.one_hots]
    assert hots == ["v = [1, 0, 0]", "v = [0, 1, 0]", "v = [0, 0, 1]"]
    bench._panel.text.value = "2"
    bench._panel.button.click()
    assert "Type 2 numbers, such as 1, 1." in bench._feedback.value
    bench.one_hots[2].click()
    assert bench._panel.text.value == bench._feedback.value == ""
    assert [slider.value for slider in bench.sliders] == [0, 0, 1]
    bench._panel.text.value = "5, 6"
    bench._panel.button.click()
    assert ">6</td>" in bench.table.value
    bench.sliders[0].value = 2.5
    assert bench.state.v == (2.5, 0, 1)
    bench.function.value = "square"
    assert len(bench.sliders) == 2
    bench.set_v([10, 0])
    assert bench.sliders[0].value == 10
    assert repr(bench) == "<VJPBench: square, 0 of 2 rows of J known>"
