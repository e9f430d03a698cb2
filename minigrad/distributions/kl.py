"""The divergence of one distribution from another."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import inf
from typing import Any

from minigrad import functions
from minigrad.creation import full_like
from minigrad.distributions.bernoulli import Bernoulli
from minigrad.distributions.categorical import Categorical
from minigrad.distributions.distribution import Distribution
from minigrad.distributions.exp_family import ExponentialFamily
from minigrad.distributions.independent import Independent, summed
from minigrad.distributions.normal import Normal
from minigrad.distributions.uniform import Uniform
from minigrad.nn.functional import softplus
from minigrad.outside import warn

Divergence = Callable[[Any, Any], Any]
known: dict[tuple[type, type], Divergence] = {}
chosen: dict[tuple[type, type], Divergence | None] = {}  # for the kinds that were asked about
OTHER_FAMILY = (
    "The cross KL-divergence between different exponential families cannot "
    f"{' ' * 28}be computed using Bregman divergences"
)


def register_kl(type_p: type, type_q: type) -> Callable[[Divergence], Divergence]:
    """Let a function be the divergence of two kinds of distributions, and of their subclasses.

    Raises:
        TypeError: if one is no class of distributions.
    """
    for name, kind in (("type_p", type_p), ("type_q", type_q)):
        if not (isinstance(kind, type) and issubclass(kind, Distribution)):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {kind}")

    def decorate(function: Divergence) -> Divergence:
        known[type_p, type_q] = function
        chosen.clear()
        return function

    return decorate


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """Return the Kullback-Leibler divergence of each pair of distributions.

    It is the one registered for the nearest kinds; a RuntimeWarning is given where these differ
    by whether one begins with `p` or with `q`.

    Raises:
        NotImplementedError: for kinds of which it is not known.

    >>> import minigrad as torch
    >>> Normal = torch.distributions.Normal
    >>> torch.distributions.kl_divergence(Normal(0.0, 1.0), Normal(1.0, 1.0))
    tensor(0.5000)
    """
    kinds = type(p), type(q)
    if kinds not in chosen:
        chosen[kinds] = divergence_of(*kinds)
    divergence = chosen[kinds]
    if divergence is None:
        names = [one.__name__ for one in kinds]
        raise NotImplementedError(
            "No KL(p || q) is implemented for p type {} and q type {}".format(*names)
        )
    return divergence(p, q)


def divergence_of(type_p: type, type_q: type) -> Divergence | None:
    """Return the function registered for the nearest kinds, if any is."""
    of_p, of_q = type_p.__mro__, type_q.__mro__
    steps = [(of_p.index(p), of_q.index(q)) for p, q in known if p in of_p and q in of_q]
    if not steps:
        return None
    first = min(steps)
    second = min(steps, key=lambda pair: pair[::-1])
    found, other = [known[of_p[one], of_q[two]] for one, two in (first, second)]
    if found is not other:
        nearest = of_p[first[0]].__name__, of_q[second[1]].__name__
        warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). "
            f"Please register_kl({', '.join(nearest)})",
            RuntimeWarning,
        )
    return found


@register_kl(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(p: Bernoulli, q: Bernoulli) -> Any:
    ones = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    ones[q.probs == 0] = inf
    ones[p.probs == 0] = 0
    zeros = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    zeros[q.probs == 1] = inf
    zeros[p.probs == 1] = 0
    return ones + zeros


@register_kl(Categorical, Categorical)
def _kl_categorical_categorical(p: Categorical, q: Categorical) -> Any:
    terms = p.probs * (p.logits - q.logits)
    terms[(q.probs == 0).expand_as(terms)] = inf
    terms[(p.probs == 0).expand_as(terms)] = 0
    return terms.sum(-1)


@register_kl(Normal, Normal)
def _kl_normal_normal(p: Normal, q: Normal) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    apart = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + apart - 1 - ratio.log())


@register_kl(Uniform, Uniform)
def _kl_uniform_uniform(p: Uniform, q: Uniform) -> Any:
    result = functions.log((q.high - q.low) / (p.high - p.low))
    result[(q.low > p.low) | (q.high < p.high)] = inf
    return result


@register_kl(Uniform, Normal)
def _kl_uniform_normal(p: Uniform, q: Normal) -> Any:
    width = p.high - p.low
    apart = ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    entropies = (math.sqrt(math.pi * 2) * q.scale / width).log()
    return entropies + 0.5 * (width.pow(2) / 12 + apart) / q.scale.pow(2)


@register_kl(Normal, Uniform)
def _kl_normal_infinity(p: Normal, q: Uniform) -> Any:
    return full_like(p.loc, inf)


@register_kl(ExponentialFamily, ExponentialFamily)
def _kl_expfamily_expfamily(p: ExponentialFamily, q: ExponentialFamily) -> Any:
    if type(p) is not type(q):
        raise NotImplementedError(OTHER_FAMILY)
    params, normalizer, slopes = p._tangent()
    result = q._log_normalizer(*q._natural_params) - normalizer
    for of_p, of_q, slope in zip(params, q._natural_params, slopes, strict=True):
        result = result - summed((of_q - of_p) * slope, len(q.event_shape))
    return result


@register_kl(Independent, Independent)
def _kl_independent_independent(p: Independent, q: Independent) -> Any:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return summed(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)
