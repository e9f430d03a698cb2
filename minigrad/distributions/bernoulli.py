"""The distribution of what happens or does not."""

from __future__ import annotations

from math import nan
from typing import Any, ClassVar

from minigrad import functions
from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import arange
from minigrad.distributions import constraints
from minigrad.distributions.distribution import (
    EMPTY,
    Lazy,
    Shape,
    broadcast_all,
    clamp_probs,
    one_of,
    shape_of,
)
from minigrad.distributions.exp_family import ExponentialFamily
from minigrad.nn.functional import binary_cross_entropy_with_logits
from minigrad.tensor import Tensor


class Bernoulli(ExponentialFamily):
    """Ones, each with its probability, and zeros.

    Args:
        probs: the probability of a one; or else
        logits: its log-odds.

    Raises:
        ValueError: if both are given or neither, or one does not fit.
    """

    arg_constraints: ClassVar[Any] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    support = constraints.boolean
    has_enumerate_support = True

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        one_of(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        (self._param,) = broadcast_all(given)
        vars(self)[name] = self._param
        super().__init__(shape_of(self._param, given), validate_args=validate_args)

    @Lazy
    def logits(self) -> Any:
        """The log-odds of a one."""
        probs = clamp_probs(self.probs)
        return functions.log(probs) - functions.log1p(-probs)

    @Lazy
    def probs(self) -> Any:
        """The probability of a one."""
        return functions.sigmoid(self.logits)

    @property
    def param_shape(self) -> Any:
        """The shape of the probabilities."""
        return self._param.size()

    @property
    def mean(self) -> Any:
        return self.probs

    @property
    def mode(self) -> Any:
        mode = (self.probs >= 0.5).to(self.probs)
        mode[self.probs == 0.5] = nan
        return mode

    @property
    def variance(self) -> Any:
        return self.probs * (1 - self.probs)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        for name in ("probs", "logits"):
            if name in vars(self):
                new._param = vars(new)[name] = vars(self)[name].expand(batch_shape)
        return new

    def sample(self, sample_shape: Shape = EMPTY) -> Any:
        with no_grad():
            return functions.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Any:
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Any:
        values = arange(2, dtype=self._param.dtype).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values
