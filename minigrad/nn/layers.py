"""Layers, activations and losses as modules. `functional` explains what many of them compute."""

from __future__ import annotations

import math
from inspect import Signature, signature
from typing import Any

from minigrad.creation import empty, ones, tensor, zeros
from minigrad.graph import Array
from minigrad.nn import functional as F
from minigrad.nn import init
from minigrad.nn.modules import Module, Parameter
from minigrad.op import op
from minigrad.ops.indexing import add_at, zeros_for
from minigrad.ops.shapes import flatten
from minigrad.tensor import Tensor

# Layers with parameters or a mode


class Linear(Module):
    """``input @ weight.T + bias``: inputs (..., in_features), outputs (..., out_features).

    `weight` and `bias` start with uniform random numbers between ``-1/sqrt(in_features)`` and
    ``1/sqrt(in_features)``. The options are `dtype` and `device`.

    >>> import minigrad as torch
    >>> torch.nn.Linear(3, 2)(torch.ones(4, 3)).shape
    torch.Size([4, 2])
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, **options: Any
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty(out_features, in_features, **options))
        self.register_parameter("bias", Parameter(empty(out_features, **options)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new random numbers."""
        if self.in_features:
            init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Any:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        features = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{features}, bias={self.bias is not None}"


def add_to_rows(grad: Any, weight_shape: Any, indices: Any) -> Any:
    return add_at(zeros_for(grad, weight_shape), (indices,), grad)


@op("embedding", "EmbeddingBackward0", variants="", weight=add_to_rows)
def embedding(weight: Array, indices: Array) -> Array:
    """The rows of a matrix for some row numbers."""
    if indices.size and not 0 <= indices.min() <= indices.max() < len(weight):
        raise IndexError("index out of range in self")
    return weight[indices]


class Embedding(Module):
    """A table of vectors, looked up by their numbers: inputs of any shape, outputs (..., dim).

    The rows start with normal random numbers. Raises IndexError if there is no such row.
    """

    def __init__(self, num_embeddings: int, embedding_dim: int) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.weight = Parameter(init.normal_(empty(num_embeddings, embedding_dim)))

    def forward(self, input: Tensor) -> Any:
        return embedding(self.weight, input)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}"


class BatchNorm1d(Module):
    """Standardizes each feature: inputs (batch, features) or (batch, features, length).

    In training by mean and variance of the batch, which the running ones follow, in evaluation by
    the running ones. Then `weight` and `bias` scale and shift. Raises ValueError for other inputs,
    and in training for a single value per feature. https://arxiv.org/abs/1502.03167
    """

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.weight, self.bias = Parameter(ones(num_features)), Parameter(zeros(num_features))
        self.register_buffer("running_mean", zeros(num_features))
        self.register_buffer("running_var", ones(num_features))
        self.register_buffer("num_batches_tracked", tensor(0))

    def forward(self, input: Any) -> Any:
        if input.ndim not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.ndim}D input)")
        if (n := input.shape[1]) != self.num_features:
            raise RuntimeError(f"running_mean should contain {n} elements not {self.num_features}")
        mean, var = self.running_mean, self.running_var
        if self.training:
            dims = (0, 2)[: input.ndim - 1]
            mean, var = input.mean(dims), input.var(dims, unbiased=False)
            self._follow(mean._array, var._array, input)
        scale = self.weight / (var + self.eps).sqrt()
        # The features are dimension 1, for the mean and the others as for the input.
        shape = (-1, *[1] * (input.ndim - 2))
        return (input - mean.reshape(shape)) * scale.reshape(shape) + self.bias.reshape(shape)

    def _follow(self, mean: Any, var: Any, input: Any) -> None:
        """Move the running mean and variance towards those of a batch."""
        count = input.numel() // self.num_features
        if count == 1:
            expected = "Expected more than 1 value per channel when training"
            raise ValueError(f"{expected}, got input size {input.shape}")
        self.num_batches_tracked.add_(1)
        momentum, unbiased = self.momentum, var * (count / (count - 1))
        for running, value in ((self.running_mean, mean), (self.running_var, unbiased)):
            # As in PyTorch, this doesn't count as an in-place change.
            running._array[...] = (1 - momentum) * running._array + momentum * value

    def extra_repr(self) -> str:
        settings = f"{self.num_features}, eps={self.eps}, momentum={self.momentum}"
        return f"{settings}, affine=True, bias=True, track_running_stats=True"


class Dropout(Module):
    """In training, sets elements to zero with probability `p`, and divides the others by 1-p."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        F.check_probability(p)
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Any:
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Identity(Module):
    """Returns its input. Takes any arguments, so that it can stand in for any layer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


# Modules that only call a function

NO_SETTINGS = {"self", "input", "target", "dtype"}  # parameters of functions


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


class Flatten(Activation, function=flatten, start_dim=1):
    """Joins the dimensions from `start_dim` to `end_dim`: by default all but the batch."""


# Losses


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


__all__ = [  # all but the base classes
    name
    for name, value in globals().items()
    if isinstance(value, type) and issubclass(value, Module) and not value.__subclasses__()
]
