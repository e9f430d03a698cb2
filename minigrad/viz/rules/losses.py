"""Rules of losses, averaged over all elements, as they are by default."""

from minigrad.viz.rules.rule import rules

LOSSES = {
    **rules(
        "self",
        BinaryCrossEntropyBackward0=(
            "bce",
            "F.binary_cross_entropy(self, target)",
            "grad * (self - target) / (self * (1 - self)) / self.numel()",
        ),
        BinaryCrossEntropyWithLogitsBackward0=(
            "bce",
            "F.binary_cross_entropy_with_logits(self, target)",
            "grad * (sigmoid(self) - target) / self.numel()",
        ),
        NllLossBackward0=(
            "nll",
            "F.nll_loss(self, classes)",
            "each row of {} gets minus what arrives over the number of rows at its class, else 0",
        ),
    ),
    **rules(
        "self target",
        MseLossBackward0=(
            "mse",
            "F.mse_loss(self, target)",
            "grad * 2 * (self - target) / self.numel()",
            "grad * 2 * (target - self) / self.numel()",
        ),
        SmoothL1LossBackward0=(
            "smoothL1",
            "F.smooth_l1_loss(self, target)",
            "grad * clamp(self - target, -1, 1) / self.numel()",
            "grad * clamp(target - self, -1, 1) / self.numel()",
        ),
    ),
}
