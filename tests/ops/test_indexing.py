"""What an index chooses, whether it is a view, what may be assigned, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minigrad as torch
from tests.ops.nudge import check_gradients

CUBE = np.arange(24.0).reshape(2, 3, 4) / 7 - 0.98

VIEWS: dict[str, Any] = {
    "x[1]": lambda x: x[1],
    "x[-1, 2]": lambda x: x[-1, 2],
    "x[:, 1:]": lambda x: x[:, 1:],
    "x[..., ::2]": lambda x: x[..., ::2],
    "x[None, 0]": lambda x: x[None, 0],
    "x[...]": lambda x: x[...],
    "x[0, 1, 2]": lambda x: x[0, 1, 2],
    "x[torch.tensor(1)]": lambda x: x[torch.tensor(1)],
}
COPIES: dict[str, Any] = {
    "x[[1, 0, 1]]": lambda x: x[[1, 0, 1]],
    "x[:, [0, 2]]": lambda x: x[:, [0, 2]],
    "x[[0, 1], [2, 2]]": lambda x: x[[0, 1], [2, 2]],
    "x[0, :, [3, 3]]": lambda x: x[0, :, [3, 3]],
    "x[x > 0]": lambda x: x[x > 0],
    "x[mask of a dimension]": lambda x: x[:, torch.tensor([True, False, True])],
    "x[matrix]": lambda x: x[torch.tensor([[0, 1], [1, 1]])],
    "x[True]": lambda x: x[True],
    "gather": lambda x: x.gather(2, torch.tensor([[[3], [0], [0]]])),
    "take_along_dim": lambda x: torch.take_along_dim(x, x.argsort(2), 2),
    "index_select": lambda x: x.index_select(1, torch.tensor([2, 2, 0])),
    "take": lambda x: x.take(torch.tensor([[5, 5], [-1, 0]])),
    "masked_select": lambda x: x.masked_select(x[0] > -0.5),
    "repeat_interleave": lambda x: x.repeat_interleave(torch.tensor([2, 0, 1]), 1),
    "scatter": lambda x: x.scatter(0, torch.tensor([[[1, 0]]]), 2.0),
    "scatter src": lambda x: x.scatter(0, torch.tensor([[[1, 0]]]), x[:1, :1, :2] * 3),
    "scatter_add": lambda x: x.scatter_add(0, torch.tensor([[[1, 1]]]), x[:1, :1, :2] * 3),
    "index_add": lambda x: x.index_add(0, torch.tensor([1, 1]), x * 2, alpha=3),
    "index_put": lambda x: x.index_put((torch.tensor([1]),), x[:1, :, :] * 2),
}


@pytest.mark.parametrize("name", VIEWS | COPIES)
def test_gradients_are_those_of_nudging(name: str) -> None:
    function = (VIEWS | COPIES)[name]
    check_gradients(lambda x: function(x) ** 3, CUBE)


@pytest.mark.parametrize("name", VIEWS | COPIES)
def test_integers_and_slices_are_views_and_the_rest_copies(name: str) -> None:
    x = torch.tensor(CUBE)
    part = (VIEWS | COPIES)[name](x)
    assert np.shares_memory(x.numpy(), part.numpy()) == (name in VIEWS)
    part.zero_()
    assert np.array_equal(x.numpy(), CUBE) == (name not in VIEWS)


def test_numbers_by_hand() -> None:
    x = torch.tensor([[1, 2, 3], [4, 5, 6]])
    assert x[1, 2].item() == 6
    assert x[:, -1].tolist() == [3, 6]
    assert x[x % 2 == 0].tolist() == [2, 4, 6]
    assert x[[0, 1], [2, 0]].tolist() == [3, 4]
    assert x.gather(1, torch.tensor([[2], [0]])).tolist() == [[3], [4]]
    assert x.nonzero().shape == (6, 2)
    assert [one.tolist() for one in torch.where(x > 4)] == [[1, 1], [1, 2]]
    assert torch.zeros(3).scatter_add(0, torch.tensor([2, 2]), torch.ones(2)).tolist() == [0, 0, 2]


def test_places_that_are_chosen_twice_get_both_gradients() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x[[0, 0, 1]].sum().backward()
    assert x.grad.tolist() == [2, 1]


def test_assignments() -> None:
    x = torch.zeros(2, 3)
    x[0] = 1
    x[:, 2] = torch.tensor([7, 8])
    x[1, [0, 1]] = torch.tensor([5.0, 6.0])
    assert x.tolist() == [[1, 1, 7], [5, 6, 8]]
    x[x > 6] = 0
    assert x.tolist() == [[1, 1, 0], [5, 6, 0]]
    assert x._version == 4


def test_a_refused_assignment_changes_nothing() -> None:
    x = torch.zeros(2, 3)
    for index, value in [(0, torch.ones(2)), (5, 1), ([0, 0], torch.ones(4)), (0, "a"), ("a", 1)]:
        with (
            pytest.raises((RuntimeError, IndexError, TypeError)),
            pytest.warns() if index == "a" else pytest.MonkeyPatch.context(),
        ):
            x[index] = value
    assert x.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert x._version == 0


def test_a_leaf_that_requires_grad_is_not_assigned_to() -> None:
    x = torch.zeros(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        x[0] = 1
    with torch.no_grad():
        x[0] = 1
    assert x.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda x: x[2], IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
        (lambda x: x[0, 0, 0, 0], IndexError, "too many indices for tensor of dimension 3"),
        (lambda x: x[::-1], ValueError, "step must be greater than zero"),
        (lambda x: x[1.0], IndexError, "only integers, slices"),
        (lambda x: x[0, 0, 0][0], IndexError, "invalid index of a 0-dim tensor"),
        (lambda x: x[torch.ones(3) > 0], IndexError, "The shape of the mask [3] at index 0"),
        (lambda x: x[torch.ones(2)], IndexError, "tensors used as indices must be long"),
        (lambda x: x[[0, 1], [0, 1, 2]], IndexError, "could not be broadcast together"),
        (lambda x: x.gather(0, torch.tensor([0])), RuntimeError, "same number of dimensions"),
        (lambda x: x.index_select(0, torch.tensor([9])), IndexError, "index out of range in self"),
    ],
)
def test_bad_input_is_refused(wrong: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        wrong(torch.tensor(CUBE))
    assert text in str(caught.value)


WRITING: dict[str, Any] = {
    "index_add_": lambda x, index, source: x.index_add_(0, index, source),
    "index_copy_": lambda x, index, source: x.index_copy_(0, index, source),
    "index_reduce_": lambda x, index, source: x.index_reduce_(0, index, source, "amax"),
    "put_": lambda x, index, source: x.put_(index, source),
    "scatter_": lambda x, index, source: x.scatter_(0, index, source),
    "scatter_add_": lambda x, index, source: x.scatter_add_(0, index, source),
    "scatter_reduce_": lambda x, index, source: x.scatter_reduce_(0, index, source, "amax"),
}


@pytest.mark.filterwarnings("ignore:index_reduce")
@pytest.mark.parametrize("name", WRITING)
def test_no_writing_to_places_of_what_is_read(torch: Any, name: str) -> None:
    x = torch.tensor([1, 0])
    for index, source in ((x, torch.ones_like(x)), (torch.tensor([1, 0]), x.view(2))):
        with pytest.raises(
            RuntimeError, match="^unsupported operation: some elements of the input"
        ):
            WRITING[name](x, index, source)
    assert x.tolist() == [1, 0]
    assert WRITING[name](x, torch.tensor([1, 0]), torch.tensor([1, 0])) is x


def test_chosen_columns_can_be_seen_as_one_line() -> None:
    x = torch.arange(6.0).view(2, 3)
    assert x[:, [0, 2]].view(-1).tolist() == [0.0, 2.0, 3.0, 5.0]


def test_a_tensor_without_elements_has_strides() -> None:
    assert torch.zeros(2, 0, 3).stride() == (3, 3, 1)
    assert torch.ones(2, 3)[[]].stride() == (3, 1)


def test_a_number_is_not_written_where_it_does_not_fit() -> None:
    whole, x = torch.tensor([1, 2, 3]), torch.tensor([1.0, 2.0])
    for write in (
        lambda: whole.__setitem__(0, float("nan")),
        lambda: whole.__setitem__([0, 1], 1e30),
        lambda: x.__setitem__(x > 1, 1e39),
        lambda: whole.masked_fill(whole > 1, float("inf")),
    ):
        with pytest.raises(
            RuntimeError, match="^value cannot be converted to type (int64_t|float)"
        ):
            write()
    with pytest.raises(ValueError, match="^Overflow when unpacking long long"):
        x[0] = 2**63
    assert (whole.tolist(), x.tolist()) == ([1, 2, 3], [1.0, 2.0])


def test_a_source_smaller_than_its_index_is_refused() -> None:
    x, index = torch.zeros(2, 3), torch.tensor([[0], [1]])
    for put in (x.scatter_, x.scatter_add_):
        with pytest.raises(RuntimeError, match=r"no larger size than src \[1, 1\]"):
            put(1, index, torch.ones(1, 1))
    assert x.count_nonzero() == 0


def test_a_vector_alone_is_repeated_by_places() -> None:
    assert torch.repeat_interleave(torch.tensor([1, 0, 2])).tolist() == [0, 2, 2]
