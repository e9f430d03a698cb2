"""What products of matrices compute, with which gradients, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minigrad as torch
from tests.ops.nudge import check_gradients


def some(*shape: int) -> Any:
    """Return numbers that are all different."""
    return np.sin(np.arange(np.prod(shape, dtype=int)) + len(shape)).reshape(shape)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((3,), (3, 2)),
        ((2, 3), (3, 4)),
        ((5, 2, 3), (5, 3, 4)),
        ((5, 2, 3), (3, 4)),
        ((2, 3), (5, 3, 4)),
        ((5, 2, 3), (3,)),
        ((3,), (5, 3, 4)),
        ((2, 1, 2, 3), (5, 3, 1)),
        ((1, 2, 3), (4, 3, 2)),
    ],
)
def test_matmul_of_all_ranks(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    a, b = some(*left), some(*right)
    product = torch.matmul(torch.tensor(a), torch.tensor(b))
    np.testing.assert_allclose(product.numpy(), np.matmul(a, b))
    check_gradients(lambda x, y: (x @ y) ** 2, a, b)


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (lambda a, b: torch.mm(a, b), [(2, 3), (3, 2)]),
        (lambda a, b: torch.mm(a.t(), b), [(3, 2), (3, 2)]),
        (lambda a, b: torch.bmm(a, b), [(2, 2, 3), (2, 3, 2)]),
        (lambda a, b: torch.outer(a, b), [(2,), (3,)]),
        (lambda a, b, c: torch.addmm(a, b, c, beta=2, alpha=3), [(2,), (3, 4), (4, 2)]),
        (lambda a, b: torch.tensordot(a, b, 2), [(2, 3, 4), (3, 4, 2)]),
        (lambda a, b: torch.inner(a, b), [(2, 3), (4, 3)]),
        (lambda a: torch.trace(a), [(2, 3)]),
    ],
)
def test_gradients_are_those_of_nudging(function: Any, shapes: list[tuple[int, ...]]) -> None:
    check_gradients(lambda *x: function(*x) ** 2, *[some(*shape) for shape in shapes])


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("bij,bkj->bik", [(2, 3, 4), (2, 2, 4)]),
        ("i,j->ij", [(2,), (3,)]),
        ("ii->i", [(3, 3)]),
        ("ii", [(3, 3)]),
        ("ij->", [(2, 3)]),
        ("...ij,...jk->...ik", [(2, 2, 3), (3, 2)]),
        ("ij,jk,kl->il", [(2, 3), (3, 2), (2, 2)]),
        ("ijk,jil->kl", [(2, 3, 2), (3, 2, 2)]),
    ],
)
def test_einsum_computes_what_the_equation_says(
    equation: str, shapes: list[tuple[int, ...]]
) -> None:
    arrays = [some(*shape) for shape in shapes]
    result = torch.einsum(equation, *map(torch.tensor, arrays))
    np.testing.assert_allclose(result.numpy(), np.einsum(equation, *arrays), atol=1e-12)
    check_gradients(lambda *x: torch.einsum(equation, *x) ** 2, *arrays)


def test_products_keep_their_dtype() -> None:
    for dtype in (torch.float16, torch.float32, torch.float64, torch.int64):
        x = torch.ones(2, 2).to(dtype)
        assert (x @ x).dtype is dtype
        assert (x[0] @ x[0]).dtype is dtype
    assert (torch.ones(1, 5000).half() @ torch.ones(5000, 1).half()).item() == 5000


def test_the_nodes_are_those_of_the_parts() -> None:
    m, v = torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True)
    assert (m @ m.T).grad_fn.name() == "MmBackward0"
    assert (m @ v).grad_fn.name() == "MvBackward0"
    assert (v @ v).grad_fn.name() == "DotBackward0"
    product = v @ m.T
    assert product.grad_fn.name() == "SqueezeBackward4"
    assert product.grad_fn.next_functions[0][0].name() == "MmBackward0"


@pytest.mark.parametrize(
    ("left", "right", "text"),
    [
        ((2, 3), (4, 5), "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"),
        ((2, 3), (4,), "size mismatch, got input (2), mat (2x3), vec (4)"),
        ((3,), (4,), "inconsistent tensor size, expected tensor [3] and src [4]"),
        ((), (4,), "both arguments to matmul need to be at least 1D, but they are 0D and 1D"),
        ((2, 2, 3), (2, 4, 2), "Expected size for first two dimensions of batch2 tensor to be"),
    ],
)
def test_what_does_not_fit_is_refused(
    left: tuple[int, ...], right: tuple[int, ...], text: str
) -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.ones(left) @ torch.ones(right)
    assert text in str(caught.value)


def test_different_dtypes_are_refused() -> None:
    m, v = torch.ones(2, 2), torch.ones(2)
    with pytest.raises(RuntimeError, match="expected m1 and m2 to have the same dtype"):
        m @ m.double()
    with pytest.raises(RuntimeError, match="both vectors to have same dtype"):
        v @ v.double()


def test_determinants_of_singular_matrices_are_differentiated() -> None:
    m = torch.tensor([[1.0, 2.0], [2.0, 4.0]], requires_grad=True)
    (slope,) = torch.autograd.grad(torch.det(m), m, create_graph=True)
    assert slope.tolist() == [[pytest.approx(4), pytest.approx(-2)], [pytest.approx(-2), 1.0]]
    # PyTorch gives zero where the pass is not recorded.
    assert not torch.autograd.grad(torch.det(m), m)[0].any()


def test_nodes_show_what_a_matrix_is_taken_apart_into() -> None:
    m = torch.tensor([[1.0, 3.0], [2.0, 4.0]], requires_grad=True)
    node = torch.linalg.det(m).grad_fn
    # Of the transposed matrix: [[1, 2], [3, 4]], whose second row comes first.
    assert node._saved_LU.tolist() == [[3, 4], [pytest.approx(1 / 3), pytest.approx(2 / 3)]]
    assert node._saved_pivots.tolist() == [2, 2]
