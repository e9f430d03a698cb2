"""torch.distributions: the normal distribution.

Source: https://docs.pytorch.org/docs/stable/distributions.html
"""

from __future__ import annotations

import math
from typing import Any

from minigrad.creation import as_tensor
from minigrad.missing import module_hooks
from minigrad.modes import no_grad
from minigrad.random import normal
from minigrad.tensor import Tensor

__all__ = ["Normal"]


class Normal:
    """Normal distributions with the means `loc` and the standard deviations `scale`.

    These are numbers or tensors, which broadcast.

    >>> import minigrad as torch
    >>> torch.distributions.Normal(0.0, 1.0).log_prob(torch.tensor(0.0))
    tensor(-0.9189)
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        loc, scale = as_tensor(loc), as_tensor(scale)
        shape = (loc + scale).shape
        self.loc, self.scale = loc.expand(shape), scale.expand(shape)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Return samples, with `sample_shape` before the shape of the parameters."""
        shape = (*sample_shape, *self.loc.shape)
        with no_grad():
            return normal(self.loc.expand(shape), self.scale.expand(shape))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density at a value."""
        exponent = -((value - self.loc) ** 2) / (2 * self.scale**2)
        return exponent - self.scale.log() - math.log(math.sqrt(2 * math.pi))


__dir__, __getattr__ = module_hooks(__name__, __all__)
