"""Products of vectors, matrices and batches, and einsum."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.test_shapes import outline

PRODUCTS = {
    ((3,), (3,)): "Dot0(A, A)",
    ((2, 3), (3,)): "Mv0(A, A)",
    ((2, 3), (3, 2)): "Mm0(A, A)",
    ((3,), (3, 2)): "Squeeze4(Mm0(Unsqueeze0(A), A))",
    ((4, 2, 3), (3, 2)): "UnsafeView0(Mm0(View0(A), A))",
    ((4, 2, 3), (3,)): "UnsafeView0(Mv0(View0(A), A))",
    ((4, 2, 3), (4, 3, 2)): "UnsafeView0(Bmm0(View0(Expand0(A)), View0(Expand0(A))))",
    ((3,), (4, 3, 2)): "UnsafeView0(Mv0(UnsafeView0(Clone0(Transpose0(A))), A))",
    ((5, 1, 2, 3), (4, 3, 2)): "UnsafeView0(Bmm0(UnsafeView0(Clone0(Expand0(A))), UnsafeView0(Clo",
}


@pytest.mark.parametrize(("shapes", "nodes"), PRODUCTS.items())
def test_products(torch: Any, shapes: Any, nodes: str) -> None:
    a, b = [torch.rand(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    result = a @ b
    assert outline(result.grad_fn).replace("AccumulateGrad", "A").startswith(nodes)
    assert result.shape == np.matmul(*map(np.zeros, shapes)).shape
    np.testing.assert_allclose(result.tolist(), np.matmul(a.tolist(), b.tolist()).tolist())


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("m @ m", "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
        ("m.mm(m)", "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
        ("m[None] @ m", "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
        ("m @ torch.ones(2)", "size mismatch, got input (2), mat (2x3), vec (2)"),
        ("m[0] @ torch.ones(2)", "inconsistent tensor size, expected tensor [3] and src [2] to "),
        ("m @ m.t().double()", "expected m1 and m2 to have the same dtype, but got: float != dou"),
        ("m @ torch.tensor(2.0)", "both arguments to matmul need to be at least 1D, but they ar"),
        ("torch.ones(2, 2, 3) @ torch.ones(3, 3, 2)", "The size of tensor a (2) must match"),
        ("torch.nn.Linear(3, 2)(m.double())", "mat1 and mat2 must have the same dtype, but got Do"),
    ],
)
def test_factors_that_do_not_fit(torch: Any, program: str, text: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        eval(program, {"torch": torch, "m": torch.ones(2, 3)})
    assert str(caught.value).startswith(text)
    with pytest.raises(TypeError, match="operand type\\(s\\) for @: 'Tensor' and 'int'"):
        torch.ones(2) @ 2


def test_products_of_nothing_are_zeros(torch: Any) -> None:
    assert (torch.ones(2, 0) @ torch.ones(0, 3)).tolist() == [[0.0] * 3] * 2


def test_names(torch: Any) -> None:
    m, n, v = torch.rand(2, 3), torch.rand(3, 2), torch.rand(3)
    assert torch.equal(torch.mm(m, n), m.matmul(n))
    assert torch.equal(m.mv(v), m @ v)
    assert torch.equal(v.dot(v), v @ v)
    assert torch.allclose(m[None].bmm(n[None]), (m @ n)[None])


def test_the_gradient_of_a_layer_is_laid_out_like_its_weight(torch: Any) -> None:
    layer = torch.nn.Linear(3, 2)
    layer(torch.ones(4, 3)).sum().backward()
    assert layer.weight.grad.is_contiguous()
    assert layer.weight.grad.tolist() == [[4.0] * 3] * 2


LETTERS = dict(zip("abcd", (2, 3, 1, 4), strict=True))


@given(st.lists(st.text("abcd", min_size=1, max_size=3), min_size=1, max_size=3), st.data())
def test_einsum_is_numpys(terms: list[str], data: st.DataObject) -> None:
    terms = ["".join(sorted(set(term))) for term in terms]
    letters = sorted(set("".join(terms)))
    kept = "".join(data.draw(st.lists(st.sampled_from(letters), unique=True)))
    equation = f"{', '.join(terms)} -> {kept}" if data.draw(st.booleans()) else ",".join(terms)
    arrays = [np.random.default_rng(0).normal(size=[LETTERS[x] for x in term]) for term in terms]
    tensors = [minigrad.from_numpy(array).requires_grad_() for array in arrays]
    result = minigrad.einsum(equation, *tensors)
    np.testing.assert_allclose(result.detach().numpy(), np.einsum(equation, *arrays))
    assert minigrad.autograd.gradcheck(lambda *x: minigrad.einsum(equation, list(x)), tensors)
