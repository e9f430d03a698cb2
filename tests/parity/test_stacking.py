"""Stacks, splits, blocks and turns are on minigrad as on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.expressions import agree_on, lines

pytestmark = pytest.mark.parity

PROGRAMS = lines(
    """
torch.atleast_3d(x)
torch.atleast_3d(M)
torch.atleast_3d(s)
torch.atleast_3d(M[None])
torch.dstack((x,y))
torch.dstack((M,M))
torch.dstack((x,M))
torch.row_stack((x,y))
torch.column_stack((x,y))
torch.column_stack((s,s))
torch.column_stack((c,M))
torch.column_stack((x,M))
torch.column_stack(3)
M.tensor_split(2,1)
x.tensor_split(5)
X.tensor_split((1,),1)
X.tensor_split((1,2),0)
torch.tensor_split(x,torch.tensor([1]))
torch.tensor_split(x,torch.tensor(2))
x.tensor_split(0)
s.tensor_split(1)
x.tensor_split(2,1)
M.hsplit(3)
M.hsplit(2)
M.hsplit((1,))
x.hsplit(3)
s.hsplit(1)
M.vsplit(2)
x.vsplit(1)
torch.vsplit(X,3)
M[None].dsplit(3)
M.dsplit(1)
x.diagflat()
M.diagflat()
x.diagflat(-1)
s.diagflat()
torch.block_diag(M,x,s)
torch.block_diag(c,i)
torch.block_diag(M[None])
torch.block_diag(x)
M.rot90()
M.rot90(2)
M.rot90(3)
M.rot90(-1,(1,0))
M[None].rot90(1,(0,2))
x.rot90()
M.rot90(1,(0,0))
M.rot90(1,(0,))
M.rot90(1,(0,2))
(M*1).fill_diagonal_(3.)
torch.zeros(3,3).fill_diagonal_(1)
"""
)


@pytest.mark.parametrize("expression", PROGRAMS)
def test_is_as_in_pytorch(expression: str) -> None:
    agree_on(expression, second_graph=False)
