"""Families of distributions whose entropy and divergence follow from one function."""

from __future__ import annotations

from typing import Any

from minigrad.autograd import grad
from minigrad.distributions.distribution import Distribution
from minigrad.tensor import Tensor


class ExponentialFamily(Distribution):
    """Base class of distributions with natural parameters and the logarithm of what normalizes.

    A subclass defines `_natural_params`, `_log_normalizer` of them, and for the entropy
    `_mean_carrier_measure`.
    """

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Tensor) -> Any:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> Any:
        raise NotImplementedError

    def _tangent(self) -> tuple[list[Tensor], Any, tuple[Tensor, ...]]:
        """Return the natural parameters, the normalizer of them, and its derivatives."""
        params = [one.detach().requires_grad_() for one in self._natural_params]
        normalizer = self._log_normalizer(*params)
        return params, normalizer, grad(normalizer.sum(), params, create_graph=True)

    def entropy(self) -> Any:
        mean = self._mean_carrier_measure
        params, normalizer, slopes = self._tangent()
        result = normalizer - mean
        for param, slope in zip(params, slopes, strict=True):
            result = result - (param * slope).reshape((*self._batch_shape, -1)).sum(-1)
        return result
