"""What pointwise operations compute, of which dtype, with which gradients, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad as torch
from tests.ops.nudge import check_gradients, leaf

EVERYWHERE = [-1.7, -0.4, 0.3, 0.9, 2.6]
POSITIVE = [0.2, 0.7, 1.0, 3.5]
INSIDE = [-0.8, -0.1, 0.4, 0.7]
UNARY = {
    "neg": EVERYWHERE,
    "reciprocal": EVERYWHERE,
    "square": EVERYWHERE,
    "exp": EVERYWHERE,
    "expm1": EVERYWHERE,
    "log": POSITIVE,
    "log1p": POSITIVE,
    "log2": POSITIVE,
    "log10": POSITIVE,
    "sqrt": POSITIVE,
    "rsqrt": POSITIVE,
    "abs": EVERYWHERE,
    "sign": EVERYWHERE,
    "sin": EVERYWHERE,
    "cos": EVERYWHERE,
    "tan": INSIDE,
    "asin": INSIDE,
    "acos": INSIDE,
    "atan": EVERYWHERE,
    "sinh": EVERYWHERE,
    "cosh": EVERYWHERE,
    "tanh": EVERYWHERE,
    "sigmoid": EVERYWHERE,
    "relu": EVERYWHERE,
    "erf": EVERYWHERE,
    "floor": EVERYWHERE,
    "ceil": EVERYWHERE,
    "trunc": EVERYWHERE,
    "round": EVERYWHERE,
    "frac": EVERYWHERE,
    "clone": EVERYWHERE,
    "nan_to_num": EVERYWHERE,
}
BINARY = {
    "add": (EVERYWHERE, EVERYWHERE[::-1]),
    "sub": (EVERYWHERE, EVERYWHERE[::-1]),
    "rsub": (EVERYWHERE, EVERYWHERE[::-1]),
    "mul": (EVERYWHERE, EVERYWHERE[::-1]),
    "div": (EVERYWHERE, EVERYWHERE[::-1]),
    "pow": (POSITIVE, INSIDE),
    "atan2": (EVERYWHERE, [[1.5], [-0.3]]),
    "hypot": (EVERYWHERE, [[1.5], [-0.3]]),
    "maximum": (EVERYWHERE, [[0.1], [2.0]]),
    "minimum": (EVERYWHERE, [[0.1], [2.0]]),
    "logaddexp": (EVERYWHERE, [[0.1], [2.0]]),
    "xlogy": (EVERYWHERE, [[0.1], [2.0]]),
    "remainder": (EVERYWHERE, [[0.35], [-1.1]]),
    "fmod": (EVERYWHERE, [[0.35], [-1.1]]),
    "clamp_min": (EVERYWHERE, [[0.1], [2.0]]),
    "clamp_max": (EVERYWHERE, [[0.1], [2.0]]),
}
finite = st.floats(-1e3, 1e3, width=32)
integers = st.integers(-50, 50)


@pytest.mark.parametrize("name", UNARY)
def test_derivatives_of_functions_of_one_tensor(name: str) -> None:
    check_gradients(getattr(torch, name), UNARY[name])


@pytest.mark.parametrize("name", BINARY)
def test_derivatives_of_functions_of_two_tensors(name: str) -> None:
    check_gradients(getattr(torch, name), *BINARY[name])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x**3,
        lambda x: x**-1.5,
        lambda x: x**1,
        lambda x: 2**x,
        lambda x: 3 - x,
        lambda x: 2 / x,
        lambda x: x % 0.3,
        lambda x: torch.fmod(x, 0.3),
        lambda x: x.clamp(0.5, 2),
        lambda x: x.clamp(min=0.5),
        lambda x: x.clamp(max=0.5),
        lambda x: torch.add(x, x, alpha=3),
        lambda x: torch.sub(x, x * x, alpha=0.5),
        lambda x: torch.where(x > 0.5, x * x, 1.0),
        lambda x: x.masked_fill(x > 0.5, 7.0),
        lambda x: torch.round(x, decimals=1),
        lambda x: torch.div(x, 0.3, rounding_mode="trunc"),
    ],
)
def test_derivatives_of_functions_with_numbers(function: Any) -> None:
    check_gradients(function, POSITIVE)


@pytest.mark.parametrize(
    "function",
    [
        torch.addcmul,
        torch.addcdiv,
        torch.lerp,
        # As it is in PyTorch, `max` and what it limits together need the shape of both bounds.
        lambda x, y, z: torch.clamp(x.expand(2, 3), y, z),
        lambda x, y, z: torch.lerp(x, y, 0.3) * z,
        lambda x, y, z: torch.where(x > y, z, y * y),
        lambda x, y, z: torch.addcmul(x, y, z, value=-2),
        lambda x, y, z: torch.addcdiv(x, y, z, value=-2),
    ],
)
def test_derivatives_of_functions_of_three_tensors(function: Any) -> None:
    check_gradients(function, [0.3, -0.7, 1.4], [[0.5], [0.2]], [0.9])


def test_gradient_of_a_filled_in_value_is_that_of_the_places_it_was_put_into() -> None:
    mask = torch.tensor([True, False, True])
    check_gradients(lambda x, value: x.masked_fill(mask, value) ** 2, [1.0, 2.0, 3.0], 0.5)


@given(finite, finite)
def test_arithmetic_is_that_of_numbers(a: float, b: float) -> None:
    x, y = torch.tensor(a, dtype=torch.float64), torch.tensor(b, dtype=torch.float64)
    assert (x + y).item() == a + b
    assert (x - y).item() == a - b
    assert (x * y).item() == a * b
    assert (b - x).item() == b - a
    assert [(x < y).item(), (x <= y).item(), (x == y).item()] == [a < b, a <= b, a == b]
    assert [(x > y).item(), (x >= y).item(), (x != y).item()] == [a > b, a >= b, a != b]
    assert torch.maximum(x, y).item() == max(a, b)
    assert torch.minimum(x, y).item() == min(a, b)


@given(integers, integers.filter(bool))
def test_integer_division_and_remainders_fit_together(a: int, b: int) -> None:
    x, y = torch.tensor(a), torch.tensor(b)
    assert (x // y).item() == a // b
    assert (x % y).item() == a % b
    truncated = torch.div(x, y, rounding_mode="trunc").item()
    assert truncated == int(a / b)
    assert torch.fmod(x, y).item() == a - truncated * b
    assert (x // b).item() == (a // y).item() == a // b
    assert (x % b).item() == (a % y).item() == a % b


@given(st.integers(-6, 6), st.integers(-5, 5))
def test_integer_powers_are_truncated_as_division_is(base: int, exponent: int) -> None:
    expected = 0 if base == 0 and exponent < 0 else int(float(base) ** exponent)
    assert torch.pow(torch.tensor(base), torch.tensor(exponent)).item() == expected


def test_half_values_round_to_the_even_neighbour() -> None:
    assert torch.tensor([0.5, 1.5, 2.5, -0.5]).round().tolist() == [0.0, 2.0, 2.0, -0.0]
    assert torch.tensor([0.125, 12.345]).round(decimals=2).tolist() == pytest.approx([0.12, 12.34])


def test_erf_is_exact_to_rounding() -> None:
    points = np.linspace(-4, 4, 101)
    expected = [math.erf(one) for one in points]
    np.testing.assert_allclose(torch.tensor(points).erf().numpy(), expected, rtol=1e-15)


def test_sigmoid_of_large_numbers_neither_overflows_nor_warns() -> None:
    assert torch.sigmoid(torch.tensor([-1000.0, 0.0, 1000.0])).tolist() == [0.0, 0.5, 1.0]


def test_division_by_zero_is_infinite_or_nan_without_a_warning() -> None:
    quotient = torch.tensor([1.0, -1.0, 0.0]) / 0
    assert quotient.tolist()[:2] == [math.inf, -math.inf]
    assert math.isnan(quotient[2].item())
    assert torch.log(torch.tensor(0.0)).item() == -math.inf


def test_tied_maximum_shares_its_gradient() -> None:
    x, y = leaf([1.0, 2.0]), leaf([1.0, 3.0])
    torch.maximum(x, y).sum().backward()
    assert x.grad.tolist() == [0.5, 0.0]
    assert y.grad.tolist() == [0.5, 1.0]


def test_relu_passes_no_gradient_at_zero_not_even_an_infinite_one() -> None:
    x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
    x.relu().backward(torch.tensor([math.inf, math.inf, 3.0]))
    assert x.grad.tolist() == [0.0, 0.0, 3.0]


def test_clamp_passes_the_gradient_at_its_bounds() -> None:
    x = torch.tensor([-1.0, 0.0, 0.5, 1.0, 2.0], requires_grad=True)
    x.clamp(0, 1).sum().backward()
    assert x.grad.tolist() == [0.0, 1.0, 1.0, 1.0, 0.0]


def test_power_zero_has_slope_zero_even_at_zero() -> None:
    x = torch.tensor([0.0, 2.0], requires_grad=True)
    (x**0).sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_a_base_of_zero_gives_its_exponent_no_gradient() -> None:
    base, exponent = leaf([0.0, 2.0]), leaf([2.0, 3.0])
    (base**exponent).sum().backward()
    assert exponent.grad.tolist() == pytest.approx([0.0, 8 * math.log(2)])
    other = leaf([1.5])
    (0**other).sum().backward()
    assert other.grad.tolist() == [0.0]


def test_atan2_has_no_gradient_at_the_origin() -> None:
    x, y = leaf([0.0]), leaf([0.0])
    torch.atan2(x, y).sum().backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([0.0], [0.0])


FLOAT, DOUBLE, HALF = torch.float32, torch.float64, torch.float16


@pytest.mark.parametrize(
    ("expression", "dtype"),
    [
        (lambda: torch.ones(2) + torch.ones(2, dtype=DOUBLE), DOUBLE),
        (lambda: torch.ones(2) + torch.tensor(1.0, dtype=DOUBLE), FLOAT),
        (lambda: torch.ones(2, dtype=HALF) + torch.tensor(1.0), HALF),
        (lambda: torch.ones(2, dtype=HALF) * 3.7, HALF),
        (lambda: torch.tensor([1, 2]) + 1.0, FLOAT),
        (lambda: torch.tensor([1, 2]) / 2, FLOAT),
        (lambda: torch.tensor([1, 2]) // 2, torch.int64),
        (lambda: torch.tensor([True]) + 1, torch.int64),
        (lambda: torch.tensor([1, 2], dtype=torch.int32) * 2, torch.int32),
        (lambda: torch.tensor([1, 2]) ** 2, torch.int64),
        (lambda: torch.tensor([1, 2]) ** 0.5, FLOAT),
        (lambda: 2.5 ** torch.tensor([1, 2]), FLOAT),
        (lambda: torch.tensor([1, 2]).exp(), FLOAT),
        (lambda: torch.tensor(1.0).exp(), FLOAT),
        (lambda: torch.tensor(1.0, dtype=HALF).sqrt(), HALF),
        (lambda: torch.tensor([1, 2]).clamp(0.5), FLOAT),
        (lambda: torch.tensor([1.0]) > 0, torch.bool),
        (lambda: torch.where(torch.tensor([True]), torch.ones(1, dtype=DOUBLE), 0.1), DOUBLE),
        (lambda: torch.where(torch.tensor([True]), 1, 2), torch.int64),
    ],
)
def test_dtype_of_the_result(expression: Any, dtype: Any) -> None:
    assert expression().dtype is dtype


def test_numbers_keep_their_precision_beside_float64() -> None:
    condition = torch.tensor([False])
    chosen = torch.where(condition, torch.ones(1, dtype=DOUBLE), 0.1)
    assert chosen.item() == 0.1
    assert (torch.ones(1, dtype=DOUBLE) * 0.1).item() == 0.1


def test_gradients_keep_the_dtype_of_their_tensor() -> None:
    x = torch.ones(2, dtype=HALF, requires_grad=True)
    y = torch.ones(2, dtype=DOUBLE, requires_grad=True)
    (x * y).sum().backward()
    assert (x.grad.dtype, y.grad.dtype) == (HALF, DOUBLE)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("shape", [(), (3,), (0,)])
def test_results_share_no_memory_with_their_input(name: str, shape: tuple[int, ...]) -> None:
    x = torch.full(shape, 0.5)
    result = getattr(x, name)()
    assert result.shape == shape
    assert not np.shares_memory(result.numpy(), x.numpy())


def test_a_copy_keeps_the_order_of_memory() -> None:
    x = torch.ones(2, 3).t()
    assert x.clone().stride() == x.stride()


def test_conversions() -> None:
    x = torch.tensor([1.7, -2.7], requires_grad=True)
    assert x.to(torch.float32) is x
    assert x.float() is x
    assert x.to(torch.ones(1)) is x
    assert x.to(torch.float32, copy=True) is not x
    assert x.to("cpu", torch.float64).dtype is DOUBLE
    assert x.double().requires_grad
    assert x.long().tolist() == [1, -2]
    assert not x.long().requires_grad
    assert x.bool().tolist() == [True, True]
    assert x.type() == "torch.FloatTensor"
    assert x.type("torch.DoubleTensor").dtype is DOUBLE
    assert x.type_as(torch.tensor(1)).dtype is torch.int64


def test_comparisons_and_logic_have_no_gradient() -> None:
    x = torch.tensor([0.0, 1.0, math.nan], requires_grad=True)
    for result in (x > 0, x == x, x.isnan(), x.logical_not(), x.logical_and(x), x.isfinite()):
        assert result.dtype is torch.bool
        assert not result.requires_grad
    assert (x == x).tolist() == [True, True, False]
    assert x.logical_not().tolist() == [True, False, False]


def test_closeness_and_equality() -> None:
    x = torch.tensor([1.0, math.nan])
    assert torch.isclose(x, x).tolist() == [True, False]
    assert torch.isclose(x, x, equal_nan=True).tolist() == [True, True]
    assert torch.allclose(torch.tensor([1.0]), torch.tensor([1.0 + 1e-6]))
    assert not torch.allclose(torch.tensor([1.0]), torch.tensor([1.1]))
    assert torch.equal(torch.ones(2), torch.ones(2))
    assert not torch.equal(torch.ones(2), torch.ones(3))


def test_bits() -> None:
    x, y = torch.tensor([6, 5]), torch.tensor([3, 3])
    assert (x & y).tolist() == [2, 1]
    assert (x | y).tolist() == [7, 7]
    assert (x ^ y).tolist() == [5, 6]
    assert (~x).tolist() == [-7, -6]
    assert (~torch.tensor([True, False])).tolist() == [False, True]


def test_condition_alone_gives_indices() -> None:
    rows, columns = torch.where(torch.tensor([[True, False], [True, True]]))
    assert (rows.tolist(), columns.tolist()) == ([0, 1, 1], [0, 0, 1])


def test_positive_is_the_tensor_itself() -> None:
    x = torch.ones(2)
    assert +x is x


ones, bools, whole = torch.ones(2), torch.tensor([True, False]), torch.tensor([1, 2])


@pytest.mark.parametrize(
    ("expression", "error", "message"),
    [
        (lambda: ones + torch.ones(3), RuntimeError, "The size of tensor a (2) must match"),
        (lambda: torch.where(bools, ones, torch.ones(3)), RuntimeError, "The size of tensor a"),
        (lambda: ones.clamp(min=torch.ones(3)), RuntimeError, "The size of tensor a (2)"),
        (lambda: bools - bools, RuntimeError, "with two bool tensors is not supported"),
        (lambda: bools - 1, RuntimeError, "with a bool tensor is not supported"),
        (lambda: 1 - bools, RuntimeError, "with a bool tensor is not supported"),
        (lambda: -bools, RuntimeError, "Negation, the `-` operator, on a bool tensor"),
        (lambda: +bools, RuntimeError, "The `+` operator, on a bool tensor is not supported."),
        (lambda: whole**-1, RuntimeError, "Integers to negative integer powers are not allowed."),
        (lambda: whole // 0, RuntimeError, "ZeroDivisionError"),
        (lambda: whole % 0, RuntimeError, "ZeroDivisionError"),
        (lambda: torch.fmod(whole, 0), RuntimeError, "ZeroDivisionError"),
        (lambda: torch.div(ones, 2, rounding_mode="up"), RuntimeError, "but found 'up'"),
        (lambda: torch.add(whole, whole, alpha=0.5), RuntimeError, "For integral input tensors"),
        (lambda: ones.clamp(), RuntimeError, "At least one of 'min' or 'max' must not be None"),
        (lambda: ones.clamp(ones, 1), TypeError, "invalid combination of arguments"),
        (lambda: torch.where(whole, ones, ones), RuntimeError, "expected condition to be a bool"),
        (lambda: ones.masked_fill(whole, 0), RuntimeError, "only supports boolean masks"),
        (lambda: ones.masked_fill(bools, ones), RuntimeError, "0-dimensional value tensor"),
        (lambda: ones.masked_fill(torch.tensor([True] * 3), 0), RuntimeError, "must match"),
        (lambda: torch.lerp(ones, ones.double(), 0.5), RuntimeError, "expected dtype float for"),
        (lambda: torch.lerp(whole, whole, 0.5), NotImplementedError, "not implemented for 'Long'"),
        (lambda: torch.addcdiv(whole, whole, whole), RuntimeError, "Integer division with addcdiv"),
        (lambda: ones & ones, NotImplementedError, '"bitwise_and_cpu" not implemented for \'Float'),
        (lambda: ~ones, TypeError, "only implemented on integer and Boolean-type tensors"),
        (lambda: torch.isclose(ones, ones.double()), RuntimeError, "Float did not match Double"),
        (lambda: ones.type("floats"), ValueError, "invalid type: 'floats'"),
        (lambda: ones.to("cuda"), AssertionError, "CUDA"),
        (lambda: bools.relu(), RuntimeError, "Boolean inputs not supported for relu"),
    ],
)
def test_what_is_refused(expression: Any, error: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        expression()
    assert message in str(caught.value)


def test_rounded_division_can_be_computed_but_not_differentiated() -> None:
    x = torch.tensor([3.5], requires_grad=True)
    quotient = x // 1
    with pytest.raises(RuntimeError, match="derivative for aten::floor_divide is not implemented"):
        quotient.backward()
    assert x.grad is None


def test_uint8_as_a_condition_is_warned_of() -> None:
    condition = torch.tensor([1, 0], dtype=torch.uint8)
    with pytest.warns(UserWarning, match="where received a uint8 condition tensor"):
        chosen = torch.where(condition, ones, 0.0)
    assert chosen.tolist() == [1.0, 0.0]


def test_the_method_where_takes_its_own_elements() -> None:
    x = torch.tensor([-1.0, 2.0, 3.0], requires_grad=True)
    chosen = x.where(x > 0, torch.tensor([10.0, 20.0, 30.0]))
    assert chosen.tolist() == [10.0, 2.0, 3.0]
    chosen.sum().backward()
    assert x.grad.tolist() == [0.0, 1.0, 1.0]
    assert x.where(x > 2, 0).tolist() == [0.0, 0.0, 3.0]


def test_zero_keeps_its_sign_where_it_does_in_pytorch() -> None:
    zero = torch.tensor([-0.0])
    assert str(torch.relu(zero)) == str(torch.clamp(zero, 0)) == "tensor([-0.])"
    assert str(torch.tensor([-1.0, 3.0]) % 1) == "tensor([-0., 0.])"
    assert str(torch.tensor([4.0, 3.0]) % -2) == "tensor([ 0., -1.])"
    assert str(zero.sum()) == "tensor(0.)"
    assert str(zero.cumsum(0)) == "tensor([0.])"
