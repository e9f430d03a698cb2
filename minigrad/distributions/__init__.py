"""Distributions to draw from, whose log-probabilities have gradients.

>>> import minigrad as torch
>>> coin = torch.distributions.Bernoulli(torch.tensor(0.25))
>>> coin
Bernoulli(probs: 0.25)
>>> coin.log_prob(torch.tensor(1.0)).exp()
tensor(0.2500)
"""

from typing import Any

from minigrad import nn  # noqa: F401  # the package before modules of its
from minigrad.distributions import constraints as constraints
from minigrad.distributions.bernoulli import Bernoulli as Bernoulli
from minigrad.distributions.categorical import Categorical as Categorical
from minigrad.distributions.distribution import Distribution as Distribution
from minigrad.distributions.exp_family import ExponentialFamily as ExponentialFamily
from minigrad.distributions.independent import Independent as Independent
from minigrad.distributions.kl import kl_divergence as kl_divergence
from minigrad.distributions.kl import register_kl as register_kl
from minigrad.distributions.normal import Normal as Normal
from minigrad.distributions.uniform import Uniform as Uniform
from minigrad.ops.bind import missing


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.distributions'", name, globals())
