"""Equations, exponentials and singular values by other names are as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.parity.compare import agree
from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

A = np.array([[4.0, 1.0], [2.0, 3.0]])
B = np.array([[1.0, 0.5], [0.25, 2.0]])
TALL = np.array([[1.0, 1.0], [2.0, 4.0], [4.0, 5.0]])
ROOT = np.array([[2.0, 0.0], [1.0, 1.5]])
POSITIVE = ROOT @ ROOT.T
GRADED: dict[str, tuple[Any, ...]] = {
    "svd": (lambda t, a: t.svd(a)[1], TALL),
    "matrix_exp": (lambda t, a: t.matrix_exp(a), A / 4),
    "matrix_exp of a batch": (lambda t, a: t.linalg.matrix_exp(a), np.stack([A, B])),
    "cholesky_solve": (lambda t, b, root: t.cholesky_solve(b, root), B, ROOT),
    "cholesky_solve upper": (lambda t, b, root: b.cholesky_solve(root, upper=True), B, ROOT.T),
    "inv_ex": (lambda t, a: t.linalg.inv_ex(a)[0], A),
    "cholesky_ex": (lambda t, a: t.linalg.cholesky_ex(a)[0], POSITIVE),
    "tensorsolve": (
        lambda t, a, b: t.linalg.tensorsolve(a.view(2, 1, 2, 1), b[:1].view(2, 1)), A, B,
    ),
    "tensorinv": (lambda t, a: t.linalg.tensorinv(a.view(2, 1, 2), 2), A),
    "vander": (lambda t, a: t.linalg.vander(a, N=3), A),
    "nanquantile": (lambda t, a: t.nanquantile(a, 0.3, 1), A),
    "ldexp": (lambda t, a: t.ldexp(a, t.tensor([1, -2])), A),
    "hardshrink": (lambda t, a: a.hardshrink(1.5), A),
    "prelu": (lambda t, a, w: (-a).prelu(w[0]), A, B),
    "float_power_": (lambda t, a: (a * 1).float_power_(3), A),
}  # fmt: skip
VALUES: dict[str, tuple[Any, ...]] = {
    "lstsq": (lambda t, a, b: t.linalg.lstsq(a, b)[0], TALL, TALL**2),
    "lstsq of vectors": (lambda t, a, b: t.linalg.lstsq(a, b[:, 0])[0], TALL, TALL**2),
    "lstsq wide": (lambda t, a, b: t.linalg.lstsq(a.mT, b[:2])[0], TALL, TALL**2),
    "residuals": (lambda t, a, b: t.linalg.lstsq(a, b, driver="gels")[1], TALL, TALL**2),
    "solve_ex": (lambda t, a, b: t.linalg.solve_ex(a, b)[0], A, B),
}


@pytest.mark.parametrize("name", GRADED)
def test_values_derivatives_and_graphs_are_as_in_pytorch(name: str) -> None:
    program, *inputs = GRADED[name]
    agree(program, *inputs, second_graph=False)


@pytest.mark.parametrize("name", VALUES)
def test_values_and_gradients_are_as_in_pytorch(name: str) -> None:
    import torch

    import minigrad

    program, *inputs = VALUES[name]
    found = []
    for engine in (torch, minigrad):
        leaves = [engine.from_numpy(one.copy()).requires_grad_() for one in inputs]
        result = program(engine, *leaves)
        gradients = engine.autograd.grad((result**2).sum(), leaves)
        found.append([result.grad_fn.name(), result.detach().numpy(), *map(np.asarray, gradients)])
    theirs, ours = found
    assert ours[0] == theirs[0]
    for one, other in zip(ours[1:], theirs[1:], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)


SAID = """
a, v = torch.tensor([[4.0, 1.0], [2.0, 3.0]]), torch.tensor([1.0, 2.0, 3.0])
tall, k = torch.tensor([[1.0, 1.0], [2.0, 4.0], [4.0, 5.0]]), torch.arange(4).view(2, 2)
nan, linalg = float("nan"), torch.linalg
for call in (
    lambda: torch.svd(tall, compute_uv=False), lambda: torch.svd(v), lambda: torch.svd(k),
    lambda: [one.shape for one in torch.svd(tall)],
    lambda: [one.shape for one in tall.svd(some=False)],
    lambda: torch.matrix_exp(v), lambda: torch.matrix_exp(tall), lambda: torch.matrix_exp(k),
    lambda: linalg.matrix_exp(torch.zeros(2, 0, 0)).shape, lambda: a.matrix_exp(),
    lambda: torch.cholesky_solve(a, a), lambda: torch.cholesky_solve(v, a),
    lambda: torch.cholesky_solve(a, v), lambda: torch.cholesky_solve(tall, a),
    lambda: torch.cholesky_solve(a, tall), lambda: torch.cholesky_solve(k, k),
    lambda: torch.cholesky_solve(a.double(), a), lambda: torch.cholesky_solve(a, a, True),
    lambda: linalg.inv_ex(a), lambda: linalg.inv_ex(torch.ones(3, 2, 2)).info,
    lambda: linalg.inv_ex(torch.zeros(2, 2), check_errors=True), lambda: linalg.inv_ex(tall),
    lambda: linalg.cholesky_ex(a), lambda: linalg.cholesky_ex(a, upper=True),
    lambda: linalg.cholesky_ex(-a).info, lambda: linalg.cholesky_ex(-a, check_errors=True),
    lambda: linalg.solve_ex(a, a), lambda: linalg.solve_ex(torch.zeros(2, 2), a).info,
    lambda: linalg.solve_ex(torch.zeros(2, 2), a, check_errors=True),
    lambda: linalg.lstsq(tall, v)[1:], lambda: linalg.lstsq(tall, v[:, None], driver="gelsd")[2:],
    lambda: linalg.lstsq(tall, tall, driver="x"), lambda: linalg.lstsq(tall, a),
    lambda: linalg.lstsq(v, v), lambda: linalg.lstsq(k, k),
    lambda: linalg.lstsq(torch.ones(3, 2), v[:, None]).rank,
    lambda: linalg.vander(v), lambda: linalg.vander(k), lambda: linalg.vander(v, N=1),
    lambda: linalg.vander(v.half()), lambda: linalg.vander(k.bool()),
    lambda: linalg.tensorsolve(torch.eye(6).view(2, 3, 6), torch.ones(2, 3)),
    lambda: linalg.tensorsolve(torch.eye(6).view(2, 3, 6), torch.ones(2, 2)),
    lambda: linalg.tensorinv(torch.eye(6).view(2, 3, 6)), lambda: linalg.tensorinv(a, ind=0),
    lambda: linalg.tensorinv(torch.eye(6).view(6, 2, 3), ind=2), lambda: linalg.tensorinv(v),
    lambda: torch.nanquantile(torch.tensor([1.0, nan, 3.0]), 0.5),
    lambda: torch.nanquantile(torch.tensor([nan]), 0.5), lambda: torch.nanquantile(k, 0.5),
    lambda: torch.nanquantile(a, torch.tensor([0.1, 0.9]), dim=1, keepdim=True),
    lambda: v.nanquantile(2.0), lambda: torch.nanquantile(a, 0.5, interpolation="nearest"),
    lambda: torch.ldexp(v, v), lambda: torch.ldexp(k, k), lambda: torch.ldexp(v, 2),
    lambda: v.clone().ldexp_(torch.tensor([1, 2, 3])), lambda: torch.ldexp(v, a[0]),
    lambda: v.clone().float_power_(2), lambda: v.double().float_power_(0.5),
    lambda: v.hardshrink(2), lambda: k.hardshrink(), lambda: v.prelu(v), lambda: v.prelu(1),
    lambda: (a.is_pinned(), a.is_shared(), a.is_conj(), a.is_neg(), torch.is_conj(a)),
    lambda: a.pin_memory(), lambda: a.const_data_ptr() == a.data_ptr(),
    lambda: (a.dim_order(), a.t().dim_order()),
):
    attempt(call)
"""


def test_what_they_say_is_as_in_pytorch() -> None:
    agree_in_print(SAID)
