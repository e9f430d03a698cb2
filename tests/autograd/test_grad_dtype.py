"""Which dtype the gradient of a leaf has."""

from __future__ import annotations

from typing import Any

import pytest


def widening(torch: Any) -> Any:
    """Return a custom function whose gradient is of another dtype than its input."""

    class Double(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, one: Any) -> Any:
            return one * 2

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient.double() * 2

    return Double.apply


def leaf(torch: Any, dtype: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    x.grad_dtype = dtype
    return x


def test_it_is_the_leafs_own_at_first(torch: Any) -> None:
    for dtype in (torch.float32, torch.float64, torch.int64):
        assert torch.ones(2, dtype=dtype).grad_dtype is dtype


def test_gradients_are_cast_to_what_is_wanted(torch: Any) -> None:
    x = leaf(torch, torch.float64)
    seen = []
    x.register_hook(lambda gradient: seen.append(gradient.dtype))
    for expected in (3.0, 6.0):
        (x * 3).sum().backward()
        assert (x.grad.dtype, x.grad.tolist()) == (torch.float64, [expected] * 2)
    assert torch.autograd.grad((x * 3).sum(), x)[0].dtype is torch.float64
    assert seen == [torch.float64] * 3


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
def test_any_dtype_will_do_for_none(torch: Any, create_graph: bool) -> None:
    x, double = leaf(torch, None), widening(torch)
    double(x).sum().backward(create_graph=create_graph)
    assert (x.grad.dtype, x.grad.tolist()) == (torch.float64, [2.0, 2.0])
    x.grad = None
    (x * 3).sum().backward()
    double(x).sum().backward()
    assert (x.grad.dtype, x.grad.tolist()) == (torch.float32, [5.0, 5.0])
    m = torch.ones(3, 2).t().requires_grad_()
    m.grad_dtype = None
    double(m).sum().backward(create_graph=create_graph)
    assert (m.grad.dtype, m.grad.stride()) == (torch.float64, (1, 2))


def test_gradients_assigned_must_have_it(torch: Any) -> None:
    x = leaf(torch, torch.float64)
    with pytest.raises(RuntimeError, match="dtype 'float' to a tensor with grad_dtype 'Double'"):
        x.grad = torch.ones(2)
    x.grad = torch.ones(2, dtype=torch.float64)
    with pytest.raises(RuntimeError, match="^Cannot set grad_dtype to 'Float' because there is al"):
        x.grad_dtype = torch.float32
    assert x.grad_dtype is torch.float64
    x.grad_dtype = None
    x.grad = torch.ones(2)
    assert x.grad_dtype is None


def test_what_has_none_and_what_is_none(torch: Any) -> None:
    y = leaf(torch, None) * 2
    with pytest.raises(RuntimeError, match="^grad_dtype can only be accessed on leaf tensors"):
        _ = y.grad_dtype
    with pytest.raises(RuntimeError, match="^grad_dtype can only be set on leaf tensors"):
        y.grad_dtype = None
    with pytest.raises(RuntimeError, match="^grad_dtype must be a torch.dtype or None, but got in"):
        leaf(torch, 3)


def test_where_any_dtype_will_do_conversions_still_give_their_inputs(torch: Any) -> None:
    for convert in (
        lambda x: x.double(),
        lambda x: x.type(torch.float64),
        lambda x: x.softmax(0, dtype=torch.float64),
        lambda x: torch.zeros(2, dtype=torch.float64).copy_(x),
    ):
        x = leaf(torch, None)
        convert(x).sum().backward()
        assert x.grad.dtype is torch.float32
    x = leaf(torch, None)
    (x * torch.ones(2, dtype=torch.float64)).sum().backward()
    assert x.grad.dtype is torch.float64
