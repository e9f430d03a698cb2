"""Rules of the functions between the layers of a network."""

from minigrad.viz.rules.rule import of_one

ACTIVATIONS = of_one(
    {
        "SigmoidBackward0": (
            "sigmoid",
            "sigmoid(self)",
            "grad * result * (1 - result)",
            "y = σ(x) = 1 / (1 + e⁻ˣ); ∂L/∂x = g ⊙ y (1 − y)",
        ),
        "ReluBackward0": (
            "relu",
            "relu(self)",
            "grad * (result > 0)",
            "y = max(0, x); ∂L/∂x = g where x > 0, else 0",
        ),
        "LeakyReluBackward0": (
            "leaky",
            "F.leaky_relu(self, negative_slope)",
            "where(self > 0, grad, negative_slope * grad)",
            "y = x where x > 0, else s x, s = negative_slope; ∂L/∂x = g where x > 0, else s g",
        ),
        "EluBackward0": (
            "elu",
            "F.elu(self, alpha)",
            "where(self > 0, grad, grad * alpha * exp(self))",
            "y = x where x > 0, else α (eˣ − 1); ∂L/∂x = g where x > 0, else g ⊙ α eˣ",
        ),
        "HardtanhBackward0": (
            "hardtanh",
            "F.hardtanh(self, min, max)",
            "grad * ((self > min) & (self < max))",
            "y = x, at least min and at most max; ∂L/∂x = g where min < x < max, else 0",
        ),
        "ThresholdBackward0": (
            "thresh",
            "F.threshold(self, threshold, value)",
            "grad * (self > threshold)",
            "y = x where x > threshold, else value; ∂L/∂x = g where x > threshold, else 0",
        ),
        "SoftplusBackward0": (
            "softplus",
            "F.softplus(self)",
            "grad * sigmoid(self)",
            "y = ln(1 + eˣ); ∂L/∂x = g ⊙ σ(x)",
        ),
        "LogSigmoidBackward0": (
            "logsig",
            "F.logsigmoid(self)",
            "grad * sigmoid(-self)",
            "y = ln σ(x); ∂L/∂x = g ⊙ σ(−x)",
        ),
        "SiluBackward0": (
            "silu",
            "F.silu(self)",
            "grad * sigmoid(self) * (1 + self * (1 - sigmoid(self)))",
            "y = x σ(x); ∂L/∂x = g ⊙ σ(x) (1 + x (1 − σ(x)))",
        ),
        "GeluBackward0": (
            "gelu",
            "F.gelu(self)",
            "grad * ((1 + erf(self / 2**0.5)) / 2"
            " + self * exp(-(self**2) / 2) / math.sqrt(2 * math.pi))",
            "y = x Φ(x); ∂L/∂x = g ⊙ (Φ(x) + x φ(x)), the normal distribution and its density",
        ),
    }
)
