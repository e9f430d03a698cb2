"""Threads: what they have in common is added up, what belongs to one is its own."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

THREADS = 8


@pytest.fixture
def impatient() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def in_threads(work: Callable[[int], Any]) -> list[Any]:
    """Return what some work returns in each of several threads that begin together."""
    together = threading.Barrier(THREADS)

    def begin(number: int) -> Any:
        together.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


@pytest.mark.parametrize(("size", "times"), [(1, 100), (100_000, 3)])
def test_graphs_that_share_leaves_lose_no_gradient(
    torch: Any, impatient: None, size: int, times: int
) -> None:
    x, w = (torch.ones(size, requires_grad=True) for _ in range(2))

    def work(number: int) -> None:
        for _ in range(times):
            (x * 2 + w).sum().backward()

    in_threads(work)
    assert torch.equal(x.grad, torch.full((size,), 2.0 * times * THREADS))
    assert torch.equal(w.grad, torch.full((size,), 1.0 * times * THREADS))


def test_one_graph_is_walked_by_several_threads(torch: Any, impatient: None) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x.exp() * x).sum()
    in_threads(lambda number: y.backward(retain_graph=True))
    (once,) = torch.autograd.grad(y, x)
    assert torch.allclose(x.grad, once * THREADS)


def test_gradients_of_a_leaf_are_found_by_the_thread_that_asks(torch: Any, impatient: None) -> None:
    for _ in range(20):
        x = torch.ones(2, requires_grad=True)
        found = in_threads(lambda number: torch.autograd.grad((x * number).sum(), x)[0].tolist())  # noqa: B023
        assert found == [[number, number] for number in range(THREADS)]


def test_hooks_run_in_the_thread_that_walks(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    ran: list[int] = []
    y.register_hook(lambda gradient: ran.append(threading.get_ident()))
    y.grad_fn.register_hook(lambda *gradients: ran.append(threading.get_ident()))

    def work() -> None:
        y.sum().backward()
        assert ran == [threading.get_ident()] * 2

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(ran) == 2


def test_sequence_numbers_belong_to_a_thread(torch: Any) -> None:
    def work(number: int) -> list[int]:
        x = torch.ones(1, requires_grad=True)
        first, second = x * 2, x * 3
        return [first.grad_fn._sequence_nr(), second.grad_fn._sequence_nr()]

    numbers: list[Any] = []
    thread = threading.Thread(target=lambda: numbers.append(work(0)))
    thread.start()
    thread.join()
    assert numbers == [[0, 1]]


def test_recording_in_a_thread_does_not_know_of_no_grad_elsewhere(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        recorded = in_threads(lambda number: (x * 2).requires_grad)
    assert recorded == [True] * THREADS


def test_a_thread_that_fails_leaves_the_others_alone(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)

    def work(number: int) -> str:
        y = x * 2
        if number % 2:
            y.register_hook(lambda gradient: 1 / 0)
        try:
            y.sum().backward()
        except ZeroDivisionError:
            return "failed"
        return "done"

    assert in_threads(work) == ["done", "failed"] * (THREADS // 2)
    assert x.grad.tolist() == [THREADS, THREADS]


def test_backward_inside_a_hook(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    other = torch.ones(2, requires_grad=True)
    y = x * 2

    def hook(gradient: Any) -> Any:
        with torch.enable_grad():
            (other * 5).sum().backward()
        return gradient * other.grad

    y.register_hook(hook)
    y.sum().backward()
    assert x.grad.tolist() == [10.0, 10.0]


def test_backward_inside_a_hook_may_add_to_the_same_leaf(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)

    def hook(gradient: Any) -> None:
        with torch.enable_grad():
            (x * 3).sum().backward()

    z = x * 4
    z.register_hook(hook)
    z.sum().backward()
    assert x.grad.tolist() == [7.0, 7.0]


def deep(torch: Any, fails: bool = False) -> Any:
    """Return a function whose backward pass starts another one, as often as its argument says."""

    class Deep(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                ctx.rest = x.detach().requires_grad_() - 1
            return ctx.rest.detach()

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            if ctx.rest < 0:
                if fails:
                    raise ValueError("deep down")
                return gradient
            with torch.enable_grad():
                Deep.apply(ctx.rest).backward()
            return gradient

    return Deep


def test_backward_inside_backward_goes_as_deep_as_one_likes(torch: Any) -> None:
    x = torch.tensor(300.0, requires_grad=True)
    deep(torch).apply(x).backward()
    assert x.grad.item() == 1


def test_an_exception_comes_up_from_the_depth(torch: Any) -> None:
    x = torch.tensor(120.0, requires_grad=True)
    with pytest.raises(ValueError, match="deep down"):
        deep(torch, fails=True).apply(x).backward()
    assert torch.is_grad_enabled()
    (x * 2).backward()
    assert x.grad.item() == 2
