"""Activations as modules; `minigrad.nn.functional` says what they compute."""

from __future__ import annotations

from typing import Any

from minigrad.creation import empty
from minigrad.functions import sigmoid, tanh
from minigrad.nn import functional as F
from minigrad.nn.init import constant_
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter
from minigrad.tensor import Tensor


class Activation(Module):
    """A module that shows its arguments as ``name=value``; `inplace` only if it is set."""

    _shown: tuple[str, ...] = ()

    def extra_repr(self) -> str:
        values = [(name, getattr(self, name)) for name in self._shown]
        return ", ".join(
            [f"{name}={value}" for name, value in values if name != "inplace" or value]
        )


class InPlace(Activation):
    """An activation whose only argument says whether it changes its input."""

    _shown = ("inplace",)

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class ReLU(InPlace):
    """Computes the larger of each element and 0.

    >>> import minigrad as torch
    >>> torch.nn.ReLU()(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Any:
        return F.relu(input, inplace=self.inplace)


class SiLU(InPlace):
    """Computes ``input * sigmoid(input)``."""

    def forward(self, input: Tensor) -> Any:
        return F.silu(input, inplace=self.inplace)


class SELU(InPlace):
    """Computes ELU, scaled so that layers keep mean and variance."""

    def forward(self, input: Tensor) -> Any:
        return F.selu(input, self.inplace)


class Mish(InPlace):
    """Computes ``input * tanh(softplus(input))``."""

    def forward(self, input: Tensor) -> Any:
        return F.mish(input, inplace=self.inplace)


class Hardsigmoid(Module):
    """Computes a line from 0 at -3 to 1 at 3, and these beyond."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.hardsigmoid(input, self.inplace)


class Hardswish(Hardsigmoid):
    """Multiplies each element by its hard sigmoid."""

    def forward(self, input: Tensor) -> Any:
        return F.hardswish(input, self.inplace)


class Threshold(Activation):
    """Puts `value` in place of each element that is not above `threshold`."""

    _shown = ("threshold", "value", "inplace")

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class Hardtanh(Activation):
    """Limits each element to a range.

    Raises:
        AssertionError: if the range is empty.
    """

    _shown: tuple[str, ...] = ("min_val", "max_val", "inplace")

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace
        if max_val <= min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")

    def forward(self, input: Tensor) -> Any:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """Limits each element to the range from 0 to 6."""

    _shown = ("inplace",)

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class ELU(Activation):
    """Computes ``alpha * (exp(input) - 1)`` where the input is negative, else the input."""

    _shown = ("alpha", "inplace")

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.elu(input, self.alpha, self.inplace)


class CELU(ELU):
    """Computes ``alpha * (exp(input / alpha) - 1)`` where the input is negative, else the input."""

    def forward(self, input: Tensor) -> Any:
        return F.celu(input, self.alpha, self.inplace)


class PReLU(Module):
    """Multiplies what is negative by a parameter: one for all, or one for each channel.

    >>> import minigrad as torch
    >>> torch.nn.PReLU()(torch.tensor([-4.0, 2.0]))
    tensor([-1.,  2.], grad_fn=<PreluKernelBackward0>)
    """

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(empty(num_parameters, dtype=dtype, device=device))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Any:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class LeakyReLU(Activation):
    """Multiplies what is negative by `negative_slope`."""

    _shown = ("negative_slope", "inplace")

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class Sigmoid(Module):
    """Computes ``1 / (1 + exp(-input))``."""

    def forward(self, input: Tensor) -> Any:
        return sigmoid(input)


class Tanh(Module):
    """Computes the hyperbolic tangent."""

    def forward(self, input: Tensor) -> Any:
        return tanh(input)


class LogSigmoid(Module):
    """Computes the logarithm of the sigmoid."""

    def forward(self, input: Tensor) -> Any:
        return F.logsigmoid(input)


class Softsign(Module):
    """Computes ``input / (1 + |input|)``."""

    def forward(self, input: Tensor) -> Any:
        return F.softsign(input)


class Tanhshrink(Module):
    """Computes ``input - tanh(input)``."""

    def forward(self, input: Tensor) -> Any:
        return F.tanhshrink(input)


class GELU(Module):
    """Multiplies each element by its normal distribution function, or what ``"tanh"`` says of it.

    Raises:
        RuntimeError: when called, if `approximate` is neither ``"none"`` nor ``"tanh"``.
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Any:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class Softplus(Activation):
    """Computes ``log(1 + exp(beta * input)) / beta``; a line beyond `threshold`."""

    _shown = ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Any:
        return F.softplus(input, self.beta, self.threshold)


class Shrinking(Module):
    """An activation whose argument says how far from 0 is near."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        return str(self.lambd)


class Hardshrink(Shrinking):
    """Puts 0 in place of what is near to it."""

    def forward(self, input: Tensor) -> Any:
        return F.hardshrink(input, self.lambd)


class Softshrink(Shrinking):
    """Brings each element nearer to 0."""

    def forward(self, input: Tensor) -> Any:
        return F.softshrink(input, self.lambd)


class GLU(Activation):
    """Multiplies one half along a dimension by the sigmoid of the other."""

    _shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Any:
        return F.glu(input, self.dim)


class AlongDimension(Activation):
    """An activation whose argument is the dimension along which it works."""

    _shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim


class RReLU(Activation):
    """Multiplies what is negative by a slope, which in training mode is drawn for each element.

    Source: https://arxiv.org/abs/1505.00853
    """

    _shown = ("lower", "upper", "inplace")

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Any:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Softmax2d(Module):
    """Computes the softmax of the channels of each place, of (N, C, H, W) or (C, H, W).

    Raises:
        ValueError: for inputs of other dimensions.
    """

    def forward(self, input: Tensor) -> Any:
        if input.dim() not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead"
            )
        return F.softmax(input, -3, _stacklevel=5)


class Softmax(AlongDimension):
    """Computes exponentials, divided by their sum along a dimension."""

    def forward(self, input: Tensor) -> Any:
        return F.softmax(input, self.dim, _stacklevel=5)


class Softmin(AlongDimension):
    """Computes the softmax of ``-input``."""

    def forward(self, input: Tensor) -> Any:
        return F.softmin(input, self.dim, _stacklevel=5)


class LogSoftmax(AlongDimension):
    """Computes the logarithm of the softmax."""

    def forward(self, input: Tensor) -> Any:
        return F.log_softmax(input, self.dim, _stacklevel=5)
