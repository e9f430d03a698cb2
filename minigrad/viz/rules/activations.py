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
    SoftplusBackward0=("softplus", "F.softplus(self)", "grad * sigmoid(self)"),
)
