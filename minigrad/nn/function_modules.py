"""Activations and losses as modules. Each calls its function in `functional`, which explains it."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any, ClassVar

from minigrad.nn import functional as F
from minigrad.nn.modules import Module


class FunctionModule(Module):
    """A module that calls a function. Its settings are attributes, and arguments of the function.

    A subclass declares the settings: names and defaults. `reduction` and what follows it are
    keyword arguments, because PyTorch has older ones before them.
    """

    function: Callable[..., Any]
    settings: ClassVar[dict[str, Any]] = {}
    __signature__: Signature

    def __init_subclass__(cls) -> None:
        kind: Any = Parameter.POSITIONAL_OR_KEYWORD
        parameters = []
        for name, default in cls.settings.items():
            kind = Parameter.KEYWORD_ONLY if name == "reduction" else kind
            parameters.append(Parameter(name, kind, default=default))
        cls.__signature__ = Signature(parameters)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        bound = self.__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def forward(self, *inputs: Any) -> Any:
        settings = {name: getattr(self, name) for name in self.settings}
        return type(self).function(*inputs, **settings)


class Activation(FunctionModule):
    """An activation function. The printed form shows its settings, but `inplace` only if set."""

    def extra_repr(self) -> str:
        settings = [(name, getattr(self, name)) for name in self.settings]
        return ", ".join([f"{name}={one!r}" for name, one in settings if name != "inplace" or one])


class ReLU(Activation):
    """``max(0, x)``."""

    function, settings = staticmethod(F.relu), {"inplace": False}


class LeakyReLU(Activation):
    """x where it is positive, else ``negative_slope * x``."""

    function, settings = staticmethod(F.leaky_relu), {"negative_slope": 0.01, "inplace": False}


class Softplus(Activation):
    """``log(1 + exp(beta * x)) / beta``, or x itself where ``beta * x`` exceeds the threshold."""

    function, settings = staticmethod(F.softplus), {"beta": 1.0, "threshold": 20.0}


class Sigmoid(Activation):
    """``1 / (1 + exp(-x))``."""

    function = staticmethod(F.sigmoid)


class Tanh(Activation):
    """The hyperbolic tangent."""

    function = staticmethod(F.tanh)


class Softmax(Activation):
    """``exp(x) / exp(x).sum(dim)``: positive values with the sum 1 along a dimension."""

    function, settings = staticmethod(F.softmax), {"dim": None}


class LogSoftmax(Softmax):
    """The logarithm of `Softmax`, computed without overflow."""

    function = staticmethod(F.log_softmax)


class Loss(FunctionModule):
    """A loss. Weights are buffers."""

    settings: ClassVar = {"reduction": "mean"}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **F.choose_reduction(options))

    def _set(self, name: str, value: Any) -> None:
        if name.endswith("weight"):
            self.register_buffer(name, value)
        else:
            super()._set(name, value)


class MSELoss(Loss):
    """The mean of the squared differences."""

    function = staticmethod(F.mse_loss)


class L1Loss(Loss):
    """The mean of the absolute differences."""

    function = staticmethod(F.l1_loss)


class SmoothL1Loss(Loss):
    """The squared error of small differences, and the absolute error of large ones."""

    function, settings = staticmethod(F.smooth_l1_loss), Loss.settings | {"beta": 1.0}


class BCELoss(Loss):
    """The binary cross entropy of probabilities."""

    function, settings = staticmethod(F.binary_cross_entropy), {"weight": None} | Loss.settings


class BCEWithLogitsLoss(Loss):
    """The binary cross entropy of the sigmoid of scores."""

    function = staticmethod(F.binary_cross_entropy_with_logits)
    settings = BCELoss.settings | {"pos_weight": None}


class NLLLoss(Loss):
    """Minus the log-probability of the target's class."""

    function = staticmethod(F.nll_loss)
    settings = BCELoss.settings | {"ignore_index": -100}


class CrossEntropyLoss(Loss):
    """The cross entropy of classes, given scores.

    >>> import minigrad as torch
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """

    function, settings = staticmethod(F.cross_entropy), NLLLoss.settings


__all__ = [
    name
    for name, value in globals().items()
    if isinstance(value, type) and "function" in vars(value)
]
