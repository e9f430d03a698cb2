"""The operations, one declaration each."""

from minigrad.ops import conversions, copies, indexing, joins, linear_algebra, pointwise, reductions, shapes

__all__ = ["conversions", "copies", "indexing", "joins", "linear_algebra", "pointwise", "reductions", "shapes"]
