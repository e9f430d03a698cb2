"""Softmax, activations with parameters, and losses: values, nodes, and what they save."""

import math
from typing import Any

import pytest

from tests.test_shapes import outline

LOGITS = "F.binary_cross_entropy_with_logits"
NAMES = {
    "F.softmax(x, 1)": "Softmax0(A)",
    "F.log_softmax(x, -1)": "LogSoftmax0(A)",
    "F.leaky_relu(x, 0.2)": "LeakyRelu0(A)",
    "F.softplus(x, 2, 0.5)": "Softplus0(A)",
    "F.mse_loss(x, y)": "MseLoss0(A, A)",
    "F.smooth_l1_loss(x, y, beta=1.5)": "SmoothL1Loss0(A, A)",
    "F.binary_cross_entropy(x.sigmoid(), p)": "BinaryCrossEntropy0(Sigmoid0(A), A)",
    f"{LOGITS}(x, y)": "BinaryCrossEntropyWithLogits0(A, A)",
    f"{LOGITS}(x, y, weight=w, pos_weight=w)": "BinaryCrossEntropyWithLogits0(A, A)",
    "F.nll_loss(x, c)": "NllLoss0(A)",
    "F.nll_loss(x, c, weight=w, reduction='sum')": "NllLoss0(A)",
    "F.nll_loss(x[0], c[0])": "NllLoss0(Select0(A))",
}


@pytest.mark.parametrize(("program", "nodes"), NAMES.items())
def test_nodes(torch: Any, program: str, nodes: str) -> None:
    x, y, p = [torch.rand(2, 3, requires_grad=True) for _ in range(3)]
    known = {"F": torch.nn.functional, "x": x, "y": y, "p": p, "w": torch.ones(3)}
    result = eval(program, known | {"c": torch.tensor([2, 0])})
    assert outline(result.grad_fn).replace("AccumulateGrad", "A").startswith(nodes)


def test_large_scores(torch: Any) -> None:
    F = torch.nn.functional
    x = torch.tensor([[1000.0, 0.0, -1000.0]], requires_grad=True)
    assert F.softmax(x, 1).tolist() == [[1, 0, 0]]
    assert F.log_softmax(x, 1).tolist() == [[0, -1000, -2000]]
    with pytest.raises(NotImplementedError, match='"softmax_lastdim_kernel_impl" not implemented'):
        F.softmax(torch.tensor([1, 2]), 0)
    loss = F.binary_cross_entropy_with_logits(x, torch.tensor([[0.0, 1.0, 1.0]]), reduction="none")
    assert loss.tolist() == [[1000, pytest.approx(math.log(2)), 1000]]
    (slope,) = torch.autograd.grad(loss.sum(), x)
    assert slope.tolist() == [[1, -0.5, -1]]
    assert F.binary_cross_entropy(torch.tensor([0.0]), torch.tensor([1.0])).item() == 100
    assert F.softplus(x).tolist() == [[1000, pytest.approx(math.log(2)), 0]]
    with pytest.raises(RuntimeError, match="all elements of input should be between 0 and 1"):
        F.binary_cross_entropy(x, x.detach())


def test_classes_that_do_not_count(torch: Any) -> None:
    F = torch.nn.functional
    x = torch.tensor([[-1.0, -2.0], [-3.0, -4.0], [-5.0, 6.0]], requires_grad=True)
    target = torch.tensor([0, -100, 1])
    assert str(F.nll_loss(x, target, reduction="none").tolist()) == "[1.0, 0.0, -6.0]"
    loss = F.nll_loss(x, target, weight=torch.tensor([1.0, 3.0]))
    loss.backward()
    assert loss.item() == (1 - 18) / 4
    assert str(x.grad.tolist()) == "[[-0.25, 0.0], [0.0, 0.0], [0.0, -0.75]]"
    assert math.isnan(F.nll_loss(x, torch.full((3,), -100)).item())
    for wrong in (-1, 2):
        with pytest.raises(IndexError, match=f"Target {wrong} is out of bounds"):
            F.nll_loss(x, torch.tensor([0, 1, wrong]))


def test_what_losses_save(torch: Any) -> None:
    x = torch.tensor([[0.1, 0.9], [0.4, 0.6]], requires_grad=True)
    target = torch.tensor([1, 0])
    node = torch.nn.functional.nll_loss(x, target).grad_fn
    assert node._saved_target.tolist() == [1, 0]
    assert node._saved_total_weight.item() == 2
    assert node._saved_weight is None
    node = torch.nn.functional.mse_loss(x, x.detach()).grad_fn
    assert (node._saved_reduction, node._saved_self is x) == (1, True)
