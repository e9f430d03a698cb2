"""Rules of the functions between the layers of a network."""

from minigrad.viz.rules.rule import rules

ACTIVATIONS = rules(
    "self",
    SigmoidBackward0=("sigmoid", "sigmoid(self)", "grad * result * (1 - result)"),
    ReluBackward0=("relu", "relu(self)", "grad * (result > 0)"),
    LeakyReluBackward0=(
        "leaky",
        "F.leaky_relu(self, negative_slope)",
        "where(self > 0, grad, negative_slope * grad)",
    ),
    EluBackward0=("elu", "F.elu(self, alpha)", "where(self > 0, grad, grad * alpha * exp(self))"),
    SoftplusBackward0=("softplus", "F.softplus(self)", "grad * sigmoid(self)"),
    LogSigmoidBackward0=("logsig", "F.logsigmoid(self)", "grad * sigmoid(-self)"),
    SiluBackward0=(
        "silu",
        "F.silu(self)",
        "grad * sigmoid(self) * (1 + self * (1 - sigmoid(self)))",
    ),
    GeluBackward0=(
        "gelu",
        "F.gelu(self)",
        "grad * ((1 + erf(self / 2**0.5)) / 2 + self * exp(-(self**2) / 2) / (2 * math.pi) ** 0.5)",
    ),
)
