"""What all distributions share: shapes, checks, and how they are shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minigrad import dtypes, functions
from minigrad.autograd.grad_mode import enable_grad, no_grad
from minigrad.creation import tensor
from minigrad.distributions.constraints import Constraint, is_dependent
from minigrad.limits import finfo
from minigrad.outside import warn
from minigrad.size import Size
from minigrad.tensor import Tensor
from minigrad.typename import NamedAsInTorch

Shape = Any
EMPTY = Size()


class Distribution(NamedAsInTorch):
    """Base class of distributions, a batch of them in one.

    A subclass says in `arg_constraints` where its parameters may lie, and in `support` where
    samples lie.

    Args:
        batch_shape: how many distributions there are.
        event_shape: the shape of one sample of one of them.
        validate_args: whether to check parameters, and samples that are asked about.

    Raises:
        ValueError: if a parameter does not lie where it may.
    """

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__

    def __init__(
        self,
        batch_shape: Shape = EMPTY,
        event_shape: Shape = EMPTY,
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape: Size = batch_shape
        self._event_shape: Size = event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()

    def _validate_parameters(self) -> None:
        """Refuse parameters that do not lie where they may, with PyTorch's texts."""
        try:
            found = self.arg_constraints
        except NotImplementedError:
            warn(
                f"{self.__class__} does not define `arg_constraints`. Please set "
                "`arg_constraints = {}` or initialize the distribution with `validate_args=False` "
                "to turn off validation."
            )
            return
        for name, constraint in found.items():
            if is_dependent(constraint):
                continue
            if name in vars(self) or not isinstance(getattr(type(self), name, None), Lazy):
                self._check(name, getattr(self, name), constraint)

    def _check(self, name: str, value: Tensor, constraint: Constraint) -> None:
        if not all_true(constraint.check(value)):
            raise ValueError(
                f"Expected parameter {name} ({type(value).__name__} of shape "
                f"{tuple(value.shape)}) of distribution {self!r} to satisfy the constraint "
                f"{constraint!r}, but found invalid values:\n{value}"
            )

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Say whether distributions check what they are given, unless they are told."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    @property
    def arg_constraints(self) -> Any:
        """Where each parameter may lie."""
        raise NotImplementedError

    @property
    def support(self) -> Any:
        """Where samples lie."""
        raise NotImplementedError

    @property
    def batch_shape(self) -> Size:
        """How many distributions there are."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one sample of one of them."""
        return self._event_shape

    @property
    def mean(self) -> Any:
        """The mean."""
        raise NotImplementedError

    @property
    def mode(self) -> Any:
        """The most probable sample."""
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self) -> Any:
        """The variance."""
        raise NotImplementedError

    @property
    def stddev(self) -> Any:
        """The standard deviation."""
        return self.variance.sqrt()

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        """Return the distributions as a larger batch, which shares their parameters.

        Raises:
            NotImplementedError: for a class of the user's with an ``__init__`` of its own.
        """
        ours = ("minigrad.", "torch.")
        kind = next(one for one in type(self).__mro__ if one.__module__.startswith(ours))
        if _instance is None and type(self).__init__ is not kind.__init__:  # type: ignore[misc]
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {kind.__name__} that defines a custom __init__ "
                "method must also define a custom .expand() method."
            )
        new = type(self).__new__(type(self)) if _instance is None else _instance
        vars(new).update(vars(self))
        new._batch_shape = Size(batch_shape)
        return new

    def sample(self, sample_shape: Shape = EMPTY) -> Any:
        """Return samples, `sample_shape` of each distribution, without gradients."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Shape = EMPTY) -> Any:
        """Return samples through which gradients flow to the parameters."""
        raise NotImplementedError

    def log_prob(self, value: Tensor) -> Any:
        """Return the logarithm of the probability, or of its density, of samples."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Any:
        """Return the probability of what is not greater."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Any:
        """Return the sample that has that `cdf`."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return all samples that there can be, in the first dimension."""
        raise NotImplementedError

    def entropy(self) -> Any:
        """Return the entropy of each distribution."""
        raise NotImplementedError

    def perplexity(self) -> Any:
        """Return the exponential of the entropy."""
        return functions.exp(self.entropy())

    def _extended_shape(self, sample_shape: Shape = EMPTY) -> Size:
        """Return the shape of so many samples of each distribution."""
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _validate_sample(self, value: Any) -> None:
        """Refuse what cannot be a sample, with PyTorch's texts."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        if value.size()[value.dim() - len(self._event_shape) :] != self._event_shape:
            raise ValueError(
                f"The right-most size of value must match event_shape: {value.size()} vs "
                f"{self._event_shape}."
            )
        expected = self._extended_shape()
        for one, other in zip(reversed(value.size()), reversed(expected), strict=False):
            if one != other and 1 not in (one, other):
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {value.size()} vs "
                    f"{expected}."
                )
        try:
            support = self.support
        except NotImplementedError:
            warn(
                f"{self.__class__} does not define `support` to enable sample validation. Please "
                "initialize the distribution with `validate_args=False` to turn off validation."
            )
            return
        if not all_true(support.check(value)):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) "
                f"to be within the support ({support!r}) of the distribution {self!r}, but "
                f"found invalid values:\n{value}"
            )

    def __repr__(self) -> str:
        shown = {name: vars(self)[name] for name in self.arg_constraints if name in vars(self)}
        params = [
            f"{name}: {value if value.numel() == 1 else value.size()}"
            for name, value in shown.items()
        ]
        return f"{type(self).__name__}({', '.join(params)})"


class Lazy:
    """An attribute that is computed when it is first asked for, and kept."""

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self.compute = compute

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        with enable_grad():
            value = vars(instance)[self.compute.__name__] = self.compute(instance)
        return value


def broadcast_all(*values: Any) -> tuple[Any, ...]:
    """Return tensors and numbers as tensors of one shape; numbers in the dtype of the tensors.

    Raises:
        ValueError: for something else.
    """
    if not all(isinstance(one, Tensor | int | float) for one in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing "
            "__torch_function__."
        )
    kinds = [one.dtype for one in values if isinstance(one, Tensor)]
    kind = kinds[0] if kinds else dtypes.get_default_dtype()
    return tuple(
        functions.broadcast_tensors(
            *[one if isinstance(one, Tensor) else tensor(one, dtype=kind) for one in values]
        )
    )


def all_true(checked: Any) -> bool:
    """Return whether all elements are true: of all slices, within `torch.vmap`."""
    while hasattr(checked, "batch"):
        checked = checked.batch
    return bool(checked.all())


def shape_of(first: Tensor, *given: Any) -> Size:
    """Return the batch's shape: that of a parameter; none if all were given as numbers."""
    return first.size() if any(isinstance(one, Tensor) for one in given) else EMPTY


def clamp_probs(probs: Tensor) -> Any:
    """Return probabilities with the nearest that are neither 0 nor 1 in the place of these."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def one_of(probs: Any, logits: Any) -> None:
    """Refuse both or neither.

    Raises:
        ValueError: with PyTorch's text.
    """
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
