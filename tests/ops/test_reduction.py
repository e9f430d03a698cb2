"""What reductions compute, over which dimensions, with which gradients, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minigrad as torch
from tests.ops.nudge import check_gradients

TABLE = np.array([[0.5, -1.5, 2.0, 0.75], [3.0, 0.25, -2.5, 1.25]])
REDUCTIONS: dict[str, Any] = {
    "sum": lambda x, **k: x.sum(**k),
    "mean": lambda x, **k: x.mean(**k),
    "nansum": lambda x, **k: x.nansum(**k),
    "amax": lambda x, **k: x.amax(**k),
    "amin": lambda x, **k: x.amin(**k),
    "var": lambda x, **k: x.var(**k),
    "std": lambda x, **k: x.std(**k),
    "norm": lambda x, **k: x.norm(**k),
    "norm 1": lambda x, **k: x.norm(1, **k),
    "norm 1.5": lambda x, **k: x.norm(1.5, **k),
    "norm 3": lambda x, **k: x.norm(3, **k),
    "norm inf": lambda x, **k: x.norm(float("inf"), **k),
}
ONE_DIM: dict[str, Any] = {
    "prod": lambda x, **k: x.prod(**k),
    "max": lambda x, **k: x.max(**k).values if k else x.max(),
    "min": lambda x, **k: x.min(**k).values if k else x.min(),
    "median": lambda x, **k: x.median(**k).values if k else x.median(),
}
ALONG: dict[str, Any] = {
    "logsumexp": lambda x: x.logsumexp(1),
    "softmax": lambda x: x.softmax(1),
    "log_softmax": lambda x: x.log_softmax(0),
    "cumsum": lambda x: x.cumsum(1),
    "cumprod": lambda x: x.cumprod(1),
    "sort": lambda x: x.sort(1, descending=True).values,
    "topk": lambda x: x.topk(2, 1).values,
    "kthvalue": lambda x: x.kthvalue(2, 1).values,
}


@pytest.mark.parametrize("dim", [None, 0, -1, (0, 1)])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_gradients_are_those_of_nudging(name: str, dim: Any) -> None:
    where = {} if dim is None else {"dim": dim}
    check_gradients(lambda x: REDUCTIONS[name](x, **where) ** 2, TABLE)


@pytest.mark.parametrize("dim", [None, 0, -1])
@pytest.mark.parametrize("name", ONE_DIM)
def test_gradients_along_one_dimension_are_those_of_nudging(name: str, dim: Any) -> None:
    where = {} if dim is None else {"dim": dim}
    check_gradients(lambda x: ONE_DIM[name](x, **where) ** 2, TABLE)


@pytest.mark.parametrize("name", ALONG)
def test_gradients_of_what_keeps_dimensions_are_those_of_nudging(name: str) -> None:
    check_gradients(lambda x: ALONG[name](x) ** 2, TABLE)


@pytest.mark.parametrize("zeros", [[(0, 1)], [(0, 1), (0, 3)], [(0, 0), (1, 2)]])
def test_products_of_zeros_have_their_gradients(zeros: list[tuple[int, int]]) -> None:
    table = TABLE.copy()
    for place in zeros:
        table[place] = 0
    check_gradients(lambda x: x.prod(), table)
    check_gradients(lambda x: x.prod(1), table)
    check_gradients(lambda x: x.cumprod(1), table)


@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize(("dim", "shape"), [(0, (4,)), (-1, (2,)), ((0, 1), ())])
def test_dimensions_disappear_or_remain_with_length_one(
    dim: Any, shape: tuple[int, ...], keepdim: bool
) -> None:
    dims = [one % 2 for one in (dim if isinstance(dim, tuple) else (dim,))]
    kept = tuple(1 if place in dims else length for place, length in enumerate(TABLE.shape))
    for name in REDUCTIONS:
        result = REDUCTIONS[name](torch.tensor(TABLE), dim=dim, keepdim=keepdim)
        assert tuple(result.shape) == (kept if keepdim else shape), name


def test_numbers_by_hand() -> None:
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]])
    assert x.sum(1).tolist() == [6, 18]
    assert x.mean().item() == 4
    assert x.prod(0).tolist() == [4, 10, 27]
    assert x.var(1).tolist() == [1, 7]
    assert x.var(1, unbiased=False).tolist() == pytest.approx([2 / 3, 14 / 3])
    assert x.norm().item() == pytest.approx(136**0.5)
    assert x.cumsum(1).tolist() == [[1, 3, 6], [4, 9, 18]]
    assert x.logsumexp((0, 1)).item() == pytest.approx(np.log(np.exp(x.numpy()).sum()))
    assert (x > 4).sum().item() == 2
    assert x.count_nonzero().item() == 6


def test_integers_are_summed_as_int64() -> None:
    for dtype in (torch.bool, torch.uint8, torch.int32):
        x = torch.ones(300).to(dtype)
        assert x.sum().dtype is torch.int64
        assert x.sum().item() == 300
        assert x.prod().dtype is torch.int64
        assert x.cumsum(0)[-1].item() == 300


def test_half_precision_is_added_up_in_single() -> None:
    x = torch.ones(5000).half()
    assert x.sum().item() == 5000
    assert x.mean().item() == 1
    assert (x * 60000).mean().item() == pytest.approx(60000, rel=1e-3)


def test_extremes_come_with_their_places_and_names() -> None:
    x = torch.tensor([[1, 7, 3], [8, 2, 6]])
    largest = x.max(1)
    assert (largest.values.tolist(), largest.indices.tolist()) == ([7, 8], [1, 0])
    values, places = x.min(0, keepdim=True)
    assert (values.tolist(), places.tolist()) == ([[1, 2, 3]], [[0, 1, 0]])
    assert repr(largest) == (
        "torch.return_types.max(\nvalues=tensor([7, 8]),\nindices=tensor([1, 0]))"
    )
    assert x.argmax().item() == 3
    assert x.argmin(1).tolist() == [0, 1]
    assert torch.max(x, torch.tensor(5)).tolist() == [[5, 7, 5], [8, 5, 6]]


def test_ties_share_a_gradient_without_dim_and_do_not_with_it() -> None:
    x = torch.tensor([[2.0, 1.0], [2.0, 2.0]], requires_grad=True)
    (gradient,) = torch.autograd.grad(x.max(), x)
    assert gradient.numpy() == pytest.approx(np.array([[1 / 3, 0], [1 / 3, 1 / 3]]))
    (gradient,) = torch.autograd.grad(x.max(1).values.sum(), x)
    assert gradient.tolist() == [[1, 0], [1, 0]]
    (gradient,) = torch.autograd.grad(x.amax(1).sum(), x)
    assert gradient.tolist() == [[1, 0], [0.5, 0.5]]


def test_sorting_keeps_the_order_of_equals_and_takes_nan_for_the_largest() -> None:
    x = torch.tensor([2.0, float("nan"), 1.0, 2.0])
    assert x.sort().indices.tolist() == [2, 0, 3, 1]
    assert x.sort(descending=True).indices.tolist() == [1, 0, 3, 2]
    assert torch.tensor([3, 1, 3, 1, 2]).mode().values.item() == 1
    assert torch.tensor([5, 1, 4, 2]).median().item() == 2
    assert torch.tensor([5, 1, 4, 2]).topk(2).values.tolist() == [5, 4]
    assert torch.tensor([3, 1, 3]).unique().tolist() == [1, 3]


def test_softmax_does_not_overflow() -> None:
    x = torch.tensor([1000.0, 1000.0, -1000.0])
    assert x.softmax(0).tolist() == [0.5, 0.5, 0]
    assert x.log_softmax(0).tolist() == pytest.approx([-np.log(2), -np.log(2), -2000 - np.log(2)])
    assert x.logsumexp(0).item() == pytest.approx(1000 + np.log(2))


def test_the_norm_of_zero_has_gradient_zero() -> None:
    x = torch.zeros(3, requires_grad=True)
    x.norm().backward()
    assert x.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda x: x.sum(2), IndexError, "Dimension out of range"),
        (lambda x: x.sum((0, 0)), RuntimeError, "dim 0 appears multiple times"),
        (lambda x: x.long().mean(), RuntimeError, "could not infer output dtype"),
        (lambda x: x[:0].max(), RuntimeError, "Expected reduction dim to be specified"),
        (lambda x: x[:0].argmax(0), IndexError, "Expected reduction dim 0 to have non-zero size"),
        (lambda x: x.long().std(), RuntimeError, "std and var only support floating point"),
        (lambda x: x.long().softmax(0), NotImplementedError, "not implemented for 'Long'"),
        (lambda x: x.topk(9), RuntimeError, "selected index k out of range"),
        (lambda x: x.norm("abc"), RuntimeError, "Order abc not supported"),
    ],
)
def test_bad_input_is_refused(wrong: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        wrong(torch.tensor(TABLE))
    assert text in str(caught.value)


def test_the_variance_of_one_number_warns() -> None:
    with pytest.warns(UserWarning, match="degrees of freedom is <= 0"):
        assert np.isnan(torch.ones(1).var().item())


@pytest.mark.parametrize("name", ["median", "nanmedian"])
def test_no_median_of_nothing(torch: Any, name: str) -> None:
    with pytest.raises(IndexError, match=r"^median\(\): Expected reduction dim 0 to have non-zero"):
        getattr(torch, name)(torch.empty(0, 2), 0)


def test_the_mode_of_what_is_no_number() -> None:
    nan = float("nan")
    assert torch.tensor([nan, nan]).mode().values.isnan()
    assert torch.tensor([1.0, nan, 2.0, 2.0]).mode().values == 2


def test_no_dimensions_to_look_along_leave_each_element() -> None:
    x = torch.tensor([[0.0, 2.0]])
    assert x.all(dim=()).tolist() == x.any(dim=()).tolist() == [[False, True]]
    assert x.all(dim=None).tolist() is False
