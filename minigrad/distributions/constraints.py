"""Where parameters and samples of distributions may lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Constraint:
    """A region; `check` says of each event in a tensor whether it lies there.

    Attributes:
        event_dim: how many of the last dimensions make up one event.
        is_discrete: whether it is one of separate points.
    """

    is_discrete = False
    event_dim = 0

    def __init__(
        self,
        name: str,
        contains: Callable[[Any], Any],
        event_dim: int = 0,
        is_discrete: bool = False,
        **bounds: Any,
    ) -> None:
        self._name, self._contains = name, contains
        self.event_dim, self.is_discrete = event_dim, is_discrete
        self._bounds = bounds
        vars(self).update(bounds)

    def check(self, value: Any) -> Any:
        """Return a tensor of booleans, one for each event."""
        return self._contains(value)

    def __repr__(self) -> str:
        bounds = ", ".join(f"{name}={bound}" for name, bound in self._bounds.items())
        return f"{self._name}({bounds})"


def greater_than(lower_bound: Any) -> Constraint:
    """Return the region of what is greater than a bound."""
    return Constraint("GreaterThan", lambda value: lower_bound < value, lower_bound=lower_bound)


def less_than(upper_bound: Any) -> Constraint:
    """Return the region of what is less than a bound."""
    return Constraint("LessThan", lambda value: value < upper_bound, upper_bound=upper_bound)


def interval(lower_bound: Any, upper_bound: Any) -> Constraint:
    """Return the region between two bounds, which belong to it."""
    return Constraint(
        "Interval",
        lambda value: (lower_bound <= value) & (value <= upper_bound),
        lower_bound=lower_bound,
        upper_bound=upper_bound,
    )


def integer_interval(lower_bound: Any, upper_bound: Any) -> Constraint:
    """Return the integers from one bound to the other."""
    return Constraint(
        "IntegerInterval",
        lambda value: (value % 1 == 0) & (lower_bound <= value) & (value <= upper_bound),
        is_discrete=True,
        lower_bound=lower_bound,
        upper_bound=upper_bound,
    )


class Independent(Constraint):
    """A region of events whose entries, in more of the last dimensions, all lie in another."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.is_discrete = base_constraint.is_discrete
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value: Any) -> Any:
        result = self.base_constraint.check(value)
        if result.dim() < self.reinterpreted_batch_ndims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        kept = result.shape[: result.dim() - self.reinterpreted_batch_ndims]
        return result.reshape((*kept, -1)).all(-1)

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


real = Constraint("Real", lambda value: value == value)
independent = Independent
real_vector = independent(real, 1)
positive = greater_than(0.0)
unit_interval = interval(0.0, 1.0)
boolean = Constraint("Boolean", lambda value: (value == 0) | (value == 1), is_discrete=True)
simplex = Constraint(
    "Simplex", lambda value: (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6), 1
)
