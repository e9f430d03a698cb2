"""What views, joins and reorderings show, whose memory it is, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minigrad as torch
from minigrad.ops.shape import fit
from tests.ops.nudge import check_gradients

CUBE = np.arange(24.0).reshape(2, 3, 4) / 7 - 1

VIEWS: dict[str, Any] = {
    "view": lambda x: x.view(4, -1),
    "transpose": lambda x: x.transpose(0, 2),
    "permute": lambda x: x.permute(2, 0, 1),
    "mT": lambda x: x.mT,
    "movedim": lambda x: x.movedim(0, -1),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "squeeze": lambda x: x.unsqueeze(1).squeeze(1),
    "expand": lambda x: x.expand(5, 2, 3, 4),
    "select": lambda x: x.select(1, 2),
    "narrow": lambda x: x.narrow(2, 1, 2),
    "split": lambda x: x.split(2, 2)[1],
    "chunk": lambda x: x.chunk(3, 1)[2],
    "unbind": lambda x: x.unbind(1)[0],
    "diagonal": lambda x: x.diagonal(1, 1, 2),
    "unfold": lambda x: x.unfold(2, 2, 1),
    "flatten": lambda x: x.flatten(),
    "unflatten": lambda x: x.unflatten(2, (2, 2)),
}
COPIES: dict[str, Any] = {
    "flip": lambda x: x.flip(0, 2),
    "roll": lambda x: x.roll((1, -2), (0, 2)),
    "tril": lambda x: x.tril(),
    "triu": lambda x: x.triu(1),
    "repeat": lambda x: x.repeat(2, 1, 3, 1),
    "tile": lambda x: x.tile(2),
    "contiguous": lambda x: x.mT.contiguous(),
    "reshape of a transpose": lambda x: x.mT.reshape(6, 4),
    "diag": lambda x: x[0].diag(1),
    "diag of a vector": lambda x: x[0, 0].diag(-1),
    "diag_embed": lambda x: x.diag_embed(),
    "cat": lambda x: torch.cat([x, x[:1]]),
    "stack": lambda x: torch.stack([x, x], 2),
    "hstack": lambda x: torch.hstack([x, x]),
    "vstack": lambda x: torch.vstack([x, x]),
    "sum_to_size": lambda x: x.sum_to_size(3, 1),
}


@pytest.mark.parametrize("name", VIEWS | COPIES)
def test_gradients_are_those_of_nudging(name: str) -> None:
    function = (VIEWS | COPIES)[name]
    check_gradients(lambda x: function(x) ** 3, CUBE)


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_shares_memory_and_version(name: str) -> None:
    x = torch.tensor(CUBE)
    view = VIEWS[name](x)
    assert np.shares_memory(x.numpy(), view.numpy())
    assert view._is_view()
    assert view._base is x
    view.zero_() if name != "expand" else x.zero_()
    assert (view == 0).all()
    assert x._version == view._version == 1


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_has_memory_of_its_own(name: str) -> None:
    x = torch.tensor(CUBE)
    copy = COPIES[name](x)
    assert not np.shares_memory(x.numpy(), copy.numpy())
    copy.zero_()
    assert x._version == 0
    assert np.array_equal(x.numpy(), CUBE)


def test_sizes_may_be_worked_out_or_given_as_one_sequence() -> None:
    x = torch.arange(6)
    for y in (x.view(2, -1), x.view((2, 3)), x.reshape([-1, 3]), torch.reshape(x, (2, 3))):
        assert y.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_an_expanded_view_takes_no_memory() -> None:
    x = torch.ones(3, 1).expand(3, 1_000_000_000)
    assert x.stride() == (1, 0)
    assert x.numel() == 3_000_000_000


def test_cat_and_stack_order_elements() -> None:
    a, b = torch.tensor([[1, 2]]), torch.tensor([[3, 4]])
    assert torch.cat([a, b]).tolist() == [[1, 2], [3, 4]]
    assert torch.cat([a, b], 1).tolist() == [[1, 2, 3, 4]]
    assert torch.stack([a, b], -1).tolist() == [[[1, 3], [2, 4]]]
    assert torch.cat([torch.empty(0), a]).tolist() == [[1, 2]]


def test_repeating_and_reordering_elements() -> None:
    x = torch.tensor([1, 2, 3])
    assert x.repeat(2).tolist() == [1, 2, 3, 1, 2, 3]
    assert x.repeat_interleave(2).tolist() == [1, 1, 2, 2, 3, 3]
    assert x.roll(1).tolist() == [3, 1, 2]
    assert x.flip(0).tolist() == [3, 2, 1]
    assert [one.tolist() for one in x.split(2)] == [[1, 2], [3]]
    assert [one.tolist() for one in torch.meshgrid(x[:2], x, indexing="ij")] == [
        [[1, 1, 1], [2, 2, 2]],
        [[1, 2, 3], [1, 2, 3]],
    ]


def test_an_unused_part_has_gradient_zero() -> None:
    x = torch.ones(2, 3, requires_grad=True)
    x.unbind(1)[1].sum().backward()
    assert x.grad.tolist() == [[0, 1, 0], [0, 1, 0]]
    x.grad = None
    x.split([1, 2], 1)[0].sum().backward()
    assert x.grad.tolist() == [[1, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize("shape", [(), (1,), (3,), (1, 3), (2, 1), (2, 3), (1, 1, 1, 3)])
def test_fit_sums_what_was_broadcast(shape: tuple[int, ...]) -> None:
    gradient = np.arange(24.0).reshape(2, 2, 2, 3)
    fitted = fit(gradient, shape, np.dtype(np.float32))
    assert fitted.shape == shape
    assert fitted.dtype == np.float32
    assert fitted.sum() == gradient.sum()


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda x: x.view(5), RuntimeError, "shape '[5]' is invalid for input of size 24"),
        (lambda x: x.mT.view(24), RuntimeError, "view size is not compatible"),
        (lambda x: x.view(-1, -1), RuntimeError, "only one dimension can be inferred"),
        (lambda x: x.transpose(0, 3), IndexError, "Dimension out of range"),
        (lambda x: x.permute(0, 1, 1), RuntimeError, "duplicate dims are not allowed"),
        (lambda x: x.expand(2, 3, 5), RuntimeError, "The expanded size of the tensor (5) must"),
        (lambda x: torch.cat([x, x[0]]), RuntimeError, "must have same number of dimensions"),
        (lambda x: torch.stack([]), RuntimeError, "stack expects a non-empty TensorList"),
        (lambda x: torch.cat(x), TypeError, "must be tuple of Tensors, not Tensor"),
    ],
)
def test_bad_input_is_refused(wrong: Any, error: type[Exception], text: str) -> None:
    x = torch.tensor(CUBE, requires_grad=True)
    with pytest.raises(error) as caught:
        wrong(x)
    assert text in str(caught.value)
    assert x._version == 0
    assert np.array_equal(x.detach().numpy(), CUBE)
