"""The operations, one declaration each."""

from minigrad.ops import indexing, joins, linear_algebra, pointwise, reductions, shapes

__all__ = ["indexing", "joins", "linear_algebra", "pointwise", "reductions", "shapes"]
