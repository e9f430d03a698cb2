"""The rarer functions of each element do on minigrad what they do on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.expressions import agree_on, lines

pytestmark = pytest.mark.parity

PROGRAMS = lines(
    """
(y+1).acosh()
x.asinh()
x.atanh()
x.exp2()
i.exp2()
x.erfc()
x.erfinv()
d.erfinv()
torch.tensor([1.,-1.,2.,0.]).erfinv()
x.sinc()
torch.zeros(2).sinc()
y.logit()
y.logit(0.1)
y.logit(eps=0.3)
x.deg2rad()
i.rad2deg()
torch.logaddexp2(x,y)
torch.logaddexp2(i,i)
torch.copysign(x,y)
torch.copysign(x,-1)
torch.copysign(i,y)
torch.copysign(i,-0.0)
torch.fmax(x,y)
torch.fmin(x,n)
torch.fmax(e,y)
torch.fmin(i,x)
torch.float_power(x,2)
torch.float_power(i,d)
torch.float_power(2,y)
torch.heaviside(x,y)
torch.heaviside(x,d)
torch.signbit(x)
i.signbit()
w.isposinf()
w.isneginf()
torch.isreal(x)
torch.gcd(i,j)
torch.lcm(i,j)
torch.gcd(x,y)
i<<1
i>>1
j<<j
1<<j
256>>j
[i.__ilshift__(1),i]
i.clone().__irshift__(j)
X.__rmatmul__(M)
M.__rmatmul__(3)
M@__import__('numpy').ones((3,2))
x<<1
u<<3
torch.bitwise_left_shift(j,1)
torch.bitwise_right_shift(i,j)
b<<1
x.conj() is x
x.real is x
M.adjoint()
M.H
M.mH
x.H
x.fix()
x.arctan2(y)
x.arcsin()
x.greater(y)
x.less_equal(y)
torch.not_equal(x,y)
i.greater_equal(1)
(x*1).logit_()
y.lgamma()
x.lgamma()
torch.tensor([0.,-1.,-2.,inf,-inf,1e30]).lgamma()
i.lgamma()
y.digamma()
torch.tensor([0.,-0.,-1.,50.,-2.5]).digamma()
torch.polygamma(1,y)
torch.polygamma(0,y)
torch.polygamma(3,d)
y.polygamma(2)
torch.polygamma(-1,y)
torch.polygamma(1,j)
(x*1).eq_(0.3)
(x*1).lt_(y)
(x*1).greater_equal_(y)
(x*1).not_equal_(2)
i.clone().eq_(2)
i.clone().lt_(x)
(x*1).le_(v)
(x*1).logical_not_()
(x*1).logical_and_(y)
i.clone().logical_xor_(j)
(x*1).cumsum_(0)
(y*1).cumprod_(0)
(X[:,:3]*1).addmm_(c[:1].T.expand(3,1),c[:1].expand(1,3))
(y*1).copysign_(x)
"""
)


@pytest.mark.parametrize("expression", PROGRAMS)
def test_is_as_in_pytorch(expression: str) -> None:
    agree_on(expression, second_graph=False)


@pytest.mark.parametrize(
    "call",
    lines(
        """
[torch.special.expit(p), torch.special.logit(p), torch.special.xlogy(p, y)]
[torch.special.digamma(p), torch.special.psi(p), torch.special.gammaln(p)]
[torch.special.erf(p), torch.special.erfc(p), torch.special.erfinv(p), torch.special.sinc(p)]
[torch.special.exp2(p), torch.special.expm1(p), torch.special.log1p(p), torch.special.round(y)]
[torch.special.softmax(p, 0), torch.special.log_softmax(p, 0), torch.special.logsumexp(p, 0)]
torch.special.polygamma(1, p)
"""
    ),
)
def test_special_functions_have_their_namespace(call: str) -> None:
    agree_on(call)
