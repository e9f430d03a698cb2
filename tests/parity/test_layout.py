"""In which order the elements of results and gradients lie in memory is as in PyTorch."""

from __future__ import annotations

import copy
import itertools
import re
import warnings
from typing import Any

import pytest

import minigrad

pytestmark = pytest.mark.parity

# Leaves: contiguous, dense in another order, with gaps, and expanded.
LEAVES = (
    "torch.ones(2, 3)",
    "torch.ones(3, 2).t()",
    "torch.ones(2, 6)[:, ::2]",
    "torch.ones(6, 2)[::2].t()",
    "torch.ones(3).expand(2, 3)",
    "torch.ones(2, 1).expand(2, 3)",
)
LOSSES = (
    "(x.t() * torch.ones(3, 2)).sum()",
    "(x * torch.ones(3, 2).t()).sum()",
    "x.sum(0).pow(2).sum()",
    "x.sum()",
    "(x @ torch.ones(3, 4)).pow(2).sum()",
    "(torch.ones(4, 2) @ x).pow(2).sum()",
    "torch.nn.functional.linear(torch.ones(4, 3), x).sum()",
    "x.t()[0].sum()",
)
COPIES = (
    "{}.clone()",
    "{}.double()",
    "{}.to(torch.int64)",
    "{}.to(torch.float32, copy=True)",
    "{}.contiguous()",
    "{} + torch.ones(3)",
    "{}.exp()",
    "{} * 2",
)
# What results are computed from: transposed, expanded, and permuted in two ways.
OPERANDS = (
    "torch.arange(6.0).view(2, 3).t()",
    "torch.arange(1.0, 4.0).expand(2, 3)",
    "torch.arange(24.0).view(2, 3, 4).permute(2, 0, 1)",
    "torch.arange(24.0).view(2, 3, 4).permute(0, 2, 1)",
)
RESULTS = """
x.sum(0) ; x.sum(1) ; x.sum(-1) ; x.mean(1) ; x.prod(1) ; x.var(1) ; x.std(-1) ; x.norm(dim=1)
x.logsumexp(1) ; x.amax(1) ; x.amin(-1) ; x.any(1) ; x.all(-1) ; x.count_nonzero(1) ; x.nansum(1)
x.tril() ; x.triu() ; x.repeat(1, 1, 1)
x.clone() ; x.flip(0) ; x.sort(0)[0] ; torch.empty_like(x) ; torch.zeros_like(x)
torch.ones_like(x) ; torch.full_like(x, 2.) ; torch.rand_like(x) ; torch.randn_like(x)
torch.randint_like(x, 5) ; torch.cat([x, x]) ; torch.cat([x, x], 1) ; torch.stack([x, x])
torch.stack([x, x], 1) ; torch.stack([x, x], -1) ; torch.hstack([x, x])
torch.vstack([x, x]) ; torch.dstack([x, x]) ; x.softmax(0) ; x.softmax(-1)
x.log_softmax(0) ; x.log_softmax(-1) ; F.softmin(x, 0) ; x.cumsum(0) ; x.cumsum(-1)
x.cumprod(0) ; x.cumprod(1) ; x.cummax(0)[0] ; x.cummax(0)[1] ; x.cummin(1)[0]
x.logcumsumexp(0) ; x.roll(1) ; x.roll(1, 0) ; x.roll((1, 1), (0, 1))
x.masked_fill(x>1, 0.) ; x.masked_fill(x>1, torch.tensor(0.)) ; x.gather(0, places)
x.gather(1, places) ; x.scatter(0, places, 1.) ; x.scatter(0, places, x)
x.scatter_add(0, places, x) ; x.take_along_dim(places, 0)
x[[0, 1]] ; x[torch.tensor([[0, 1], [1, 0]])]
x.index_select(0, torch.tensor([0, 1])) ; x.index_select(1, torch.tensor([0, 1]))
x.index_add(0, torch.tensor([0]), x[:1]) ; x.index_fill(0, torch.tensor([0]), 1.)
x.index_copy(0, torch.tensor([0]), x[:1]) ; x.repeat_interleave(2)
x.repeat_interleave(2, 0) ; x.take(torch.tensor([[0, 1], [2, 3]]).t())
x.put(torch.tensor([0]), torch.tensor([1.])) ; x.masked_scatter(x>1, x)
x.sum((0, 1), keepdim=True) ; x.sum((0, 1)) ; x.max(0)[0] ; x.max(0)[1]
x.max(1, keepdim=True)[0] ; x.min(0)[0] ; x.argmax(0) ; x.argmax(1, keepdim=True)
x.median(0)[0] ; x.mode(0)[0] ; x.kthvalue(1, 0)[0] ; x.topk(2, 0)[0] ; x.topk(2, 0)[1]
x.topk(2, 1)[0] ; x.sort(1)[0] ; x.sort(-1, descending=True)[1] ; x.argsort(0)
torch.unique(x) ; x.exp() ; x+x ; x*2 ; 2*x ; 2-x ; x-1 ; x/2 ; 2/x ; x**2 ; x.pow(x) ; -x
x.abs() ; x.sigmoid() ; x.tanh() ; x.relu() ; F.gelu(x) ; F.silu(x) ; F.leaky_relu(x)
F.elu(x) ; F.softplus(x) ; F.hardtanh(x) ; F.logsigmoid(x) ; F.relu6(x)
F.threshold(x, 1., 2.) ; x.clamp(0, 1) ; x.clamp(min=x) ; torch.where(x>1, x, x)
torch.where(x>1, x, 0.) ; torch.where(x>1, 0., 1.) ; x.lerp(x, .5) ; x.lerp(x, x)
torch.addcmul(x, x, x) ; torch.addcdiv(x, x, x) ; x>1 ; x==x ; x.isnan() ; x.isclose(x)
x.logical_not() ; x.floor() ; x.round() ; x.trunc() ; x.sign() ; x.sgn() ; x.frac()
x.sqrt() ; x.rsqrt() ; x.log() ; x.log1p() ; x.erf() ; x.atan2(x) ; x.maximum(x)
x.minimum(x) ; x.fmax(x) ; x.hypot(x) ; x.fmod(2) ; x.remainder(2) ; x//2
x.div(2, rounding_mode="floor") ; x.div(x, rounding_mode="trunc") ; x.copysign(x)
x.logaddexp(x) ; x.xlogy(x) ; x.heaviside(x) ; x.long() ; x.double() ; x.bool()
x.to(torch.float64) ; x.type(torch.float64) ; x.float() ; x.reciprocal() ; x.square()
x.expm1() ; x.lgamma() ; x.sinc() ; x.logit() ; x.long()<<1 ; ~x.bool() ; x.long()&1
x.signbit() ; torch.bernoulli(x/30) ; x.float_power(2) ; x.add(x, alpha=2) ; x.deg2rad()
x.positive() ; x.matmul(x.mT) ; x@x.mT ; x.diagonal() ; x.diag_embed() ; x.diff()
x.diff(dim=0) ; x.repeat(2, 1, 1) ; x.tile(2) ; x.fliplr() ; x.flipud() ; x.flatten()
x.reshape(-1) ; x.unfold(0, 1, 1) ; x.contiguous() ; x.ravel() ; x.movedim(0, 1)
x.squeeze() ; x.unsqueeze(0) ; x.expand_as(x) ; x.split(1)[0] ; x.chunk(2)[0]
x.unbind()[0] ; x.narrow(0, 0, 1) ; x.select(0, 0) ; x.nonzero() ; x.masked_select(x>1)
x[x>1] ; x[torch.tensor([0, 1]).unsqueeze(1), torch.tensor([0, 1])] ; x[0] ; x[None]
x[::2] ; x.cov() ; F.normalize(x) ; F.layer_norm(x, x.shape[-1:])
F.linear(x, torch.ones(2, x.shape[-1])) ; F.mse_loss(x, x, reduction="none")
F.l1_loss(x, x, reduction="none") ; F.smooth_l1_loss(x, x, reduction="none")
F.binary_cross_entropy_with_logits(x, x, reduction="none") ; x.new_zeros(x.shape)
x.new_empty(x.shape) ; torch.broadcast_to(x, x.shape)
torch.outer(x.reshape(-1), x.reshape(-1)) ; torch.tensordot(x, x, x.ndim)
torch.kron(x, x).sum() ; torch.block_diag(x, x)
x[:, [0, 1]] ; x[..., [1, 0]] ; x[torch.tensor([[0, 1], [1, 0], [1, 1]]).t()]
x[:, torch.tensor([0, 1]).expand(3, 2)] ; x[[0, 1], ..., [0, 1]] ; x[:, x[0] > 1]
x[:, torch.tensor([[0], [1]])] ; x[..., torch.tensor([[0, 1, 1], [1, 0, 0]]).t()]
x.index_put((torch.tensor([0]),), torch.tensor(1.))
x.mT
x.unique() ; F.embedding(x.long(), torch.ones(30, 3)) ; torch.cartesian_prod(x[0], x[0])
x.fill_diagonal_(0) ; x.new_ones(3) ; x.detach() ; x.data ; x.view_as(x)
F.huber_loss(x, x, reduction="none") ; F.kl_div(x, x, reduction="none")
torch.atleast_3d(x) ; torch.swapaxes(x, 0, 1) ; x.addmm(x, torch.eye(x.shape[-1]))
"""

# Of operands that lie differently, or are broadcast; each name in turn is each of these.
BESIDE = {
    "a": "torch.arange(1.0, 7.0).view(2, 3)",
    "e": "torch.arange(1.0, 7.0).view(3, 2).t()",
    "r": "torch.arange(3.0)",
    "c": "torch.arange(2.0)[:, None]",
    "n": "torch.tensor(2.0)",
}
MIXED = """
x*y ; x+y ; x-y ; x/y ; x//y ; x**y ; 2**x ; x>y ; x.atan2(y) ; x.maximum(y) ; x.fmod(y)
x.hypot(y) ; x.xlogy(y) ; x.float_power(y) ; x.heaviside(y) ; x.isclose(y) ; x.logaddexp(y)
x.add(y, alpha=2) ; x.sub(y, alpha=2) ; x.copysign(y)
x.div(y, rounding_mode="floor") ; x.div(y, rounding_mode="trunc") ; torch.isin(x, y)
x.clamp(min=y) ; x.clamp(max=y) ; x.clamp(y, z) ; torch.where(x>1, y, z) ; x.lerp(y, 0.5)
x.lerp(y, z) ; torch.addcmul(x, y, z) ; torch.addcdiv(x, y, z) ; x.masked_fill(y>1, 0.)
F.mse_loss(x, y, reduction="none") ; F.smooth_l1_loss(x, y, reduction="none")
F.l1_loss(x, y, reduction="none") ; F.kl_div(x, y, reduction="none")
F.binary_cross_entropy(x/9, y/9, reduction="none") ; F.soft_margin_loss(x, y, reduction="none")
F.gaussian_nll_loss(x, y, z, reduction="none") ; x.logical_and(y) ; x.long()&y.long()
"""


# What has no elements has strides all the same.
EMPTY = """
torch.zeros(0) ; torch.zeros(0, 3) ; torch.ones(2, 0, 3) ; torch.ones(2, 3)[[]] ; torch.arange(0)
torch.zeros(0, 3).sum(1) ; torch.ones(3, 0).sort(0)[1] ; torch.ones(2).topk(0)[0]
torch.cat([torch.zeros(0), torch.zeros(0)]) ; torch.tensor([]) ; torch.ones(3)[:, None][:0]
torch.nn.Linear(2, 3)(torch.ones(0, 2)) ; torch.ones(2, 3)[False] ; torch.randn(0)
"""


def layout(tensor: Any) -> Any:
    """Return the strides that matter, and whether the tensor can be seen as one line."""
    strides = [step for step, one in zip(tensor.stride(), tensor.shape, strict=True) if one != 1]
    try:
        line: Any = tensor.view(-1).stride()
    except RuntimeError as error:
        line = str(error)
    return strides, tensor.is_contiguous(), line


def both(program: Any) -> None:
    """Assert that a program of an engine gives the same on minigrad and PyTorch."""
    import torch

    ours, theirs = program(minigrad), program(torch)
    assert ours == theirs


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("leaf", LEAVES)
def test_the_gradient_lies_as_its_leaf(leaf: str, loss: str, create_graph: bool) -> None:
    def program(torch: Any) -> Any:
        x = eval(leaf).detach().requires_grad_()
        seen = []
        for _ in range(2):  # The second pass adds to what the first one left.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                eval(loss).backward(create_graph=create_graph)
            seen.append((layout(x.grad), x.grad.tolist()))
        return seen

    both(program)


def test_the_gradients_of_a_linear_layer_can_be_seen_as_one_line() -> None:
    def program(torch: Any) -> Any:
        layer = torch.nn.Linear(3, 2)
        layer(torch.ones(4, 3)).sum().backward()
        return [layout(one.grad) for one in layer.parameters()]

    both(program)


@pytest.mark.parametrize("made", COPIES)
@pytest.mark.parametrize("leaf", LEAVES)
def test_copies_lie_as_what_they_are_of(leaf: str, made: str) -> None:
    def program(torch: Any) -> Any:
        return layout(eval(made.format(leaf)))

    both(program)


def test_a_deep_copy_lies_as_what_it_is_of() -> None:
    both(lambda torch: layout(copy.deepcopy(torch.ones(3, 2).t())))


@pytest.mark.parametrize("made", EMPTY.replace("\n", " ; ").strip(" ;").split(" ; "))
def test_tensors_without_elements_have_the_strides_they_have_in_pytorch(made: str) -> None:
    both(lambda torch: eval(made).stride())


@pytest.mark.parametrize("result", RESULTS.replace("\n", " ; ").strip(" ;").split(" ; "))
def test_results_lie_as_in_pytorch(result: str) -> None:
    def program(torch: Any) -> Any:
        names = {"torch": torch, "F": torch.nn.functional}
        return [seen(x, names) for x in OPERANDS]

    def seen(operand: str, names: dict[str, Any]) -> Any:
        x = eval(operand, names)
        places = names["torch"].zeros(x.shape, dtype=names["torch"].int64)
        try:
            return layout(eval(result, names, {"x": x, "places": places}))
        except (RuntimeError, IndexError, ValueError) as error:
            return type(error)

    both(program)


@pytest.mark.parametrize("result", MIXED.replace("\n", " ; ").strip(" ;").split(" ; "))
@pytest.mark.filterwarnings("ignore:Using a target size")
def test_results_of_operands_that_lie_differently_lie_as_in_pytorch(result: str) -> None:
    def program(torch: Any) -> Any:
        beside = {name: eval(made, {"torch": torch}) for name, made in BESIDE.items()}
        names = {"torch": torch, "F": torch.nn.functional}
        taken = [name for name in "xyz" if re.search(rf"\b{name}\b", result)]
        return {
            chosen: seen(dict(zip(taken, (beside[one] for one in chosen), strict=True)), names)
            for chosen in itertools.product(BESIDE, repeat=len(taken))
        }

    def seen(operands: dict[str, Any], names: dict[str, Any]) -> Any:
        try:
            return layout(eval(result, names, operands))
        except (RuntimeError, ValueError) as error:
            return str(error)

    both(program)
