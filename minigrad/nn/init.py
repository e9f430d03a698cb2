"""torch.nn.init: fill parameters in place with their first values. Nothing is recorded.

https://docs.pytorch.org/docs/stable/nn.init.html
"""

from __future__ import annotations

import math
from typing import Any

from minigrad.missing import module_hooks
from minigrad.modes import no_grad

GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 0.75}


def calculate_gain(nonlinearity: str, param: float = 0.01) -> float:
    """The factor by which weights must grow to make up for a nonlinearity.

    `param` is the negative slope of ``"leaky_relu"``.
    """
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + param**2))
    return GAINS[nonlinearity]


@no_grad()
def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0) -> Any:
    """Uniform random numbers from a to b."""
    return tensor.uniform_(a, b)


@no_grad()
def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    """Normal random numbers."""
    return tensor.normal_(mean, std)


@no_grad()
def constant_(tensor: Any, val: float) -> Any:
    """The same number everywhere."""
    return tensor.fill_(val)


def zeros_(tensor: Any) -> Any:
    """Zeros."""
    return constant_(tensor, 0.0)


def ones_(tensor: Any) -> Any:
    """Ones."""
    return constant_(tensor, 1.0)


def xavier_uniform_(tensor: Any, gain: float = 1.0) -> Any:
    """Uniform numbers with the variance ``gain**2 * 2 / (fan_in + fan_out)``.

    Also known as Glorot initialization.
    https://proceedings.mlr.press/v9/glorot10a/glorot10a.pdf
    """
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / sum(fans(tensor))))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Any, gain: float = 1.0) -> Any:
    """Normal numbers with the variance of `xavier_uniform_`."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(fans(tensor))))


def kaiming_uniform_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> Any:
    """Uniform numbers with the variance ``gain**2 / fan``, where `mode` says which fan.

    `a` is the negative slope of ``"leaky_relu"``. Also known as He initialization.
    https://arxiv.org/abs/1502.01852
    """
    bound = math.sqrt(3.0) * kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> Any:
    """Normal numbers with the variance of `kaiming_uniform_`."""
    return normal_(tensor, 0.0, kaiming_std(tensor, a, mode, nonlinearity))


def kaiming_std(tensor: Any, a: float, mode: str, nonlinearity: str) -> float:
    fan = fans(tensor)[("fan_in", "fan_out").index(mode)]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def fans(tensor: Any) -> tuple[int, int]:
    """How many inputs each output of a weight has, and how many outputs each input."""
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


__all__ = ["calculate_gain", *[name for name in globals() if name.endswith("_") and name[0] != "_"]]
__dir__, __getattr__ = module_hooks(__name__, __all__)
