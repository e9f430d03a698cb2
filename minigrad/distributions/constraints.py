"""Where parameters and samples of distributions may lie.

>>> import minigrad as torch
>>> constraints = torch.distributions.constraints
>>> constraints.interval(0.0, 1.0).check(torch.tensor([0.5, 1.5]))
tensor([ True, False])
>>> class Even(constraints.Constraint):
...     is_discrete = True
...     def check(self, value):
...         return value % 2 == 0
>>> constraints.independent(Even(), 1).check(torch.tensor([[2, 4], [2, 5]]))
tensor([ True, False])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import dtypes, functions
from minigrad import linalg as linear_algebra
from minigrad.autograd.node import Array
from minigrad.creation import full, tensor


class Constraint:
    """A region: a subclass's `check` says of each event in a tensor whether it lies there.

    Attributes:
        event_dim: how many of the last dimensions make up one event.
        is_discrete: whether it is one of separate points.
    """

    is_discrete: Any = False
    event_dim: Any = 0

    def check(self, value: Any) -> Any:
        """Return a tensor of booleans, one for each event."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__[1:]}()"


class _Dependent(Constraint):
    """Stands for a region that depends on other parameters, so that it is not known of a class.

    Called, it returns another of which more is known.
    """

    def __init__(
        self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> None:
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self) -> Any:
        return self._known("is_discrete")

    @property
    def event_dim(self) -> Any:
        return self._known("event_dim")

    def _known(self, name: str) -> Any:
        value = getattr(self, f"_{name}")
        if value is NotImplemented:
            raise NotImplementedError(f".{name} cannot be determined statically")
        return value

    def __call__(
        self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> _Dependent:
        return _Dependent(
            is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
            event_dim=self._event_dim if event_dim is NotImplemented else event_dim,
        )

    def check(self, value: Any) -> Any:
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint: Any) -> bool:
    """Return whether a constraint only stands for one that is not known yet."""
    return isinstance(constraint, _Dependent)


class _DependentProperty(property, _Dependent):
    """A property of distributions, which for their class stands for the constraint.

    >>> import minigrad as torch
    >>> constraints = torch.distributions.constraints
    >>> class Die(torch.distributions.Distribution):
    ...     sides = 6
    ...     @constraints.dependent_property(is_discrete=True, event_dim=0)
    ...     def support(self):
    ...         return constraints.integer_interval(1, self.sides)
    >>> Die.support.is_discrete, Die(validate_args=False).support
    (True, IntegerInterval(lower_bound=1, upper_bound=6))
    """

    def __init__(
        self,
        fn: Callable[[Any], Any] | None = None,
        *,
        is_discrete: Any = NotImplemented,
        event_dim: Any = NotImplemented,
    ) -> None:
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn: Callable[[Any], Any]) -> _DependentProperty:  # type: ignore[override]
        return type(self)(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


class _IndependentConstraint(Constraint):
    """A region of events whose entries, in more of the last dimensions, all lie in another.

    Raises:
        AssertionError: if the base is no constraint, or the dimensions no natural number.
    """

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        for name, value, kind, called in (
            ("base_constraint", base_constraint, Constraint, "a Constraint"),
            ("reinterpreted_batch_ndims", reinterpreted_batch_ndims, int, "an int"),
        ):
            if not isinstance(value, kind):
                raise AssertionError(f"{name} must be {called}, got {type(value).__name__}")
        if reinterpreted_batch_ndims < 0:
            raise AssertionError(
                f"reinterpreted_batch_ndims must be >= 0, got {reinterpreted_batch_ndims}"
            )
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def is_discrete(self) -> Any:
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> Any:
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value: Any) -> Any:
        result = self.base_constraint.check(value)
        if result.dim() < self.reinterpreted_batch_ndims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        kept = result.shape[: result.dim() - self.reinterpreted_batch_ndims]
        return result.reshape((*kept, -1)).all(-1)

    def __repr__(self) -> str:
        name, base = type(self).__name__[1:], self.base_constraint
        return f"{name}({base!r}, {self.reinterpreted_batch_ndims})"


class _Bounded(Constraint):
    """A region between bounds, which it shows."""

    def __repr__(self) -> str:
        bounds = [f"{name}={bound}" for name, bound in vars(self).items()]
        return f"{type(self).__name__[1:]}({', '.join(bounds)})"


class _BoundedBelow(_Bounded):
    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound


class _BoundedAbove(_Bounded):
    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound


class _BoundedTwice(_Bounded):
    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound, self.upper_bound = lower_bound, upper_bound


class _GreaterThan(_BoundedBelow):
    """What is greater than a bound."""

    def check(self, value: Any) -> Any:
        return self.lower_bound < value


class _GreaterThanEq(_BoundedBelow):
    """What is not less than a bound."""

    def check(self, value: Any) -> Any:
        return self.lower_bound <= value


class _LessThan(_BoundedAbove):
    """What is less than a bound."""

    def check(self, value: Any) -> Any:
        return value < self.upper_bound


class _Interval(_BoundedTwice):
    """What lies between two bounds, which belong to it."""

    def check(self, value: Any) -> Any:
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_BoundedTwice):
    """What lies between two bounds, of which the lower one belongs to it."""

    def check(self, value: Any) -> Any:
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _IntegerInterval(_BoundedTwice):
    """The integers from one bound to the other."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerGreaterThan(_BoundedBelow):
    """The integers from a bound on."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & (value >= self.lower_bound)


class _Real(Constraint):
    """All numbers, the infinite ones too; nan is none."""

    def check(self, value: Any) -> Any:
        return value == value


class _Boolean(Constraint):
    """Zero and one."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value == 0) | (value == 1)


class _OneHot(_Boolean):
    """Vectors of zeros with a single one."""

    event_dim = 1

    def check(self, value: Any) -> Any:
        return super().check(value).all(-1) & value.sum(-1).eq(1)


class _Simplex(Constraint):
    """Vectors of numbers that are not negative and sum to 1."""

    event_dim = 1

    def check(self, value: Any) -> Any:
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Matrices(Constraint):
    """What matrices may be."""

    event_dim = 2


class _LowerTriangular(_Matrices):
    """Matrices without entries above the diagonal."""

    def check(self, value: Any) -> Any:
        return (value.tril() == value).flatten(-2).all(-1)


class _LowerCholesky(_LowerTriangular):
    """Such with a positive diagonal."""

    def check(self, value: Any) -> Any:
        return super().check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _Square(_Matrices):
    """Matrices with as many rows as columns."""

    def check(self, value: Any) -> Any:
        rows, columns = value.shape[-2:]
        return full(value.shape[:-2], rows == columns, dtype=dtypes.bool_)


class _Symmetric(_Square):
    """Matrices that are their transpose, up to rounding."""

    def check(self, value: Any) -> Any:
        is_square = super().check(value)
        if not is_square.all():
            return is_square
        return functions.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    """Symmetric matrices without negative eigenvalues."""

    def check(self, value: Any) -> Any:
        is_symmetric = super().check(value)
        if not is_symmetric.all():
            return is_symmetric
        return linear_algebra.eigvalsh(value).ge(0).all(-1)


class _PositiveDefinite(_Symmetric):
    """Symmetric matrices with positive eigenvalues alone."""

    def check(self, value: Any) -> Any:
        is_symmetric = super().check(value)
        if not is_symmetric.all():
            return is_symmetric
        matrices = value.numpy(force=True).reshape(-1, *value.shape[-2:])
        found = [has_cholesky(one) for one in matrices]
        return tensor(found).reshape(value.shape[:-2])


def has_cholesky(matrix: Array) -> bool:
    """Return whether a symmetric matrix is the square of a triangular one."""
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


dependent = _Dependent()
dependent_property = _DependentProperty
independent = _IndependentConstraint
greater_than, greater_than_eq, less_than = _GreaterThan, _GreaterThanEq, _LessThan
interval, half_open_interval, integer_interval = _Interval, _HalfOpenInterval, _IntegerInterval
real = _Real()
real_vector = independent(real, 1)
positive, nonnegative = greater_than(0.0), greater_than_eq(0.0)
nonnegative_integer, positive_integer = _IntegerGreaterThan(0), _IntegerGreaterThan(1)
unit_interval = interval(0.0, 1.0)
boolean, one_hot, simplex = _Boolean(), _OneHot(), _Simplex()
lower_triangular, lower_cholesky = _LowerTriangular(), _LowerCholesky()
square, symmetric = _Square(), _Symmetric()
positive_semidefinite, positive_definite = _PositiveSemidefinite(), _PositiveDefinite()
