"""Losses are PyTorch's, with their derivatives, warnings and errors: see `tests.parity.compare`."""

from __future__ import annotations

import pytest

from tests.parity.expressions import agree_on, lines
from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

LOSSES = """
F.mse_loss(x.double(),d)
F.mse_loss(x,i.float())
F.mse_loss(x,y)
F.mse_loss(x,y,reduction='sum')
F.mse_loss(x,y,reduction='none')
F.mse_loss(i,i)
F.mse_loss(x,M)
F.mse_loss(x,torch.ones(4))
F.mse_loss(x,y,reduction='z')
F.mse_loss(x,y,weight=z)
F.mse_loss(s,s*2)
F.mse_loss(h,h*2)
F.mse_loss(1,2)
F.mse_loss(x,1.0)
F.l1_loss(x,y)
F.l1_loss(x,y,reduction='none')
F.l1_loss(x,M)
F.smooth_l1_loss(x,y)
F.smooth_l1_loss(x,y,beta=.5)
F.smooth_l1_loss(x,y,beta=0)
F.smooth_l1_loss(x,y,beta=-1)
F.smooth_l1_loss(x,y,reduction='sum',beta=2.)
F.smooth_l1_loss(x,y,reduction='none')
F.huber_loss(x,y)
F.huber_loss(x,y,delta=.3)
F.huber_loss(x,y,reduction='none',delta=.3)
F.huber_loss(x,y,delta=0)
F.huber_loss(x,torch.ones(4))
F.soft_margin_loss(x,z.detach())
F.soft_margin_loss(x,z.detach(),reduction='sum')
F.soft_margin_loss(M,z.detach(),reduction='none')
F.soft_margin_loss(x*900,-z.detach())
F.soft_margin_loss(x,torch.ones(2))
F.soft_margin_loss(x,torch.ones(2,3))
F.soft_margin_loss(x,y)
F.soft_margin_loss(i,z.detach())
F.soft_margin_loss(x,1)
F.soft_margin_loss(x,z.detach(),reduction='z')
F.binary_cross_entropy(p,q)
F.binary_cross_entropy(p,q,reduction='sum')
F.binary_cross_entropy(p,q,reduction='none')
F.binary_cross_entropy(p,q,y)
F.binary_cross_entropy(p,torch.ones(4))
F.binary_cross_entropy(x,q)
F.binary_cross_entropy(p,y)
F.binary_cross_entropy(p,q.double())
F.binary_cross_entropy(p,i)
F.binary_cross_entropy(p,q,reduction='z')
F.binary_cross_entropy(torch.tensor([0.,1.],requires_grad=True),torch.tensor([1.,0.]),reduction='none')
F.binary_cross_entropy_with_logits(x,q)
F.binary_cross_entropy_with_logits(x,q,reduction='sum')
F.binary_cross_entropy_with_logits(x,q,reduction='none')
F.binary_cross_entropy_with_logits(x,q,y)
F.binary_cross_entropy_with_logits(x,z)
F.binary_cross_entropy_with_logits(x,q,pos_weight=torch.tensor(2.))
F.binary_cross_entropy_with_logits(x,q,pos_weight=torch.tensor([2.,3.,4.]),weight=y.detach())
F.binary_cross_entropy_with_logits(x,torch.ones(4))
F.binary_cross_entropy_with_logits(x,i)
F.binary_cross_entropy_with_logits(x*50,q)
F.binary_cross_entropy_with_logits(s,s.detach())
F.nll_loss(X,t)
F.nll_loss(X,t,reduction='sum')
F.nll_loss(X,t,reduction='none')
F.nll_loss(X,t,v)
F.nll_loss(X,t,ignore_index=3)
F.nll_loss(X,t,v,ignore_index=3,reduction='none')
F.nll_loss(X,t.float())
F.nll_loss(X,torch.tensor([0,1]))
F.nll_loss(X,torch.tensor([0,1,4]))
F.nll_loss(X,torch.tensor([0,1,-1]))
F.nll_loss(X,torch.tensor([0,1,-100]))
F.nll_loss(X,torch.tensor([-100,-100,-100]))
F.nll_loss(X,t,weight=torch.ones(3))
F.nll_loss(X,t,weight=torch.ones(4).double())
F.nll_loss(x,t)
F.nll_loss(x,t[0])
F.nll_loss(X,t.int())
F.nll_loss(X,t[None])
F.nll_loss(s,t)
F.cross_entropy(X,t)
F.cross_entropy(X,t,reduction='none')
F.cross_entropy(X,t,reduction='sum')
F.cross_entropy(x,t[0])
F.cross_entropy(X,t,v)
F.cross_entropy(X,t,label_smoothing=.1)
F.cross_entropy(X,t,label_smoothing=.1,reduction='none')
F.cross_entropy(X,t,label_smoothing=.1,reduction='sum',ignore_index=3)
F.cross_entropy(X,t,v,label_smoothing=.1)
F.cross_entropy(X,t,v,label_smoothing=.1,ignore_index=3)
F.cross_entropy(X,torch.ones(3,3))
F.cross_entropy(X,torch.ones(3,4).long())
F.cross_entropy(X,t.float())
F.cross_entropy(X,t,label_smoothing=2.)
F.cross_entropy(X,torch.tensor([0,1]))
F.cross_entropy(X,X.softmax(1))
F.cross_entropy(X,X.softmax(1),v)
F.cross_entropy(X,X.softmax(1),reduction='none')
F.cross_entropy(X,X.softmax(1),reduction='sum',label_smoothing=.1)
F.cross_entropy(x,y)
F.cross_entropy(d,y)
F.kl_div(x,p)
F.kl_div(x,p,reduction='batchmean')
F.kl_div(x,y.log(),reduction='sum',log_target=True)
F.kl_div(x,p,reduction='none')
"""

# PyTorch's own graph of these gradients has an operation that minigrad does without.
OTHERWISE_RECORDED = """
F.binary_cross_entropy(p, z)
"""


@pytest.mark.parametrize("expression", lines(LOSSES))
def test_losses(expression: str) -> None:
    agree_on(expression)


@pytest.mark.parametrize("expression", lines(OTHERWISE_RECORDED))
def test_losses_whose_derivatives_are_recorded_otherwise(expression: str) -> None:
    agree_on(expression, second_graph=False)


def test_cross_entropy_of_no_classes_or_no_samples() -> None:
    agree_in_print(
        """
        for shape in ((5, 0), (0, 5), (0, 0), (0,), (2, 0, 3), (2, 3, 0)):
            for reduction in ("mean", "sum", "none"):
                for smoothing in (0.0, 0.1):
                    options = {"reduction": reduction, "label_smoothing": smoothing}
                    x = torch.zeros(shape, requires_grad=True)
                    loss = F.cross_entropy(x, torch.zeros(shape), **options)
                    print(loss, torch.autograd.grad(loss.sum(), x))
                    if shape in ((0, 5), (0, 0)):
                        target = torch.zeros(0, dtype=torch.long)
                        print(F.cross_entropy(x, target, **options))
        """
    )


def test_older_arguments_are_taken_as_true_or_false() -> None:
    agree_in_print(
        """
        x, y = torch.tensor([1.0, 4.0]), torch.zeros(2)
        for given in (0, 1, [], torch.tensor(0), torch.ones(2)):
            attempt(lambda: F.mse_loss(x, y, given))
            attempt(lambda: F.l1_loss(x, y, reduce=given))
        attempt(lambda: x.type(y.double()))
        attempt(lambda: x.type(torch.DoubleTensor))
        """
    )


def test_one_sample_without_a_batch() -> None:
    agree_in_print(
        """
        for length in (3, 1):
            for target in (torch.tensor(0), torch.tensor([0])):
                for reduction in ("none", "mean", "sum"):
                    for loss in (F.nll_loss, F.cross_entropy):
                        x = torch.linspace(0.1, 0.3, length).requires_grad_()
                        result = loss(x, target, reduction=reduction)
                        print(result)
                        attempt(lambda: result.backward())
                        print(x.grad)
        attempt(lambda: F.cross_entropy(torch.ones(3), torch.ones(2, 3)))
        attempt(lambda: F.nll_loss(torch.ones(3), torch.ones(1)))
        """
    )
