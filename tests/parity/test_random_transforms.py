"""Functions that nobody wrote, transformed as nobody would, have the derivatives of PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import minigrad
from tests.parity.expressions import lines

pytestmark = pytest.mark.parity

HELPERS = """
def changed(a):
    a = a.clone()
    a.mul_(2)
    a[0] = a[1] * 3
    a[1:] += 1
    return a
def filled(a):
    b = torch.zeros_like(a)
    b[:2] = a[:2] * a[1:]
    b.add_(a)
    return b
"""
# Of vectors of three elements, and of two of them; W, c and w are captured, w requires grad.
STEPS = lines(
    """
a.sin()
a.tanh() * 2
a.exp()
a * a
-a.sigmoid()
a.cumsum(-1)
torch.softmax(a, -1)
a.flip(-1)
torch.where(a > 0, a, a * a)
1 / (2 + a * a)
(a + 3) ** 2
a.roll(1, -1)
a.sort(-1)[0]
a.detach() * a
a.prod() * a
a.mean() * a
a[1:].sum() * a
torch.diag(a).sum(0)
a.view(3, 1).mT.squeeze(0)
a.unsqueeze(0).expand(2, 3).sum(0)
a.gather(0, torch.tensor([1, 1, 0]))
a.masked_fill(a > 0, 0.5) * a
changed(a)
filled(a)
grad(lambda u: (u**3).sum())(a)
grad(lambda u: (u * a).sum() ** 2)(a)
grad(lambda u, v: (u * v * u).sum(), (0, 1))(a, x)[1]
vmap(lambda u: u * u.sin())(a)
vmap(lambda u: u * a)(a).sum(0)
vmap(lambda u, v: u * v, (0, None))(a, x[0])
vmap(grad(lambda u: u**3))(a)
jacrev(lambda u: u * u)(a).sum(0)
jvp(torch.sin, (a,), (a,))[1]
hessian(lambda u: (u**3).sum())(a) @ a
a * b
a - b
torch.maximum(a, b)
torch.stack([a, b]).prod(0)
torch.cat([a, b], -1)[1:4]
torch.outer(a, b).sum(0)
a * torch.dot(a, b)
torch.atan2(a, b + 2)
torch.einsum('i,j->i', a, b)
F.mse_loss(a, b) * a
a * torch.logsumexp(b, 0)
W @ a
a @ W
F.linear(a, W, c)
c - a
a * w
F.linear(a, W * w)
"""
)
# What is made of a function f, and how many dimensions its output has then, of n of the input and
# m of the output.
TRANSFORMS = {
    "grad(f)": lambda n, m: n if m == 0 else None,
    "lambda x: sum(grad_and_value(f)(x))": lambda n, m: n if m == 0 else None,
    "jacrev(f)": lambda n, m: m + n,
    "jacfwd(f)": lambda n, m: m + n,
    "hessian(f)": lambda n, m: m + 2 * n,
    "lambda x: f(x).sum()": lambda n, m: 0,
    "lambda x: f(x.sin()) * x.sum()": lambda n, m: m,
    "lambda x: jvp(f, (x,), (x,))[1]": lambda n, m: m,
    "lambda x: (lambda y, product: product(y)[0])(*vjp(f, x))": lambda n, m: n,
    "vmap(f)": lambda n, m: m + 1,
    "vmap(f, in_dims=-1, out_dims=-1)": lambda n, m: m + 1,
}


@st.composite
def programs(draw: Any) -> tuple[str, list[int]]:
    """Return a program that computes `result` from X, and the shape of X."""
    source, known = ["def f(x):"], ["x"]
    for number in range(draw(st.integers(1, 4))):
        step = draw(st.sampled_from(STEPS))
        one, other = draw(st.sampled_from(known)), draw(st.sampled_from(known))
        known.append(f"v{number}")
        source.append(f"    v{number} = (lambda a, b: {step})({one}, {other})")
    scalar = draw(st.booleans())
    source.append(f"    return {known[-1]}{'.sum()' * scalar}")
    shape, dims = [3], 0 if scalar else 1
    for name in draw(st.lists(st.sampled_from(sorted(TRANSFORMS)), min_size=1, max_size=4)):
        mapped = name.startswith("vmap")
        new = TRANSFORMS[name](len(shape), dims)
        if new is None or new > 4 or (mapped and len(shape) > 2):
            continue
        if mapped:
            shape = [*shape, 2] if "-1" in name else [2, *shape]
        source.append(f"f = (lambda f: {name})(f)")
        dims = new
    return "\n".join([*source, "result = f(X)"]), shape


def run(torch: Any, program: str, shape: list[int]) -> Any:
    """Return what a program computes, and what the gradient of that is with respect to w."""
    numbers = np.random.RandomState(0)

    def drawn(*shape: int) -> Any:
        return torch.tensor(numbers.randn(*shape).tolist(), dtype=torch.float64)

    names = {name: getattr(torch.func, name) for name in ("grad", "grad_and_value", "vjp", "jvp")}
    names |= {name: getattr(torch.func, name) for name in ("vmap", "jacrev", "jacfwd", "hessian")}
    names |= {"torch": torch, "F": torch.nn.functional, "X": drawn(*shape)}
    names |= {"W": drawn(3, 3), "c": drawn(3), "w": drawn(3).requires_grad_()}
    exec(HELPERS + program, names)
    result, w = names["result"], names["w"]
    if result.requires_grad:
        result.sum().backward()
    values = [result.detach() + 0, torch.zeros(3) if w.grad is None else w.grad]
    return [np.array(one.tolist()) for one in values], result.shape, str(result.dtype)


@pytest.mark.filterwarnings("ignore")  # of what PyTorch's own Python does
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_random_functions_are_transformed(program: tuple[str, list[int]]) -> None:
    import torch

    try:
        expected, shape, dtype = run(torch, *program)
    except RuntimeError:  # PyTorch's formulas for third derivatives have faults of their own
        assume(False)
    found, own_shape, own_dtype = run(minigrad, *program)
    assert (tuple(own_shape), own_dtype.replace("minigrad", "torch")) == (tuple(shape), dtype)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)
