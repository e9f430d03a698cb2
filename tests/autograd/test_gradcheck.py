"""gradcheck and gradgradcheck find the gradients that are wrong."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad
from minigrad.autograd.gradcheck import GradcheckError


def double(torch: Any, *values: float) -> Any:
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def threefold(x: Any) -> Any:
    """A square whose gradient is three times as large as it should be."""
    y = x * x
    y.register_hook(lambda gradient: gradient * 3)
    return y


@pytest.mark.parametrize("fast", [False, True])
def test_right_gradients_pass(torch: Any, fast: bool) -> None:
    def func(x: Any, y: Any) -> Any:
        return x.exp() * y.sum(), (x * y.prod()).sin()

    inputs = double(torch, 1.0, 2.0), double(torch, 0.5, -1.0, 2.0)
    assert torch.autograd.gradcheck(func, inputs, fast_mode=fast)
    assert torch.autograd.gradgradcheck(func, inputs, fast_mode=fast)
    assert [one.grad for one in inputs] == [None, None]


@pytest.mark.parametrize("fast", [False, True])
def test_wrong_gradients_do_not(torch: Any, fast: bool) -> None:
    x = double(torch, 1.0, 2.0)
    assert not torch.autograd.gradcheck(threefold, x, raise_exception=False, fast_mode=fast)
    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 0 with respect to input"):
        torch.autograd.gradcheck(threefold, x, fast_mode=fast)
    assert x.tolist() == [1.0, 2.0]


def test_a_wrong_second_derivative_is_found(torch: Any) -> None:
    def func(x: Any) -> Any:
        y = x**3
        y.register_hook(lambda gradient: None if gradient is None else gradient.detach())
        return y

    x = double(torch, 1.0, 2.0)
    assert torch.autograd.gradcheck(func, x)
    assert not torch.autograd.gradgradcheck(func, x, raise_exception=False)


def test_the_error_shows_both_jacobians() -> None:
    with pytest.raises(GradcheckError) as raised:
        minigrad.autograd.gradcheck(threefold, double(minigrad, 1.0, 2.0))
    assert str(raised.value) == (
        "Jacobian mismatch for output 0 with respect to input 0,\n"
        "numerical:tensor([[2.0000, 0.0000],\n        [0.0000, 4.0000]], dtype=torch.float64)\n"
        "analytical:tensor([[ 6.,  0.],\n        [ 0., 12.]], dtype=torch.float64)\n"
    )


def test_a_function_cut_off_from_its_inputs_is_found(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="Numerical gradient for function expected to be zero"):
        torch.autograd.gradcheck(lambda x: x.detach() * 2, double(torch, 1.0))


def test_what_cannot_be_checked_is_refused(torch: Any) -> None:
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        torch.autograd.gradcheck(torch.exp, torch.ones(2))
    overlapping = torch.ones(1, dtype=torch.float64).expand(3).requires_grad_()
    with pytest.raises(RuntimeError, match="The 0th input has a dimension with stride 0"):
        torch.autograd.gradcheck(torch.exp, overlapping)


def test_coarse_inputs_are_warned_of(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="Input #0 requires gradient and is not a double"):
        torch.autograd.gradcheck(lambda x: x * 2, x, eps=1e-2)


@pytest.mark.parametrize("fast_mode", [False, True])
@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated")
def test_forward_mode_is_checked(torch: Any, fast_mode: bool) -> None:
    class Cube(torch.autograd.Function):  # type: ignore[misc]
        factor = 3

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_forward(x)
            return x**3

        @classmethod
        def jvp(cls, ctx: Any, tangent: Any) -> Any:
            return cls.factor * ctx.saved_tensors[0] ** 2 * tangent

    x = double(torch, 1.0, 2.0)
    options = {"check_forward_ad": True, "check_backward_ad": False, "fast_mode": fast_mode}
    assert torch.autograd.gradcheck(Cube.apply, x, **options)
    Cube.factor = 4
    with pytest.raises(RuntimeError, match="^Jacobian computed with forward mode mismatch for out"):
        torch.autograd.gradcheck(Cube.apply, x, **options)


def test_outputs_that_have_no_gradient_are_moved_too(torch: Any) -> None:
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    gradcheck = torch.autograd.gradcheck
    assert gradcheck(lambda x: (x * 2, (x * 2).long() * 0), x)
    assert gradcheck(lambda x: x.long(), x)  # only the fast mode looks at integers
    with pytest.raises(RuntimeError, match="Numerical gradient for function expected to be zero"):
        gradcheck(lambda x: x.long(), x, fast_mode=True)
    for fast in (False, True):
        with pytest.raises(RuntimeError, match="Subtraction, the `-` operator, with two bool tens"):
            gradcheck(lambda x: (x * 2, x > 0), x, fast_mode=fast)
