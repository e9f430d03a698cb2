"""Expressions: broadcasting, dtypes, reductions, products of matrices, and their gradients."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.programs import (
    assert_same,
    check_derivatives,
    derivatives,
    fill,
    moved,
    run,
    templates,
)

START = (
    "F = torch.nn.functional",
    "s = torch.tensor(0.8, requires_grad=True)",
    "v = torch.tensor([0.3, 0.55, -0.7], requires_grad=True)",
    "w = torch.tensor([0.2, 0.7, 1.5], requires_grad=True)",
    "m = torch.tensor([[0.1, 0.2, -0.3], [0.4, -0.5, 0.6]], requires_grad=True)",
    "c = torch.tensor([[1.6], [-2.1]], requires_grad=True)",
    "q = torch.tensor([[1.0, 0.25, 3.0], [0.5, 2.0, -1.5], [-0.2, 0.9, 0.7]]).requires_grad_()",
    "t = torch.arange(12.0).reshape(2, 2, 3).transpose(0, 2).requires_grad_()",
    "e = torch.zeros(0, 3, requires_grad=True)",
    "d = torch.tensor([0.25, -0.6, 0.75], dtype=torch.float64, requires_grad=True)",
    "i = torch.tensor([1, 2, 0])",
    "j = torch.tensor([[3, 2, 1], [0, 4, 2]])",
    "b = torch.tensor([True, False, True])",
    "k = torch.tensor([3, 200, 7], dtype=torch.int32)",
)
NUMBERS = ("2", "0.5", "-1", "3", "True", "0")
ARITHMETIC = templates("""
    ($x + $n); ($x * $n); ($x - $n); ($x / $n); -$x; ($x ** 2); ($x ** $n); (1 - $x); (2 / $x)
    $x.sub($n); torch.maximum($x, $y); torch.minimum($x, $y); ($x.detach() % 2); ($x.detach() // 2)
    $x.exp(); $x.log(); $x.sqrt(); $x.abs(); $x.sin(); $x.cos(); $x.tanh(); torch.sigmoid($x)
    $x.relu(); $x.square(); $x.pow(3); $x.reciprocal(); ($x * 1.0).sign(); $x.round(); $x.floor()
    $x.clamp(min=0); $x.clamp(-0.5, 0.5); $x.clamp(max=1); torch.log1p($x * $x)
    torch.where($x > 0, $x, $n); torch.where(b, $x, $n); $x.masked_fill($x > 0.5, 0.0); abs($x)
    ($x > $n); ($x == $n); ($x <= $n); ($x != $n); ~($x > 0); (b & ($x > 0)); torch.isnan($x)
    F.softplus($x); F.leaky_relu($x)
""")
REDUCTIONS = templates("""
    $x.sum(); $x.mean(); $x.sum(0); $x.sum(-1, keepdim=True); $x.mean(-1); $x.mean(0, keepdim=True)
    $x.max(); $x.min(); $x.max(-1)[0]; $x.min(0)[1]; $x.max(dim=0, keepdim=True); $x.argmax()
    $x.argmax(-1); $x.argmin(0); $x.prod(); $x.prod(-1); $x.std(); $x.var(0); $x.var(-1, False)
    $x.norm(); $x.norm(1); $x.norm(dim=-1); $x.cumsum(0); $x.cumsum(-1); $x.softmax(-1)
    $x.log_softmax(0); $x.all(); $x.any(); $x.topk(2)[0]; $x.sort(-1)[0]; $x.sum((0, 1))
    $x.std(-1, keepdim=True); F.mse_loss($x, $y); F.l1_loss($x, $y); F.smooth_l1_loss($x, $y)
    F.cross_entropy(q * $x.sum(), i); F.binary_cross_entropy_with_logits($x, $y)
    F.nll_loss(q * $x.sum(), i)
""")
SHAPES = templates("""
    $x @ $y; $x.mm($y); torch.matmul($x, $y); $x.dot($y); torch.mv($x, $y); $x.t(); $x.T
    $x.reshape(-1); $x.view(-1); $x.reshape(3, -1); $x.unsqueeze(0); $x.unsqueeze(-1); $x.squeeze()
    $x.expand(2, 3); $x.transpose(0, 1); $x.transpose(-1, 0); $x.permute(1, 0); $x.flatten(); $x[0]
    $x[-1]; $x[1:]; $x[:, 0]; $x[..., ::2]; $x[None]; $x[i]; $x[b]; $x[$x > 0]; $x[[0, 0]]; $x[0, 1]
    $x[:, i]; $x[:, None]; torch.cat([$x, $y]); torch.stack([$x, $y]); torch.cat([$x, $y], -1)
    $x.repeat(2, 1); $x.split(2)[0]; $x.chunk(2)[-1]; $x.roll(1); $x.flip(0); $x.tril(); $x.triu(1)
    $x.expand_as($y); $x.gather(-1, j); F.linear($x, $y); torch.bmm($x, $y); F.one_hot(i)
    $x.unbind(0)[0]; $x.narrow(0, 0, 2); $x.select(-1, 0)
""")
DTYPES = templates("""
    $x.float(); $x.double(); $x.long(); $x.int(); $x.bool(); $x.to(torch.float64); $x.type_as($y)
    $x.clone(); $x.detach(); torch.zeros_like($x); torch.ones_like($x, dtype=torch.float64)
    torch.full((2, 3), 0.5); torch.eye(3); $x.contiguous(); $x.item(); $x.tolist()
    torch.tensor(2.5)
""")
SMOOTH = templates("""
    ($x + $n); ($x * $n); ($x - $n); ($x / (2 + $y.sin())); -$x; ($x ** 2); ($x.abs() + 1).log()
    $x.tanh(); $x.sin().exp(); torch.sigmoid($x); ($x * $x + 1).sqrt(); F.softplus($x)
    F.leaky_relu($x); $x.relu(); $x.sum(); $x.mean(); $x.sum(0); $x.mean(-1)
    $x.sum(-1, keepdim=True); $x.max(); $x.prod(); $x[None].var((0, -1)); $x.norm(); $x.cumsum(0)
    $x.softmax(-1); $x.log_softmax(0); $x @ $y; $x @ q; $x.t(); $x.reshape(-1); $x[0]; $x[..., 1:]
    $x[i[:1]]; $x.unsqueeze(-1); $x.expand(2, *$x.shape); $x[$x > 0]; torch.cat([$x, $x])
    torch.stack([$x, $x], -1); torch.where($x > $y, $x, $y); torch.maximum($x, $y)
    F.mse_loss($x, $x.sin()); F.binary_cross_entropy_with_logits($x, $x.sigmoid())
    F.linear($x, q, v)
""")
LEAVES = "svwmcqted"
END = derivatives(LEAVES)
SECOND = (
    f"inputs = [{', '.join(LEAVES)}]",
    "first = torch.autograd.grad((r * r).sum(), inputs, create_graph=True, allow_unused=True)",
    "show(first)",
    "total = sum((one * one).sum() for one in first if one is not None)",
    "show(torch.autograd.grad(total, inputs, allow_unused=True))",
)


def expressions(operations: list[str], tensors: str) -> st.SearchStrategy[str]:
    """Operations of tensors, numbers, and the results of other operations."""

    def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        places = {"x": inner, "y": inner, "n": st.one_of(inner, st.sampled_from(NUMBERS))}
        return st.builds(fill, st.sampled_from(operations), st.fixed_dictionaries(places))

    return st.recursive(st.sampled_from(tensors), extend, max_leaves=5)


@pytest.mark.parity
@given(expressions([*ARITHMETIC, *REDUCTIONS, *SHAPES, *DTYPES], "vmwscqdtijbek"))
def test_expressions_mean_what_they_mean_in_pytorch(pytorch: Any, expression: str) -> None:
    assert_same(pytorch, [*START, f"r = {expression}", *END])


@pytest.mark.parity
@given(expressions([one for one in SMOOTH if "softplus" not in one], "vwsmqd"))
def test_derivatives_are_recorded_as_in_pytorch(pytorch: Any, expression: str) -> None:
    assert_same(pytorch, [*START, f"r = {expression}", *SECOND])


@pytest.mark.filterwarnings("ignore")
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(expressions(SMOOTH, "vwsmqd"))
def test_derivatives_are_those_of_finite_differences(torch: Any, expression: str) -> None:
    def curve(time: Any) -> Any:
        """The sum of the result's elements, weighted, when all leaves have moved for some time."""
        names = run(torch, START)
        for name in LEAVES:
            names[name] = moved(torch, names[name], time)
        result = eval(expression, names).double()
        return (result * torch.linspace(1, 2, result.numel()).reshape(result.shape)).sum()

    hypothesis.note(expression)
    check_derivatives(torch, curve)
