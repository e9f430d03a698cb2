"""Jacobians whose columns and rows are computed at once: where that is not the same."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad

pytestmark = pytest.mark.parity


def assert_same(program: Callable[[Any], Any]) -> None:
    """Fail unless a program returns the same on both engines; PyTorch warns of its own code."""
    import torch

    with warnings.catch_warnings(action="ignore"):
        assert repr(program(minigrad)) == repr(program(torch))


def test_rows_through_what_goes_by_the_signs_of_gradients() -> None:
    def program(torch: Any) -> Any:
        torch.manual_seed(0)
        x = torch.randn(14, dtype=torch.float64)

        def total(x: Any) -> Any:
            return x.logcumsumexp(0)

        jacrev, jacfwd = torch.func.jacrev, torch.func.jacfwd
        both = jacrev(lambda x: torch.cat([total(x), -total(x)]))(x)
        twice = [jacrev(jacrev(total))(x), jacfwd(jacrev(total))(x), jacfwd(jacfwd(total))(x)]
        return [float(one.abs().sum()).__round__(6) for one in (both, *twice)]

    assert_same(program)


def test_products_with_zeros() -> None:
    def program(torch: Any) -> Any:
        x = torch.tensor([0.0, 1.0, 2.0])
        jacfwd = torch.func.jacfwd
        second = torch.func.hessian(torch.prod)(x), jacfwd(torch.func.grad(torch.prod))(x)
        return jacfwd(torch.prod)(x), jacfwd(torch.prod)(x * 0), second

    assert_same(program)


def test_nothing() -> None:
    def program(torch: Any) -> Any:
        hessian, jacrev = torch.func.hessian, torch.func.jacrev
        shapes = [
            hessian(lambda x: x[:0])(torch.ones(3)).shape,
            hessian(lambda x: x * x)(torch.zeros(0)).shape,
            jacrev(jacrev(lambda x: x * x))(torch.zeros(0, 3)).shape,
        ]
        none = torch.func.jacfwd(lambda x: sum(torch.zeros(0, 3).unbind(0), x))
        return shapes, none(torch.ones(2))

    assert_same(program)


def test_anomaly_mode_sees_each_gradient() -> None:
    def raised(torch: Any, start: Any) -> str:
        with (
            torch.autograd.detect_anomaly(check_nan=True),
            pytest.raises(RuntimeError) as error,
        ):
            torch.func.jacrev(start)(torch.zeros(14))
        return str(error.value).splitlines()[0]

    def program(torch: Any) -> Any:
        return raised(torch, torch.sqrt), raised(torch, lambda x: (x * 0).sqrt() * x)

    assert_same(program)


@pytest.mark.parametrize("count", [3, 14])
def test_modes_see_nothing_of_the_rows(count: int) -> None:
    seen = []

    class Log(minigrad.overrides.TorchFunctionMode):
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(func.__name__)
            return func(*args, **(kwargs or {}))

    with Log():
        minigrad.func.jacrev(lambda x: x.sin() * x)(minigrad.ones(count))
    assert "cat" not in seen
    assert "unbind" not in seen
    assert "sin" in seen


def test_randomness() -> None:
    def program(torch: Any) -> Any:
        with pytest.raises(RuntimeError) as error:
            torch.func.jacfwd(torch.sin, randomness="x")(torch.ones(2))
        return str(error.value)

    assert_same(program)


@pytest.mark.parametrize("outer", ["jacfwd", "jacrev"])
@pytest.mark.parametrize("inner", ["jacfwd", "jacrev"])
@pytest.mark.parametrize("loss", ["mse_loss", "smooth_l1_loss"])
def test_second_derivatives_of_means(loss: str, inner: str, outer: str) -> None:
    def program(torch: Any) -> Any:
        def mean(x: Any) -> Any:
            return getattr(torch.nn.functional, loss)(x, x.sin())

        x = torch.tensor([1.7, -0.6, 0.9], dtype=torch.float64)
        twice = getattr(torch.func, outer)(getattr(torch.func, inner)(mean))
        return [[round(one, 12) for one in row] for row in twice(x).tolist()]

    assert_same(program)


def test_second_derivatives_of_a_mean_that_pytorch_has_in_reverse_only() -> None:
    import torch

    def program(torch: Any, transform: Any) -> Any:
        x = torch.tensor([1.7, -0.6, 0.9], dtype=torch.float64)
        return transform(transform(lambda x: torch.nn.functional.huber_loss(x, x.sin())))(x)

    found = program(minigrad, minigrad.func.jacfwd)
    np.testing.assert_allclose(found, program(torch, torch.func.jacrev), rtol=1e-12)


@pytest.mark.parametrize("outer", ["jacfwd", "jacrev"])
@pytest.mark.parametrize("inner", ["jacfwd", "jacrev"])
def test_second_derivatives_of_a_running_log_of_sums(inner: str, outer: str) -> None:
    def program(torch: Any) -> Any:
        x = torch.tensor([[1.7, -0.6, 0.9], [0.2, 0.4, -1.0]], dtype=torch.float64)
        transforms = getattr(torch.func, outer), getattr(torch.func, inner)
        found = []
        for dim in (0, -1):
            twice = transforms[0](transforms[1](lambda x: torch.logcumsumexp(x, dim).sin()))
            found.append((twice(x) * 1e9).round().long().tolist())
        return found

    assert_same(program)
