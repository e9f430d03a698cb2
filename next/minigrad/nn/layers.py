"""Layers, activations and losses: modules without code of their own but for their functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minigrad.modes import no_grad
from minigrad.op import functions
from minigrad.tensor import Tensor
from minigrad.nn import functional as F
from minigrad.nn.module import Module, Parameter


class Linear(Module):
    """input @ weight.T + bias"""

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(functions["empty"](out_features, in_features, dtype=dtype))
        self.register_parameter("bias", None)
        if bias:
            self.bias = Parameter(functions["empty"](out_features, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        # PyTorch's kaiming_uniform_ with a = sqrt(5), step by step
        gain = math.sqrt(2.0 / (1 + 5.0))
        bound = math.sqrt(3.0) * (gain / math.sqrt(self.in_features)) if self.in_features else 0
        with no_grad():
            self.weight.uniform_(-bound, bound)
            if self.bias is not None:
                bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
                self.bias.uniform_(-bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Embedding(Module):
    """Rows of a table, looked up by their numbers."""

    def __init__(self, num_embeddings: int, embedding_dim: int) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.weight = Parameter(functions["randn"](num_embeddings, embedding_dim))

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(input, self.weight)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}"


class BatchNorm1d(Module):
    """Features with mean 0 and variance 1 within a batch, then scaled and shifted."""

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.weight = Parameter(functions["ones"](num_features))
        self.bias = Parameter(functions["zeros"](num_features))
        self.register_buffer("running_mean", functions["zeros"](num_features))
        self.register_buffer("running_var", functions["ones"](num_features))
        self.register_buffer("num_batches_tracked", functions["tensor"](0))

    def forward(self, input: Tensor) -> Tensor:
        if self.training:
            self.num_batches_tracked.add_(1)
        statistics = (self.running_mean, self.running_var, self.weight, self.bias)
        return F.batch_norm(input, *statistics, self.training, self.momentum, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine=True, "
            "track_running_stats=True"
        )


class Layer(Module):
    """A function of one or more tensors with settings, which are attributes of the module."""

    function: Callable
    settings: dict[str, Any] = {}
    shown = ""  # the settings that the text of the module tells

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        unknown = [name for name in kwargs if name not in self.settings]
        if len(args) > len(self.settings) or unknown:
            raise TypeError(f"{type(self).__name__}() got unexpected arguments {(*args, *unknown)}")
        for name, value in {**self.settings, **dict(zip(self.settings, args)), **kwargs}.items():
            setattr(self, name, value)

    def forward(self, *inputs: Tensor) -> Tensor:
        return type(self).function(*inputs, **{name: getattr(self, name) for name in self.settings})

    def extra_repr(self) -> str:
        told = [f"{name}={getattr(self, name)!r}" for name in self.shown.split()]
        return ", ".join(told) if self.shown != "inplace" or self.inplace else ""


class Loss(Layer):
    """A loss as a module; `size_average` and `reduce` are old ways to say `reduction`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if (self.__dict__.pop("reduce"), self.__dict__.pop("size_average")) != (None, None):
            self.reduction = F.old_reduction(**kwargs)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        names = [name for name in self.settings if name not in ("size_average", "reduce")]
        return type(self).function(input, target, **{name: getattr(self, name) for name in names})


class Dropout(Layer):
    """While training, each element is zero with a probability, and the others are larger."""

    settings, shown = dict(p=0.5, inplace=False), "p inplace"

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training)


class Softmax(Layer):
    function, settings, shown = staticmethod(F.softmax), dict(dim=None), "dim"


class LogSoftmax(Softmax):
    function = staticmethod(F.log_softmax)


def layer(
    name: str, function: Callable, shown: str = "", kind: Any = Layer, **settings: Any
) -> Any:
    about = dict(function=staticmethod(function), settings=settings, shown=shown)
    return type(name, (kind,), {**about, "__module__": __name__})


def loss(name: str, function: Callable, **settings: Any) -> Any:
    """A loss: old ways to say the reduction stand before it."""
    first = dict(weight=None) if settings.pop("weighted", False) else {}
    others = dict(size_average=None, reduce=None, reduction="mean")
    if "ignore_index" in settings:
        others = dict(size_average=None, ignore_index=-100, reduce=None, reduction="mean")
    return layer(name, function, kind=Loss, **{**first, **others, **settings})


ReLU = layer("ReLU", F.relu, "inplace", inplace=False)
LeakyReLU = layer("LeakyReLU", F.leaky_relu, "negative_slope", negative_slope=0.01, inplace=False)
ELU = layer("ELU", F.elu, "alpha", alpha=1.0, inplace=False)
SiLU = layer("SiLU", F.silu, inplace=False)
GELU = layer("GELU", F.gelu, "approximate", approximate="none")
Softplus = layer("Softplus", F.softplus, "beta threshold", beta=1.0, threshold=20.0)
Tanh, Sigmoid = layer("Tanh", F.tanh), layer("Sigmoid", F.sigmoid)
Flatten = layer("Flatten", Tensor.flatten, "start_dim end_dim", start_dim=1, end_dim=-1)
MSELoss, L1Loss = loss("MSELoss", F.mse_loss), loss("L1Loss", F.l1_loss)
SmoothL1Loss = loss("SmoothL1Loss", F.smooth_l1_loss, beta=1.0)
BCELoss = loss("BCELoss", F.binary_cross_entropy, weighted=True)
BCEWithLogitsLoss = loss(
    "BCEWithLogitsLoss", F.binary_cross_entropy_with_logits, weighted=True, pos_weight=None
)
NLLLoss = loss("NLLLoss", F.nll_loss, weighted=True, ignore_index=-100)
CrossEntropyLoss = loss(
    "CrossEntropyLoss", F.cross_entropy, weighted=True, ignore_index=-100, label_smoothing=0.0
)


class Identity(Module):
    """Gives back what it is given."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input
