"""Pointwise operations do on minigrad what they do on PyTorch: see `tests.parity.compare`."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad
from tests.parity.expressions import agree_on, lines

pytestmark = pytest.mark.parity

FUNCTIONS = """
x+2
x+y
x+M
c*x
s+x
x+s
torch.add(x,y,alpha=2)
x.add(y,alpha=.5)
x-2
x-y
torch.sub(x,y,alpha=2)
3-x
3-i
1.5-i
torch.rsub(x,y)
x*2
x*y
x/2
x/y
2/x
1/i
torch.div(x,y,rounding_mode='floor')
torch.div(x,y,rounding_mode='trunc')
torch.div(i,j,rounding_mode='floor')
torch.div(i,j,rounding_mode='trunc')
i//j
i//2
5//j
5.5//j
x.reciprocal()
i.reciprocal()
-x
-i
x**2
x**0
y**0.5
x**3
y**-1
y**2.5
y**x
x**i
2**x
2.5**i
0**y
2**i
i**2
i**2.5
j**j
i**j
b**2
d**2
h**2
s**2
x.square()
x.exp()
x.expm1()
y.log()
y.log1p()
y.log2()
y.log10()
y.sqrt()
y.rsqrt()
x.abs()
x.sign()
x.sgn()
e.sign()
b.sign()
i.sign()
x.sin()
x.cos()
x.tan()
x.asin()
x.acos()
x.atan()
x.sinh()
x.cosh()
torch.atan2(i,j)
x.atan2(i)
x.tanh()
x.sigmoid()
x.relu()
i.relu()
x.clamp(0,1)
x.clamp(min=0)
x.clamp(max=.4)
x.clamp(y,z)
x.clamp(min=y)
x.clamp(max=y)
x.clamp(x,y)
x.clamp_min(0)
x.clamp_max(y)
x.clamp_min(y)
x.clamp_max(0.3)
i.clamp(0,1)
i.clamp(0.5)
i.clamp(min=x)
i.clamp(min=j)
e.clamp(0,1)
torch.maximum(x,y)
torch.minimum(x,y)
torch.maximum(x,n)
torch.minimum(x,n)
torch.maximum(e,e)
torch.maximum(i,x)
torch.where(b,x,y)
torch.where(b,x,0.)
torch.where(b,0,x)
torch.where(b,1,2)
torch.where(b,1.,2)
torch.where(b,d,1.)
torch.where(b,d,x)
torch.where(b,i,1.5)
torch.where(b,M,x)
torch.where(b)
x.floor()
x.ceil()
x.round()
x.round(decimals=1)
y.round(decimals=-1)
x.trunc()
x.frac()
i.floor()
i.round()
i.trunc()
x%2
x%y
i%2
i%j
i%1.5
5%j
x.fmod(2)
x.fmod(y)
i.fmod(j)
i.fmod(2)
x.erf()
i.erf()
torch.lerp(x,y,.5)
torch.lerp(x,y,z)
torch.addcmul(x,y,z)
torch.addcmul(x,y,z,value=3)
torch.addcmul(i,i,j,value=2)
torch.addcdiv(x,y,z,value=2)
x.masked_fill(b,0.)
i.masked_fill(b,1.5)
M.masked_fill(b,9)
torch.logaddexp(x,y)
torch.hypot(x,y)
x.clone()
x.double()
x.half()
x.long()
x.int()
x.bool()
x.float()
x.type_as(d)
x.type_as(i)
x.to(torch.float64)
x.to('cpu',torch.int64)
x.to(x)
x.to(d)
x.to(copy=True)
x.to(dtype=torch.float16)
x.type()
x.type(torch.float64)
x.type('torch.DoubleTensor')
i.type()
b.type()
h.type()
+x
w.nan_to_num()
e.nan_to_num(7.)
x.xlogy(y)
torch.xlogy(q,y)
"""

# No gradient passes through these.
DECISIONS = """
x==y
x!=y
x<y
x<=0.3
x>i
x>=d
i==1.5
b==True
x.eq(x)
x.logical_and(i)
torch.logical_or(b,i)
torch.logical_xor(x,b)
i.logical_not()
e.isnan()
w.isinf()
w.isfinite()
i.isnan()
b.isfinite()
torch.isclose(x,y)
torch.isclose(e,e,equal_nan=True)
torch.allclose(x,x)
torch.allclose(x,y)
torch.equal(x,x)
torch.equal(x,d)
torch.equal(x,M)
i&j
i|1
i^j
b&True
b|b
~b
~i
i&b
u&1
"""

# Dtypes of results, what is refused, and in which words.
DTYPES_AND_ERRORS = """
b-b
b-1
1-b
b-i
i-b
b-1.0
-b
+b
torch.sub(b,b)
torch.add(i,i,alpha=1.5)
torch.add(i,i,alpha=1.0)
torch.sub(i,2,alpha=1.0)
torch.rsub(i,i,alpha=1.0)
i.add_(1,alpha=1.0)
torch.add(x,y,alpha=1.0)
torch.add(b,b,alpha=1.0)
torch.add(b,b,alpha=True)
i**-1
2**(-i)
i**(-i)
x.clamp()
x.clamp(x,1)
x.clamp(1,x)
torch.where(i,x,x)
torch.where(b,x,torch.ones(4))
torch.div(x,2,rounding_mode='f')
i//0
i%0
i.fmod(0)
i//torch.tensor([0,1,1])
x%0
i/0
torch.div(x,0,rounding_mode='floor')
b//b
b%b
b.floor()
b.abs()
i.round(decimals=1)
i.frac()
x&x
~x
x|1
torch.isclose(x,d)
torch.isclose(x,i)
x.type('foo')
x.masked_fill(i,0.)
x.masked_fill(b,x)
torch.lerp(x,d,.5)
torch.lerp(x,x,d)
torch.lerp(i,i,1)
torch.addcdiv(i,i,i)
torch.hypot(i,i)
torch.logaddexp(i,i)
torch.relu(b)
x+torch.ones(4)
torch.clamp(x,min=torch.ones(4))
x.lerp(torch.ones(4),.5)
x.addcmul(x,torch.ones(4))
x.masked_fill(torch.ones(4)>0,1.)
M*torch.ones(2)
h*2
h+x
d+x
h.exp()
d.exp()
s*d
s.exp()+h
torch.exp(s)
torch.tensor(2)*x
torch.tensor(2.)*i
torch.tensor(2.)*h
torch.tensor(2.,dtype=torch.float64)*x
i*1.5
b*2
b+b
b*b
b+1.5
u+i
u*300
u-5
u*-1
k+i
k*2
k/2
h/2
i/2
b/b
i.exp()
b.exp()
i.sqrt()
u.sqrt()
h.sigmoid()
h.tanh()
i.sigmoid()
i.tanh()
"""

# PyTorch's own graph of these gradients has operations that minigrad does without, or shares some.
OTHERWISE_RECORDED = """
x.atan2(y)
x.masked_fill(b, s)
M.masked_fill(b, d[0])
"""


@pytest.mark.parametrize("expression", lines(FUNCTIONS))
def test_functions_and_their_derivatives(expression: str) -> None:
    agree_on(expression)


@pytest.mark.parametrize("expression", lines(DECISIONS))
def test_comparisons_and_logic(expression: str) -> None:
    agree_on(expression)


@pytest.mark.parametrize("expression", lines(DTYPES_AND_ERRORS))
def test_dtypes_and_errors(expression: str) -> None:
    agree_on(expression)


@pytest.mark.parametrize("expression", lines(OTHERWISE_RECORDED))
def test_derivatives_that_are_recorded_otherwise(expression: str) -> None:
    agree_on(expression, second_graph=False)


@pytest.mark.parametrize(
    "combine",
    [
        lambda torch, a, b, c: torch.add(a, b, alpha=-0.1),
        lambda torch, a, b, c: torch.sub(a, b, alpha=0.3),
        lambda torch, a, b, c: a.clone().add_(b, alpha=2.5),
        lambda torch, a, b, c: torch.addcmul(a, b, c, value=0.7),
        lambda torch, a, b, c: torch.addcdiv(a, b, c + 1, value=0.7),
        lambda torch, a, b, c: torch.lerp(a, b, 0.1),
        lambda torch, a, b, c: torch.lerp(a, b, 0.8),
        lambda torch, a, b, c: torch.lerp(a, b, c),
    ],
)
def test_weighted_sums_are_rounded_as_in_pytorch(combine: Any) -> None:
    import torch

    def computed(torch: Any) -> Any:
        torch.manual_seed(0)
        return combine(torch, *[torch.rand(700) for _ in range(3)]).tolist()

    assert computed(minigrad) == computed(torch)
