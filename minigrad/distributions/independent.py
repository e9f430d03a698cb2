"""Distributions of several independent numbers."""

from __future__ import annotations

from typing import Any, ClassVar

from minigrad.distributions import constraints
from minigrad.distributions.distribution import EMPTY, Distribution, Shape
from minigrad.tensor import Tensor


class Independent(Distribution):
    """Takes the last dimensions of a batch of distributions for those of one event.

    Their log-probabilities are added, so that there is one of each event.

    Args:
        base_distribution: the batch.
        reinterpreted_batch_ndims: how many of its dimensions belong to an event.

    Raises:
        ValueError: if it has not so many.
    """

    arg_constraints: ClassVar[Any] = {}

    def __init__(
        self,
        base_distribution: Distribution,
        reinterpreted_batch_ndims: int,
        validate_args: bool | None = None,
    ) -> None:
        dims = reinterpreted_batch_ndims
        if dims > len(base_distribution.batch_shape):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{dims} vs {len(base_distribution.batch_shape)}"
            )
        shape = base_distribution._extended_shape()
        events = dims + len(base_distribution.event_shape)
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, dims
        cut = len(shape) - events
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        """Whether gradients can flow through samples."""
        return self.base_dist.has_rsample

    @constraints.dependent_property
    def support(self) -> Any:
        base, dims = self.base_dist.support, self.reinterpreted_batch_ndims
        return constraints.independent(base, dims) if dims else base

    @property
    def has_enumerate_support(self) -> bool:  # type: ignore[override]
        """Whether all samples there can be are known: not of several numbers."""
        return not self.reinterpreted_batch_ndims and self.base_dist.has_enumerate_support

    @property
    def mean(self) -> Any:
        return self.base_dist.mean

    @property
    def mode(self) -> Any:
        return self.base_dist.mode

    @property
    def variance(self) -> Any:
        return self.base_dist.variance

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        inner = self.event_shape[: self.reinterpreted_batch_ndims]
        new.base_dist = self.base_dist.expand((*batch_shape, *inner))
        return new

    def sample(self, sample_shape: Shape = EMPTY) -> Any:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Shape = EMPTY) -> Any:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Any:
        return summed(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Any:
        return summed(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Any:
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"


def summed(value: Any, dims: int) -> Any:
    """Return the sums over so many of the last dimensions."""
    if dims == 0:
        return value
    return value.reshape((*value.shape[:-dims], -1)).sum(-1)
