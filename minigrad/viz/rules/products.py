"""Rules of linear algebra."""

from minigrad.viz.rules.rule import rules

PRODUCTS = {
    **rules(
        "self mat2",
        MmBackward0=("@", "self @ mat2", "grad @ mat2.t()", "self.t() @ grad"),
        BmmBackward0=(
            "@",
            "bmm(self, mat2)",
            "grad @ mat2.transpose(1, 2)",
            "self.transpose(1, 2) @ grad",
        ),
    ),
    **rules(
        "self vec",
        MvBackward0=("@", "self @ vec", "grad.outer(vec)", "self.t() @ grad"),
    ),
    **rules(
        "self tensor",
        DotBackward0=("@", "self @ tensor", "grad * tensor", "grad * self"),
    ),
    **rules(
        "self mat1 mat2",
        AddmmBackward0=(
            "@ +",
            "addmm(self, mat1, mat2)",
            "grad",
            "grad @ mat2.t()",
            "mat1.t() @ grad",
        ),
    ),
}
