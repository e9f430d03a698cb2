"""Rules of linear algebra."""

from minigrad.viz.rules.rule import Rule

PRODUCTS = {
    "MmBackward0": Rule(
        "@",
        "self @ mat2",
        {"self": "grad @ mat2.t()", "mat2": "self.t() @ grad"},
        "Y = A B; ∂L/∂A = G Bᵀ, ∂L/∂B = Aᵀ G",
    ),
    "MvBackward0": Rule(
        "@",
        "self @ vec",
        {"self": "grad.outer(vec)", "vec": "self.t() @ grad"},
        "y = A v; ∂L/∂A = g vᵀ, ∂L/∂v = Aᵀ g",
    ),
    "DotBackward0": Rule(
        "@",
        "self @ tensor",
        {"self": "grad * tensor", "tensor": "grad * self"},
        "y = Σ xᵢ zᵢ; ∂L/∂x = g z, ∂L/∂z = g x",
    ),
    "BmmBackward0": Rule(
        "@",
        "bmm(self, mat2)",
        {"self": "grad @ mat2.transpose(1, 2)", "mat2": "self.transpose(1, 2) @ grad"},
        "Y = A B for each pair; ∂L/∂A = G Bᵀ, ∂L/∂B = Aᵀ G",
    ),
    "AddmmBackward0": Rule(
        "@ +",
        "addmm(self, mat1, mat2)",
        {"self": "grad", "mat1": "grad @ mat2.t()", "mat2": "mat1.t() @ grad"},
        "Y = X + A B; ∂L/∂X = G, ∂L/∂A = G Bᵀ, ∂L/∂B = Aᵀ G",
    ),
    "AddmvBackward0": Rule(
        "@ +",
        "addmv(self, mat, vec)",
        {"self": "grad", "mat": "grad.outer(vec)", "vec": "mat.t() @ grad"},
        "y = x + A v; ∂L/∂x = g, ∂L/∂A = g vᵀ, ∂L/∂v = Aᵀ g",
    ),
    "TraceBackward0": Rule(
        "trace",
        "self.trace()",
        {"self": "grad * eye(*self.shape, dtype=grad.dtype)"},
        "y = Σ xᵢᵢ; ∂L/∂X = g I",
    ),
    "LinalgDetBackward0": Rule(
        "det",
        "det(self)",
        {"self": "grad * result * inverse(self).t()"},
        "y = det X; ∂L/∂X = g y (X⁻¹)ᵀ",
    ),
    "LinalgInvExBackward0": Rule(
        "inv",
        "inverse(self)",
        {"self": "-result.t() @ grad @ result.t()"},
        "Y = X⁻¹; ∂L/∂X = −Yᵀ G Yᵀ",
    ),
}
