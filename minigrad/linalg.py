"""Linear algebra, as ``torch.linalg`` names it: inverses, determinants, equations, norms."""

from typing import Any

from minigrad.ops import linalg, matrices, reduction
from minigrad.ops.bind import missing

LinAlgError = matrices._LinAlgError
cholesky = matrices.linalg_cholesky
cross = matrices.linalg_cross
det = matrices.linalg_det
diagonal = matrices.diagonals
eigh = matrices.linalg_eigh
eigvalsh = matrices.eigvalsh
inv = matrices.linalg_inv
matmul = linalg.matmul
matrix_norm = matrices.matrix_norm
matrix_power = matrices.matrix_power
norm = matrices.norm
slogdet = matrices.linalg_slogdet
solve = matrices.linalg_solve
vecdot = matrices.vecdot
vector_norm = reduction.vector_norm


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.linalg'", name, globals())
