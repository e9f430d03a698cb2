"""Rules of operations that work element by element."""

from minigrad.viz.rules.rule import rules

_ZERO = "{} gets 0, because a small change of it changes nothing"
_REPLACED = "{} gets 0, because its values were replaced"
_CHOSEN = "{} gets what arrives where it was chosen, and half of it where both are equal"

POINTWISE = {
    **rules(
        "self",
        NegBackward0=("−", "-self", "-grad"),
        ExpBackward0=("exp", "exp(self)", "grad * result"),
        LogBackward0=("log", "log(self)", "grad / self"),
        Log1PBackward0=("log1p", "log1p(self)", "grad / (self + 1)"),
        Log2Backward0=("log2", "log2(self)", "grad / (self * math.log(2))"),
        Log10Backward0=("log10", "log10(self)", "grad / (self * math.log(10))"),
        SqrtBackward0=("sqrt", "sqrt(self)", "grad / (2 * result)"),
        ReciprocalBackward0=("1 ÷", "self.reciprocal()", "-grad * result**2"),
        PowBackward0=("**", "self**exponent", "grad * exponent * self ** (exponent - 1)"),
        SinBackward0=("sin", "sin(self)", "grad * cos(self)"),
        CosBackward0=("cos", "cos(self)", "-grad * sin(self)"),
        TanBackward0=("tan", "tan(self)", "grad * (1 + result**2)"),
        AtanBackward0=("atan", "atan(self)", "grad / (1 + self**2)"),
        SinhBackward0=("sinh", "sinh(self)", "grad * cosh(self)"),
        CoshBackward0=("cosh", "cosh(self)", "grad * sinh(self)"),
        TanhBackward0=("tanh", "tanh(self)", "grad * (1 - result**2)"),
        AbsBackward0=("abs", "abs(self)", "grad * sign(self)"),
        RemainderBackward0=("%", "self % other", "grad"),
        MaskedFillBackward0=("fill", "self.masked_fill(mask, value)", "grad.masked_fill(mask, 0)"),
        RsubBackward1=("−", "other - self", "-grad"),
        CloneBackward0=("clone", "self.clone()", "grad"),
        AliasBackward0=("alias", "self[...]", "grad"),
        SignBackward0=("sign", "sign(self)", _ZERO),
        FloorBackward0=("floor", "floor(self)", _ZERO),
        CeilBackward0=("ceil", "ceil(self)", _ZERO),
        RoundBackward0=("round", "round(self)", _ZERO),
        TruncBackward0=("trunc", "trunc(self)", _ZERO),
        ClampBackward1=(
            "clamp",
            "clamp(self, min, max)",
            "grad * ((self >= min) & (self <= max))",
            "{} gets what arrives where it is within the bounds, else 0",
        ),
        ToCopyBackward0=("to", "self.float()", "{} gets what arrives, in its own dtype"),
        ZeroBackward0=("zero_", "self.clone().zero_()", _REPLACED),
        FillBackward2=("fill_", "self.clone().fill_(value)", _REPLACED),
    ),
    **rules(
        "self other",
        AddBackward0=("+", "self + alpha * other", "grad", "grad * alpha"),
        SubBackward0=("−", "self - alpha * other", "grad", "-grad * alpha"),
        MulBackward0=("×", "self * other", "grad * other", "grad * self"),
        DivBackward0=("÷", "self / other", "grad / other", "-grad * self / other**2"),
        WhereBackward0=(
            "where",
            "where(condition, self, other)",
            "where(condition, grad, 0)",
            "where(condition, 0, grad)",
        ),
        MaximumBackward0=("max", "maximum(self, other)", _CHOSEN),
        MinimumBackward0=("min", "minimum(self, other)", _CHOSEN),
    ),
    **rules(
        "self exponent",
        PowBackward1=(
            "**",
            "self**exponent",
            "grad * exponent * self ** (exponent - 1)",
            "grad * result * log(self)",
        ),
    ),
    **rules(
        "exponent",
        PowBackward2=("**", "self**exponent", "grad * result * math.log(self)"),
    ),
}
