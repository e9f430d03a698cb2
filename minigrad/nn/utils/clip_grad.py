"""Limits for gradients, lest a step be too long.

`foreach` says how PyTorch computes; it changes nothing here.
"""

from __future__ import annotations

import types
from collections.abc import Iterable

from minigrad import creation
from minigrad.autograd.grad_mode import no_grad
from minigrad.ops.check import check
from minigrad.ops.shape import stack
from minigrad.outside import warn
from minigrad.tensor import Tensor

Tensors = Tensor | Iterable[Tensor]


def as_list(tensors: Tensors) -> list[Tensor]:
    """Return one tensor, or several, as a list."""
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def gradients(parameters: Iterable[Tensor]) -> list[Tensor]:
    """Return the gradients that there are."""
    return [param.grad for param in parameters if param.grad is not None]


@no_grad()
def get_total_norm(
    tensors: Tensors,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Return the norm of all elements of some tensors together.

    Raises:
        RuntimeError: if it is not finite, with `error_if_nonfinite`.
    """
    listed, order = as_list(tensors), float(norm_type)
    if not listed:
        return creation.tensor(0.0)
    total: Tensor = stack([one.norm(order) for one in listed]).norm(order)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(
            f"The total norm of order {order} for gradients from `parameters` is non-finite, so it "
            "cannot be clipped. To disable this error and scale the gradients by the non-finite "
            "norm anyway, set `error_if_nonfinite=False`"
        )
    return total


@no_grad()
def clip_grads_with_norm_(
    parameters: Tensors, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale gradients, whose norm together is `total_norm`, to one of at most `max_norm`."""
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    for gradient in gradients(as_list(parameters)):
        gradient.mul_(factor)


@no_grad()
def clip_grad_norm_(
    parameters: Tensors,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale the gradients of parameters so that their norm together is at most `max_norm`.

    Returns:
        The norm before.

    Raises:
        RuntimeError: if it is not finite, with `error_if_nonfinite`.

    >>> import minigrad as torch
    >>> w = torch.zeros(2, requires_grad=True)
    >>> w.grad = torch.tensor([3.0, 4.0])
    >>> torch.nn.utils.clip_grad_norm_([w], 1.0)
    tensor(5.)
    >>> w.grad
    tensor([0.6000, 0.8000])
    """
    listed = as_list(parameters)
    if not listed and isinstance(parameters, types.GeneratorType):
        warn("`parameters` is an empty generator, no gradient clipping will occur.")
    total = get_total_norm(gradients(listed), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(listed, max_norm, total)
    return total


def clip_grad_norm(
    parameters: Tensors,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Do what `clip_grad_norm_` does, with a warning: this is its old name."""
    text = (
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`."
    )
    warn(text, FutureWarning)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@no_grad()
def clip_grad_value_(parameters: Tensors, clip_value: float, foreach: bool | None = None) -> None:
    """Limit each element of the gradients of parameters to ±`clip_value`.

    Raises:
        RuntimeError: if there is no gradient.
    """
    limit = float(clip_value)
    found = gradients(as_list(parameters))
    text = (
        "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error "
        "message be improved?  If so, please report an enhancement request to PyTorch.)"
    )
    check(bool(found), text)
    for gradient in found:
        gradient.clamp_min_(-limit).clamp_max_(limit)
