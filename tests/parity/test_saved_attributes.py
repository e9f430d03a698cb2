"""What nodes show of what they have saved: the same names, with the same values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity.printed import agree_in_print
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

EXPRESSIONS = """
a * b; a * 2; 2 * a; a / b; a / 2; 2 / a; a ** b; a ** 2; 2 ** a; a + b; a + 1; a - b; 1 - a
a.add(b, alpha=2); a.sub(b, alpha=-2); -a; a.exp(); a.log(); a.tanh(); a.sigmoid(); a.sqrt()
a.sin(); a.abs(); a.relu(); a.reciprocal(); a.rsqrt(); a.pow(2.5); a.clamp(0, 2); a.clamp(min=-1)
m.mm(m); m.mv(a[:2]); a.dot(b); torch.addmm(m, m, m, beta=-1, alpha=-3); torch.bmm(m[None], m[None])
a.max(0)[0]; m.max(-1)[0]; a.max(); a.amax(0); m.amin(-1); m.sort(-1)[0]; m.topk(1, -1)[0]
a.sum(); a.sum(0); m.sum(-1); m.sum((-1, -2)); m.sum(-2, keepdim=True); a.mean(); m.mean((0, -1))
a.prod(); m.prod(-1); a.var(); m.std(-1); a.norm(); m.norm(dim=-1); m.cumsum(-1); m.cumprod(-1)
m.softmax(-1); m.log_softmax(-1); m.logsumexp(-1); torch.where(a > 2, a, b); torch.maximum(a, b)
functional.mse_loss(a, b); functional.binary_cross_entropy(a.sigmoid(), c)
functional.binary_cross_entropy_with_logits(a, c); functional.linear(m, m, a[:2])
functional.cross_entropy(m, torch.tensor([0, 1])); functional.softplus(a); functional.gelu(a)
a.masked_fill(a > 2, 0.0); torch.stack([m, m], -1); torch.cat([a, b]); a.view(3, 1); a.unsqueeze(-1)
m.t(); m.T; m.transpose(-1, -2); m.permute(-1, -2); a.expand(2, 3); a[-1]; a[1:]; m[:, -1:]
a[torch.tensor([0, 1])]; a[a > 1]; m.index_select(-1, torch.tensor([0])); m.squeeze(-1); a.repeat(2)
m.select(-1, 0); m.narrow(-1, 0, 1); m.unbind(-1)[0]; m.split(1, -1)[0]; m.chunk(2, -2)[1]
m.flip(-1); m.roll(-1, -1); m.tril(-1); m.diagonal(-1); a.double(); a.clone(); a.atan2(b)
a.take(torch.tensor([0, 2])); a.masked_select(a > 1); a.cummax(0)[0]; m.cummin(-1)[0]
a ** b.detach(); a ** torch.tensor([1, 2, 3]); a.detach() ** b
m.aminmax(dim=0)[0]; m.nansum(0); m.nansum((0, -1)); m.H; torch.linalg.matrix_norm(m)
torch.rot90(m, -1); functional.pad(m, (-1, 1)); torch.rsub(a, b); torch.rsub(a, b, alpha=2)
m.index_add(-1, i, m); m.index_copy(-1, i, m); m.index_copy(-1, i, m.detach())
m.put(i[None], m[:1]); torch.block_diag(m, m); torch.normal(m, m); torch.normal(m, 1.0)
torch.normal(1.0, m); torch.lerp(a, b, 0.5); functional.embedding(i, m)
m.select_scatter(a[:2], -1, -1)
functional.embedding(i, m, padding_idx=0); functional.nll_loss(m, i); functional.logsigmoid(m)
functional.pairwise_distance(m, m + 1); functional.multilabel_soft_margin_loss(m, m.detach() - 1)
torch.addmm(m.detach(), m.detach(), m); torch.addmm(m.detach(), m, m.detach()); m @ m.detach()
torch.addmm(m, m.detach(), m.detach()); torch.addcmul(a, b.detach(), c); torch.addcmul(c, c, a)
torch.addcdiv(a, c + 1, c + 1); m.detach() @ m; torch.addmv(a[:2].detach(), m.detach(), a[:2])
m.detach().index_add(0, i, m); m.index_copy(0, i, m.detach()); m.slice_scatter(m.detach())
a.as_strided((2,), (1,)); a.as_strided((2,), (1,), 0); a.clone()[1:].as_strided((1, 2), (1, 1))
""".replace("\n", ";").split(";")


@pytest.mark.parametrize("expression", [one.strip() for one in EXPRESSIONS if one.strip()])
def test_saved_attributes(expression: str) -> None:
    def program(torch: Any) -> None:
        names = {
            "torch": torch,
            "functional": torch.nn.functional,
            "a": torch.tensor([1.0, 2.0, 3.0], requires_grad=True),
            "b": torch.tensor([4.0, 5.0, 6.0], requires_grad=True),
            "c": torch.tensor([1.0, 0.0, 1.0]),
            "i": torch.tensor([0, 1]),
            "m": torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True),
        }
        result = eval(expression, names)
        node = result.grad_fn
        for name in dir(node):
            if name.startswith("_saved"):
                print(name, getattr(node, name))
            elif name.startswith("_raw_saved"):
                print(name, type(getattr(node, name)))

    assert_same(program)


def test_dimensions_are_saved_as_they_were_given() -> None:
    agree_in_print(
        """
        x = torch.ones(2, 3, requires_grad=True)
        index = torch.zeros(1, 3, dtype=torch.long)
        for dim in (-1, 1, -2):
            made = (torch.cat([x, x], dim), x.scatter(dim, index, x), x.scatter(dim, index, 2.0))
            for one in (*made, x.diff(dim=dim).grad_fn.next_functions[0][0]):
                node = one.grad_fn if isinstance(one, torch.Tensor) else one
                print(node.name(), node._saved_dim)
            for one in made:
                print(torch.autograd.grad(one.sum(), x))
        number = torch.tensor(3.0, requires_grad=True)
        print(number.scatter(-1, torch.tensor([0]), number[None] * 2))
        """
    )
