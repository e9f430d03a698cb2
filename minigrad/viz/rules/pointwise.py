"""Rules of operations that work element by element."""

from minigrad.viz.rules.rule import Rule, of_one

_FUNCTIONS = of_one(
    {
        "NegBackward0": ("−", "-self", "-grad", "y = −x; ∂L/∂x = −g"),
        "ExpBackward0": ("exp", "exp(self)", "grad * result", "y = eˣ; ∂L/∂x = g ⊙ y"),
        "Exp2Backward0": (
            "exp2",
            "exp2(self)",
            "grad * result * math.log(2)",
            "y = 2ˣ; ∂L/∂x = g ⊙ y ln 2",
        ),
        "Expm1Backward0": (
            "expm1",
            "expm1(self)",
            "grad * (result + 1)",
            "y = eˣ − 1; ∂L/∂x = g ⊙ (y + 1)",
        ),
        "LogBackward0": ("log", "log(self)", "grad / self", "y = ln x; ∂L/∂x = g / x"),
        "Log1PBackward0": (
            "log1p",
            "log1p(self)",
            "grad / (self + 1)",
            "y = ln(1 + x); ∂L/∂x = g / (1 + x)",
        ),
        "Log2Backward0": (
            "log2",
            "log2(self)",
            "grad / (self * math.log(2))",
            "y = log₂ x; ∂L/∂x = g / (x ln 2)",
        ),
        "Log10Backward0": (
            "log10",
            "log10(self)",
            "grad / (self * math.log(10))",
            "y = log₁₀ x; ∂L/∂x = g / (x ln 10)",
        ),
        "SqrtBackward0": ("sqrt", "sqrt(self)", "grad / (2 * result)", "y = √x; ∂L/∂x = g / 2y"),
        "RsqrtBackward0": (
            "rsqrt",
            "rsqrt(self)",
            "-grad * result**3 / 2",
            "y = 1/√x; ∂L/∂x = −g ⊙ y³ / 2",
        ),
        "ReciprocalBackward0": (
            "1 ÷",
            "self.reciprocal()",
            "-grad * result**2",
            "y = 1/x; ∂L/∂x = −g ⊙ y²",
        ),
        "PowBackward0": (
            "**",
            "self**exponent",
            "grad * exponent * self ** (exponent - 1)",
            "y = xⁿ, n = exponent; ∂L/∂x = g ⊙ n xⁿ⁻¹",
        ),
        "SinBackward0": ("sin", "sin(self)", "grad * cos(self)", "y = sin x; ∂L/∂x = g ⊙ cos x"),
        "CosBackward0": ("cos", "cos(self)", "-grad * sin(self)", "y = cos x; ∂L/∂x = −g ⊙ sin x"),
        "TanBackward0": (
            "tan",
            "tan(self)",
            "grad * (1 + result**2)",
            "y = tan x; ∂L/∂x = g ⊙ (1 + y²)",
        ),
        "AsinBackward0": (
            "asin",
            "asin(self)",
            "grad / sqrt(1 - self**2)",
            "y = arcsin x; ∂L/∂x = g / √(1 − x²)",
        ),
        "AcosBackward0": (
            "acos",
            "acos(self)",
            "-grad / sqrt(1 - self**2)",
            "y = arccos x; ∂L/∂x = −g / √(1 − x²)",
        ),
        "AtanBackward0": (
            "atan",
            "atan(self)",
            "grad / (1 + self**2)",
            "y = arctan x; ∂L/∂x = g / (1 + x²)",
        ),
        "SinhBackward0": (
            "sinh",
            "sinh(self)",
            "grad * cosh(self)",
            "y = sinh x; ∂L/∂x = g ⊙ cosh x",
        ),
        "CoshBackward0": (
            "cosh",
            "cosh(self)",
            "grad * sinh(self)",
            "y = cosh x; ∂L/∂x = g ⊙ sinh x",
        ),
        "TanhBackward0": (
            "tanh",
            "tanh(self)",
            "grad * (1 - result**2)",
            "y = tanh x; ∂L/∂x = g ⊙ (1 − y²)",
        ),
        "AsinhBackward0": (
            "asinh",
            "asinh(self)",
            "grad / sqrt(self**2 + 1)",
            "y = arsinh x; ∂L/∂x = g / √(x² + 1)",
        ),
        "AcoshBackward0": (
            "acosh",
            "acosh(self)",
            "grad / sqrt(self**2 - 1)",
            "y = arcosh x; ∂L/∂x = g / √(x² − 1)",
        ),
        "AtanhBackward0": (
            "atanh",
            "atanh(self)",
            "grad / (1 - self**2)",
            "y = artanh x; ∂L/∂x = g / (1 − x²)",
        ),
        "ErfBackward0": (
            "erf",
            "erf(self)",
            "grad * 2 / math.sqrt(math.pi) * exp(-(self**2))",
            "y = erf x; ∂L/∂x = g ⊙ 2/√π · e^(−x²)",
        ),
        "ErfcBackward0": (
            "erfc",
            "erfc(self)",
            "-grad * 2 / math.sqrt(math.pi) * exp(-(self**2))",
            "y = 1 − erf x; ∂L/∂x = −g ⊙ 2/√π · e^(−x²)",
        ),
        "LgammaBackward0": (
            "lgamma",
            "lgamma(self)",
            "grad * digamma(self)",
            "y = ln Γ(x); ∂L/∂x = g ⊙ ψ(x)",
        ),
        "LogitBackward0": (
            "logit",
            "logit(self)",
            "grad / (self * (1 - self))",
            "y = ln(x / (1 − x)); ∂L/∂x = g / (x (1 − x))",
        ),
        "AbsBackward0": ("abs", "abs(self)", "grad * sign(self)", "y = |x|; ∂L/∂x = g ⊙ sign x"),
        "SignBackward0": (
            "sign",
            "sign(self)",
            "zeros_like(grad)",
            "y = sign x; ∂L/∂x = 0: flat everywhere",
        ),
        "FloorBackward0": (
            "floor",
            "floor(self)",
            "zeros_like(grad)",
            "y = ⌊x⌋; ∂L/∂x = 0: flat everywhere",
        ),
        "CeilBackward0": (
            "ceil",
            "ceil(self)",
            "zeros_like(grad)",
            "y = ⌈x⌉; ∂L/∂x = 0: flat everywhere",
        ),
        "RoundBackward0": (
            "round",
            "round(self)",
            "zeros_like(grad)",
            "y = x, rounded; ∂L/∂x = 0: flat everywhere",
        ),
        "TruncBackward0": (
            "trunc",
            "trunc(self)",
            "zeros_like(grad)",
            "y = x without its fraction; ∂L/∂x = 0: flat everywhere",
        ),
        "FracBackward0": ("frac", "frac(self)", "grad", "y = the fraction of x; ∂L/∂x = g"),
        "RemainderBackward0": ("%", "self % other", "grad", "y = x mod z, z = other; ∂L/∂x = g"),
        "ClampBackward1": (
            "clamp",
            "clamp(self, min, max)",
            "grad * ((self >= min) & (self <= max))",
            "y = x, at least min and at most max; ∂L/∂x = g where min ≤ x ≤ max, else 0",
        ),
        "ClampMinBackward0": (
            "clamp",
            "self.clamp_min(min)",
            "grad * (self >= min)",
            "y = max(x, min); ∂L/∂x = g where x ≥ min, else 0",
        ),
        "ClampMaxBackward0": (
            "clamp",
            "self.clamp_max(max)",
            "grad * (self <= max)",
            "y = min(x, max); ∂L/∂x = g where x ≤ max, else 0",
        ),
        "MaskedFillBackward0": (
            "fill",
            "self.masked_fill(mask, value)",
            "grad.masked_fill(mask, 0)",
            "y = value where the mask is True, else x; ∂L/∂x = 0 there, else g",
        ),
        "RsubBackward1": ("−", "other - self", "-grad", "y = z − x, z = other; ∂L/∂x = −g"),
        "CloneBackward0": ("clone", "self.clone()", "grad", "y = x; ∂L/∂x = g"),
        "AliasBackward0": ("alias", "self[...]", "grad", "y = x; ∂L/∂x = g"),
        "ToCopyBackward0": (
            "to",
            "self.float()",
            "grad.to(self.dtype)",
            "y = x in another dtype; ∂L/∂x = g in the dtype of x",
        ),
        "ZeroBackward0": ("zero_", "self.clone().zero_()", "zeros_like(grad)", "y = 0; ∂L/∂x = 0"),
        "FillBackward2": (
            "fill_",
            "self.clone().fill_(value)",
            "zeros_like(grad)",
            "y = value; ∂L/∂x = 0",
        ),
    }
)

_SEVERAL = {
    "AddBackward0": Rule(
        "+",
        "self + alpha * other",
        {"self": "grad", "other": "alpha * grad"},
        "y = x + α z; ∂L/∂x = g, ∂L/∂z = α g",
    ),
    "SubBackward0": Rule(
        "−",
        "self - alpha * other",
        {"self": "grad", "other": "-alpha * grad"},
        "y = x − α z; ∂L/∂x = g, ∂L/∂z = −α g",
    ),
    "MulBackward0": Rule(
        "×",
        "self * other",
        {"self": "grad * other", "other": "grad * self"},
        "y = x ⊙ z; ∂L/∂x = g ⊙ z, ∂L/∂z = g ⊙ x",
    ),
    "DivBackward0": Rule(
        "÷",
        "self / other",
        {"self": "grad / other", "other": "-grad * self / other**2"},
        "y = x / z; ∂L/∂x = g / z, ∂L/∂z = −g ⊙ x / z²",
    ),
    "PowBackward1": Rule(
        "**",
        "self**exponent",
        {
            "self": "grad * exponent * self ** (exponent - 1)",
            "exponent": "grad * result * log(self)",
        },
        "y = xⁿ, n = exponent; ∂L/∂x = g ⊙ n xⁿ⁻¹, ∂L/∂n = g ⊙ y ln x",
    ),
    "PowBackward2": Rule(
        "**",
        "self**exponent",
        {"exponent": "grad * result * math.log(self)"},
        "y = xⁿ, x a number, n = exponent; ∂L/∂n = g ⊙ y ln x",
    ),
    "MaximumBackward0": Rule(
        "max",
        "maximum(self, other)",
        {
            "self": "grad * (self > other) + grad * (self == other) / 2",
            "other": "grad * (other > self) + grad * (self == other) / 2",
        },
        "y = max(x, z); g goes to the larger one, and half to each where they are equal",
    ),
    "MinimumBackward0": Rule(
        "min",
        "minimum(self, other)",
        {
            "self": "grad * (self < other) + grad * (self == other) / 2",
            "other": "grad * (other < self) + grad * (self == other) / 2",
        },
        "y = min(x, z); g goes to the smaller one, and half to each where they are equal",
    ),
    "Atan2Backward0": Rule(
        "atan2",
        "atan2(self, other)",
        {
            "self": "grad * other / (self**2 + other**2)",
            "other": "-grad * self / (self**2 + other**2)",
        },
        "y = the angle of (z, x); ∂L/∂x = g ⊙ z / (x² + z²), ∂L/∂z = −g ⊙ x / (x² + z²)",
    ),
    "HypotBackward0": Rule(
        "hypot",
        "hypot(self, other)",
        {"self": "grad * self / result", "other": "grad * other / result"},
        "y = √(x² + z²); ∂L/∂x = g ⊙ x / y, ∂L/∂z = g ⊙ z / y",
    ),
    "LogaddexpBackward0": Rule(
        "log+exp",
        "logaddexp(self, other)",
        {"self": "grad * exp(self - result)", "other": "grad * exp(other - result)"},
        "y = ln(eˣ + eᶻ); ∂L/∂x = g ⊙ e^(x − y), ∂L/∂z = g ⊙ e^(z − y)",
    ),
    "XlogyBackward0": Rule(
        "xlogy",
        "xlogy(self, other)",
        {"self": "grad * log(other)", "other": "grad * self / other"},
        "y = x ln z; ∂L/∂x = g ⊙ ln z, ∂L/∂z = g ⊙ x / z",
    ),
    "WhereBackward0": Rule(
        "where",
        "where(condition, self, other)",
        {"self": "where(condition, grad, 0)", "other": "where(condition, 0, grad)"},
        "y = x where c, else z; ∂L/∂x = g where c, else 0; ∂L/∂z = 0 where c, else g",
    ),
    "LerpBackward0": Rule(
        "lerp",
        "lerp(self, end, weight)",
        {"self": "grad * (1 - weight)", "end": "grad * weight"},
        "y = x + w (z − x), w a number; ∂L/∂x = (1 − w) g, ∂L/∂z = w g",
    ),
    "LerpBackward1": Rule(
        "lerp",
        "lerp(self, end, weight)",
        {
            "self": "grad * (1 - weight)",
            "end": "grad * weight",
            "weight": "grad * (end - self)",
        },
        "y = x + w ⊙ (z − x); ∂L/∂x = g ⊙ (1 − w), ∂L/∂z = g ⊙ w, ∂L/∂w = g ⊙ (z − x)",
    ),
    "AddcmulBackward0": Rule(
        "addcmul",
        "addcmul(self, tensor1, tensor2, value=value)",
        {
            "self": "grad",
            "tensor1": "grad * value * tensor2",
            "tensor2": "grad * value * tensor1",
        },
        "y = x + v a ⊙ b; ∂L/∂x = g, ∂L/∂a = v g ⊙ b, ∂L/∂b = v g ⊙ a",
    ),
    "AddcdivBackward0": Rule(
        "addcdiv",
        "addcdiv(self, tensor1, tensor2, value=value)",
        {
            "self": "grad",
            "tensor1": "grad * value / tensor2",
            "tensor2": "-grad * value * tensor1 / tensor2**2",
        },
        "y = x + v a / b; ∂L/∂x = g, ∂L/∂a = v g / b, ∂L/∂b = −v g ⊙ a / b²",
    ),
}

POINTWISE = {**_FUNCTIONS, **_SEVERAL}
