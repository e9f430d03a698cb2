"""The operations, one declaration each."""

from minigrad.ops import (
    activations,
    conversions,
    copies,
    indexing,
    joins,
    linear_algebra,
    losses,
    pointwise,
    reductions,
    shapes,
)

__all__ = [
    "activations",
    "conversions",
    "copies",
    "indexing",
    "joins",
    "linear_algebra",
    "losses",
    "pointwise",
    "reductions",
    "shapes",
]
