"""Rules of operations that make many elements one, along dimensions or altogether."""

from minigrad.viz.rules.rule import of_one

REDUCTIONS = of_one(
    {
        "SumBackward0": (
            "sum",
            "self.sum()",
            "grad.expand_as(self)",
            "y = Σ xᵢ; ∂L/∂xᵢ = g for every i",
        ),
        "SumBackward1": (
            "sum",
            "self.sum(dim)",
            "grad.unsqueeze(dim).expand_as(self)",
            "y = Σ xᵢ along dim; ∂L/∂xᵢ = g for every i along dim",
        ),
        "NansumBackward0": (
            "nansum",
            "self.nansum()",
            "grad * ~self.isnan()",
            "y = Σ xᵢ without those that are nan; ∂L/∂xᵢ = g for the others",
        ),
        "MeanBackward0": (
            "mean",
            "self.mean()",
            "grad.expand_as(self) / self.numel()",
            "y = (1/n) Σ xᵢ; ∂L/∂xᵢ = g / n for every i",
        ),
        "MeanBackward1": (
            "mean",
            "self.mean(dim)",
            "grad.unsqueeze(dim).expand_as(self) / self.shape[dim]",
            "y = (1/n) Σ xᵢ along dim; ∂L/∂xᵢ = g / n for every i along dim",
        ),
        "VarBackward0": (
            "var",
            "self.var()",
            "grad * 2 * (self - self.mean()) / (self.numel() - 1)",
            "y = Σ (xᵢ − m)² / (n − 1), m the mean; ∂L/∂xᵢ = 2 g (xᵢ − m) / (n − 1)",
        ),
        "StdBackward0": (
            "std",
            "self.std()",
            "grad * (self - self.mean()) / (result * (self.numel() - 1))",
            "y = √(Σ (xᵢ − m)² / (n − 1)), m the mean; ∂L/∂xᵢ = g (xᵢ − m) / ((n − 1) y)",
        ),
        "LinalgVectorNormBackward0": (
            "norm",
            "self.norm()",
            "grad * self / result",
            "y = √(Σ xᵢ²); ∂L/∂xᵢ = g xᵢ / y",
        ),
        "ProdBackward0": (
            "prod",
            "self.prod()",
            "grad * result / self",
            "y = Π xᵢ; ∂L/∂xᵢ = g y / xᵢ",
        ),
        "ProdBackward1": (
            "prod",
            "self.prod(dim)",
            "(grad * result).unsqueeze(dim) / self",
            "y = Π xᵢ along dim; ∂L/∂xᵢ = g y / xᵢ",
        ),
        "MaxBackward1": (
            "max",
            "self.max()",
            "grad * (self == result) / (self == result).sum()",
            "y = the largest xᵢ; ∂L/∂xᵢ = g there, shared among equals, else 0",
        ),
        "MinBackward1": (
            "min",
            "self.min()",
            "grad * (self == result) / (self == result).sum()",
            "y = the smallest xᵢ; ∂L/∂xᵢ = g there, shared among equals, else 0",
        ),
        "MaxBackward0": (
            "max",
            "self.max(dim).values",
            "zeros_like(self).scatter(dim, self.argmax(dim, keepdim=True), grad.unsqueeze(dim))",
            "y = the largest xᵢ along dim; ∂L/∂xᵢ = g at its index, else 0",
        ),
        "MinBackward0": (
            "min",
            "self.min(dim).values",
            "zeros_like(self).scatter(dim, self.argmin(dim, keepdim=True), grad.unsqueeze(dim))",
            "y = the smallest xᵢ along dim; ∂L/∂xᵢ = g at its index, else 0",
        ),
        "MedianBackward0": (
            "median",
            "self.median()",
            "grad * (self == result) / (self == result).sum()",
            "y = the middle one of xᵢ in order; ∂L/∂xᵢ = g there, shared among equals, else 0",
        ),
        "AmaxBackward0": (
            "amax",
            "self.amax(dim, keepdim=True)",
            "grad * (self == result) / (self == result).sum(dim, keepdim=True)",
            "y = the largest xᵢ along dim; ∂L/∂xᵢ = g there, shared among equals, else 0",
        ),
        "AminBackward0": (
            "amin",
            "self.amin(dim, keepdim=True)",
            "grad * (self == result) / (self == result).sum(dim, keepdim=True)",
            "y = the smallest xᵢ along dim; ∂L/∂xᵢ = g there, shared among equals, else 0",
        ),
        "NativeLayerNormBackward0": (
            "norm",
            "F.layer_norm(self, shape, eps=eps)",
            "(grad - grad.mean(-1, keepdim=True) - result * (grad * result).mean(-1, keepdim=True))"
            " / sqrt(self.var(-1, correction=0, keepdim=True) + eps)",
            "yᵢ = (xᵢ − m) / s, m mean and s standard deviation of a row; "
            "∂L/∂xᵢ = (gᵢ − mean of g − yᵢ · mean of g ⊙ y) / s",
        ),
        "LogsumexpBackward0": (
            "log∑exp",
            "self.logsumexp(dim)",
            "grad.unsqueeze(dim) * exp(self - result.unsqueeze(dim))",
            "y = ln Σ e^xᵢ along dim; ∂L/∂xᵢ = g e^(xᵢ − y)",
        ),
        "SoftmaxBackward0": (
            "softmax",
            "self.softmax(dim)",
            "result * (grad - (grad * result).sum(dim, keepdim=True))",
            "yᵢ = e^xᵢ / Σ e^xⱼ; ∂L/∂xᵢ = yᵢ (gᵢ − Σ gⱼ yⱼ)",
        ),
        "LogSoftmaxBackward0": (
            "logsoft",
            "self.log_softmax(dim)",
            "grad - exp(result) * grad.sum(dim, keepdim=True)",
            "yᵢ = xᵢ − ln Σ e^xⱼ; ∂L/∂xᵢ = gᵢ − e^yᵢ Σ gⱼ",
        ),
        "CumsumBackward0": (
            "cumsum",
            "self.cumsum(dim)",
            "grad.flip(dim).cumsum(dim).flip(dim)",
            "yᵢ = x₁ + … + xᵢ; ∂L/∂xᵢ = gᵢ + … + gₙ",
        ),
        "CumprodBackward0": (
            "cumprod",
            "self.cumprod(dim)",
            "(grad * result).flip(dim).cumsum(dim).flip(dim) / self",
            "yᵢ = x₁ · … · xᵢ; ∂L/∂xᵢ = (gᵢ yᵢ + … + gₙ yₙ) / xᵢ",
        ),
        "SortBackward0": (
            "sort",
            "self.sort(dim).values",
            "zeros_like(self).scatter(dim, self.argsort(dim), grad)",
            "y = x in order; each gᵢ goes back to where yᵢ came from",
        ),
        "TopkBackward0": (
            "topk",
            "self.topk(k, dim).values",
            "zeros_like(self).scatter(dim, self.topk(k, dim).indices, grad)",
            "y = the k largest xᵢ; each gᵢ goes back to where yᵢ came from, 0 to the others",
        ),
    }
)
