"""What `create_graph=True` records: the same nodes, in the same order, from the same inputs."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad
from tests.parity.transcript import same

pytestmark = pytest.mark.parity

M, S, V, P = (4, 3), (3, 3), (3,), (2, 3, 3)
# Expressions, and the shapes of A, B, C in them; S is a symmetric matrix made of A.
CASES = {
    "F.layer_norm(A, (3,))": [M],
    "F.layer_norm(A, (3,), B)": [M, V],
    "F.layer_norm(A, (3,), B, C)": [M, V, V],
    "F.layer_norm(A, (3, 3), B, C)": [P, S, S],
    "F.batch_norm(A, None, None, training=True)": [M],
    "F.batch_norm(A, None, None, B, C, True)": [M, V, V],
    "F.batch_norm(A, None, None, B, C, True) ": [P, V, V],
    "F.batch_norm(A, torch.zeros(3).to(A), torch.ones(3).to(A), B, C)": [M, V, V],
    "F.batch_norm(A, torch.zeros(3).to(A), torch.ones(3).to(A))": [M],
    "torch.det(A)": [S],
    "torch.linalg.det(A)": [P],
    "torch.det(A[:, :1] @ A[:1])": [S],
    "torch.slogdet(A)[1]": [S],
    "torch.linalg.slogdet(A)[1]": [P],
    "torch.logdet(S)": [S],
    "torch.linalg.inv(A)": [S],
    "torch.linalg.solve(A, B)": [S, M[::-1]],
    "torch.linalg.solve(A, B) ": [S, V],
    "torch.linalg.solve(A, B.detach())": [S, V],
    "torch.linalg.solve(A.detach(), B)": [S, V],
    "torch.linalg.solve_triangular(A, B, upper=True)": [S, S],
    "torch.linalg.solve_triangular(A, B, upper=False, unitriangular=True)": [S, S],
    "torch.linalg.solve_triangular(A, B, upper=True, left=False)": [S, M],
    "torch.linalg.solve_triangular(A.detach(), B, upper=True)": [S, S],
    "torch.linalg.cholesky(S)": [S],
    "torch.linalg.cholesky(S, upper=True)": [S],
    "torch.linalg.qr(A)": [M],
    "torch.linalg.qr(A) ": [S],
    "torch.linalg.qr(A)  ": [M[::-1]],
    "torch.linalg.qr(A)[0]": [M],
    "torch.linalg.qr(A)[1]": [M],
    "torch.linalg.qr(A)[0] ": [M[::-1]],
    "torch.linalg.qr(A)[1] ": [M[::-1]],
    "torch.linalg.svdvals(A)": [M],
    "torch.linalg.svdvals(A) ": [M[::-1]],
    "torch.linalg.svd(A)[1]": [M],
    "torch.linalg.matrix_norm(A, 'nuc')": [M],
    "torch.linalg.cond(A)": [S],
    "torch.linalg.eigvalsh(S)": [S],
    "torch.linalg.pinv(A)": [M],
    "torch.linalg.pinv(A) ": [M[::-1]],
    "torch.trace(A)": [M],
    "torch.atanh(A)": [V],
    "torch.diff(A)": [V],
    "torch.diff(A, 2, 0)": [M],
    "torch.quantile(A, 0.3)": [V],
    "torch.quantile(A, 0.3) ": [M],
    "torch.linalg.multi_dot([A, A, A])": [S],
    "torch.linalg.multi_dot([A, B, A, B, A])": [S, S],
    "F.cosine_embedding_loss(A, B, torch.tensor([1.0, -1, 1, 1]).to(A))": [M, M],
    "torch.atan2(A, B)": [V, V],
    "torch.atan2(A, B.detach())": [V, V],
    "torch.nansum(A, dtype=torch.float32)": [V],
    "torch.nansum(A, 0)": [M],
    "torch.div(A, B, rounding_mode=None)": [V, V],
    "A.div(2, rounding_mode=None)": [V],
    "(A * 1).div_(B, rounding_mode=None)": [V, V],
    "torch.addcdiv(A, B, C)": [V, V, V],
    "torch.cdist(A, B, p=1.5)": [M, S],
    "torch.std(A)": [V],
    "torch.var(A, 0)": [M],
}
# Singular vectors are known up to their signs: of these the graph alone is compared.
GRAPHS = {
    "torch.linalg.svd(A, full_matrices=False)": [M],
    "torch.linalg.svd(A, full_matrices=False) ": [M[::-1]],
    "torch.linalg.svd(A)": [S],
    "torch.linalg.svd(A)[:2]": [S],
    "torch.linalg.svd(A)[1:]": [S],
    "torch.linalg.svd(A, full_matrices=False)[0]": [M],
    "torch.linalg.svd(A, full_matrices=False)[2]": [M[::-1]],
    "torch.linalg.eigh(S)": [S],
    "torch.linalg.eigh(S)[1]": [S],
}


def second(torch: Any, expression: str, shapes: Any) -> tuple[list[str], list[Any]]:
    """Return the graph of the gradients of an expression, and their values."""
    torch.manual_seed(1)
    leaves = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    names = {"torch": torch, "F": torch.nn.functional, **dict(zip("ABC", leaves, strict=False))}
    symmetric = "(S" in expression
    if symmetric:
        names["S"] = leaves[0] @ leaves[0].mT + 2 * torch.eye(3, dtype=torch.float64)
    found = eval(expression.strip(), names)
    outputs = list(found) if isinstance(found, tuple) else [found]
    weights = [torch.randn(tuple(one.shape), dtype=torch.float64).to(one.dtype) for one in outputs]
    weights = [one.requires_grad_() for one in weights]
    wanted = [names["S"]] if symmetric else leaves
    given = torch.autograd.grad(outputs, wanted, weights, create_graph=True, allow_unused=True)
    gradients = [one for one in given if one is not None]
    return graph(gradients), [one.tolist() for one in gradients]


def graph(tensors: list[Any]) -> list[str]:
    """Return the nodes below tensors in the order in which they were recorded, and their inputs."""
    nodes = [tensor.grad_fn for tensor in tensors if tensor.grad_fn]
    for node in nodes:
        nodes += [after for after, _ in node.next_functions if after and after not in nodes]
    recorded = [node for node in nodes if not node.name().endswith("AccumulateGrad")]
    recorded.sort(key=lambda node: node._sequence_nr())
    places = {node: str(place) for place, node in enumerate(recorded)}
    lines = []
    for node in recorded:
        inputs = [
            f"{places.get(after, after and after.name())}:{number}"
            for after, number in node.next_functions
        ]
        lines.append(f"{places[node]} {node.name()} {inputs}")
    return lines + [f"{places.get(one.grad_fn)}:{one.output_nr}" for one in tensors]


@pytest.mark.parametrize("expression", [*CASES, *GRAPHS])
def test_gradients_record_the_graph_of_pytorch(expression: str) -> None:
    import torch

    shapes = CASES.get(expression) or GRAPHS[expression]
    theirs, values = second(torch, expression, shapes)
    ours, found = second(minigrad, expression, shapes)
    assert ours == theirs
    assert expression in GRAPHS or same(found, values)
