"""Matrices are taken apart as PyTorch does it, and differentiated twice."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_factorizations_and_what_is_made_of_them() -> None:
    agree_in_print(
        """
        torch.manual_seed(0)
        a = torch.randn(3, 3, dtype=torch.double, requires_grad=True)
        tall = torch.randn(4, 3, dtype=torch.double, requires_grad=True)
        wide = torch.randn(2, 3, 4, dtype=torch.double, requires_grad=True)
        L = torch.linalg
        def rounded(x):
            return x.detach().round(decimals=4) + 0.0
        def show(f, *xs):
            o = f(*xs)
            print(o)
            o = [o] if isinstance(o, torch.Tensor) else [p for p in o if p.numel()]
            o = [p for p in o if p.requires_grad]
            ws = [
                torch.linspace(1, 2, p.numel(), dtype=torch.double).view(p.shape).requires_grad_()
                for p in o
            ]
            g = torch.autograd.grad(o, xs, ws, create_graph=True)
            print([rounded(x) for x in g])
            print(
                [
                    rounded(x)
                    for x in torch.autograd.grad(
                        [x.sum() for x in g], [*xs, *ws], allow_unused=True
                    )
                    if x is not None
                ]
            )
        show(L.qr, a)
        show(L.qr, tall)
        show(lambda x: L.qr(x, "complete"), a)
        show(lambda x: L.qr(x)[1], tall)
        show(lambda x: L.qr(x)[0], a)
        show(L.svdvals, a)
        show(L.svdvals, tall)
        show(L.svdvals, wide)
        show(lambda x: [p.abs() for p in L.svd(x, full_matrices=False)], a)
        show(lambda x: [p.abs() for p in L.svd(x, full_matrices=False)], tall)
        show(lambda x: L.svd(x, full_matrices=False)[2].abs(), wide)
        show(L.pinv, a)
        show(L.pinv, tall)
        show(L.pinv, wide)
        show(L.cond, a)
        u = torch.triu(a.detach()) + 3 * torch.eye(3, dtype=torch.double)
        u.requires_grad_()
        show(lambda x, y: L.solve_triangular(x, y, upper=True), u, a)
        show(lambda x, y: L.solve_triangular(x, y, upper=True, left=False), u, a)
        show(
            lambda x, y: L.solve_triangular(x, y, upper=False),
            u.detach().t().clone().requires_grad_(),
            a,
        )
        show(lambda x, y: L.multi_dot([x, y, x, y[:, 0]]), a, u)
        show(lambda x, y: L.multi_dot([y, x]), a, tall)
        print(
            L.matrix_rank(a),
            L.matrix_rank(torch.ones(3, 3)),
            L.matrix_rank(wide),
            a.pinverse().shape,
        )
        for f in (
            lambda: L.qr(a, "x"),
            lambda: L.qr(a[0]),
            lambda: L.svd(a[0]),
            lambda: L.multi_dot([a]),
            lambda: L.qr(tall, "complete")[0].shape,
            lambda: torch.autograd.gradcheck(lambda x: x * x, a, check_batched_grad=True),
        ):
            attempt(f)
        """
    )
