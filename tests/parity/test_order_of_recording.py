"""Nodes get their sequence numbers in PyTorch's order, which hooks of nodes tell."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.parity

EXPRESSIONS = """
torch.inner(x,y)
torch.inner(z,torch.ones(5,4,requires_grad=True))
torch.tensordot(x,y,([1],[1]))
torch.tensordot(z,x,([0,1],[0,1]))
torch.einsum('ij,kj->ik',x,y)
torch.einsum('ij,kj,j->ik',x,y,v)
torch.einsum('bij,bjk->bik',z,z.transpose(1,2))
torch.trapezoid(x)
torch.trapezoid(x,v)
torch.cumulative_trapezoid(x)
torch.cumulative_trapezoid(x,v)
F.margin_ranking_loss(v,v*2,torch.ones(3),margin=.5)
F.cosine_similarity(x,x*2)
F.pairwise_distance(x,x*2)
F.triplet_margin_loss(x,x*2,x*3)
F.cosine_embedding_loss(x,x*2,torch.ones(2))
F.hinge_embedding_loss(x,torch.ones(2,3))
F.gaussian_nll_loss(x,x*2,x*3)
F.poisson_nll_loss(x,x*2,full=True)
F.multilabel_soft_margin_loss(x,torch.ones(2,3))
F.normalize(x)
F.layer_norm(x,(3,),v,v)
F.linear(z,torch.ones(5,4,requires_grad=True),torch.ones(5,requires_grad=True))
F.linear(z,torch.ones(5,4,requires_grad=True))
torch.kron(x,y)
torch.outer(v,v)
torch.cdist(x,y)
torch.cross(x,x*2,dim=1)
torch.cov(x)
torch.corrcoef(x)
torch.linalg.norm(x)
torch.matmul(z,torch.ones(4,5,requires_grad=True))
torch.matmul(v,z)
z@torch.ones(4,requires_grad=True)
x@y.T
torch.linalg.multi_dot([x,y.T,y])
torch.std_mean(x)[0]
torch.quantile(x,.5)
torch.nanmean(x)
torch.diff(x)
torch.vander(v)
torch.block_diag(x,y)
torch.cartesian_prod(v,v)
torch.meshgrid(v,v,indexing='ij')[0]*1
torch.addmm(torch.ones(4,requires_grad=True),x,y.T)
torch.baddbmm(torch.ones(1,requires_grad=True),z,z.transpose(1,2))
torch.lerp(x,x*2,x)
torch.dist(x,x*2)
torch.renorm(x,2,0,1.)
F.scaled_dot_product_attention(x,x,x)
F.scaled_dot_product_attention(x[None,None],x[None,None],x[None,None])
F.batch_norm(x,None,None,v,v,True)
F.rms_norm(x,(3,),v)
F.prelu(x,v[:1])
F.cross_entropy(x,torch.tensor([0,1]),label_smoothing=.1)
F.cross_entropy(x,torch.softmax(x,1))
F.smooth_l1_loss(x,x*2)
torch.repeat_interleave(x,2)
torch.rot90(x)
torch.trace(x)
torch.var(x)
torch.logsumexp(x,0)
x.norm(3)
torch.tensor_split(x,2)[0]
torch.hsplit(x,3)[0]
torch.stack([x,x*2])
torch.hstack([x,x*2])
torch.vstack([x,v])
torch.column_stack([v,v*2])
torch.atleast_2d(v)
x.flatten()
x.T.flatten()
x[[0,1],1:]
x[x>0]
x[:,None]
x[...,0]
"""


def numbered(torch: Any, expression: str) -> list[str]:
    """Return the names of the nodes below what an expression gives, in the order of recording."""

    def leaf(*size: int) -> Any:
        return torch.ones(*size, requires_grad=True)

    names = {"torch": torch, "F": torch.nn.functional, "v": leaf(3)}
    names |= {"x": leaf(2, 3), "y": leaf(4, 3), "z": leaf(2, 3, 4)}
    found, stack = {}, [eval(expression, names).grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in found and not hasattr(node, "variable"):
            found[node] = node._sequence_nr()
            stack.extend(to for to, _ in node.next_functions)
    return [node.name() for node in sorted(found, key=found.__getitem__)]


@pytest.mark.parametrize("expression", EXPRESSIONS.strip().splitlines())
def test_nodes_are_numbered_as_in_pytorch(expression: str) -> None:
    import torch

    import minigrad

    assert numbered(minigrad, expression) == numbered(torch, expression)
