"""Activations and losses as modules. Each calls its function in `functional`, which explains it."""

from __future__ import annotations

from inspect import Signature, signature
from typing import Any

from minigrad.nn import functional as F
from minigrad.nn.modules import Module

# Parameters of the functions that are no settings of the modules.
NO_SETTINGS = {"self", "input", "target", "dtype"}


class FunctionModule(Module):
    """A module that calls a function. Its settings are attributes, and arguments of the function.

    A subclass names the function, whose signature has the settings, and defaults of its own.
    """

    function: Any
    settings: list[str]
    __signature__: Signature

    def __init_subclass__(cls, function: Any = None, **defaults: Any) -> None:
        if function is not None:
            parameters = [
                parameter.replace(default=defaults.get(name, parameter.default))
                for name, parameter in signature(function).parameters.items()
                if name not in NO_SETTINGS
            ]
            cls.function, cls.__signature__ = staticmethod(function), Signature(parameters)
            cls.settings = [parameter.name for parameter in parameters]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        bound = self.__signature__.bind(*args, **F.choose_reduction(kwargs))
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if name.endswith("weight"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def forward(self, *inputs: Any) -> Any:
        return self.function(*inputs, **{name: getattr(self, name) for name in self.settings})


class Activation(FunctionModule):
    """An activation function. The printed form shows its settings, but `inplace` only if set."""

    def extra_repr(self) -> str:
        settings = [(name, getattr(self, name)) for name in self.settings]
        return ", ".join([f"{name}={one!r}" for name, one in settings if name != "inplace" or one])


class ReLU(Activation, function=F.relu):
    """``max(0, x)``."""


class LeakyReLU(Activation, function=F.leaky_relu):
    """x where it is positive, else ``negative_slope * x``."""


class Softplus(Activation, function=F.softplus):
    """``log(1 + exp(beta * x)) / beta``, or x itself where ``beta * x`` exceeds the threshold."""


class Sigmoid(Activation, function=F.sigmoid):
    """``1 / (1 + exp(-x))``."""


class Tanh(Activation, function=F.tanh):
    """The hyperbolic tangent."""


class Softmax(Activation, function=F.softmax):
    """``exp(x) / exp(x).sum(dim)``: positive values with the sum 1 along a dimension."""


class LogSoftmax(Activation, function=F.log_softmax):
    """The logarithm of `Softmax`, computed without overflow."""


class MSELoss(FunctionModule, function=F.mse_loss):
    """The mean of the squared differences."""


class L1Loss(FunctionModule, function=F.l1_loss):
    """The mean of the absolute differences."""


class SmoothL1Loss(FunctionModule, function=F.smooth_l1_loss):
    """The squared error of small differences, and the absolute error of large ones."""


class BCELoss(FunctionModule, function=F.binary_cross_entropy):
    """The binary cross entropy of probabilities."""


class BCEWithLogitsLoss(FunctionModule, function=F.binary_cross_entropy_with_logits):
    """The binary cross entropy of the sigmoid of scores."""


class NLLLoss(FunctionModule, function=F.nll_loss):
    """Minus the log-probability of the target's class."""


class CrossEntropyLoss(FunctionModule, function=F.cross_entropy):
    """The cross entropy of classes, given scores.

    >>> import minigrad as torch
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """


__all__ = [
    name
    for name, value in globals().items()
    if isinstance(value, type) and "function" in vars(value)
]
