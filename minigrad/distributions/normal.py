"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from minigrad import functions
from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import empty
from minigrad.distributions import constraints
from minigrad.distributions.distribution import (
    EMPTY,
    HALF_LOG_2PI,
    Shape,
    broadcast_all,
    shape_of,
)
from minigrad.distributions.exp_family import ExponentialFamily
from minigrad.tensor import Tensor


class Normal(ExponentialFamily):
    """Numbers around a mean.

    Args:
        loc: the mean.
        scale: the standard deviation.

    Raises:
        ValueError: if one is nan, or the deviation is not positive.

    >>> import minigrad as torch
    >>> torch.distributions.Normal(0.0, 1.0).log_prob(torch.tensor(0.0))
    tensor(-0.9189)
    """

    arg_constraints: ClassVar[Any] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(shape_of(self.loc, loc, scale), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def stddev(self) -> Any:
        return self.scale

    @property
    def variance(self) -> Any:
        return self.stddev.pow(2)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        new.loc, new.scale = self.loc.expand(batch_shape), self.scale.expand(batch_shape)
        return new

    def sample(self, sample_shape: Shape = EMPTY) -> Any:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return functions.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Shape = EMPTY) -> Any:
        noise = empty(self._extended_shape(sample_shape), dtype=self.loc.dtype).normal_()
        return self.loc + noise * self.scale

    def log_prob(self, value: Tensor) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        var = self.scale**2
        return (
            -((value - self.loc) ** 2) / (2 * var)
            - self.scale.log()
            - math.log(math.sqrt(2 * math.pi))
        )

    def cdf(self, value: Tensor) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        steps = (value - self.loc) * self.scale.reciprocal() / math.sqrt(2)
        return 0.5 * (1 + functions.erf(steps))

    def icdf(self, value: Tensor) -> Any:
        return self.loc + self.scale * functions.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Any:
        return 0.5 + HALF_LOG_2PI + functions.log(self.scale)
