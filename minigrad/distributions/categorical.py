"""The distribution of one of several classes."""

from __future__ import annotations

from math import nan
from typing import Any, ClassVar

from minigrad import functions
from minigrad.creation import arange, full
from minigrad.distributions import constraints
from minigrad.distributions.distribution import (
    EMPTY,
    Distribution,
    Lazy,
    Shape,
    clamp_probs,
    one_of,
)
from minigrad.limits import finfo
from minigrad.size import Size
from minigrad.tensor import Tensor


class Categorical(Distribution):
    """Numbers of classes, by the probabilities along the last dimension.

    Args:
        probs: probabilities, (..., classes), which are made to sum to 1; or else
        logits: their logarithms, up to what they have in common.

    Raises:
        ValueError: if both are given or neither, one has no dimension, or does not fit.

    >>> import minigrad as torch
    >>> torch.distributions.Categorical(torch.tensor([0.25, 0.75])).log_prob(torch.tensor(1))
    tensor(-0.2877)
    """

    arg_constraints: ClassVar[Any] = {
        "probs": constraints.simplex,
        "logits": constraints.real_vector,
    }
    has_enumerate_support = True

    def __init__(
        self,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        one_of(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        assert given is not None
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            self._param = given - given.logsumexp(dim=-1, keepdim=True)
        else:
            self._param = given / given.sum(-1, keepdim=True)
        vars(self)[name] = self._param
        self._num_events = given.size()[-1]
        super().__init__(given.size()[:-1], validate_args=validate_args)

    @Lazy
    def logits(self) -> Any:
        """The logarithms of the probabilities."""
        return functions.log(clamp_probs(self.probs))

    @Lazy
    def probs(self) -> Any:
        """The probabilities."""
        return functions.softmax(self.logits, dim=-1)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def param_shape(self) -> Any:
        """The shape of the probabilities."""
        return self._param.size()

    @property
    def mean(self) -> Any:
        return full(self._extended_shape(), nan, dtype=self.probs.dtype)

    @property
    def mode(self) -> Any:
        return self.probs.argmax(dim=-1)

    @property
    def variance(self) -> Any:
        return self.mean

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        for name in ("probs", "logits"):
            if name in vars(self):
                shape = (*batch_shape, self._num_events)
                new._param = vars(new)[name] = vars(self)[name].expand(shape)
        return new

    def sample(self, sample_shape: Shape = EMPTY) -> Any:
        rows = self.probs.reshape(-1, self._num_events)
        drawn = functions.multinomial(rows, Size(sample_shape).numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        index, logits = functions.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, index[..., :1]).squeeze(-1)

    def entropy(self) -> Any:
        logits = self.logits.clamp(min=finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        values = arange(self._num_events).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values
