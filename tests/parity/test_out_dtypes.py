"""What functions say of an `out` of another dtype, and linear algebra of what does not fit."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.parity.expressions import lines
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

CALLS = lines(
    """
torch.linalg.cholesky(a, out=o)
torch.cholesky_solve(a, a, out=o)
torch.linalg.cond(a, out=o)
torch.linalg.inv(a, out=o)
torch.linalg.matrix_rank(a, out=o[0, 0])
torch.linalg.pinv(a, out=o)
torch.linalg.tensorsolve(a, a[0], out=o)
torch.linalg.solve(a, a, out=o)
torch.linalg.solve_triangular(a, a, upper=True, out=o)
torch.linalg.norm(a, out=o[0, 0])
torch.linalg.matrix_norm(a, out=o[0, 0])
torch.linalg.multi_dot([a, a], out=o)
torch.linalg.multi_dot([a, a, a], out=o)
torch.linalg.cross(c, c, out=o[0])
torch.linalg.vecdot(a, a, out=o[0])
torch.tensordot(a, a, 1, out=o)
torch.addmv(a[0], a, a[0], out=o[0])
torch.searchsorted(a[0], a, out=o)
torch.searchsorted(a[0], a, out_int32=True, out=o)
torch.bucketize(a, a[0], out=o)
torch.histc(a, 2, out=o[0])
torch.histogram(a, 2, out=(o[0], c))
torch.histogram(a, 2, out=(c[:2], torch.ones(3, dtype=o.dtype)))
torch.mode(a, out=(o[0], i))
torch.mode(a, out=(c[:2], o[0]))
torch.kthvalue(a, 1, out=(o[0], i))
torch.kthvalue(a, 1, out=(c[:2], o[0]))
torch.median(a, 0, out=(o[0], i))
torch.median(a, 0, out=(c[:2], o[0]))
torch.nanmedian(a, 0, out=(o[0], i))
torch.nanmedian(a, 0, out=(c[:2], o[0]))
"""
)
REFUSALS = lines(
    """
torch.chain_matmul(torch.ones(1), torch.ones(1))
torch.linalg.multi_dot([torch.tensor(1.0), torch.ones(2)])
torch.linalg.multi_dot([torch.ones(2), torch.tensor(1.0)])
torch.linalg.multi_dot([torch.ones(2), torch.ones(2), torch.ones(2)])
torch.linalg.multi_dot([torch.ones(2), torch.ones(2, 2, 2), torch.ones(2)])
torch.linalg.multi_dot([torch.ones(2), torch.ones(2).double()])
torch.linalg.multi_dot([torch.ones(2), torch.ones(3)])
torch.linalg.multi_dot([torch.ones(2, 2, 2), torch.ones(2)])
torch.einsum('', [])
torch.einsum('. ..', torch.ones(2))
torch.linalg.vector_norm(torch.ones(0, dtype=torch.float64), inf, dtype=torch.float32)
torch.linalg.vector_norm(torch.ones(0, 2, dtype=torch.float64), inf, dim=5, dtype=torch.int64)
torch.linalg.vector_norm(torch.ones(3, dtype=torch.float64), inf, dtype=torch.float32)
torch.linalg.lstsq(torch.ones(2, 2), torch.ones(2, 2, dtype=torch.float64))
torch.linalg.lstsq(torch.ones(2, 2, dtype=torch.int64), torch.ones(2, 2))
torch.cholesky_solve(torch.ones(2, 1), torch.tensor([[1.0, 0], [0, 0]]))
torch.searchsorted(torch.ones(2), torch.ones(2), sorter=torch.tensor([0.0, 1.0]))
torch.searchsorted(torch.ones(2), 2.5, sorter=torch.tensor([0, 1], dtype=torch.int32))
torch.searchsorted(torch.ones(2), 2.5, sorter=torch.tensor([0, 2]))
torch.searchsorted(torch.ones(2), torch.ones(2), sorter=torch.tensor([-1, 0]))
torch.searchsorted(torch.ones(2), torch.ones(2), sorter=torch.tensor([-1, 0]), side="bad")
torch.histc(torch.tensor([1, 2, 3]), 4, 5, 1)
torch.histc(torch.tensor([True, False]), 0)
torch.histc(torch.tensor([1, 2, 3]), 4, inf, 1)
torch.histc(torch.tensor([1, 2, 3]))
torch.nn.functional.dropout3d(torch.tensor(1.0), p=1)
torch.nn.functional.dropout2d(torch.tensor(1.0), p=0.5)
"""
)


@pytest.mark.parametrize("kind", ["int32", "float64", "bool", "float32"])
@pytest.mark.parametrize("call", CALLS)
def test_out_of_another_dtype(call: str, kind: str) -> None:
    def program(torch: Any) -> Any:
        out = torch.zeros((3, 3) if "cross" in call else (2, 2), dtype=getattr(torch, kind))
        places = torch.zeros(2, dtype=torch.int64)
        names = {"a": torch.eye(2), "c": torch.eye(3)[0], "i": places, "o": out}
        return eval(call, {"torch": torch, **names})

    assert_same(program)


@pytest.mark.parametrize("call", REFUSALS)
def test_refusal(call: str) -> None:
    assert_same(lambda torch: eval(call, {"torch": torch, "inf": float("inf")}))


KINDS = ("float32", "float64", "int64", "bool")


@pytest.mark.parametrize("kinds", list(itertools.product(KINDS, repeat=3)))
def test_batches_of_other_dtypes(kinds: tuple[str, ...]) -> None:
    def program(torch: Any) -> Any:
        tensors = [torch.ones(1, 2, 2, dtype=getattr(torch, kind)) for kind in kinds]
        return torch.baddbmm(*tensors)

    assert_same(program)
