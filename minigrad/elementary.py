"""Elementary functions of float32, rounded as nearly always in PyTorch: to the nearest number.

numpy's own are faster and up to 4 units in the last place off, which the text of a single number
shows. So arrays of as many elements as are printed in full are computed in float64, and rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.arrays import PRINTED, Array

SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)


def rounded(function: Any) -> Callable[[Any], Any]:
    """Return a function of numpy's that rounds float32 once where its elements are printed.

    It takes an array or a number, which is computed in float64 anyhow.
    """

    def apply(self: Any) -> Any:
        if getattr(self, "dtype", None) is SINGLE and self.size <= PRINTED:
            return function(self, dtype=DOUBLE).astype(SINGLE)
        return function(self)

    return apply


def rounded_for_two(function: Any) -> Callable[[Array, Array], Any]:
    """Return that for a function of two arrays, of one dtype."""

    def apply(self: Array, other: Array) -> Any:
        if self.dtype is SINGLE and max(self.size, other.size) <= PRINTED:
            return function(self, other, dtype=DOUBLE).astype(SINGLE)
        return function(self, other)

    return apply


exp, exp2, expm1 = rounded(np.exp), rounded(np.exp2), rounded(np.expm1)
log, log2, log10, log1p = rounded(np.log), rounded(np.log2), rounded(np.log10), rounded(np.log1p)
sin, cos, tan = rounded(np.sin), rounded(np.cos), rounded(np.tan)
arccos, arcsin, arctan = rounded(np.arccos), rounded(np.arcsin), rounded(np.arctan)
sinh, cosh, tanh = rounded(np.sinh), rounded(np.cosh), rounded(np.tanh)
arctan2, power = rounded_for_two(np.arctan2), rounded_for_two(np.power)
