"""float16 is computed in float32 and rounded as often as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.parity

ROUNDED_AS_IN_PYTORCH = """
torch.sigmoid(a)
torch.tanh(a)
torch.rsqrt(p)
torch.sinc(a)
torch.erf(a)
F.silu(a)
F.mish(a)
F.elu(a, 0.7)
F.selu(a)
F.celu(a, 0.7)
F.softplus(a)
F.hardswish(a)
F.hardsigmoid(a)
F.leaky_relu(a)
F.logsigmoid(a)
F.glu(a)
F.prelu(a, w[:1])
F.softshrink(a, 0.3)
F.dropout(a, 0.3)
torch.softmax(a, 1)
torch.log_softmax(a, 0)
torch.log_softmax(a, 1)
torch.logsumexp(a, 1)
F.layer_norm(a, (60,))
F.group_norm(a, 6)
F.batch_norm(a, None, None, training=True)
F.batch_norm(a, w.detach(), w.detach() ** 2, w, w)
a.cumsum(1)
p.cumprod(1)
a.mean(0)
a.std(0)
torch.logcumsumexp(a, 1)
a * 0.3
0.3 * a
a / 0.3
0.3 / a
a + 0.3
0.3 - a
a * torch.tensor(0.3)
a.clone().mul_(0.3)
p**0.3
p**-0.5
torch.add(a, b, alpha=0.3)
torch.sub(a, b, alpha=0.3)
torch.rsub(a, b, alpha=0.3)
torch.addcmul(a, b, p, value=0.3)
torch.addcdiv(a, b, p, value=0.3)
torch.lerp(a, b, p)
torch.round(a, decimals=2)
torch.addmm(a[:, :40], a, b.t(), beta=0.3, alpha=0.7)
torch.baddbmm(a[None, :, :40], a[None], b.t()[None])
torch.addmv(a[:, 0], a, w)
F.linear(a, b, b[:, 0])
F.mse_loss(a, b)
F.huber_loss(a, b, delta=0.3)
F.smooth_l1_loss(a, b, beta=0.3)
F.binary_cross_entropy(p, q)
F.binary_cross_entropy_with_logits(a, q)
F.cross_entropy(a, i, reduction='none')
F.cross_entropy(a, i, label_smoothing=0.1, reduction='none')
"""


def drawn() -> dict[str, np.ndarray[Any, Any]]:
    """Return what the expressions are about."""
    generator = np.random.default_rng(0)
    made = {
        "a": generator.standard_normal((40, 60)) * 2,
        "b": generator.standard_normal((40, 60)) * 2,
        "w": generator.standard_normal(60),
        "p": generator.random((40, 60)) * 0.98 + 0.01,
        "q": generator.random((40, 60)),
        "grad": generator.standard_normal(40 * 60),
    }
    return {name: array.astype(np.float16) for name, array in made.items()}


def results(torch: Any, expression: str) -> list[np.ndarray[Any, Any]]:
    """Return the value of an expression, and the gradients of what it is computed from."""
    given = {name: torch.from_numpy(array) for name, array in drawn().items()}
    leaves = [given[name].requires_grad_() for name in "abpw"]
    torch.manual_seed(0)
    names = {"torch": torch, "F": torch.nn.functional, "i": torch.arange(40) % 7}
    result = eval(expression, names | given)
    result.backward(given["grad"][: result.numel()].view(result.shape))
    return [result.detach().numpy(), *[x.grad.numpy() for x in leaves if x.grad is not None]]


@pytest.mark.parametrize("expression", ROUNDED_AS_IN_PYTORCH.strip().split("\n"))
def test_halves_are_rounded_as_in_pytorch(expression: str) -> None:
    import torch

    import minigrad

    for theirs, ours in zip(results(torch, expression), results(minigrad, expression), strict=True):
        assert ours.dtype == theirs.dtype == np.float16
        # What float32 gives may differ in its last bit, and then be on the other side of a half.
        other = (ours != theirs) & ~(np.isnan(ours) & np.isnan(theirs))
        assert other.mean() < 0.01
        assert np.allclose(ours, theirs, rtol=3e-3, atol=1e-3, equal_nan=True)
