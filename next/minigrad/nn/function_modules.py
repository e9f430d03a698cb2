"""Activations and losses as modules. Each calls its function in `functional`, which explains it."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any, ClassVar

from minigrad.nn import functional as F
from minigrad.nn.modules import Module
from minigrad.tensor import Tensor


class FunctionModule(Module):
    """A module that calls a function. Its settings are attributes, and arguments of the function.

    A subclass declares the settings: names and defaults, in the order of PyTorch's constructor.
    """

    function: Callable[..., Any]
    settings: ClassVar[dict[str, Any]] = {}
    __signature__: Signature

    def __init_subclass__(cls) -> None:
        kind, settings = Parameter.POSITIONAL_OR_KEYWORD, cls.settings.items()
        cls.__signature__ = Signature(
            [Parameter(name, kind, default=one) for name, one in settings]
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        bound = self.__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        self._set(bound.arguments)

    def _set(self, settings: dict[str, Any]) -> None:
        for name, value in settings.items():
            setattr(self, name, value)
        self._names = tuple(settings)

    def _call(self, *inputs: Any) -> Any:
        return type(self).function(*inputs, **{name: getattr(self, name) for name in self._names})


class Activation(FunctionModule):
    """An activation function. The printed form shows its settings, but `inplace` only if set."""

    def forward(self, input: Tensor) -> Any:
        return self._call(input)

    def extra_repr(self) -> str:
        settings = [(name, getattr(self, name)) for name in self._names]
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
    """A loss. Weights are buffers. The old `size_average` and `reduce` choose a reduction."""

    settings: ClassVar = {"size_average": None, "reduce": None, "reduction": "mean"}

    def _set(self, settings: dict[str, Any]) -> None:
        old = (settings.pop("size_average"), settings.pop("reduce"))
        settings["reduction"] = F.chosen_reduction(settings["reduction"], *old)
        for name in settings.keys() & {"weight", "pos_weight"}:
            self.register_buffer(name, None)
        super()._set(settings)

    def forward(self, input: Tensor, target: Tensor) -> Any:
        return self._call(input, target)


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
    settings = {"weight": None, "size_average": None, "ignore_index": -100} | Loss.settings


class CrossEntropyLoss(Loss):
    """The cross entropy of classes, given scores.

    >>> import minigrad as torch
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """

    function = staticmethod(F.cross_entropy)
    settings = NLLLoss.settings | {"label_smoothing": 0.0}


__all__ = [
    name
    for name, value in globals().items()
    if isinstance(value, type) and "function" in vars(value)
]
