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
