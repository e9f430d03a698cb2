"""What changes a tensor's memory by hand: other sizes, other elements, another's memory."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print
from tests.parity.transcript import agree

pytestmark = pytest.mark.parity

PROGRAMS = {
    "resize_": """
        a = torch.arange(6.0)
        a.resize_(2, 2)
        a.resize_((3,))
        a.resize_([2, 3])
        a._version
        b = a[1]
        b.resize_(1, 2), b.storage_offset()
        torch.arange(6.0).reshape(2, 3).t().resize_(4)
        torch.stack([x, x]).detach().t().clone().resize_(2, 2)
        a.resize_(-1)
        a.resize_()
        a.resize_("a")
        x.resize_(2)
        (x * 2).resize_(2)
        torch.empty(0).resize_as_(torch.ones(3, 1)).shape
        torch.ones(2).resize_(4)[:2]
        """,
    "set_": """
        a, b = torch.ones(2), torch.zeros(3)
        a.set_(b)
        a.data_ptr() == b.data_ptr(), a._version
        b[0] = 5
        a
        a.set_()
        a.set_(torch.ones(2).double())
        a.set_(torch.ones(2, dtype=torch.int64))
        x.set_(b)
        with torch.no_grad(): x.set_(x[1:])
        x, x._version, x.is_leaf, x.storage_offset()
        torch.cat([x, x]).sum().backward()
        x.grad
        """,
    "apply_ and map_": """
        torch.ones(2).apply_(lambda one: one * 3)
        torch.arange(4).reshape(2, 2).apply_(lambda one: one + 1)
        torch.ones(2).apply_(3)
        x.apply_(lambda one: one)
        torch.ones(2).map_(torch.tensor([3.0, 4.0]), lambda one, other: one * other + 1)
        torch.ones(2).map_(torch.tensor(3.0), lambda one, other: one * other)
        torch.ones(2).map_(3, lambda one, other: one)
        torch.ones(2).map_(torch.ones(2).double(), lambda one, other: one)
        x.map_(torch.ones(3), lambda one, other: one)
        """,
    "fill_diagonal_": """
        torch.zeros(4, 3).fill_diagonal_(7)
        torch.zeros(7, 3).fill_diagonal_(5, wrap=True)
        torch.zeros(8, 2).fill_diagonal_(5, True)
        torch.zeros(3, 7).fill_diagonal_(5, wrap=True)
        torch.zeros(2, 2, 2).fill_diagonal_(1)
        torch.zeros(3, 4).t().fill_diagonal_(1)
        torch.zeros(2, 3, 2).fill_diagonal_(1)
        torch.zeros(2).fill_diagonal_(1)
        torch.zeros(2, 2).fill_diagonal_("a")
        leaf = torch.zeros(7, 3, requires_grad=True)
        (leaf * 1).fill_diagonal_(2, wrap=True).sum().backward()
        leaf.grad
        """,
    "as_strided_": """
        a = torch.arange(6.0)
        a.as_strided_((2, 2), (1, 2))
        a._version
        y = (x * 2).as_strided_((2, 2), (1, 1))
        y
        y.sum().backward()
        x.grad
        x.as_strided_((2,), (1,))
        """,
    "versions that are put back": """
        keep = torch.autograd._unsafe_preserve_version_counter
        y = x * 1
        z = y * y
        with keep(y), torch.no_grad(): y.add_(1)
        y._version
        z.sum().backward()
        x.grad
        with keep((y, z)): y.data.add_(1)
        y._version
        """,
    "what a tensor is not": """
        del x[0]
        type((x * 2).grad_fn)()
        x.grad = torch.ones(3, dtype=torch.uint8)
        x.grad = torch.ones(3, dtype=torch.int64)
        x.grad = torch.ones(3, dtype=torch.int16)
        x.grad = torch.ones(3, dtype=torch.int8)
        x.grad = torch.ones(3, dtype=torch.bool)
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_changes_by_hand_are_as_in_pytorch(name: str) -> None:
    agree(PROGRAMS[name].replace("\n        ", "\n"))


def test_set_shows_a_part_of_another_memory() -> None:
    agree_in_print(
        """
        a, b = torch.zeros(3), torch.arange(6.0)
        print(a.set_(b, 1, (2,), (2,)), a.data_ptr() == b.data_ptr() + 4)
        print(a.set_(b, 1, (2,)), a.set_(b, 0, (2, 3)), a.set_(b, 1, (2, 2), (1, 2)))
        attempt(lambda: a.set_(b, -1, (2,)))
        print(a.set_(source=b, storage_offset=1, size=(2,), stride=(1,)))
        """
    )


def test_set_is_recorded_and_has_no_derivative() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        a, b = torch.zeros(2), x * 3
        print(a.set_(x * 2), a.requires_grad, a.is_leaf, a.grad_fn.name())
        attempt(lambda: a.sum().backward())
        print(b.set_(torch.ones(2)), b.requires_grad)
        attempt(lambda: b.sum().backward())
        attempt(lambda: x.set_(torch.ones(2)))
        print((x * 1)[:1].set_(torch.ones(2)).grad_fn.name())
        """
    )


def test_a_tensor_becomes_one_of_a_subclass() -> None:
    agree_in_print(
        """
        class Own(torch.Tensor): pass
        x = torch.ones(2, requires_grad=True)
        y = x.as_subclass(Own)
        print(type(y).__name__, y.requires_grad, y.grad_fn.name(), y._is_view(), y._version)
        (y.as_subclass(torch.Tensor) * 2).sum().backward()
        print(x.grad, type(x.as_subclass(torch.Tensor)))
        attempt(lambda: x.as_subclass(3))
        attempt(lambda: x.as_subclass(int))
        """
    )


def test_the_next_number_that_there_is() -> None:
    agree_in_print(
        """
        x, y = torch.tensor([1.0, 0.0, 2.0], requires_grad=True), torch.tensor([2.0, -1.0, 2.0])
        print(torch.nextafter(x, y).tolist(), x.nextafter(y).grad_fn.name())
        torch.nextafter(x, x * y).sum().backward()
        print(x.grad, y.nextafter_(x.detach()).tolist(), y.double().nextafter(y).dtype)
        attempt(lambda: torch.nextafter(x, 2.0))
        attempt(lambda: torch.nextafter(torch.tensor([1]), torch.tensor([2])))
        print(torch.threshold_(torch.tensor([1.0, 3.0]), 2, 0))
        attempt(lambda: torch.threshold_(x, 2, 0))
        print(torch.threshold_(x * 1, 2, 0).grad_fn.name())
        """
    )


def test_a_pass_has_a_number() -> None:
    agree_in_print(
        """
        x, seen = torch.ones(2, requires_grad=True), []
        x.register_hook(lambda g: seen.append(torch._C._current_graph_task_id()))
        for _ in range(2):
            (x * 2).sum().backward()
        print(seen[1] - seen[0], seen[0] >= 0, torch._C._current_graph_task_id())
        """
    )
