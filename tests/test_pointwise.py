"""Arithmetic, functions and choices, element by element."""

import math
from typing import Any

import numpy as np
import pytest

from tests.test_shapes import outline

FUNCTIONS = (  # of one operand; they return floating point if they get it
    "abs atan ceil cos cosh exp floor log log10 log1p log2 neg reciprocal "
    "relu round sigmoid sign sin sinh sqrt square tan tanh trunc"
)


@pytest.mark.parametrize(
    ("program", "nodes"),
    [
        ("x + 1", "Add0(AccumulateGrad, -)"),
        ("1 - x", "Rsub1(AccumulateGrad)"),
        ("2 / x", "Mul0(Reciprocal0(AccumulateGrad), -)"),
        ("x ** 2", "Pow0(AccumulateGrad)"),
        ("x ** w", "Pow1(AccumulateGrad, AccumulateGrad)"),
        ("2 ** x", "Pow2(AccumulateGrad)"),
        ("x.clamp(0, 1)", "Clamp1(AccumulateGrad)"),
        ("torch.where(x > 1, x, 0.0)", "Where0(AccumulateGrad, -)"),
        ("torch.maximum(x, w)", "Maximum0(AccumulateGrad, AccumulateGrad)"),
    ],
)
def test_nodes(torch: Any, program: str, nodes: str) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 2.0], requires_grad=True)
    assert outline(eval(program, {"torch": torch, "x": x, "w": w}).grad_fn) == nodes


@pytest.mark.parametrize(
    ("program", "nodes"),
    [
        ("x ** 3", "Mul0(-, Mul1(Pow0(AccumulateGrad)))"),
        ("x.sqrt()", "Div0(-, Mul1(Sqrt0(AccumulateGrad)))"),
        ("x.log2()", "Div0(-, Mul1(AccumulateGrad))"),
        ("x.cos()", "Mul0(-, Neg0(Sin0(AccumulateGrad)))"),
        ("x.atan()", "Div0(-, Add1(Mul0(AccumulateGrad, AccumulateGrad)))"),
        ("x.tanh()", "TanhBackward0(-, Tanh0(AccumulateGrad))"),
        ("x.relu()", "ThresholdBackward0(-, Relu0(AccumulateGrad))"),
        ("x.abs()", "Mul0(-, Sgn0(AccumulateGrad))"),
        ("torch.nn.functional.softplus(x)", "SoftplusBackward0(-, AccumulateGrad)"),
    ],
)
def test_nodes_of_the_derivative(torch: Any, program: str, nodes: str) -> None:
    x = torch.tensor([0.5, 2.0], requires_grad=True)
    (slope,) = torch.autograd.grad(eval(program), x, torch.ones(2), create_graph=True)
    assert outline(slope.grad_fn) == nodes


DTYPES = {
    "bool": "b + b; ~b; i == 1.5",
    "uint8": "u + 300; u ** 2; 2 ** u",
    "int64": "i + 1; i // 2; b * 2; torch.where(b, 1, 2); i.round()",
    "float32": "i + 1.5; i / i; i * f; f + torch.tensor(1.0, dtype=torch.float64); 2.0 ** i;"
    "i ** 2.0; i % 2.5; i.clamp(min=0.5); torch.where(b, i, 2.5); i.sigmoid();"
    "np.float64(2) * f; f ** np.float64(2)",
    "float64": "f + d; torch.where(b, f, d)",
}


@pytest.mark.parametrize(
    ("program", "dtype"),
    [(program.strip(), dtype) for dtype in DTYPES for program in DTYPES[dtype].split(";")],
)
def test_dtypes(torch: Any, program: str, dtype: str) -> None:
    operands = {
        "f": torch.tensor([1.0, 2.0]),
        "d": torch.tensor([1.0, 2.0], dtype=torch.float64),
        "i": torch.tensor([1, 2]),
        "u": torch.tensor([1, 2], dtype=torch.uint8),
        "b": torch.tensor([True, False]),
    }
    assert eval(program, {"torch": torch, "np": np, **operands}).dtype is getattr(torch, dtype)


@pytest.mark.parametrize("name", FUNCTIONS.split())
def test_functions_keep_float32_float64_and_the_shape(torch: Any, name: str) -> None:
    for dtype in (torch.float32, torch.float64):
        for x in (torch.rand(2, 3, dtype=dtype), torch.rand((), dtype=dtype), torch.rand(0)):
            for result in (getattr(torch, name)(x), getattr(x, name)()):
                assert (result.dtype, result.shape) == (x.dtype, x.shape)


@pytest.mark.parametrize(
    ("program", "slopes"),
    [
        ("torch.maximum(x, torch.zeros(3))", [0.0, 0.5, 1.0]),
        ("x.clamp(min=0)", [0.0, 1.0, 1.0]),
        ("x.clamp(-1, 0)", [1.0, 1.0, 0.0]),
        ("x.relu()", [0.0, 0.0, 1.0]),
        ("x.abs()", [-1.0, 0.0, 1.0]),
        ("x ** 0", [0.0, 0.0, 0.0]),
        ("x ** 1", [1.0, 1.0, 1.0]),
        ("(x * x) ** torch.tensor([1.0, 1.0, 0.0])", [-2.0, 0.0, 0.0]),
        ("0.0 ** x", [-math.inf, 0.0, 0.0]),
        ("(-2.0) ** x", [math.nan] * 3),
        ("x.round()", [0.0, 0.0, 0.0]),
        ("x % 0.7", [1.0, 1.0, 1.0]),
        ("torch.where(x > 0, x, 3 * x)", [3.0, 3.0, 1.0]),
    ],
)
def test_slopes_where_functions_have_corners(torch: Any, program: str, slopes: list[float]) -> None:
    x = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
    eval(program, {"torch": torch, "x": x}).sum().backward()
    assert x.grad.tolist() == pytest.approx(slopes, nan_ok=True)


@pytest.mark.parametrize("upstream", [-1.0, math.inf, math.nan])
def test_relu_lets_nothing_through_where_it_is_off(torch: Any, upstream: float) -> None:
    x = torch.tensor([-1.0, 0.0, 2.0, math.nan], requires_grad=True)
    (slope,) = torch.autograd.grad(x.relu(), x, torch.full((4,), upstream))
    assert repr(slope.tolist()) == repr([0.0, 0.0, upstream, upstream])


@pytest.mark.parametrize(("beta", "third"), [(1.0, -0.09085774), (30.0, 0.0)])
def test_softplus_bends_below_its_threshold(torch: Any, beta: float, third: float) -> None:
    x = torch.tensor(1.0, requires_grad=True)
    derivatives = [torch.nn.functional.softplus(x, beta)]
    for _ in range(3):
        derivatives += torch.autograd.grad(derivatives[-1], x, create_graph=True)
    assert derivatives[-1].item() == pytest.approx(third)


def test_operators_refuse_what_is_not_a_number(torch: Any) -> None:
    x = torch.ones(2)
    assert x is not None
    assert x != "a"
    for program, symbol in {"x - 'a'": "-", "x ** 'a'": r"\*\* or pow\(\)", "x % 'a'": "%"}.items():
        with pytest.raises(TypeError, match=rf"operand type\(s\) for {symbol}: 'Tensor' and 'str'"):
            eval(program)
    said = "'<' not supported between instances of 'Tensor' and 'str'"
    with pytest.raises(TypeError, match=said):
        assert x < "a"
    with pytest.raises(TypeError, match="for \\+=: 'Tensor' and 'list'"):
        x += [1]
    assert x.tolist() == [1, 1]


@pytest.mark.parametrize("program", ["i // 0", "i % 0", "i // torch.tensor([1, 0])"])
def test_integers_are_not_divided_by_zero(torch: Any, program: str) -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        eval(program, {"torch": torch, "i": torch.tensor([1, 2])})


def test_integers_refuse_negative_powers(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="Integers to negative integer powers are not allowed"):
        torch.tensor([1, 2]) ** -1


def test_in_place_forms_return_the_tensor_and_count(torch: Any) -> None:
    x = torch.tensor([4.0, 9.0])
    for method in ("sqrt_", "neg_", "abs_", "exp_", "log_", "round_", "square_"):
        assert getattr(x, method)() is x
    assert x.tolist() == [4, 9]
    assert x._version == 7
    y = x
    y -= 1
    y *= 2
    y /= 4
    y **= 2
    y %= 5
    y //= 2
    assert y is x
    assert x.tolist() == [1, 0]


def test_operands_of_different_shapes(torch: Any) -> None:
    with pytest.raises(RuntimeError, match=r"tensor a \(3\) must match the size of tensor b \(2\)"):
        torch.ones(3) + torch.ones(4, 2)
    with pytest.raises(RuntimeError, match=r"tensor b \(2\) at non-singleton dimension 1"):
        torch.where(torch.ones(3) > 0, torch.ones(4, 3), torch.ones(2))
    with pytest.raises(RuntimeError, match="At least one of 'min' or 'max' must not be None"):
        torch.ones(3).clamp()


def test_equal_and_allclose(torch: Any) -> None:
    x = torch.tensor([1.0, float("nan")])
    assert torch.equal(torch.ones(2), torch.ones(2))
    assert not torch.equal(torch.ones(2), x)
    assert not torch.equal(torch.ones(2), torch.ones(3))
    assert torch.allclose(x, x + 1e-7, equal_nan=True)
    assert not torch.allclose(x, x)
