"""Derivatives of functions: known answers, levels within levels, and what carries a graph."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import pytest

import minigrad

# Of what PyTorch's own Python does.
pytestmark = pytest.mark.filterwarnings(
    "ignore:`torch.jit.script` is deprecated", "ignore:Attempted to insert"
)


def test_a_gradient_touches_no_grad(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    slope, value = torch.func.grad_and_value(lambda x: (x**3).sum())(x)
    assert (slope.tolist(), value.item()) == ([3.0, 12.0], 9.0)
    assert x.grad is None
    (slope.sum() + value).backward()
    assert x.grad.tolist() == [6.0 + 3.0, 12.0 + 12.0]


def test_levels_are_told_apart(torch: Any) -> None:
    grad, jvp, one = torch.func.grad, torch.func.jvp, torch.tensor(1.0)
    # d/dx (x * d/dy (x + y)) is 1, not 2, where x is y.
    assert grad(lambda x: x * grad(lambda y: x + y)(x))(one).item() == 1.0
    assert grad(lambda x: x * jvp(lambda y: x + y, (x,), (one,))[1])(one).item() == 1.0
    inner = lambda x: jvp(lambda y: x + y, (one,), (one,))[1]  # noqa: E731
    assert jvp(lambda x: x * inner(x), (one,), (one,))[1].item() == 1.0
    assert grad(lambda x: grad(lambda y: x * y * y)(torch.tensor(3.0)))(one).item() == 6.0


def test_only_what_leads_outside_carries_a_graph(torch: Any) -> None:
    grad, x = torch.func.grad, torch.tensor(2.0)
    w = torch.tensor(5.0, requires_grad=True)
    assert not grad(lambda x: x * x)(x).requires_grad
    slope = grad(lambda x: x * x * w)(x)
    slope.backward()
    assert w.grad.item() == 4.0
    with torch.no_grad():
        assert not grad(lambda x: x * x * w)(x).requires_grad
    # The inner level's own leaf is behind this, the outer one's is not.
    value = torch.func.vjp(lambda x: grad(lambda y: y * y * w)(x), x)[0]
    assert value.requires_grad
    value = torch.func.vjp(lambda x: grad(lambda y: y * y * x)(x), x)[0]
    assert not value.requires_grad


def test_whether_gradients_are_enabled_around_a_transform_does_not_matter(torch: Any) -> None:
    def f(x: Any) -> Any:
        with torch.no_grad():
            constant = x * 2
        return x * constant

    for mode in (torch.no_grad(), torch.enable_grad(), torch.inference_mode()):
        with mode:
            assert torch.func.grad(f)(torch.tensor(3.0)).item() == 6.0


def test_a_pullback_serves_several_vectors(torch: Any) -> None:
    _, product = torch.func.vjp(lambda x: (x * x, x.sum()), torch.tensor([1.0, 2.0]))
    assert product((torch.tensor([1.0, 0.0]), torch.tensor(0.0)))[0].tolist() == [2.0, 0.0]
    assert product((torch.zeros(2), torch.tensor(3.0)))[0].tolist() == [3.0, 3.0]


def test_jacobians_by_rows_and_by_columns_are_the_same(torch: Any) -> None:
    x, s = torch.tensor([1.0, 2.0]), torch.tensor(3.0)
    for jacobian in (torch.func.jacrev, torch.func.jacfwd):
        found = jacobian(lambda x, s: {"a": x * s, "b": x.sum()}, argnums=(0, 1))(x, s)
        assert [one.tolist() for one in found["a"]] == [[[3.0, 0.0], [0.0, 3.0]], [1.0, 2.0]]
        assert [one.tolist() for one in found["b"]] == [[1.0, 1.0], 0.0]
        empty = jacobian(lambda x: x * x)(torch.zeros(0))
        assert empty.shape == (0, 0)


def test_hessians_of_captured_tensors_are_differentiable(torch: Any) -> None:
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    hessian = torch.func.hessian(lambda x: (x**3 * w).sum())(torch.tensor([1.0, 2.0]))
    assert hessian.tolist() == [[6.0, 0.0], [0.0, 24.0]]
    hessian.sum().backward()
    assert w.grad.tolist() == [6.0, 12.0]


def test_a_linear_approximation_is_of_the_point_where_it_was_made(torch: Any) -> None:
    value, product = torch.func.linearize(lambda x: x**3, torch.tensor([1.0, 2.0]))
    assert value.tolist() == [1.0, 8.0]
    assert product(torch.ones(2)).tolist() == [3.0, 12.0]
    assert product(torch.tensor([2.0, 0.0])).tolist() == [6.0, 0.0]


def test_threads_differentiate_at_levels_of_their_own() -> None:
    func, found = minigrad.func, []

    def run(number: int) -> None:
        x = minigrad.arange(3.0) + number
        for _ in range(10):
            hessian = func.hessian(lambda x: (x**3).sum())(x)
            found.append(hessian.equal((6 * x).diag()))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 40


def fails(x: Any) -> Any:
    raise ValueError


@pytest.mark.parametrize(
    ("function", "argnums", "given"),
    [(fails, 0, [1.0]), (sum, 1, [1.0]), (lambda x: x, 0, [1.0]), (lambda x: x.sum(), 0, [1])],
)
def test_a_refusal_leaves_nothing_behind(
    torch: Any, function: Any, argnums: int, given: list[float]
) -> None:
    x = torch.tensor(given)
    with pytest.raises((RuntimeError, ValueError)):
        torch.func.grad(function, argnums)(x)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
        assert torch.is_grad_enabled()
    assert not x.requires_grad
    assert torch.func.grad(lambda x: x.sum())(torch.ones(2)).tolist() == [1.0, 1.0]


def test_a_refusal_because_of_hooks_leaves_modes_as_they_were(torch: Any) -> None:
    hooks = torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x)
    with torch.no_grad():
        with hooks, pytest.raises(RuntimeError, match="yet support saved tensor hooks"):
            torch.func.grad(torch.sum)(torch.ones(2))
        assert not torch.is_grad_enabled()


def test_nothing_is_left_to_the_garbage_collector() -> None:
    x, alive = minigrad.ones(2, 3), []

    def f(row: Any) -> Any:
        y = row * 2
        alive.append(weakref.ref(y))
        return (y * y).sum()

    func = minigrad.func
    gc.collect()
    gc.disable()
    try:
        func.vmap(func.grad(f))(x)
        func.vmap(func.hessian(f))(x)
        func.jacrev(func.vmap(f))(x)
        func.jvp(f, (x,), (x,))
        assert [one() for one in alive] == [None] * 4
    finally:
        gc.enable()


def test_what_accumulates_gradients_within_is_refused(torch: Any) -> None:
    def f(x: Any) -> Any:
        loss = (x * x).sum()
        loss.backward()
        return loss

    with pytest.raises(RuntimeError, match="called inside a functorch transform"):
        torch.func.grad(f)(torch.ones(2))
