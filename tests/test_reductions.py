"""Sums, products, spread, norms, extremes and running sums."""

import math
from typing import Any

import pytest

from tests.test_shapes import outline


@pytest.mark.parametrize(
    ("program", "shape", "nodes"),
    [
        ("x.sum()", (), "Sum0(AccumulateGrad)"),
        ("x.sum(0)", (3,), "Sum1(AccumulateGrad)"),
        ("x.sum((0, -1))", (), "Sum1(AccumulateGrad)"),
        ("x.sum([1], True)", (2, 1), "Sum1(AccumulateGrad)"),
        ("x.sum(dim=None, keepdim=True)", (1, 1), "Sum1(AccumulateGrad)"),
        ("x.sum(())", (), "Sum1(AccumulateGrad)"),
        ("x.sum(axis=1, keepdims=True)", (2, 1), "Sum1(AccumulateGrad)"),
        ("x.mean()", (), "Mean0(AccumulateGrad)"),
        ("torch.mean(x, -1)", (2,), "Mean1(AccumulateGrad)"),
        ("x.prod()", (), "Prod0(AccumulateGrad)"),
        ("x.prod(1)", (2,), "Prod1(AccumulateGrad)"),
        ("x.var()", (), "Var0(AccumulateGrad)"),
        ("x.std(0, keepdim=True)", (1, 3), "Std0(AccumulateGrad)"),
        ("torch.var_mean(x, 1)[1]", (2,), "VarMean0(AccumulateGrad)"),
        ("x.norm()", (), "LinalgVectorNorm0(AccumulateGrad)"),
        ("x.norm(1, dim=0)", (3,), "LinalgVectorNorm0(AccumulateGrad)"),
        ("x.max()", (), "Max1(AccumulateGrad)"),
        ("x.min(1)[0]", (2,), "Min0(AccumulateGrad)"),
        ("torch.max(x, x)", (2, 3), "Maximum0(AccumulateGrad, AccumulateGrad)"),
        ("x.cumsum(1)", (2, 3), "Cumsum0(AccumulateGrad)"),
    ],
)
def test_shape_and_node(torch: Any, program: str, shape: tuple[int, ...], nodes: str) -> None:
    x = torch.rand(2, 3, requires_grad=True)
    result = eval(program, {"torch": torch, "x": x})
    assert (result.shape, outline(result.grad_fn)) == (shape, nodes)


@pytest.mark.parametrize(
    ("program", "slopes"),
    [
        ("x.max()", [0.0, 0.5, 0.5, 0.0]),  # equal elements share it
        ("x.max(0)[0]", [0.0, 1.0, 0.0, 0.0]),  # the first one gets it
        ("x.min()", [1.0, 0.0, 0.0, 0.0]),
        ("x.prod()", [0.0, 0.0, 0.0, -4.0]),  # one zero
        ("(x - 2).prod()", [0.0, 0.0, 0.0, 0.0]),  # two
        ("(0 * x).norm()", [0.0, 0.0, 0.0, 0.0]),
        ("x.norm(float('inf'))", [0.0, 0.5, 0.5, 0.0]),
        ("(0 * x).std()", [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_slopes_of_equal_and_zero_elements(torch: Any, program: str, slopes: list[float]) -> None:
    x = torch.tensor([-1.0, 2.0, 2.0, 0.0], requires_grad=True)
    eval(program).sum().backward()
    assert x.grad.tolist() == pytest.approx(slopes)


def test_products_with_zeros_have_second_derivatives(torch: Any) -> None:
    for values in ([[0.0, 2.0, 3.0]], [[0.0, 0.0, 3.0]], [[1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]):
        x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.gradcheck(lambda x: x.prod(-1), (x,))
        assert torch.autograd.gradgradcheck(lambda x: x.prod(1, keepdim=True), (x,))
        assert torch.autograd.gradgradcheck(lambda x: x.prod(), (x,))


def test_integers(torch: Any) -> None:
    for dtype in (torch.int32, torch.uint8, torch.bool):
        x = torch.tensor([1, 0, 1], dtype=dtype)
        for result in (x.sum(), x.sum(0), x.prod(), x.prod(0), x.cumsum(0)):
            assert result.dtype is torch.int64
        assert x.sum(dtype=torch.float32).dtype is torch.float32
    x = torch.tensor([1, 2])
    assert x.max().dtype is torch.int64
    with pytest.raises(RuntimeError, match="could not infer output dtype. Input dtype must be eit"):
        x.mean()
    with pytest.raises(RuntimeError, match="std and var only support floating point"):
        x.std()


def test_extremes_along_a_dimension_have_names(torch: Any) -> None:
    x = torch.tensor([[1.0, 5.0, 5.0], [4.0, 2.0, 0.0]])
    result = x.max(1)
    values, indices = result
    assert values is result.values
    assert indices.tolist() == result.indices.tolist() == [1, 0]
    assert repr(x.min(dim=0, keepdim=True)) == (
        "torch.return_types.min(\nvalues=tensor([[1., 2., 0.]]),\nindices=tensor([[0, 1, 1]]))"
    )
    assert x.argmax().item() == 1
    assert x.argmin(1).tolist() == [0, 2]
    assert x.argmax(-1, keepdim=True).tolist() == [[1], [0]]


def test_not_a_number_wins(torch: Any) -> None:
    x = torch.tensor([1.0, float("nan"), 3.0], requires_grad=True)
    x.max().backward()
    assert x.grad.tolist() == [0, 1, 0]
    assert math.isnan(x.max().item())
    assert x.max(0).indices.item() == x.argmax().item() == 1
    assert math.isnan(x.sum().item())
    assert math.isnan(x.std().item())


def test_tensors_without_dimensions(torch: Any) -> None:
    x = torch.tensor(-3.0, requires_grad=True)
    programs = (x.sum(0), x.mean(-1), x.prod(0), x.norm(), x.max(0).values, x.min())
    for result in (*programs, x.cumsum(0), x.var(correction=0) + x, x.sum(-1, keepdim=True)):
        (slope,) = torch.autograd.grad(result, x)
        assert result.shape == ()
        assert abs(slope.item()) == 1
    assert x.max(0).indices.item() == 0
    assert x.argmax(0).item() == 0


def test_tensors_without_elements(torch: Any) -> None:
    x = torch.ones(0, 3)
    assert x.sum().item() == 0
    assert x.prod().item() == 1
    assert x.norm().item() == 0
    assert math.isnan(x.mean().item())
    assert x.sum(0).tolist() == [0, 0, 0]
    assert x.mean(1).shape == (0,)
    assert x.cumsum(0).shape == (0, 3)
    assert x.max(1).values.shape == (0,)
    assert bool(x.all())
    assert not bool(x.any())


def test_spread(torch: Any) -> None:
    x = torch.tensor([[1.0, 2.0, 4.0], [0.0, 0.0, 3.0]])
    for unbiased, correction in ((True, 1), (False, 0)):
        expected = ((x - x.mean(1, True)) ** 2).sum(1) / (3 - correction)
        for result in (
            x.var(1, unbiased),
            x.var(1, correction=correction),
            x.std(1, unbiased=unbiased) ** 2,
        ):
            assert torch.allclose(result, expected)
    assert torch.allclose(x.var(False), x.var(correction=0))
    assert x.std((0, 1)).shape == ()


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf, -math.inf, "fro"])
def test_norms(torch: Any, p: Any) -> None:
    x = torch.tensor([[3.0, -4.0], [1.0, 2.0]], dtype=torch.float64, requires_grad=True)
    absolute = [3, 4, 1, 2]
    power = 2 if p == "fro" else p
    limits = {math.inf: 4, -math.inf: 1}
    expected = limits.get(power) or sum(a**power for a in absolute) ** (1 / power)
    assert x.norm(p).item() == pytest.approx(expected)


@pytest.mark.parametrize(
    "program",
    """x.sum(2); x.mean(-3); x.prod(2); x.std(2); x.norm(dim=2); x.max(2); x.argmin(2)
    x.cumsum(2); x.all(2); x.softmax(2)""".replace("\n", ";").split(";"),
)
def test_dimensions_that_do_not_exist(torch: Any, program: str) -> None:
    dim = program.split("(")[1].strip(")dim=")
    with pytest.raises(
        IndexError, match=rf"\(expected to be in range of \[-2, 1\], but got {dim}\)"
    ):
        eval(program.strip(), {"torch": torch, "x": torch.ones(2, 3)})
