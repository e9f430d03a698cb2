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
        show(lambda x: L.pinv(x @ x.mT, atol=1e-3, hermitian=True), a)
        show(lambda x: L.cholesky(x @ x.mT, upper=True), a)
        show(lambda x: L.matrix_norm(x, "nuc"), wide)
        show(lambda x: L.matrix_norm(x, 2, (0, 2), keepdim=True), wide)
        show(lambda x: L.matrix_norm(x, -2), tall)
        show(lambda x: x.norm("nuc"), a)
        u = torch.triu(a.detach()) + 3 * torch.eye(3, dtype=torch.double)
        u.requires_grad_()
        show(lambda x, y: L.solve_triangular(x, y, upper=True), u, a)
        show(lambda x, y: L.solve_triangular(x, y, upper=True, left=False), u, a)
        show(lambda x, y: L.solve_triangular(x, y, upper=True, unitriangular=True), u, a)
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
            L.matrix_rank(torch.eye(2), atol=0.5, rtol=2.0, hermitian=True),
            L.matrix_rank(torch.eye(2), atol=torch.tensor(0.5), rtol=torch.tensor(0.1)),
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


def test_triangular_systems_without_a_solution_have_infinite_ones() -> None:
    agree_in_print(
        """
        solve = torch.linalg.solve_triangular
        A = torch.tensor([[0.0, 1.0], [0.0, 2.0]], requires_grad=True)
        B = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        for upper in (True, False):
            for left in (True, False):
                print(solve(A, B, upper=upper, left=left))
                solve(A, B, upper=upper, left=left).sum().backward()
                print(A.grad, B.grad)
        print(solve(torch.zeros(3, 3), torch.tensor([[1.0], [0.0], [0.0]]), upper=True))
        print(solve(A.expand(3, 2, 2), B, upper=True))
        print(solve(A, B.expand(2, 1, 2, 2), upper=True))
        print(solve(torch.eye(2).expand(2, 1, 2, 2) * 2, B.expand(3, 2, 2), upper=False))
        print(solve(torch.ones(0, 0), torch.ones(0, 2), upper=True))
        print(solve(A, torch.ones(2, 0), upper=True))
        """
    )


def test_triangular_systems_that_do_not_fit_are_refused() -> None:
    agree_in_print(
        """
        solve = torch.linalg.solve_triangular
        ones = torch.ones
        attempt(lambda: solve(ones(2), ones(2), upper=True))
        attempt(lambda: solve(ones(2, 3), ones(2, 2), upper=True))
        attempt(lambda: solve(ones(2, 2), ones(2), upper=True))
        attempt(lambda: solve(ones(2, 2), ones(3, 2), upper=True))
        attempt(lambda: solve(ones(2, 2), ones(2, 3), upper=True, left=False))
        attempt(lambda: solve(ones(3, 2, 2), ones(2, 2, 2), upper=True))
        attempt(lambda: solve(ones(2, 2).long(), ones(2, 2).long(), upper=True))
        attempt(lambda: solve(ones(2, 2).half(), ones(2, 2).half(), upper=True))
        """
    )


def test_triangular_systems_are_solved_to_the_last_but_one_digit() -> None:
    import numpy as np
    import torch

    import minigrad

    random = np.random.default_rng(0)
    for upper in (True, False):
        for left in (True, False):
            A = random.standard_normal((4, 6, 6)) + 4 * np.eye(6)
            B = random.standard_normal((4, 6, 6))
            ours, theirs = (
                engine.linalg.solve_triangular(
                    engine.tensor(A), engine.tensor(B), upper=upper, left=left
                ).numpy()
                for engine in (minigrad, torch)
            )
            np.testing.assert_allclose(ours, theirs, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", ["qr", "svd", "svdvals", "matrix_rank", "pinv", "cond"])
def test_only_matrices_of_floating_point_are_taken_apart(name: str) -> None:
    agree_in_print(
        f"""
        for dtype in (torch.int64, torch.bool, torch.uint8, torch.float16):
            attempt(lambda: torch.linalg.{name}(torch.ones(2, 2, dtype=dtype)))
        attempt(lambda: torch.linalg.{name}(torch.ones(2)))
        attempt(lambda: torch.linalg.{name}(torch.ones(2).long()))
        attempt(lambda: torch.linalg.{name}(torch.ones(2).half()))
        """
    )


def test_a_wrong_mode_is_refused_after_a_wrong_matrix() -> None:
    agree_in_print(
        """
        for ones in (torch.ones(2), torch.ones(2, 2).long(), torch.ones(2, 2)):
            attempt(lambda: torch.linalg.qr(ones, "x"))
        """
    )
