"""Dropout."""

from __future__ import annotations

from typing import Any

from minigrad.nn import functional as F
from minigrad.nn.modules.module import Module
from minigrad.tensor import Tensor


class Dropout(Module):
    """In training mode puts 0 in place of elements, each with probability `p`; scales the others.

    Raises:
        ValueError: if `p` is no probability.

    Source: https://arxiv.org/abs/1207.0580
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class AlphaDropout(Dropout):
    """In training mode drops elements to SELU's lowest value; mean and variance stay.

    Raises:
        ValueError: if `p` is no probability.

    Source: https://arxiv.org/abs/1706.02515
    """

    def forward(self, input: Tensor) -> Any:
        return F.alpha_dropout(input, self.p, self.training)


class Dropout1d(Dropout):
    """In training mode puts 0 in place of whole channels, (N, C, L) or (C, L).

    Raises:
        ValueError: if `p` is no probability.
    """

    def forward(self, input: Tensor) -> Any:
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(Dropout):
    """In training mode puts 0 in place of whole channels, (N, C, H, W).

    Raises:
        ValueError: if `p` is no probability.

    >>> import minigrad as torch
    >>> torch.nn.Dropout2d(p=0.5).eval()(torch.ones(1, 1, 1, 2))
    tensor([[[[1., 1.]]]])
    """

    def forward(self, input: Tensor) -> Any:
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(Dropout):
    """In training mode puts 0 in place of whole channels, (N, C, D, H, W) or without N.

    Raises:
        ValueError: if `p` is no probability.
    """

    def forward(self, input: Tensor) -> Any:
        return F.dropout3d(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(Dropout):
    """In training mode drops whole channels as `AlphaDropout` drops elements.

    Raises:
        ValueError: if `p` is no probability.
    """

    def forward(self, input: Tensor) -> Any:
        return F.feature_alpha_dropout(input, self.p, self.training)
