"""Reductions, softmax and orders do on minigrad what they do on PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.parity.compare import INPUTS, agree, agree_on

pytestmark = pytest.mark.parity

PROGRAMS = """
m.sum()
m.sum(0)
m.sum((0,1))
m.sum(())
m.sum([0])
m.sum(1,keepdim=True)
m.sum(dtype=torch.float64)
m.sum(0,dtype=torch.float64)
m.mean()
m.mean(0)
m.mean((0,1),keepdim=True)
m.mean(dtype=torch.float64)
m.prod()
m.prod(1)
m.sum(1,keepdims=True)
m.mean(axis=1,keepdims=True)
m.max(axis=1,keepdims=True)
torch.argmax(m,axis=1)
torch.softmax(m,axis=1)
m.cumsum()
m.std(axis=0,keepdims=True)
m.prod(axis=0)
m.amax(axis=-1)
m.sort(axis=0,descending=True)
torch.cat([m,m],axis=1)
torch.stack([m,m],axis=1)
m.unsqueeze(axis=0)
m.squeeze(axis=0)
m.any(axis=0)
s.sum()
s.sum(0)
s.mean()
m.max()
m.max(0)
m.min()
m.min(1,keepdim=True)
m.max(q)
torch.max(v,w)
m.amax()
m.amax(0)
m.amin((0,1))
m.argmax()
m.argmax(1)
m.any()
m.all(0)
m.var()
m.var(0)
m.var(unbiased=False)
m.var(0,correction=0)
m.std()
m.std(1,keepdim=True)
s.std()
m.norm()
m.norm(1)
m.norm(3)
m.norm(inf)
m.norm(0)
m.norm(2,1)
m.norm('fro')
m.norm('fro',dim=0)
m.norm(p=3,dim=1,keepdim=True)
m.norm(-inf)
torch.norm(m)
m.softmax(1)
m.log_softmax(1)
m.logsumexp(1)
m.logsumexp((0,1))
torch.nn.functional.softmax(m,1)
torch.nn.functional.softmax(m,1,dtype=torch.float64)
torch.softmax(m.long(),0)
m.cumsum(0)
m.cumprod(0)
m.sort(1)
m.argsort(1)
m.topk(2)
m.median()
m.median(1)
m.mode(1)
m.kthvalue(2,1)
m.count_nonzero()
m.nansum()
m.nansum(0)
m.nonzero()
m.prod(1,keepdim=True)
m.sum(0).sum()
torch.nn.functional.normalize(m)
m.sum(2)
m.sum((0,0))
m.sum(None)
m.sum(None,True)
m.sum(dim=None,keepdim=True)
m.detach().long().sum()
(m>0).sum()
(m>0).sum(0)
m.long().mean()
(m>0).mean(0)
m.long().mean(dtype=torch.float32)
m.mean(dtype=torch.int64)
m.mean(5)
m.mean(None)
m.mean(None,True)
m.mean(())
m.prod(2)
m.detach().long().prod()
torch.ones(0).max()
torch.ones(0).argmax()
torch.ones(0).max(0)
torch.ones(0,3).max(0)
torch.ones(0).amax()
torch.ones(0).amax(0)
torch.ones(0).sum()
torch.ones(0).mean()
torch.ones(0).prod()
torch.ones(0).var()
torch.ones(1).var()
torch.ones(0).norm()
torch.ones(0).norm(inf)
torch.ones(0).median()
torch.ones(0,3).median(0)
torch.ones(0).any()
torch.ones(0).all()
torch.ones(0).logsumexp(0)
torch.ones(0).softmax(0)
torch.ones(0).sort()
torch.ones(0).cumsum(0)
m.max(3)
m.max(0,True)
m.max(dim=0,keepdim=True).values
m.max(0).indices
(m>0).max()
(m>0).max(0)
(m>0).amax()
(m>0).argmax()
m.long().max()
m.amax((0,0))
m.amax(4)
m.argmax(5)
m.argmax(0,True)
m.argmax(None,True)
m.any(0,True)
m.any((0,1))
m.long().any()
m.byte().any()
m.all(4)
m.var(5)
m.var((0,1))
m.var(0,True)
m.var(0,False,True)
m.var(True)
m.var(correction=2)
m.long().var()
m.long().std()
m.var(None)
m.var(dim=None,correction=1)
m.var(correction=10)
m.norm(2,5)
m.norm('abc')
m.long().norm()
m.norm(2,(0,1))
m.norm(dtype=torch.float64)
m.norm(2,1,dtype=torch.float64)
m.norm(0.5)
m.norm(-1)
m.norm(dim=1)
m.norm(2,None,True)
m.softmax(2)
m.softmax(-1)
s.softmax(0)
m.log_softmax(5)
m.long().log_softmax(0)
m.softmax(0,torch.float64)
m.long().logsumexp(0)
m.logsumexp(5)
m.logsumexp(0,True)
m.cumsum(5)
m.detach().long().cumsum(0)
(m>0).cumsum(0)
s.cumsum(0)
m.cumprod(5)
(m>0).cumprod(0)
m.sort(5)
m.sort(descending=True)
m.sort(0,True)
m.sort(stable=True)
m.sort(dim=0,stable=True,descending=True)
s.sort()
m.argsort(descending=True)
m.topk(5)
m.topk(-1)
m.topk(2,0)
m.topk(2,largest=False)
m.topk(2,1,True,False)
m.topk(1,5)
s.topk(1)
m.median(5)
m.median(0,True)
m.mode()
m.mode(0)
m.mode(5)
m.kthvalue(0)
m.kthvalue(9)
m.kthvalue(1,0,True)
m.count_nonzero(0)
m.count_nonzero((0,1))
m.long().nansum()
m.detach().unique(return_inverse=True)
m.detach().unique(return_counts=True)
m.detach().unique(return_inverse=True,return_counts=True)
m.detach().unique(dim=0)
m.detach().unique(False)
m.nonzero(as_tuple=True)
s.nonzero()
s.nonzero(as_tuple=True)
s.max(0)
s.argmax(0)
torch.sum(m,0)
torch.sum(m,dim=1,keepdim=True)
torch.mean(m,[0,1])
torch.max(m)
torch.max(m,0)
torch.max(m,other=m)
torch.max(m,m.double())
torch.argmax(m)
torch.any(m)
torch.var(m,0,False)
torch.norm(m,2,1)
torch.norm(m,dim=0,p=1)
torch.softmax(m,1)
torch.cumsum(m,0)
torch.std(m)
torch.half(m) if 0 else m.half().sum()
m.half().mean()
m.half().std()
m.half().norm()
m.half().softmax(0)
m.int().sum()
m.int().prod(0)
m.long().sum(dtype=torch.float32)
m.sum(dtype=torch.int64)
m.detach().sum(dtype=torch.int64)
m.sum(dtype=torch.bool)
torch.amax(m,1,True)
m.sum((0,0.5))
m.sum([0,'a'])
"""


@pytest.mark.parametrize("expression", PROGRAMS.strip().split("\n"))
def test_is_as_in_pytorch(expression: str) -> None:
    agree_on(expression, INPUTS)


DTYPES = ["float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"]
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
ONE_DIM = ["prod", "max", "min", "median", "argmax", "argmin", "any", "all", "mode"]
ANY_DIMS = ["sum", "mean", "amax", "amin", "var", "std", "norm", "logsumexp", "nansum"]
KEEPS_SHAPE = ["softmax", "log_softmax", "cumsum", "cumprod", "sort", "argsort"]


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    """Small arrays of different numbers, so that no extreme is a tie."""
    dtype = np.dtype(draw(st.sampled_from(["float32", "float64", "int64", "bool"])))
    shape = draw(SHAPES)
    size = int(np.prod(shape))
    drawn = np.random.default_rng(draw(st.integers(0, 99))).permutation(size) - size // 2
    if dtype.kind == "f":
        drawn = (drawn + 0.25) / 4
    return np.asarray(drawn).astype(dtype).reshape(shape)


@settings(max_examples=300)
@given(arrays(), st.sampled_from(ONE_DIM + ANY_DIMS), st.data())
def test_any_reduction_is_as_in_pytorch(
    array: np.ndarray[Any, Any], name: str, data: st.DataObject
) -> None:
    dim = data.draw(st.integers(-3, 3))
    if name in ANY_DIMS and data.draw(st.booleans()):
        dims = st.lists(st.integers(-3, 2), min_size=1, max_size=2)
        if name != "norm":  # of more dimensions, "fro" is a norm of matrices in PyTorch
            dims |= st.permutations(range(array.ndim)) if array.ndim else st.just([0])
        dim = tuple(data.draw(dims))
    keepdim = data.draw(st.booleans())
    if name == "mode" and array.dtype.kind == "b":
        return  # which of several places is unspecified
    agree(
        lambda torch, x: getattr(x, name)(dim=dim, keepdim=keepdim),
        array,
        second_graph=array.ndim > 0,
    )


@settings(max_examples=100)
@given(arrays(), st.sampled_from(ONE_DIM + ANY_DIMS[:-2]))
def test_any_reduction_of_all_elements_is_as_in_pytorch(
    array: np.ndarray[Any, Any], name: str
) -> None:
    if name != "mode":
        agree(lambda torch, x: getattr(x, name)(), array, second_graph=array.ndim > 0)


@settings(max_examples=150)
@given(arrays(), st.sampled_from(KEEPS_SHAPE), st.integers(-3, 3))
def test_what_keeps_its_shape_is_as_in_pytorch(
    array: np.ndarray[Any, Any], name: str, dim: int
) -> None:
    stable = {"stable": True} if name in ("sort", "argsort") else {}
    agree(lambda torch, x: getattr(x, name)(dim=dim, **stable), array)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["sum", "mean", "prod", "max", "amax", "any", "all", "argmax"])
def test_dtypes_are_as_in_pytorch(name: str, dtype: str) -> None:
    array = np.array([[1, 0, 2], [3, 4, 1]]).astype(dtype)
    agree(lambda torch, x: getattr(x, name)(), array)
    agree(lambda torch, x: getattr(x, name)(1), array)


@pytest.mark.parametrize("name", ["max", "min", "amax", "amin", "median"])
def test_ties_share_the_gradient_as_in_pytorch(name: str) -> None:
    array = np.array([[2.0, 1.0, 2.0], [1.0, 1.0, 2.0]])
    agree(lambda torch, x: getattr(x, name)(), array)
    if name.startswith("a"):
        agree(lambda torch, x: getattr(x, name)(0), array)


@pytest.mark.parametrize("zeros", [0, 1, 2])
def test_products_of_zeros_are_as_in_pytorch(zeros: int) -> None:
    array = np.array([[1.5, 2.0, 3.0], [4.0, 0.5, -1.0]])
    array[0, :zeros] = 0
    agree(lambda torch, x: x.prod(), array, second_graph=False)
    agree(lambda torch, x: x.prod(1), array, second_graph=False)
    agree(lambda torch, x: x.cumprod(1), array, second_graph=False)


@pytest.mark.parametrize("p", [0, 0.5, 1, 1.5, 2, 2.5, 3, np.inf, -np.inf, -1])
@pytest.mark.parametrize("dim", [None, 0, (0, 1)])
def test_norms_of_zeros_are_as_in_pytorch(p: float, dim: Any) -> None:
    array = np.array([[0.0, 3.0], [0.0, -4.0]])
    agree(lambda torch, x: x.norm(p, dim), array)


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["sum", "mean", "max", "amax", "median", "norm", "std", "nansum"])
def test_special_numbers_are_as_in_pytorch(name: str, special: float) -> None:
    array = np.array([1.0, special, 3.0])
    agree(lambda torch, x: getattr(x, name)(), array)
    agree(lambda torch, x: getattr(x, name)(dim=0), array)
    agree(lambda torch, x: (x.softmax(0), x.logsumexp(0), x.sort()), array)
