"""Rules of losses, averaged over all elements, as they are by default."""

from minigrad.viz.rules.rule import Rule

LOSSES = {
    "MseLossBackward0": Rule(
        "mse",
        "F.mse_loss(self, target)",
        {
            "self": "grad * 2 * (self - target) / self.numel()",
            "target": "grad * 2 * (target - self) / self.numel()",
        },
        "y = (1/n) Σ (xᵢ − tᵢ)²; ∂L/∂xᵢ = 2 g (xᵢ − tᵢ) / n, ∂L/∂tᵢ the opposite",
    ),
    "SmoothL1LossBackward0": Rule(
        "smoothL1",
        "F.smooth_l1_loss(self, target)",
        {
            "self": "grad * clamp(self - target, -1, 1) / self.numel()",
            "target": "grad * clamp(target - self, -1, 1) / self.numel()",
        },
        "y = (1/n) Σ of ½ dᵢ² where |dᵢ| < 1, else |dᵢ| − ½, d = x − t; "
        "∂L/∂xᵢ = g dᵢ / n, between −g/n and g/n",
    ),
    "HuberLossBackward0": Rule(
        "huber",
        "F.huber_loss(self, target)",
        {
            "self": "grad * clamp(self - target, -1, 1) / self.numel()",
            "target": "grad * clamp(target - self, -1, 1) / self.numel()",
        },
        "y = (1/n) Σ of ½ dᵢ² where |dᵢ| < 1, else |dᵢ| − ½, d = x − t; "
        "∂L/∂xᵢ = g dᵢ / n, between −g/n and g/n",
    ),
    "BinaryCrossEntropyBackward0": Rule(
        "bce",
        "F.binary_cross_entropy(self, target)",
        {"self": "grad * (self - target) / (self * (1 - self)) / self.numel()"},
        "y = −(1/n) Σ (tᵢ ln xᵢ + (1 − tᵢ) ln(1 − xᵢ)); ∂L/∂xᵢ = g (xᵢ − tᵢ) / (n xᵢ (1 − xᵢ))",
    ),
    "BinaryCrossEntropyWithLogitsBackward0": Rule(
        "bce",
        "F.binary_cross_entropy_with_logits(self, target)",
        {"self": "grad * (sigmoid(self) - target) / self.numel()"},
        "y = −(1/n) Σ (tᵢ ln σ(xᵢ) + (1 − tᵢ) ln(1 − σ(xᵢ))); ∂L/∂xᵢ = g (σ(xᵢ) − tᵢ) / n",
    ),
    "NllLossBackward0": Rule(
        "nll",
        "F.nll_loss(self, classes)",
        {"self": "-grad * F.one_hot(classes, self.shape[1]) / len(self)"},
        "y = −(1/n) Σ xᵢ at the class of row i; ∂L/∂x = −g / n there, else 0",
    ),
}
