"""The operations, one declaration each."""

from minigrad.ops import conversions, indexing, joins, linear_algebra, pointwise, reductions, shapes

__all__ = ["conversions", "indexing", "joins", "linear_algebra", "pointwise", "reductions", "shapes"]
