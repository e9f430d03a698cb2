"""Linear algebra, as ``torch.linalg`` names it: inverses, determinants, equations, norms."""

from typing import Any

from minigrad.ops import (
    determinants,
    equations,
    factorizations,
    linalg,
    matrices,
    reduction,
    triangular,
)
from minigrad.ops.bind import make_public, missing
from minigrad.ops.calls import refusing

cholesky = refusing("linalg_cholesky", out=True)(matrices.linalg_cholesky)
cholesky_ex = refusing("linalg_cholesky_ex", out=True)(equations.cholesky_ex)
cond = refusing("linalg_cond", out=True)(factorizations.cond)
cross = refusing("linalg_cross", out=True)(matrices.linalg_cross)
det = refusing("linalg_det", out=True)(determinants.linalg_det)
diagonal = refusing("linalg_diagonal", out=False)(matrices.diagonals)
eigh = refusing("linalg_eigh", out=True)(factorizations.linalg_eigh)
eigvalsh = refusing("linalg_eigvalsh", out=True)(factorizations.eigvalsh)
inv = refusing("linalg_inv", out=True)(matrices.linalg_inv)
inv_ex = refusing("linalg_inv_ex", out=True)(equations.inv_ex)
LinAlgError = matrices._LinAlgError
lstsq = refusing("linalg_lstsq", out=True)(equations.lstsq)
matmul = refusing("linalg_matmul", out=True)(linalg.matmul)
matrix_exp = refusing("linalg_matrix_exp", out=False)(equations.matrix_exp)
matrix_norm = factorizations.matrix_norm
matrix_power = refusing("linalg_matrix_power", out=True)(matrices.matrix_power)
matrix_rank = refusing("linalg_matrix_rank", out=True)(factorizations.matrix_rank)
multi_dot = refusing("linalg_multi_dot", out=True)(factorizations.multi_dot)
norm = factorizations.linalg_norm
pinv = refusing("linalg_pinv", out=True)(factorizations.linalg_pinv)
qr = refusing("linalg_qr", out=True)(factorizations.linalg_qr)
slogdet = refusing("linalg_slogdet", out=True)(determinants.linalg_slogdet)
solve = refusing("linalg_solve", out=True)(matrices.linalg_solve)
solve_ex = refusing("linalg_solve_ex", out=True)(equations.solve_ex)
solve_triangular = refusing("linalg_solve_triangular", out=True)(triangular.solve_triangular)
svd = refusing("linalg_svd", out=True)(factorizations.linalg_svd)
svdvals = refusing("linalg_svdvals", out=True)(factorizations.svdvals)
tensorinv = refusing("linalg_tensorinv", out=True)(equations.tensorinv)
tensorsolve = refusing("linalg_tensorsolve", out=True)(equations.tensorsolve)
vander = refusing("linalg_vander", out=False)(equations.linalg_vander)
vecdot = refusing("linalg_vecdot", out=True)(matrices.vecdot)
vector_norm = refusing("linalg_vector_norm", out=True)(reduction.vector_norm)

__all__ = [
    "LinAlgError", "cholesky", "cholesky_ex", "cond", "cross", "det", "diagonal", "eigh",
    "eigvalsh", "inv", "inv_ex", "lstsq", "matmul", "matrix_exp", "matrix_norm", "matrix_power",
    "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve", "solve_ex",
    "solve_triangular", "svd", "svdvals", "tensorinv", "tensorsolve", "vander", "vecdot",
    "vector_norm",
]  # fmt: skip
for _function in __all__[1:]:  # PyTorch has them in C++, by longer names
    make_public(globals()[_function], _function, "minigrad.linalg", f"linalg_{_function}")


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.linalg'", name, globals())
