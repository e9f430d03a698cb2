"""The uniform distribution."""

from __future__ import annotations

from math import nan
from typing import Any

from minigrad import functions
from minigrad.distributions import constraints
from minigrad.distributions.distribution import (
    EMPTY,
    Distribution,
    Shape,
    broadcast_all,
    shape_of,
)
from minigrad.tensor import Tensor


class Uniform(Distribution):
    """Numbers from one bound up to the other, which is never reached, all as probable.

    Raises:
        ValueError: if the lower bound is not the lower one.
    """

    has_rsample = True

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(shape_of(self.low, low, high), validate_args=validate_args)

    @property
    def arg_constraints(self) -> Any:
        return {
            "low": constraints.less_than(self.high),
            "high": constraints.greater_than(self.low),
        }

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        return constraints.interval(self.low, self.high)

    @property
    def mean(self) -> Any:
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Any:
        return nan * self.high

    @property
    def stddev(self) -> Any:
        return (self.high - self.low) / 12**0.5

    @property
    def variance(self) -> Any:
        return (self.high - self.low).pow(2) / 12

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        new.low, new.high = self.low.expand(batch_shape), self.high.expand(batch_shape)
        return new

    def rsample(self, sample_shape: Shape = EMPTY) -> Any:
        drawn = functions.rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value: Tensor) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        above, below = self.low.le(value), self.high.gt(value)
        inside = above.type_as(self.low).mul(below.type_as(self.low))
        return functions.log(inside) - functions.log(self.high - self.low)

    def cdf(self, value: Tensor) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value: Tensor) -> Any:
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Any:
        return functions.log(self.high - self.low)
