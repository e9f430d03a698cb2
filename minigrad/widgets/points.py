"""Two classes of points in the plane, for a small network to tell apart."""

from collections.abc import Callable

import numpy as np

Points = tuple[np.ndarray, np.ndarray]  # float32 [n, 2], and 0.0 or 1.0 for each


def make_points(name: str, count: int, seed: int) -> Points:
    """``count`` points between -1 and 1, half of them in each class; the same for the same seed.

    name: one of ``SHAPES``.
    """
    generator = np.random.default_rng(seed)
    kinds = np.arange(count) % 2
    along = generator.random(count)
    places = SHAPES[name](kinds, along, generator) + generator.normal(0, 0.05, (count, 2))
    return places.clip(-1, 1).astype(np.float32), kinds.astype(np.float32)


def _circles(kinds: np.ndarray, along: np.ndarray, _: np.random.Generator) -> np.ndarray:
    radius = np.where(kinds == 1, 0.3, 0.8)
    return np.stack([radius * np.cos(2 * np.pi * along), radius * np.sin(2 * np.pi * along)], 1)


def _moons(kinds: np.ndarray, along: np.ndarray, _: np.random.Generator) -> np.ndarray:
    x, y = 0.6 * np.cos(np.pi * along), 0.6 * np.sin(np.pi * along)
    upper = np.stack([x - 0.25, y - 0.15], 1)
    lower = np.stack([0.25 - x, 0.15 - y], 1)
    return np.where(kinds[:, None] == 1, upper, lower)


def _corners(kinds: np.ndarray, along: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    left = np.where(along < 0.5, -1, 1)
    up = np.where(kinds == 1, left, -left)
    return np.stack([left, up], 1) * generator.uniform(0.15, 0.95, (len(kinds), 2))


def _halves(kinds: np.ndarray, along: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    across = np.where(kinds == 1, 1, -1) * generator.uniform(0.15, 0.7, len(kinds))
    return np.stack([across - (along - 0.5), across + (along - 0.5)], 1) * 0.9


SHAPES: dict[str, Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]] = {
    "circles": _circles,
    "moons": _moons,
    "corners": _corners,
    "halves": _halves,
}
