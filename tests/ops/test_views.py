"""Views: the memory, version and history that they share, and what changing them in place does."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest


def leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def test_a_view_has_a_base_and_its_version(torch: Any) -> None:
    y = leaf(torch) * 1
    view = y[1:].view(2, 1)
    assert (y._is_view(), view._is_view(), y.detach()._is_view()) == (False, True, False)
    assert (y._base, view._base is y) == (None, True)
    view.mul_(2)
    assert (y._version, view._version) == (1, 1)


def test_a_change_of_a_view_is_a_change_of_its_base(torch: Any) -> None:
    x = leaf(torch)
    y = x * 1
    view = y[:2]
    view.mul_(x[1:])
    assert (y.tolist(), view.tolist()) == ([2.0, 6.0, 3.0], [2.0, 6.0])
    assert y.grad_fn.name() == "torch::autograd::CopySlices"
    assert repr(y).endswith("grad_fn=<CopySlices>)")
    (base, number), (other, _) = y.grad_fn.next_functions
    assert (base.name(), number, other.name()) == ("MulBackward0", 0, "SliceBackward0")
    assert view.grad_fn.name() == "AsStridedBackward0"
    assert view.grad_fn.next_functions == ((y.grad_fn, 0),)
    (y.sum() + 10 * view.sum()).backward()
    assert x.grad.tolist() == [22.0, 44.0, 23.0]


def test_other_views_follow_a_change(torch: Any) -> None:
    x = leaf(torch)
    y = x * 1
    first, last = y[:2], y[1:]
    assert last.grad_fn.name() == "SliceBackward0"
    first.mul_(10)
    assert last.grad_fn.name() == "AsStridedBackward0"
    assert last.grad_fn is last.grad_fn
    assert (last.grad_fn._saved_size, last.grad_fn._saved_stride) == ((2,), (1,))
    assert last.grad_fn._saved_storage_offset == 1
    last.sum().backward()
    assert x.grad.tolist() == [0.0, 10.0, 1.0]


def test_views_of_what_joins_the_graph_require_grad(torch: Any) -> None:
    x, total = leaf(torch), torch.zeros(3)
    view = total[:2]
    with torch.no_grad():
        hidden = total[:2]
    assert not view.requires_grad
    total += x
    assert view.requires_grad
    assert not view.is_leaf
    assert hidden.requires_grad
    (view * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0, 0.0]
    with pytest.raises(RuntimeError, match="^A view was created in no_grad mode and its base or"):
        hidden * 2


def test_a_tensor_filled_row_by_row_is_differentiated(torch: Any) -> None:
    x, rows = leaf(torch), torch.zeros(2, 3)
    rows[0] = x
    rows[1] = x * x
    rows[1, 0] = 5.0
    rows[:, [1]] *= 2
    rows[rows > 8] = x[0]
    (rows * torch.tensor([[1.0, 10.0, 100.0], [1000.0, 10000.0, 100000.0]])).sum().backward()
    assert rows.tolist() == [[1.0, 4.0, 3.0], [5.0, 8.0, 1.0]]
    assert x.grad.tolist() == [100001.0, 80020.0, 100.0]


def test_second_derivatives_pass_through_changes_of_views(torch: Any) -> None:
    x = leaf(torch)
    y = x * x
    y[:2].mul_(x[1:])
    y.view(3, 1)[1:].pow_(2)
    (slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (curve,) = torch.autograd.grad(slope.sum(), x)
    assert slope.tolist() == [4.0, 1.0 + 4 * 8 * 9, 2 * 16 * 3 + 4 * 27]
    assert curve.tolist() == [
        2 * 2 + 2.0,
        2.0 + 12 * 4 * 9 + 8 * 8 * 3,
        8 * 8 * 3 + 2 * 16 + 12 * 9,
    ]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda x, y: x[:2].mul_(2), "a view of a leaf Variable that requires grad is being"),
        (lambda x, y: y.unbind()[1].add_(1), "Output 1 of Unbind is a view and is being modified"),
        (lambda x, y: y.split(2)[0][:1].add_(1), "Output 0 of Slice is a view and is being"),
        (lambda x, y: y[:1].expand(3).mul_(2), "unsupported operation: more than one element of"),
        (lambda x, y: y[:2].add_(y[1:]), "unsupported operation: some elements of the input"),
        (lambda x, y: y[:2].add_(x), r"The size of tensor a \(2\) must match the size of tensor b"),
        (lambda x, y: y[:2].detach_(), "Can't detach views in-place. Use detach"),
    ],
)
def test_a_refused_change_changes_nothing(
    torch: Any, change: Callable[..., Any], text: str
) -> None:
    x = leaf(torch)
    y = x * 1
    with pytest.raises(RuntimeError, match="^" + text):
        change(x, y)
    assert (x.tolist(), y.tolist(), y._version) == ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 0)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]


def test_one_of_several_views_is_lost_when_its_base_changes(torch: Any) -> None:
    y = leaf(torch) * 1
    first, *_ = y.unbind()
    y.mul_(2)
    for use in (lambda: first * 2, lambda: first.grad_fn):
        with pytest.raises(
            RuntimeError, match="^Output 0 of Unbind is a view and its base or anot"
        ):
            use()
    assert repr(first) == "tensor(2., grad_fn=<Invalid>)"


def test_views_made_under_no_grad_do_not_collect_gradients(torch: Any) -> None:
    x = leaf(torch)
    with torch.no_grad():
        view = x[:2]
    assert (view.requires_grad, view.is_leaf, view.grad_fn) == (True, True, None)
    (view * 2).sum().backward()
    assert (x.grad, view.grad) == (None, None)
    with pytest.raises(RuntimeError, match="^A view was created in no_grad mode and is being"):
        view.add_(1)
    with torch.no_grad():
        view.add_(1)
    assert x.tolist() == [2.0, 3.0, 3.0]


def test_a_freed_change_is_not_walked_again(torch: Any) -> None:
    y = leaf(torch) * 1
    y[0] = 5.0
    total = y.sum()
    total.backward(retain_graph=True)
    total.backward()
    with pytest.raises(RuntimeError, match="^Trying to backward through the graph a second time"):
        total.backward()


def test_a_change_of_a_view_that_is_gone_is_differentiated_twice(torch: Any) -> None:
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)

    def derivatives(changed: Any) -> list[Any]:
        (first,) = torch.autograd.grad(changed(w).square().sum(), w, create_graph=True)
        (second,) = torch.autograd.grad(first.square().sum(), w)
        return [first.detach(), second]

    def transposed(w: Any) -> Any:
        x = w / 4
        x.t().tanh_()
        return x

    torch.testing.assert_close(derivatives(transposed), derivatives(lambda w: (w / 4).tanh()))

    def column(w: Any) -> Any:
        x = w / 4
        x[:, 0].sigmoid_()
        return x[:, 0]

    torch.testing.assert_close(derivatives(column), derivatives(lambda w: (w[:, 0] / 4).sigmoid()))


def test_a_saved_base_or_view_must_not_change(torch: Any) -> None:
    text = r"which is output 0 of {}, is at version {}; expected version {} instead"
    y = leaf(torch) * 1
    total = (y * y).sum()
    y[0] = 1.0
    with pytest.raises(RuntimeError, match=text.format("torch::autograd::CopySlices", 1, 0)):
        total.backward()
    y = leaf(torch) * 1
    view = y[:2].exp_()
    y.mul_(2)
    with pytest.raises(RuntimeError, match=text.format("AsStrided", 2, 1)):
        y.sum().backward()
    assert view._version == 2


def test_retained_gradients_move_to_the_new_grad_fn_and_hooks_stay(torch: Any) -> None:
    x, seen = leaf(torch), []
    y = x * 1
    view = y[:2]
    view.retain_grad()
    y.retain_grad()
    y.register_hook(lambda grad: seen.append(("before", grad.tolist())))
    view.mul_(2)
    y.register_hook(lambda grad: seen.append(("after", grad.tolist())))
    assert view.retains_grad
    (y.sum() + view.sum()).backward()
    assert seen == [("after", [2.0, 2.0, 1.0]), ("before", [4.0, 4.0, 1.0])]
    assert (y.grad.tolist(), view.grad.tolist()) == ([2.0, 2.0, 1.0], [1.0, 1.0])


def test_as_strided_shows_any_part_of_the_memory(torch: Any) -> None:
    x = leaf(torch)
    windows = x.as_strided((2, 2), (1, 1))
    assert windows.tolist() == [[1.0, 2.0], [2.0, 3.0]]
    (windows * windows).sum().backward()
    assert x.grad.tolist() == [2.0, 8.0, 6.0]
    assert (x[1:].storage_offset(), x[1:].as_strided((1,), (1,)).item()) == (1, 2.0)
    with pytest.raises(
        RuntimeError, match=r"^setStorage: sizes \[2\], strides \[3\], storage offse"
    ):
        x.as_strided((2,), (3,))


def test_views_and_their_bases_are_freed_at_once(torch: Any) -> None:
    gc.collect()
    gc.disable()
    try:
        x = leaf(torch)
        y = x * 1
        views = [y[:2], y[1:], torch.zeros(3)[1:]]
        views[0].mul_(2)
        views[2].add_(y[1:])
        (y.sum() + views[1].sum() + views[2].sum()).backward()
        watched = [weakref.ref(one) for one in (y, *views, views[2]._base)]
        del y, views
        assert [one() for one in watched] == [None] * 5
    finally:
        gc.enable()


def test_gradients_of_parts_of_expanded_tensors_can_be_differentiated(torch: Any) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    part = torch.as_strided(x.expand(3), (2,), (0,))
    (gradient,) = torch.autograd.grad((part**2).sum(), x, create_graph=True)
    assert torch.autograd.grad(gradient, x)[0].tolist() == [4.0]
