"""Derivatives without autograd: nudge an input and see how much the output moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as torch

STEP = 1e-6


def leaf(array: Any) -> Any:
    """Return a float64 tensor that requires grad."""
    return torch.tensor(np.array(array, dtype=np.float64), requires_grad=True)


def nudged_gradients(function: Callable[..., Any], *arrays: Any) -> list[np.ndarray]:
    """Return the gradients of ``function(*tensors).sum()``, by central differences."""
    points = [np.array(one, dtype=np.float64) for one in arrays]
    gradients = []
    for point in points:
        gradient = np.zeros_like(point)
        for index in np.ndindex(point.shape):
            kept = point[index]
            sums = []
            for nudge in (STEP, -STEP):
                point[index] = kept + nudge
                sums.append(float(function(*map(leaf, points)).detach().sum()))
            point[index] = kept
            gradient[index] = (sums[0] - sums[1]) / (2 * STEP)
        gradients.append(gradient)
    return gradients


def check_gradients(function: Callable[..., Any], *arrays: Any) -> None:
    """Check first and second derivatives of a function of float64 tensors against nudging."""
    leaves = [leaf(one) for one in arrays]
    output = function(*leaves)
    found = torch.autograd.grad(output.sum(), leaves, allow_unused=True, materialize_grads=True)
    for gradient, expected in zip(found, nudged_gradients(function, *arrays), strict=True):
        np.testing.assert_allclose(gradient.numpy(), expected, rtol=1e-5, atol=1e-7)
    for number in range(len(arrays)):

        def slope(*inputs: Any, number: int = number) -> Any:
            (gradient,) = torch.autograd.grad(
                function(*inputs).sum(), [inputs[number]], create_graph=True, materialize_grads=True
            )
            return gradient

        slopes = slope(*leaves)
        if not slopes.requires_grad:
            continue
        found = torch.autograd.grad(slopes.sum(), leaves, allow_unused=True, materialize_grads=True)
        for gradient, expected in zip(found, nudged_gradients(slope, *arrays), strict=True):
            np.testing.assert_allclose(gradient.numpy(), expected, rtol=1e-4, atol=1e-6)
