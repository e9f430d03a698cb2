"""Jacobians, Hessians and products with vectors."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad


def test_a_jacobian_has_the_shape_of_output_and_input(torch: Any) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    jacobian = torch.autograd.functional.jacobian(lambda x: x.sum(1) ** 2, x)
    assert jacobian.shape == (2, 2, 3)
    assert jacobian[0].tolist() == [[6.0] * 3, [0.0] * 3]
    assert not jacobian.requires_grad


def test_jacobians_of_tuples_are_nested_by_output_then_input(torch: Any) -> None:
    x, y = torch.tensor([1.0, 2.0]), torch.tensor(3.0)
    rows = torch.autograd.functional.jacobian(lambda x, y: (x * y, y * y), (x, y))
    assert [[one.tolist() for one in row] for row in rows] == [
        [[[3.0, 0.0], [0.0, 3.0]], [1.0, 2.0]],
        [[0.0, 0.0], 6.0],
    ]


def test_a_hessian_is_differentiable_if_asked(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    hessian = torch.autograd.functional.hessian(lambda x: (x**3).sum(), x, create_graph=True)
    assert hessian.tolist() == [[6.0, 0.0], [0.0, 12.0]]
    hessian.sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_products_with_vectors_agree_with_the_matrices(torch: Any) -> None:
    functional, x, v = torch.autograd.functional, torch.tensor([0.5, 2.0]), torch.tensor([1.0, 3.0])

    def pair(x: Any) -> Any:
        return torch.stack([x.prod(), x.sum() ** 2])

    def number(x: Any) -> Any:
        return pair(x).prod()

    jacobian, hessian = functional.jacobian(pair, x), functional.hessian(number, x)
    outputs, product = functional.vjp(pair, x, v)
    assert outputs.tolist() == pair(x).tolist()
    assert product.tolist() == pytest.approx((v @ jacobian).tolist())
    assert functional.jvp(pair, x, v)[1].tolist() == pytest.approx((jacobian @ v).tolist())
    assert functional.vhp(number, x, v)[1].tolist() == pytest.approx((v @ hessian).tolist())
    assert functional.hvp(number, x, v)[1].tolist() == pytest.approx((hessian @ v).tolist())


def test_what_nothing_depends_on_is_zero_unless_strict(torch: Any) -> None:
    x, y = torch.ones(2), torch.ones(3)
    first, second = torch.autograd.functional.jacobian(lambda x, y: x.sum(), (x, y))
    assert (first.tolist(), second.tolist()) == ([1.0, 1.0], [0.0, 0.0, 0.0])
    with pytest.raises(RuntimeError, match="Output 0 of the user-provided function is independent"):
        torch.autograd.functional.jacobian(lambda x, y: x.sum(), (x, y), strict=True)


def test_no_gradient_is_accumulated(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    for name in ("jacobian", "hessian"):
        getattr(torch.autograd.functional, name)(lambda x: (x * x).sum(), x)
    assert x.grad is None


def test_a_vector_must_fit(torch: Any) -> None:
    vjp, x = torch.autograd.functional.vjp, torch.ones(2)
    with pytest.raises(RuntimeError, match="v has invalid size"):
        vjp(lambda x: x * 2, x, torch.ones(3))
    with pytest.raises(RuntimeError, match="The vector v can only be None if"):
        vjp(lambda x: x * 2, x)
    with pytest.raises(TypeError, match="The inputs given to vjp must be either a Tensor"):
        vjp(lambda x: x, 3)


def test_the_way_it_is_computed_changes_nothing() -> None:
    x = minigrad.tensor([1.0, 2.0])
    jacobian = minigrad.autograd.functional.jacobian
    for options in ({"vectorize": True}, {"vectorize": True, "strategy": "forward-mode"}):
        assert jacobian(lambda x: x * x.sum(), x, **options).tolist() == [[4.0, 1.0], [2.0, 5.0]]
