"""Linear algebra, as ``torch.linalg`` names it: inverses, determinants, equations, norms."""

from typing import Any

from minigrad.ops import determinants, factorizations, linalg, matrices, reduction, triangular
from minigrad.ops.bind import missing
from minigrad.ops.calls import refusing

LinAlgError = matrices._LinAlgError
cholesky = refusing("linalg_cholesky", out=True)(matrices.linalg_cholesky)
cond = refusing("linalg_cond", out=True)(factorizations.cond)
cross = refusing("linalg_cross", out=True)(matrices.linalg_cross)
det = refusing("linalg_det", out=True)(determinants.linalg_det)
diagonal = refusing("linalg_diagonal", out=False)(matrices.diagonals)
eigh = refusing("linalg_eigh", out=True)(factorizations.linalg_eigh)
eigvalsh = refusing("linalg_eigvalsh", out=True)(factorizations.eigvalsh)
inv = refusing("linalg_inv", out=True)(matrices.linalg_inv)
matmul = refusing("linalg_matmul", out=True)(linalg.matmul)
matrix_norm = factorizations.matrix_norm
matrix_power = refusing("linalg_matrix_power", out=True)(matrices.matrix_power)
matrix_rank = refusing("linalg_matrix_rank", out=True)(factorizations.matrix_rank)
multi_dot = refusing("linalg_multi_dot", out=True)(factorizations.multi_dot)
norm = factorizations.linalg_norm
pinv = refusing("linalg_pinv", out=True)(factorizations.linalg_pinv)
qr = refusing("linalg_qr", out=True)(factorizations.linalg_qr)
slogdet = refusing("linalg_slogdet", out=True)(determinants.linalg_slogdet)
solve = refusing("linalg_solve", out=True)(matrices.linalg_solve)
solve_triangular = refusing("linalg_solve_triangular", out=True)(triangular.solve_triangular)
svd = refusing("linalg_svd", out=True)(factorizations.linalg_svd)
svdvals = refusing("linalg_svdvals", out=True)(factorizations.svdvals)
vecdot = refusing("linalg_vecdot", out=True)(matrices.vecdot)
vector_norm = reduction.vector_norm


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.linalg'", name, globals())
