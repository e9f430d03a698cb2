"""Normals in single precision, with the very bits that PyTorch's vector instructions give them.

PyTorch computes logarithm, sine and cosine there by Cephes' polynomials, and where a product is
added to, the processor rounds once. The rest of `minigrad.random` computes in double precision.
Source: Stephen L. Moshier, Cephes Mathematical Library, logf, sinf and cosf
(https://www.netlib.org/cephes/).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.arrays import Array

SINGLE = np.float32
LOG = np.array(
    [
        7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
        -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
    ],
    SINGLE,
)  # fmt: skip
SIN = np.array([-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1], SINGLE)
COS = np.array([2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2], SINGLE)
LOG_2 = np.array([-2.12194440e-4, 0.693359375], SINGLE)  # in two parts, the small one first
QUARTER_PI = np.array([0.78515625, 2.4187564849853516e-4, 3.774894977445941e-8], SINGLE)
SQUARE_ROOT_OF_HALF = SINGLE(0.70710677)
HALF, ONE, TURN = SINGLE(0.5), SINGLE(1), SINGLE(2 * np.pi)


def box_muller_single(chance: Array, turn: Array) -> tuple[Array, Array]:
    """Return two normals for each pair of uniform numbers, all float32."""
    radius = np.sqrt(SINGLE(-2) * log(ONE - chance))
    sine, cosine = sine_and_cosine(TURN * turn)
    return radius * cosine, radius * sine


def fused(a: Array, b: Any, c: Any) -> Array:
    """Return ``a * b + c`` rounded once: in double precision the product is exact."""
    total: Array = a.astype(np.float64) * b + c
    return total.astype(SINGLE)


def polynomial(x: Array, coefficients: Array) -> Array:
    """Return the value of a polynomial, whose highest coefficient comes first."""
    value = np.full_like(x, coefficients[0])
    for one in coefficients[1:]:
        value = fused(value, x, one)
    return value


def log(x: Array) -> Array:
    """Return the natural logarithm of positive numbers."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < SQUARE_ROOT_OF_HALF
    exponent = (exponent - small).astype(SINGLE)
    above = np.where(small, mantissa + mantissa, mantissa) - ONE  # between -0.3 and 0.42
    square = above * above
    rest = polynomial(above, LOG) * above
    rest = fused(rest, square, exponent * LOG_2[0])
    rest = fused(square, -HALF, rest)
    return fused(exponent, LOG_2[1], above + rest)


def sine_and_cosine(x: Array) -> tuple[Array, Array]:
    """Return sine and cosine of angles that are not negative."""
    octant = (x * SINGLE(4 / np.pi)).astype(np.int32)
    octant = (octant + 1) & ~1  # the nearest multiple of a quarter turn, counted in eighths
    for part in QUARTER_PI:
        x = fused(octant.astype(SINGLE), -part, x)
    square = x * x
    sine = fused(polynomial(square, SIN) * square, x, x)
    cosine = polynomial(square, COS) * square
    cosine = fused(cosine, square, -(square * HALF)) + ONE
    turned = (octant & 2) != 0
    return (
        np.where((octant & 4) != 0, -ONE, ONE) * np.where(turned, cosine, sine),
        np.where(((octant + 2) & 4) != 0, -ONE, ONE) * np.where(turned, sine, cosine),
    )
