"""Forward-mode automatic differentiation: tensors that carry a tangent through what is computed.

In a `dual_level`, `make_dual` gives a tensor a tangent, and what is computed of it gets one as
well: the derivative along it, which `unpack_dual` returns.

No operation has a formula for that. Each has one for v -> vjp(v), the gradient of its inputs that
belongs to a gradient v of its result; it is linear in v, and its transpose is wanted. Of operations
on each element by itself it is its own transpose, and linear operations are done to tangents as to
what has them. For all others the transpose is the derivative of vjp with respect to v, as the
backward pass computes it. While a level is open, the code of all operations is exchanged for such
as does this besides; at other times nothing asks.

As in PyTorch, `dual_level` does not nest. What does, in `minigrad.func`, opens levels around which
there are others: tangents may have tangents there.
Source: https://docs.pytorch.org/docs/stable/autograd.html#forward-mode-automatic-differentiation
"""

from __future__ import annotations

from typing import Any, NamedTuple

from minigrad import overrides, printing  # noqa: F401  # the package before modules of its
from minigrad.autograd.forward_ad.custom import DUAL_TANGENT, NOT_FLOATING, OTHER_SIZE
from minigrad.autograd.forward_ad.following import begin, end
from minigrad.autograd.forward_ad.tangents import (
    DualLevel,
    Following,
    ForwardMode,
    mode,
    tangents_of,
)
from minigrad.autograd.forward_ad.tangents import (
    _set_fwd_grad_enabled as _set_fwd_grad_enabled,
)
from minigrad.autograd.forward_ad.tangents import is_followed as _is_fwd_grad_enabled
from minigrad.autograd.grad_mode import _GradMode
from minigrad.autograd.node import WRITTEN_BY_HAND
from minigrad.c_code import type_name
from minigrad.ops.check import check
from minigrad.ops.define import hidden
from minigrad.ops.shape import view_as_size
from minigrad.overrides.asking import Unseen
from minigrad.tensor import Tensor

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]

NESTED = "Nested forward mode AD is not supported at the moment"
NO_LEVEL = (
    "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
    "enter_dual_level() first."
)
NOT_THE_LAST = (
    "Trying to exit a forward AD level that was not the last one that was created. This is not "
    "supported."
)
DUAL_ALREADY = (
    "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level "
    "0 is not supported."
)
NOT_BATCHED = (
    "Batching rule not implemented for aten::_{}; the fallback path doesn't work on out= or view "
    "ops."
)

_current_level = -1
without_tangent = hidden("Identity", lambda self: self.view(), view=True, self=lambda grad: grad)
WRITTEN_BY_HAND.add("Identity")


class UnpackedDualTensor(NamedTuple):
    """What `unpack_dual` returns: a tensor without a tangent, and the tangent, None without one."""

    primal: Tensor
    tangent: Tensor | None


UnpackedDualTensor.__module__ = "torch.autograd.forward_ad"


def enter_dual_level() -> int:
    """Open a level, in which tensors may have tangents, and return its number.

    Raises:
        RuntimeError: if one is open.
    """
    global _current_level
    check(not mode.levels, NESTED)
    begin()
    printing.said_besides.append(tangent_text)
    ForwardMode.levels = (DualLevel(),)
    _current_level = 0
    return _current_level


def exit_dual_level(*, level: int | None = None) -> None:
    """Close a level: no tensor has a tangent any more.

    Raises:
        RuntimeError: if it is not the one that is open.
    """
    global _current_level
    level = _current_level if level is None else level
    check(level == _current_level, NOT_THE_LAST)
    check(level >= 0, "Dual level must be a positive number.")
    _current_level = -1
    ForwardMode.levels[0].duals.clear()
    ForwardMode.levels = ()
    printing.said_besides.remove(tangent_text)
    end()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """Return a view of a tensor that carries a tangent.

    The tangent is kept as it is if it lies in memory as the tensor does, else as a copy.

    Raises:
        RuntimeError: outside of levels, if the tangent has another size, or either has a tangent or
            is what `vmap` maps over.
        ValueError: if either is not of floating point.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.forward_ad.make_dual.html

    >>> import minigrad as torch
    >>> import minigrad.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0]))
    ...     x * x
    tensor([1., 4.], tangent=tensor([2., 0.]))
    """
    level = len(mode.levels) - 1 if level is None else level
    check(level >= 0, NO_LEVEL)
    refuse_batched("make_dual", tensor, tangent)
    check_dual(tensor, tangent)
    check(level < len(mode.levels), "Invalid level given to _make_dual")
    own = mode.levels[level]
    check(own.tangent_of(tensor) is None, DUAL_ALREADY)
    check(own.tangent_of(tangent) is None, DUAL_TANGENT)
    return dual_at(own, tensor, tangent)


def refuse_batched(function: str, *given: Any) -> None:
    """Refuse tensors that stand for many, within `vmap`."""
    check(not any(hasattr(type(one), "apply_custom") for one in given), NOT_BATCHED, function)


def check_dual(tensor: Tensor, tangent: Tensor) -> None:
    """Refuse a tangent of another size, and what is not of floating point."""
    for name, one in (("primal", tensor), ("tangent", tangent)):
        if not one.is_floating_point():
            raise ValueError(NOT_FLOATING.format(name, one.dtype))
    with Unseen():
        check(tensor.shape == tangent.shape, OTHER_SIZE, list(tensor.shape), list(tangent.shape))


def dual_at(level: DualLevel, tensor: Tensor, tangent: Tensor) -> Tensor:
    """Return a view of a tensor that carries a tangent."""
    with Following(level.around):
        dual: Tensor = view_as_size(tensor, tensor.shape)
        if _is_fwd_grad_enabled():
            level.set_tangent(dual, tangent)
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """Return a view of a tensor, without its tangent, and the tangent; None if there is none.

    Raises:
        RuntimeError: if there is no such level, or it is what `vmap` maps over.
        TypeError: if it is no tensor.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.forward_ad.unpack_dual.html

    >>> import minigrad as torch
    >>> import minigrad.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     fwAD.unpack_dual(fwAD.make_dual(torch.ones(2), torch.zeros(2)).exp())
    UnpackedDualTensor(primal=tensor([2.7183, 2.7183]), tangent=tensor([0., 0.]))
    """
    level = len(mode.levels) - 1 if level is None else level
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    text = "_unpack_dual(): argument 'dual' (position 1) must be Tensor, not {}"
    check(isinstance(tensor, Tensor), text, type_name(tensor), error=TypeError)
    check(level < len(mode.levels), "Invalid level given to _fw_primal")
    refuse_batched("unpack_dual", tensor)
    own = mode.levels[level]
    with Following(own.around):
        primal: Tensor = without_tangent(tensor)
    own.keep(primal, None)
    return UnpackedDualTensor(primal, own.tangent_of(tensor) if _is_fwd_grad_enabled() else None)


class dual_level(_GradMode):
    """Open a level for the ``with`` block, or for calls of the decorated function.

    Raises:
        RuntimeError: if one is open.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.forward_ad.dual_level.html

    >>> import minigrad as torch
    >>> import minigrad.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     y = fwAD.make_dual(torch.tensor(3.0), torch.tensor(1.0)).sin()
    ...     y
    tensor(0.1411, tangent=-0.98999...)
    >>> y
    tensor(0.1411)
    """

    __module__ = "torch.autograd.forward_ad"

    __init__ = object.__init__

    def __enter__(self) -> int:  # type: ignore[override]
        return enter_dual_level()

    def __exit__(self, *exception: object) -> None:
        exit_dual_level()


def tangent_text(tensor: Any) -> str:
    """Return what is printed of a tangent."""
    return "".join([f"tangent={tangent}" for _, tangent in tangents_of(tensor)])
