"""Normals in single precision, with the very bits that PyTorch's vector instructions give them.

PyTorch computes logarithm, sine and cosine there by Cephes' polynomials, and where a product is
added to, the processor rounds once. The rest of `minigrad.random` computes in double precision.
Source: Stephen L. Moshier, Cephes Mathematical Library, logf, sinf and cosf
(https://www.netlib.org/cephes/).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.arrays import Array

SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)


def single(*numbers: float) -> list[Array]:
    """Return numbers as 0-d arrays, beside which numpy computes fastest with arrays."""
    return [np.array(one, SINGLE) for one in numbers]


def double(*numbers: float) -> list[Array]:
    """Return numbers rounded to single precision, as wide as `fused` computes with them."""
    return [one.astype(DOUBLE) for one in single(*numbers)]


LOG = double(
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
SIN = double(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
COS = double(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
(LOG_2_LOW,), (LOG_2_HIGH,) = single(-2.12194440e-4), double(0.693359375)
MINUS_QUARTER_PI = double(-0.78515625, -2.4187564849853516e-4, -3.774894977445941e-8)
ONE, MINUS_TWO, HALF, SQUARE_ROOT_OF_HALF = single(1, -2, 0.5, 0.70710677)
TURN, EIGHTHS = single(2 * np.pi, 4 / np.pi)


def box_muller_single(chance: Array, turn: Array) -> tuple[Array, Array]:
    """Return two normals for each pair of uniform numbers, all float32."""
    radius = np.sqrt(MINUS_TWO * log(ONE - chance))
    sine, cosine = sine_and_cosine(TURN * turn)
    return radius * cosine, radius * sine


def fused(a: Array, b: Any, c: Any) -> Array:
    """Return ``a * b + c`` rounded once: in double precision the product is exact."""
    total: Array = a.astype(DOUBLE) * b
    total += c
    return total.astype(SINGLE)


def polynomial(x: Array, coefficients: Sequence[Array]) -> Array:
    """Return the value of a polynomial, whose highest coefficient comes first."""
    value, *rest = coefficients
    wide = x.astype(DOUBLE)
    for one in rest:
        value = fused(value, wide, one)
    return value


def log(x: Array) -> Array:
    """Return the natural logarithm of positive numbers."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < SQUARE_ROOT_OF_HALF
    exponent = (exponent - small).astype(SINGLE)
    above = np.where(small, mantissa + mantissa, mantissa) - ONE  # between -0.3 and 0.42
    square = above * above
    rest = polynomial(above, LOG) * above
    rest = fused(rest, square, exponent * LOG_2_LOW)
    rest = fused(square, -HALF, rest)
    return fused(exponent, LOG_2_HIGH, above + rest)


def sine_and_cosine(x: Array) -> tuple[Array, Array]:
    """Return sine and cosine of angles that are not negative."""
    octant = (x * EIGHTHS).astype(np.int32)
    octant = (octant + 1) & ~1  # the nearest multiple of a quarter turn, counted in eighths
    wide = octant.astype(DOUBLE)
    for part in MINUS_QUARTER_PI:
        x = fused(wide, part, x)
    square = x * x
    sine = fused(polynomial(square, SIN) * square, x, x)
    cosine = polynomial(square, COS) * square
    cosine = fused(cosine, square, -(square * HALF)) + ONE
    turned = (octant & 2) != 0
    return (
        np.where((octant & 4) != 0, -ONE, ONE) * np.where(turned, cosine, sine),
        np.where(((octant + 2) & 4) != 0, -ONE, ONE) * np.where(turned, sine, cosine),
    )
