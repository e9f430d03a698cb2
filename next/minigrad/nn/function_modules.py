"""Activations and losses as modules. Each calls its function in `functional`, which explains it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.nn import functional as F
from minigrad.nn.modules import Module
from minigrad.tensor import Tensor


class FunctionModule(Module):
    """A module that calls a function. Its settings are attributes, and go to the function."""

    function: Callable[..., Any]
    _settings: tuple[str, ...] = ()

    def _set(self, **settings: Any) -> None:
        self._settings += tuple(settings)
        for name, value in settings.items():
            if name.endswith("weight"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def _call(self, *inputs: Any) -> Any:
        settings = {name: getattr(self, name) for name in self._settings}
        return type(self).function(*inputs, **settings)


# Activations


class Activation(FunctionModule):
    """An activation function. The printed form shows its settings, but `inplace` only if set."""

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self._set(**settings)

    def forward(self, input: Tensor) -> Any:
        return self._call(input)

    def extra_repr(self) -> str:
        settings = {name: getattr(self, name) for name in self._settings}
        return ", ".join([f"{n}={v!r}" for n, v in settings.items() if n != "inplace" or v])


class ReLU(Activation):
    """``max(0, x)``."""

    function = staticmethod(F.relu)

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(inplace=inplace)


class LeakyReLU(Activation):
    """x where it is positive, else ``negative_slope * x``."""

    function = staticmethod(F.leaky_relu)

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__(negative_slope=negative_slope, inplace=inplace)


class Softplus(Activation):
    """``log(1 + exp(beta * x)) / beta``, or x itself where ``beta * x`` exceeds the threshold."""

    function = staticmethod(F.softplus)

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__(beta=beta, threshold=threshold)


class Sigmoid(Activation):
    """``1 / (1 + exp(-x))``."""

    function = staticmethod(F.sigmoid)


class Tanh(Activation):
    """The hyperbolic tangent."""

    function = staticmethod(F.tanh)


class Softmax(Activation):
    """``exp(x) / exp(x).sum(dim)``: positive values with the sum 1 along a dimension."""

    function = staticmethod(F.softmax)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__(dim=dim)


class LogSoftmax(Softmax):
    """The logarithm of `Softmax`, computed without overflow."""

    function = staticmethod(F.log_softmax)


# Losses


class Loss(FunctionModule):
    """A loss. Its options are those that all losses in `functional` have: `reduction`."""

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self._set(reduction=F.chosen_reduction(**options))

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

    function = staticmethod(F.smooth_l1_loss)

    def __init__(self, *, beta: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self._set(beta=beta)


class BCELoss(Loss):
    """The binary cross entropy of probabilities."""

    function = staticmethod(F.binary_cross_entropy)

    def __init__(self, weight: Tensor | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._set(weight=weight)


class BCEWithLogitsLoss(Loss):
    """The binary cross entropy of the sigmoid of scores."""

    function = staticmethod(F.binary_cross_entropy_with_logits)

    def __init__(
        self, weight: Tensor | None = None, *, pos_weight: Tensor | None = None, **options: Any
    ) -> None:
        super().__init__(**options)
        self._set(weight=weight, pos_weight=pos_weight)


class NLLLoss(Loss):
    """Minus the log-probability of the target's class."""

    function = staticmethod(F.nll_loss)

    def __init__(
        self, weight: Tensor | None = None, *, ignore_index: int = -100, **options: Any
    ) -> None:
        super().__init__(**options)
        self._set(weight=weight, ignore_index=ignore_index)


class CrossEntropyLoss(NLLLoss):
    """The cross entropy of classes, given scores.

    >>> import minigrad as torch
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """

    function = staticmethod(F.cross_entropy)

    def __init__(
        self, weight: Tensor | None = None, *, label_smoothing: float = 0.0, **options: Any
    ) -> None:
        super().__init__(weight, **options)
        self._set(label_smoothing=label_smoothing)


__all__ = [
    name
    for name, value in globals().items()
    if isinstance(value, type) and "function" in vars(value)
]
