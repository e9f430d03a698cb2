"""Tensors that are seen otherwise in place are on minigrad what they are on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.expressions import agree_on, lines

pytestmark = pytest.mark.parity

PROGRAMS = lines(
    """
(M*1).t_()
(M*1).transpose_(0,1)
(M*1).transpose_(-1,0)
(M*1).swapaxes_(0,1)
(M*1).swapdims_(0,1)
(M*1).unsqueeze_(0)
(M*1).unsqueeze_(-1)
(M*1).unsqueeze_(0).squeeze_()
(M*1).unsqueeze_(0).squeeze_(0)
(M*1).unsqueeze_(0).squeeze_((0,1))
(M*1).squeeze_(1)
(M*1)[0].unsqueeze_(0)
(M*1).t().t_()
(M*1).t_().exp_()
(M*1)[0].unsqueeze_(0).mul_(y)
(s*1).t_()
(s*1).squeeze_()
(s*1).transpose_(0,-1)
M.detach().t_()
M.t_()
M.unsqueeze_(0)
M.unsqueeze_(5)
(M*1).unsqueeze_(5)
(M*1)[None].t_()
(M*1).transpose_(0,2)
(M*1).squeeze_((0,0))
(lambda a: (a.t_() * a, a._version, a.shape))(M*1)
(lambda a: (lambda v: (v.unsqueeze_(0), a, v._base is a, a._version))(a[0]))(M*1)
(lambda a: (lambda v: (v.unsqueeze_(0), a.mul_(2), v*1))(a[0]))(M*1)
"""
)


@pytest.mark.parametrize("expression", PROGRAMS)
def test_is_as_in_pytorch(expression: str) -> None:
    agree_on(expression, second_graph=False)
