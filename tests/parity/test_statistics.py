"""Quantiles, covariances, running extremes, counts and grids are on minigrad as on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.expressions import agree_on, lines
from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

PROGRAMS = lines(
    """
torch.aminmax(M)
torch.aminmax(M,dim=1)
M.aminmax(dim=-1,keepdim=True)
torch.aminmax(x*0)
torch.aminmax(i)
torch.aminmax(torch.ones(0))
torch.aminmax(torch.ones(0,2),dim=0)
M.aminmax(dim=2)
torch.cummax(x,0)
torch.cummin(M,1)
X.cummax(-1)
torch.cummax(x*0,0)
e.cummax(0)
M.cummax(2)
s.cummax(0)
torch.logcumsumexp(x,0)
X.logcumsumexp(-1)
M.logcumsumexp(2)
i.logcumsumexp(0)
s.logcumsumexp(0)
torch.var_mean(M)
torch.var_mean(M,1)
torch.std_mean(M,0,keepdim=True)
torch.std_mean(X,(0,1),correction=0)
torch.std_mean(M,unbiased=False)
torch.var_mean(i)
torch.var_mean(s)
torch.var_mean(M)[0]
torch.std_mean(M,1)[1]
X.quantile(0.3)
M.quantile(torch.tensor([0.3,0.5]),1)
M.quantile(0.5,dim=0,keepdim=True)
M.quantile(0.5,keepdim=True)
X.quantile(torch.tensor([0.3]))
X.quantile(torch.tensor(0.3),-1)
X.quantile(0.3,interpolation='nearest')
X.quantile(0.3,0,interpolation='lower')
X.quantile(0.3,0,interpolation='higher')
X.quantile(0.3,0,interpolation='midpoint')
X.quantile(0.3,0,interpolation='cubic')
M.quantile(1.3)
M.quantile(torch.tensor([1.3]))
i.quantile(0.3)
e.quantile(0.5)
torch.ones(0).quantile(0.5)
M.quantile(0.5,3)
e.nanmean()
M.nanmean(1)
M.nanmean(0,keepdim=True)
M.msort()
torch.dist(x,y)
torch.dist(x,y,1)
torch.dist(x,x)
torch.dist(x,y,inf)
M.diff()
M.diff(dim=0)
X.diff(2)
X.diff(9)
x.diff(prepend=y)
x.diff(append=y,n=2)
b.diff()
i.diff(dim=1)
s.diff()
x.diff(-1)
M.cov()
X.cov()
X.cov(correction=0)
x.cov()
i.cov()
X.corrcoef()
x.corrcoef()
torch.corrcoef(X[None])
torch.cov(X[None])
torch.bincount(t)
torch.bincount(t,minlength=6)
torch.bincount(t,weights=q)
t.bincount(weights=i)
torch.bincount(x)
torch.bincount(i)
torch.bincount(t.reshape(3,1))
torch.bincount(torch.tensor([],dtype=torch.long))
torch.bincount(t,weights=v)
torch.histc(x,4)
torch.histc(x,bins=4,min=0,max=1)
torch.histc(x*0,3)
torch.histc(i)
torch.histogram(x,4)
torch.histogram(X.double(),bins=3,density=True)
torch.histogram(x,3,range=(0.,2.),weight=y,density=True)
torch.histogram(torch.randn(40,generator=torch.Generator().manual_seed(0)),10,density=True)
torch.histogram(x,torch.tensor([0.,1,2,3]))
torch.histogram(x,torch.tensor([2.,1,0]))
torch.histogram(torch.tensor([0.,1,1,2,3]),torch.tensor([0.,1,3]))
torch.histogram(x)[0].shape
torch.histogram(x,3)[0].sum().backward()
torch.histogram(torch.ones(3),3)
torch.histogram(torch.empty(0),3)
torch.histogram(x,2,range=(10.,11.),density=True)
torch.histogram(i,3)
torch.histogram(x.half(),3)
torch.histogram(x,0)
torch.histogram(x,2.5)
torch.histogram(x,3,range=(3,1))
torch.histogram(x,3,range=(1.,))
torch.histogram(x,3,range=(float('inf'),1.))
torch.histogram(torch.tensor([float('nan'),1]),3)
torch.histogram(x,3,weight=torch.ones(2))
torch.histogram(x,3,weight=x.double())
torch.histogram(x.double(),torch.tensor([0.,1.]))
torch.histogram(x,torch.tensor([[0.,1]]))
torch.histogram(x,torch.tensor([1.]))
torch.histogram(x,torch.tensor([]))
torch.histogram(x,torch.tensor([0.,1.]),range=(0.,1.))
torch.searchsorted(v,x)
torch.searchsorted(v,v,right=True)
torch.searchsorted(v,v,side='right')
torch.searchsorted(v,0.5)
torch.searchsorted(torch.sort(X.detach())[0],X.detach())
torch.searchsorted(X.detach(),M.detach())
torch.bucketize(x,v)
torch.bucketize(1.0,v,right=True)
torch.isin(i,j)
torch.isin(i,2)
torch.isin(i,j,invert=True)
torch.unique_consecutive(torch.tensor([1,1,2,2,1]))
torch.unique_consecutive(torch.tensor([[1,1],[2,1]]),return_inverse=True,return_counts=True)
torch.tensor([1.]).unique_consecutive(return_counts=True)
torch.ones(0).unique_consecutive()
torch.unique_consecutive(torch.tensor([[1,1,2],[1,1,2],[3,1,1]]),dim=0)
torch.unique_consecutive(torch.tensor([[1,1,2],[1,1,2],[3,1,1]]),True,True,-1)
torch.tensor([[1,1,2],[1,1,2],[3,1,1]]).unique_consecutive(return_inverse=True,return_counts=True,dim=0)
torch.unique_consecutive(torch.tensor([1.,1.,2.],requires_grad=True),dim=0)
torch.unique_consecutive(torch.tensor([1.,1.,2.],requires_grad=True),dim=0).sum().backward()
torch.unique_consecutive(torch.tensor([[nan,nan]]),dim=1)
torch.unique_consecutive(torch.zeros(0,3),dim=0)
torch.unique_consecutive(torch.zeros(0,3),dim=1)
torch.unique(torch.zeros(0,3),dim=1)
torch.unique(torch.tensor([[nan,1.],[nan,1.]]),return_inverse=True,return_counts=True)
torch.unique(torch.zeros(2,0,3),dim=1)
torch.unique_consecutive(torch.tensor(3),dim=0)
torch.unique(torch.tensor(3),dim=0)
torch.unique_consecutive(x,dim=2)
torch.unique_consecutive(x,dim=True)
torch.unique(x,dim="a")
torch.cartesian_prod(x,y)
torch.cartesian_prod(x)
torch.cartesian_prod(x,y,i)
torch.combinations(x)
torch.combinations(x,3)
torch.combinations(x,2,True)
torch.combinations(M)
torch.combinations(x,0)
torch.vander(i)
torch.vander(x.detach(),2,increasing=True)
torch.vander(s)
torch.tril_indices(3,3)
torch.tril_indices(3,2,-1)
torch.triu_indices(2,3,1)
"""
)


@pytest.mark.parametrize("expression", PROGRAMS)
def test_is_as_in_pytorch(expression: str) -> None:
    agree_on(expression, second_graph=False)


def test_named_results_print_their_parts() -> None:
    import torch

    import minigrad

    for name in ("aminmax", "cummax"):
        texts = [
            repr(getattr(engine, name)(engine.tensor([2.0, 1.0]), dim=0))
            for engine in (minigrad, torch)
        ]
        assert texts[0] == texts[1]


def test_integrals_of_integers_and_what_has_none() -> None:
    agree_in_print(
        """
        for f in (torch.trapezoid, torch.cumulative_trapezoid):
            for dtype in (torch.int64, torch.uint8, torch.bool, torch.float16, torch.float64):
                y, x = torch.tensor([1, 0, 3]).to(dtype), torch.tensor([1, 2, 4]).to(dtype)
                attempt(lambda: f(y))
                attempt(lambda: f(y, dx=0.5))
                attempt(lambda: f(y, x))
                attempt(lambda: f(y, x.float()))
                attempt(lambda: f(y.float(), x))
            one, ones = torch.tensor(1.0), torch.ones
            attempt(lambda: f(one))
            attempt(lambda: f(one, dim=4))
            attempt(lambda: f(one, one))
            attempt(lambda: f(ones(3), one))
            attempt(lambda: f(ones(3), ones(2)))
            attempt(lambda: f(ones(2, 3), ones(3, 3)))
            attempt(lambda: f(ones(2, 3), dim=4))
            attempt(lambda: f(ones(3), ones(1, 1)))
            attempt(lambda: f(ones(3), ones(2, 3)))
            attempt(lambda: f(ones(3), ones(2, 2)))
            attempt(lambda: f(ones(0), ones(0)))
            attempt(lambda: f(torch.tensor([200, 100, 200], dtype=torch.uint8)))
            attempt(lambda: f(ones(0, 2, dtype=torch.int64)))
        """
    )


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_integrals_are_recorded_as_in_pytorch(dtype: str) -> None:
    agree_in_print(
        f"""
        def shown(node, depth=0):
            print(" " * depth, node and node.name())
            for after, _ in node.next_functions if node else ():
                shown(after, depth + 1)
        y = torch.tensor([1.0, 5.0, 10.0], requires_grad=True)
        x = torch.tensor([1, 2, 4], dtype=torch.{dtype})
        for f in (torch.trapezoid, torch.cumulative_trapezoid):
            shown(f(y).grad_fn)
            shown(f(y, x).grad_fn)
            print(torch.autograd.grad(f(y, x).sum() + f(y, dx=2).sum(), y))
        """
    )
