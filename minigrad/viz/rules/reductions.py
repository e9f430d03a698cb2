"""Rules of operations that make many elements one, along dimensions or altogether."""

from minigrad.viz.rules.rule import rules

_SHARED = "the entries of {} that were chosen share what arrives, the others get 0"
_AT_ITS_PLACE = "{} gets what arrives, each number at the place that it came from, and 0 elsewhere"

REDUCTIONS = rules(
    "self",
    SumBackward0=("sum", "self.sum()", "grad.expand_as(self)"),
    SumBackward1=("sum", "self.sum(dim)", "grad.unsqueeze(dim).expand_as(self)"),
    MeanBackward0=("mean", "self.mean()", "grad.expand_as(self) / self.numel()"),
    MeanBackward1=(
        "mean",
        "self.mean(dim)",
        "grad.unsqueeze(dim).expand_as(self) / (self.numel() // result.numel())",
    ),
    VarBackward0=(
        "var",
        "self.var()",
        "grad * 2 * (self - self.mean()) / (self.numel() // result.numel() - 1)",
    ),
    StdBackward0=(
        "std",
        "self.std()",
        "grad * (self - self.mean()) / (result * (self.numel() // result.numel() - 1))",
    ),
    LinalgVectorNormBackward0=("norm", "self.norm()", "grad * self / result"),
    ProdBackward0=("prod", "self.prod()", "grad * result / self"),
    SoftmaxBackward0=(
        "softmax",
        "self.softmax(dim)",
        "result * (grad - (grad * result).sum(dim, keepdim=True))",
    ),
    LogSoftmaxBackward0=(
        "logsoft",
        "self.log_softmax(dim)",
        "grad - exp(result) * grad.sum(dim, keepdim=True)",
    ),
    ProdBackward1=(
        "prod",
        "self.prod(dim)",
        "each entry of {} gets what arrives times the product of the others",
    ),
    MaxBackward1=("max", "self.max()", "grad * (self == result) / (self == result).sum()", _SHARED),
    MinBackward1=("min", "self.min()", "grad * (self == result) / (self == result).sum()", _SHARED),
    MaxBackward0=("max", "self.max(dim).values", _SHARED),
    MinBackward0=("min", "self.min(dim).values", _SHARED),
    CumsumBackward0=(
        "cumsum",
        "self.cumsum(dim)",
        "each entry of {} gets the sum of what arrives from its place on",
    ),
    SortBackward0=("sort", "self.sort(dim).values", _AT_ITS_PLACE),
    TopkBackward0=("topk", "self.topk(k, dim).values", _AT_ITS_PLACE),
)
