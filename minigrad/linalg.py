"""Linear algebra, as ``torch.linalg`` names it: inverses, determinants, equations, norms."""

from typing import Any

from minigrad.ops import determinants, factorizations, linalg, matrices, reduction, triangular
from minigrad.ops.bind import make_public, missing
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
vector_norm = refusing("linalg_vector_norm", out=True)(reduction.vector_norm)

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv",
    "matmul", "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr",
    "slogdet", "solve", "solve_triangular", "svd", "svdvals", "vecdot", "vector_norm",
]  # fmt: skip
for _function in __all__[1:]:  # PyTorch has them in C++, by longer names
    make_public(globals()[_function], _function, "minigrad.linalg", f"linalg_{_function}")


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.linalg'", name, globals())
