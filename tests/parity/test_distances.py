"""Operations that courses meet now and then: distances, medians without nan, index_reduce."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity.expressions import lines
from tests.parity.told import assert_same

STATEMENTS = """
torch.cdist(x,x)
torch.cdist(x,x,p=1.)
torch.cdist(x,x+1,p=0)
torch.cdist(x,x+1,p=inf)
torch.cdist(x,x+1,p=1.5)
torch.cdist(x,x+1,p=3)
torch.cdist(x[0],x)
torch.cdist(x,x[:,:2])
torch.cdist(x,x,p=-1)
torch.cdist(x,x.double())
torch.cdist(x.int(),x.int())
torch.cdist(x,x,compute_mode='x')
torch.cdist(x,x,compute_mode=1)
torch.cdist(x,1)
torch.cdist([1],x)
torch.cdist(x,x,'a')
torch.cdist(x,x,None)
torch.cdist(x,x,True)
torch.cdist(torch.zeros(2,3,4),torch.zeros(3,6,4))
torch.cdist(torch.zeros(2,3,4),torch.zeros(3,36,4))
torch.cdist(torch.zeros(2,3,4),torch.zeros(3,6,4).double())
torch.cdist(torch.zeros(5,2,3,4),torch.zeros(3,6,4),1)
torch.cdist(x[None],x).shape
torch.cdist(x.expand(2,2,3),x[None]+1)
torch.cdist(torch.arange(60.).view(30,2),x[:,:2])[:3]
torch.cdist(torch.zeros(0,3),x)
torch.cdist(torch.zeros(2,0),torch.zeros(3,0))
a=leaf();g=grad(torch.cdist(a,torch.cat([a,a+2])[:3]).sum(),a);g
a=leaf();g=grad(torch.cdist(a,a*2,p=1.5).sum(),a);g
a=leaf();g=grad(torch.cdist(a,a*2,p=inf).sum(),a);g
a=leaf();g=grad(torch.cdist(a,a*2,p=0.).sum(),a);g
a=leaf();g=grad(torch.cdist(a.expand(2,2,3),a*2,p=1.).sum(),a);g
a=leaf();g,=grad(torch.cdist(a,a*2).sum(),a,create_graph=True);g
a=leaf();g,=grad(torch.cdist(a,a*2).sum(),a,create_graph=True);g.sum().backward()
a=leaf();g,=grad(torch.cdist(a,a*2,compute_mode=MM).sum(),a,create_graph=True);again(g,a)
y=torch.cdist(x.requires_grad_(),x);(y.grad_fn._saved_p,y.grad_fn._saved_x1 is x)
torch.renorm(x,2,0,1.)
a=leaf();y=a*1;y.renorm_(2,0,5.);(y,y._version,grad(y.sum(),a))
a=leaf();a.renorm_(2,0,5.)
a=leaf();y=a*1;y.index_reduce_(0,twice,a*2,'mean');(y,y._version,grad(y.sum(),a))
a=leaf();a.index_reduce_(0,twice,a*2,'mean')
torch.renorm(x,1,1,5.)
torch.renorm(x,inf,0,5)
torch.renorm(x,.5,0,5)
x.renorm_(2,0,1)
x.renorm(2,-1,3)
torch.renorm(x[0],2,0,1.)
torch.renorm(x,-1,0,1.)
torch.renorm(x,2,5,1.)
torch.renorm(x,2,0,-1.)
torch.renorm(x.int(),2,0,1)
a=leaf();y=torch.renorm(a,2,0,5.);(y.grad_fn._saved_dim,y.grad_fn._saved_p,y.grad_fn._saved_maxnorm)
torch.nanmedian(x)
torch.nanmedian(torch.tensor([1.,nan,3.,2.,7.]))
torch.nanmedian(torch.tensor([nan]))
torch.nanmedian(torch.tensor([]))
x.nanmedian(0)
x.nanmedian(1,keepdim=True)
torch.tensor([[1.,nan],[nan,nan],[3.,5.]]).nanmedian(0)
torch.tensor([[1.,nan],[nan,nan],[3.,5.]]).nanmedian(1)
torch.nanmedian(torch.tensor([3,1,2]))
torch.nanmedian(torch.tensor([True]))
torch.nanmedian(x,5)
a=torch.tensor([[1.,nan,2.]],requires_grad=True);grad(a.nanmedian(),a)
a=torch.tensor([[1.,nan,2.]],requires_grad=True);grad(a.nanmedian(1)[0],a)
x.index_reduce(0,torch.tensor([0]),x[:1],'prod')
x.index_reduce(0,twice,x,'mean')
x.index_reduce(0,twice,x*2,'amax',include_self=False)
x.index_reduce(1,torch.tensor([0,2,2]),x*2,'amin')
x.index_reduce_(1,torch.tensor([0,2,2]),x*2,'prod',include_self=False)
torch.index_reduce(x,0,torch.tensor([0,1]),x,'sum')
x.index_reduce(0,torch.tensor([0,5]),x,'prod')
x.index_reduce(0,torch.tensor([0.,5]),x,'prod')
x.index_reduce(0,torch.tensor([0]),x,'prod')
x.index_reduce(3,torch.tensor([0]),x,'prod')
a=leaf();y=a.index_reduce(0,twice,a*2,'mean');g,=grad((y*y).sum(),a,create_graph=True);again(g,a)
a=leaf();y=a.index_reduce(0,twice,a*2,'amax');g,=grad((y*y).sum(),a,create_graph=True);again(g,a)
"""


@pytest.mark.parity
@pytest.mark.parametrize("call", lines(STATEMENTS))
def test_values_gradients_and_refusals_are_pytorchs(call: str) -> None:
    def program(torch: Any) -> Any:
        x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        known = {
            "torch": torch,
            "x": x,
            "leaf": lambda: x.clone().requires_grad_(),
            "grad": torch.autograd.grad,
            "F": torch.nn.functional,
            "twice": torch.tensor([0, 0]),
            "nan": float("nan"),
            "inf": float("inf"),
            "again": lambda g, a: [g, torch.autograd.grad(g.sum(), a)],
            "MM": "use_mm_for_euclid_dist",
        }
        *statements, last = call.split(";")
        for one in statements:
            exec(one, known)
        return eval(last, known)

    assert_same(program)
