"""Who is asked what a call is to give, and in which order: modes, then types of the arguments."""

from __future__ import annotations

import threading
import types
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.c_code import disabled_torch_function, has_answer
from minigrad.outside import warn
from minigrad.tensor import Tensor

CLASS_METHOD = (
    "Defining your mode's `__torch_function__` as a classmethod is not supported, please make it a "
    "plain method"
)
PLAIN_METHOD = (
    "Defining your {} as a plain method is deprecated and will be an error in "
    "future, please define it as a classmethod."
)
# Arguments of these types need no further look.
PLAIN = frozenset({Tensor, bool, int, float, str, type(None), slice, np.ndarray})


class Modes(threading.local):
    """The modes that a thread is in, the innermost last, and whether they are asked.

    Those of `vmap` are beneath the user's: they see all calls, once no other mode is to be asked.
    """

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.beneath: list[Any] = []
        self.on = True
        self.types_answer = True
        self.checking = False  # arguments, which nobody is to see

    def to_ask(self) -> list[Any]:
        """Return the modes of which the innermost is to be asked now."""
        if self.checking:
            return []
        return self.stack if self.stack and self.on else self.beneath


modes = Modes()
answering_types: weakref.WeakSet[type] = weakref.WeakSet()


class DisableTorchFunctionSubclass:
    """No type answers what this thread calls in the ``with`` block."""

    def __enter__(self) -> None:
        self.before, modes.types_answer = modes.types_answer, False

    def __exit__(self, *exception: object) -> None:
        modes.types_answer = self.before


class _EnableTorchFunction:
    """Lets modes see what this thread calls again, and types answer, until it is deleted."""

    __module__ = "torch._C"

    def __init__(self) -> None:
        self._before = modes.on, modes.types_answer
        modes.on = modes.types_answer = True

    def __del__(self) -> None:
        modes.on, modes.types_answer = self._before


def answers(one: Any) -> bool:
    """Return whether an object answers calls: plain tensors do not, nor parameters."""
    return type(one) is not Tensor and has_answer(one)


class Unseen:
    """No mode of the user's sees what this thread calls in the ``with`` block."""

    def __enter__(self) -> None:
        self.on, modes.on = modes.on, False

    def __exit__(self, *exception: object) -> None:
        modes.on = self.on


OF_PYTORCH = (
    "{}() mixes minigrad and PyTorch: a tensor, or the function itself, is of the other one. "
    "`import torch.nn as nn` imports PyTorch's: write `from minigrad import nn`. "
    "`torch.from_numpy(other.numpy())` makes a tensor of the other one's"
)


def refuse_function(func: Any) -> None:
    """Raise TypeError for a function of PyTorch itself: it would ask again and again."""
    built_in = isinstance(func, (types.BuiltinFunctionType, types.MethodDescriptorType))
    if built_in or (getattr(func, "__module__", None) or "").partition(".")[0] == "torch":
        raise TypeError(OF_PYTORCH.format(getattr(func, "__name__", func)))


def refuse_type(function: Any, one: Any) -> None:
    """Raise TypeError for a tensor of PyTorch itself, to which that also applies."""
    kinds = () if isinstance(one, Tensor) else type(one).__mro__
    if any(kind.__module__.partition(".")[0] == "torch" for kind in kinds):
        raise TypeError(OF_PYTORCH.format(function.__name__))


def types_answer() -> bool:
    """Return whether types answer what this thread calls."""
    return modes.types_answer


def is_tensor_like(inp: Any) -> bool:
    """Return whether something is a tensor, or behaves as one by having ``__torch_function__``."""
    return isinstance(inp, Tensor) or hasattr(inp, "__torch_function__")


def given(args: Iterable[Any], kwargs: dict[str, Any], in_lists: bool = True) -> list[Any]:
    """Return all arguments, and what is in lists and dicts among them."""
    every = [*args, *kwargs.values()]
    if in_lists:
        many = [[*one.values()] if type(one) is dict else one for one in every]
        every += [one for some in many if isinstance(some, (list, tuple)) for one in some]
    return every


def overloaded(relevant_args: Iterable[Any]) -> list[Any]:
    """Return one tensor, or the like, of each type, subclasses before their bases."""
    found: list[Any] = []
    for one in relevant_args:
        kind = type(one)
        disabled = getattr(kind, "__torch_function__", None) is disabled_torch_function
        if is_tensor_like(one) and not disabled and kind not in map(type, found):
            later = [place for place, other in enumerate(found) if issubclass(kind, type(other))]
            found.insert(min(later, default=len(found)), one)
    return found


def answering(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], in_lists: bool
) -> list[Any]:
    """Return one argument, also of those in lists, of each type that answers a function's call.

    Raises:
        TypeError: if that is a type of PyTorch itself.
    """
    if not kwargs and PLAIN.issuperset(map(type, args)):
        return []
    if not modes.types_answer:
        return []
    found = overloaded([one for one in given(args, kwargs, in_lists) if answers(one)])
    for one in found:
        refuse_type(function, one)
    return found


def asked(
    func: Any,
    relevant: list[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    in_python: bool = False,
) -> Any:
    """Return the answer to a call of the innermost mode, which is off meanwhile, or of the types.

    It is NotImplemented if nobody has one. PyTorch's Python, other than its C++, lets plain tensors
    answer as well, by calling the function again: that is once nobody else has an answer.
    """
    kinds, stack = tuple(map(type, relevant)), modes.to_ask()
    if stack:
        mode = stack.pop()
        try:
            if isinstance(getattr(mode.__torch_function__, "__self__", None), type):
                raise RuntimeError(CLASS_METHOD)
            result = mode.__torch_function__(func, kinds, args, kwargs)
        finally:
            stack.append(mode)
        if result is not NotImplemented:
            return result
    for one in relevant:
        if not answers(one) and not in_python:
            continue
        answer = one.__torch_function__
        if getattr(answer, "__self__", None) is one:
            # sic: Python's quotes lack an end
            quoted = "`__torch_function__" if in_python else "`__torch_function__`"
            warn(PLAIN_METHOD.format(quoted), DeprecationWarning if in_python else UserWarning)
        result = answer(func, kinds, args, kwargs)
        if result is not NotImplemented:
            return result
    return NotImplemented


def answer_of(
    func: Any,
    relevant: list[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    path: str,
) -> Any:
    """Return the answer to a call.

    Raises:
        TypeError: if nobody has one.
    """
    result = asked(func, relevant, args, kwargs)
    if result is not NotImplemented:
        return result
    seen = [f"  - mode object {modes.stack[-1]!r}\n"] if modes.stack else []
    seen += [f"  - tensor subclass {type(one)!r}\n" for one in relevant]
    raise TypeError(
        f"Multiple dispatch failed for '{path}'; all __torch_function__ handlers returned "
        f"NotImplemented:\n\n{''.join(seen)}\nFor more information, try re-running "
        "with TORCH_LOGS=not_implemented"
    )


def answer_in_python(
    func: Any,
    name: str,
    relevant_args: Iterable[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Return the answer to a call of what PyTorch has in Python, by a name that errors tell.

    Raises:
        TypeError: if nobody has one.
    """
    of_types = [one for one in relevant_args if hasattr(type(one), "__torch_function__")]
    relevant = overloaded(of_types) if modes.types_answer else []
    result = asked(func, relevant, args, kwargs, in_python=True)
    if result is not NotImplemented:
        return result
    text = f"no implementation found for '{name}' on types that implement"
    mode = f" nor in mode {modes.stack[-1]}" if modes.stack else ""
    raise TypeError(f"{text} __torch_function__: {[type(one) for one in relevant]}{mode}")
