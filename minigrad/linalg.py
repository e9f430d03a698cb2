"""Linear algebra, as ``torch.linalg`` names it: inverses, determinants, equations, norms."""

from typing import Any

from minigrad.ops import factorizations, linalg, matrices, reduction
from minigrad.ops.bind import missing

LinAlgError = matrices._LinAlgError
cholesky = matrices.linalg_cholesky
cond = factorizations.cond
cross = matrices.linalg_cross
det = matrices.linalg_det
diagonal = matrices.diagonals
eigh = matrices.linalg_eigh
eigvalsh = matrices.eigvalsh
inv = matrices.linalg_inv
matmul = linalg.matmul
matrix_norm = factorizations.matrix_norm
matrix_power = matrices.matrix_power
matrix_rank = factorizations.matrix_rank
multi_dot = factorizations.multi_dot
norm = factorizations.linalg_norm
pinv = factorizations.linalg_pinv
qr = factorizations.linalg_qr
slogdet = matrices.linalg_slogdet
solve = matrices.linalg_solve
solve_triangular = factorizations.solve_triangular
svd = factorizations.linalg_svd
svdvals = factorizations.svdvals
vecdot = matrices.vecdot
vector_norm = reduction.vector_norm


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.linalg'", name, globals())
