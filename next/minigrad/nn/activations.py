"""Activation functions as modules: each calls its function in `functional`."""

from __future__ import annotations

from typing import Any

from minigrad.nn import functional as F
from minigrad.nn.modules import Module

__all__ = [
    "ELU",
    "GELU",
    "LeakyReLU",
    "LogSoftmax",
    "ReLU",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Tanh",
]


class Activation(Module):
    """Shows its settings, which are its attributes; `inplace` only if it is set."""

    def extra_repr(self) -> str:
        settings = {name: value for name, value in vars(self).items() if name[0] != "_"}
        del settings["training"]
        if not settings.get("inplace", True):
            del settings["inplace"]
        return ", ".join([f"{name}={value!r}" for name, value in settings.items()])


class ReLU(Activation):
    """``max(0, x)``."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return F.relu(input, self.inplace)


class LeakyReLU(Activation):
    """x where it is positive, else ``negative_slope * x``."""

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Any) -> Any:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class ELU(Activation):
    """x where it is positive, else ``alpha * (exp(x) - 1)``."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Any) -> Any:
        return F.elu(input, self.alpha, self.inplace)


class SiLU(ReLU):
    """``x * sigmoid(x)``, also known as swish."""

    def forward(self, input: Any) -> Any:
        return F.silu(input, self.inplace)


class GELU(Activation):
    """x times the probability that a standard normal variable is below x."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Any) -> Any:
        return F.gelu(input, self.approximate)


class Softplus(Activation):
    """``log(1 + exp(beta * x)) / beta``, or x itself where ``beta * x`` exceeds the threshold."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Any) -> Any:
        return F.softplus(input, self.beta, self.threshold)


class Sigmoid(Activation):
    """``1 / (1 + exp(-x))``."""

    def forward(self, input: Any) -> Any:
        return F.sigmoid(input)


class Tanh(Activation):
    """The hyperbolic tangent."""

    def forward(self, input: Any) -> Any:
        return F.tanh(input)


class Softmax(Activation):
    """``exp(x) / exp(x).sum(dim)``: positive values with the sum 1 along a dimension."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        return F.softmax(input, self.dim)


class LogSoftmax(Softmax):
    """The logarithm of `Softmax`, computed without overflow."""

    def forward(self, input: Any) -> Any:
        return F.log_softmax(input, self.dim)
