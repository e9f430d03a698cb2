"""Products of matrices do on minigrad what they do on PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.parity.compare import INPUTS, Constant, agree, agree_on

pytestmark = pytest.mark.parity

PROGRAMS = """
m@n
m@v
v@w
v@n
b@c
b@n
m@c
b@v
v@c
v.matmul(w)
torch.mm(m,n)
torch.mv(m,v)
torch.dot(v,w)
torch.bmm(b,c)
torch.addmm(m[:,:1],m,n)
torch.addmm(s,m,n,beta=2,alpha=3)
torch.outer(v,w)
torch.ger(v,w)
torch.inner(v,w)
torch.inner(m,v)
torch.einsum('ij,jk->ik',m,n)
torch.einsum('i,i->',v,w)
torch.einsum('i,j->ij',v,w)
torch.einsum('bij,bjk->bik',b,c)
torch.einsum('ij->ji',m)
torch.einsum('ij->',m)
torch.einsum('ii->i',q)
torch.einsum('ii',q)
torch.tensordot(m,n,1)
torch.tensordot(m,n,dims=([1],[0]))
torch.nn.functional.linear(m,n.t())
torch.nn.functional.linear(m,n.t(),s.expand(4))
torch.nn.functional.linear(b,n.t())
torch.nn.functional.linear(v,n.t())
m.detach()@n
m@n.detach()
b.reshape(1,5,2,3)@c
b.detach()@n
b.unsqueeze(0)@c
b.unsqueeze(0)@v
v@b.transpose(1,2)
q@q
m@m
m@v[:2]
v@m
v@w[:2]
m@s
s@v
b@b
b@m
m@b
b@c[:3]
b@v[:2]
v[:2]@c
torch.mm(m,m)
torch.mm(m,v)
torch.mm(v,m)
torch.mm(m,b)
torch.mv(m,v[:2])
torch.mv(v,m)
torch.dot(v,w[:2])
torch.dot(v,m)
torch.dot(m,m)
torch.bmm(b,b)
torch.bmm(b,c[:3])
torch.bmm(m,n)
torch.bmm(b,n)
torch.mm(m,n.double())
torch.mv(m,v.double())
torch.dot(v,w.double())
torch.bmm(b,c.double())
m@n.double()
m@n.long()
v@w.double()
m@v.double()
b@c.double()
b@n.double()
torch.addmm(v,m,n)
torch.addmm(m,m,n)
torch.addmm(v[0],m,m)
torch.addmm(v[0].double(),m,n)
torch.addmm(s,m,v)
torch.addmm(s,m,n.double())
torch.outer(v,m)
torch.outer(m,v)
torch.outer(s,v)
torch.einsum('ij,jk',m,m)
torch.einsum('ij',m,n)
torch.einsum('ij,jk',m)
torch.einsum('i',m)
torch.einsum('ijk',m)
torch.einsum('ij->k',m)
torch.einsum('ij->ii',m)
torch.einsum('i1',m)
torch.einsum('...j->...',b)
torch.einsum('bij,jk->bik',b,n)
torch.einsum('i,i,i->',v,w,v)
torch.einsum('ij,j->i',m,v)
torch.einsum('ij,ij->',m,m)
torch.einsum('...ij,...jk',b,c)
torch.einsum('ij,kj->ik',m,m)
torch.einsum('i j -> j i',m)
torch.einsum('ij,ij->ij',m,m)
torch.einsum('ij,ij->i',m,m)
torch.tensordot(m,m,1)
torch.tensordot(m,n,2)
torch.tensordot(m,m,0)
torch.tensordot(v,w,1)
v.trace()
b.trace()
m.detach().bool()@n.detach().bool()
m.detach().long()@n.detach().long()
m.half()@n.half()
m@[1]
m@2
m.matmul(2)
torch.matmul(m,other=n)
m.mm(mat2=n)
m.detach().bool().mv(v.detach().bool())
torch.ones(0,3)@torch.ones(3,4)
torch.ones(2,0)@torch.ones(0,4)
torch.ones(0)@torch.ones(0)
m.inner(q)
torch.inner(m,n)
torch.inner(s,v)
m.t()@m
m.t().mm(m)
torch.mm(m,n.t().contiguous().t())
m@n.t().contiguous().t()
"""


@pytest.mark.parametrize("expression", PROGRAMS.strip().split("\n"))
def test_is_as_in_pytorch(expression: str) -> None:
    agree_on(expression, INPUTS)


@settings(max_examples=200)
@given(
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3),
    st.booleans(),
    st.sampled_from(["both", "left", "right"]),
)
def test_matmul_of_any_ranks_is_as_in_pytorch(
    left: tuple[int, ...], right: tuple[int, ...], fit: bool, needed: str
) -> None:
    if fit and left and right:
        inner = -2 if len(right) > 1 else -1
        right = (*right[:inner], left[-1], *right[len(right) + inner + 1 :])
        if len(left) > 2 and len(right) > 2:
            right = (*left[-min(len(right), len(left)) : -2], *right[-2:])
    arrays = [
        np.random.default_rng(place).random(shape) for place, shape in enumerate((left, right))
    ]
    inputs: list[Any] = list(arrays)
    if needed != "both":
        inputs[needed == "left"] = Constant(arrays[needed == "left"])
    # The layout of gradients follows strides, which differ where a length is 0 or 1: none counts.
    agree(lambda torch, a, b: a @ b, *inputs, second_graph=min(left + right, default=2) > 1)


@settings(max_examples=100)
@given(st.permutations("abc"), st.permutations("bcd"), st.sets(st.sampled_from("abcd")))
def test_any_einsum_is_as_in_pytorch(one: list[str], two: list[str], kept: set[str]) -> None:
    lengths = dict(zip("abcd", (2, 3, 1, 2), strict=True))
    arrays = [
        np.random.default_rng(len(term)).random([lengths[letter] for letter in term])
        for term in (one, two)
    ]
    equation = f"{''.join(one)},{''.join(two)}->{''.join(sorted(kept))}"
    agree(lambda torch, a, b: torch.einsum(equation, a, b), *arrays)


@pytest.mark.parametrize("dtype", ["float16", "float64", "int64", "int32", "uint8", "bool"])
@pytest.mark.parametrize("shapes", [((2, 3), (3, 2)), ((3,), (3,)), ((2, 3), (3,))])
def test_dtypes_are_as_in_pytorch(dtype: str, shapes: Any) -> None:
    arrays = [np.arange(np.prod(shape)).reshape(shape).astype(dtype) for shape in shapes]
    agree(lambda torch, a, b: a @ b, *arrays)
