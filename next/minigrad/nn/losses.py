"""Losses as modules: each calls its function in `functional`, which explains the arguments."""

from __future__ import annotations

from typing import Any

from minigrad.nn import functional as F
from minigrad.nn.modules import Module
from minigrad.tensor import Tensor

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CrossEntropyLoss",
    "L1Loss",
    "MSELoss",
    "NLLLoss",
    "SmoothL1Loss",
]


class Loss(Module):
    """A loss with a reduction. `size_average` and `reduce`, which PyTorch had before, work, too."""

    def __init__(self, *, reduction: str = "mean", **legacy: Any) -> None:
        super().__init__()
        self.reduction = F.legacy_reduction(reduction, **legacy)


class MSELoss(Loss):
    """The mean of the squared differences."""

    def forward(self, input: Tensor, target: Tensor) -> Any:
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss(Loss):
    """The mean of the absolute differences."""

    def forward(self, input: Tensor, target: Tensor) -> Any:
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(Loss):
    """The squared error of small differences, and the absolute error of large ones."""

    def __init__(self, *, beta: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Any:
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class BCELoss(Loss):
    """The binary cross entropy of probabilities."""

    def __init__(self, weight: Tensor | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.register_buffer("weight", weight)

    def forward(self, input: Tensor, target: Tensor) -> Any:
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(BCELoss):
    """The binary cross entropy of the sigmoid of scores."""

    def __init__(
        self, weight: Tensor | None = None, *, pos_weight: Tensor | None = None, **options: Any
    ) -> None:
        super().__init__(weight, **options)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Any:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class NLLLoss(BCELoss):
    """Minus the log-probability of the target's class."""

    def __init__(
        self, weight: Tensor | None = None, *, ignore_index: int = -100, **options: Any
    ) -> None:
        super().__init__(weight, **options)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Any:
        return F.nll_loss(
            input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


class CrossEntropyLoss(NLLLoss):
    """The cross entropy of classes, given scores.

    >>> import minigrad as torch
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """

    def __init__(
        self, weight: Tensor | None = None, *, label_smoothing: float = 0.0, **options: Any
    ) -> None:
        super().__init__(weight, **options)
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Any:
        return F.cross_entropy(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )
