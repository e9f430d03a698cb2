"""Gauss's elimination: matrices as products of a lower and an upper triangular one."""

from __future__ import annotations

from math import prod

import numpy as np

from minigrad.autograd.node import Array


def factors(A: Array) -> tuple[Array, Array]:
    """Return L, without its ones, and U in one matrix, and with which row each was exchanged.

    The rows are counted from 1, as LAPACK does.
    """
    found = np.array(A)
    pivots = np.empty(A.shape[:-1], np.int32)
    count, size = prod(A.shape[:-2]), A.shape[-1]
    for matrix, row in zip(
        found.reshape(count, size, size), pivots.reshape(count, size), strict=True
    ):
        for place in range(size):
            best = place + int(np.argmax(np.abs(matrix[place:, place])))
            row[place] = best + 1
            matrix[[place, best]] = matrix[[best, place]]
            if matrix[place, place] != 0:
                matrix[place + 1 :, place] /= matrix[place, place]
            left, right = matrix[place + 1 :, place, None], matrix[place, place + 1 :]
            matrix[place + 1 :, place + 1 :] -= left * right
    return found, pivots
