"""Who answers public calls instead: modes in their ``with`` blocks, and types of arguments.

A mode sees every call, and may replace its result; a subclass of Tensor, or any type that has
``__torch_function__``, those that it is an argument of.
Source: https://docs.pytorch.org/docs/stable/torch.overrides.html
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from minigrad.outside import warn
from minigrad.overrides.asking import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from minigrad.overrides.asking import (
    _EnableTorchFunction,
    answer_in_python,
    answers,
    modes,
    refuse_function,
)
from minigrad.overrides.asking import is_tensor_like as is_tensor_like
from minigrad.overrides.asking import types_answer as types_answer
from minigrad.overrides.names import listed, overridable, unseen
from minigrad.overrides.names import resolve_name as resolve_name
from minigrad.overrides.watching import answer_of_types as answer_of_types
from minigrad.overrides.watching import leave, watch
from minigrad.overrides.watching import watch_type as watch_type
from minigrad.pickling import PickledFromHere
from minigrad.tensor import Tensor


class TorchFunctionMode(PickledFromHere):
    """Sees every public call in its ``with`` block: ``__torch_function__`` is called in its stead.

    `func` is what was called: ``torch.add``, ``torch.Tensor.add`` for a method or an operator,
    ``torch.Tensor.grad.__get__`` for a property. What ``__torch_function__`` returns is the result;
    it may call ``func(*args, **kwargs)``, for which the next mode further out is asked.

    >>> import minigrad as torch
    >>> class Names(torch.overrides.TorchFunctionMode):
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         print(torch.overrides.resolve_name(func))
    ...         return func(*args, **(kwargs or {}))
    >>> x = torch.ones(2)
    >>> with Names():
    ...     y = torch.exp(x * 2).shape
    torch.Tensor.mul
    torch.exp
    torch.Tensor.shape.__get__
    """

    __module__ = "torch.overrides"

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        raise NotImplementedError

    def __enter__(self) -> TorchFunctionMode:
        watch()
        modes.stack.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        if not modes.stack:
            raise RuntimeError("trying to pop from empty mode stack")
        modes.stack.pop()
        leave()

    @classmethod
    def push(cls, *args: Any, **kwargs: Any) -> TorchFunctionMode:
        """Return a new mode, with a warning; entering it is left to the caller, as in PyTorch."""
        warn("`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`")
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that only calls what was called."""

    __module__ = "torch.overrides"

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        return func(*args, **(kwargs or {}))


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """No mode of this thread sees what is called in the ``with`` block, and no type answers it."""

    def __enter__(self) -> None:
        super().__enter__()
        self.on, modes.on = modes.on, False

    def __exit__(self, *exception: object) -> None:
        modes.on = self.on
        super().__exit__()


@contextlib.contextmanager
def _enable_torch_function() -> Iterator[None]:
    """Let modes see what is called in the ``with`` block again, and types answer."""
    enabled = _EnableTorchFunction()
    try:
        yield
    finally:
        del enabled


def _is_torch_function_mode_enabled() -> bool:
    """Return whether a mode sees what this thread calls."""
    return bool(modes.stack and modes.on)


def get_overridable_functions() -> dict[Any, list[Callable[..., Any]]]:
    """Return what types may answer, by where it is: modules and Tensor, properties by themselves.

    Modes see more: functions that make tensors, which are in `get_ignored_functions`.
    """
    found: dict[Any, list[Callable[..., Any]]] = {}
    torch = importlib.import_module("minigrad")
    for owner, function, path in overridable():
        twice = path.rpartition(".")[2] in torch.OF_NETWORKS
        for one in (owner, torch) if twice else (owner,):
            if listed(path):
                found.setdefault(one, []).append(function)
    return found


def get_ignored_functions() -> set[Callable[..., Any]]:
    """Return functions and methods that are public, and that types need not answer."""
    ignored = {function for _, function, path in overridable() if not listed(path)}
    return ignored | unseen() | {Tensor.as_subclass}


def get_testing_overrides() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return for each function that types may answer one that takes the same, and returns -1."""
    functions = [one for many in get_overridable_functions().values() for one in many]
    return {function: stand_in(function) for function in functions}


def stand_in(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that takes what another takes, and returns -1."""

    def dummy(*args: Any, **kwargs: Any) -> int:
        return -1

    if inspect.isfunction(function):
        dummy.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return dummy


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Return whether what a mode was called with is a method or property of Tensor."""
    path = resolve_name(func) or ""
    return func.__name__ == "__get__" or path.rpartition(".")[0] == "torch.Tensor"


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Return whether a function of one's own has to ask somebody else, as below.

    That is so if a mode is on, or an argument is no plain tensor and has ``__torch_function__``.

    Raises:
        TypeError: if `relevant_args` is no sequence.

    >>> import minigrad as torch
    >>> class Duck:
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return f"{func.__name__} of a duck"
    >>> def quack(one):
    ...     if torch.overrides.has_torch_function((one,)):
    ...         return torch.overrides.handle_torch_function(quack, (one,), one)
    ...     return one * 2
    >>> quack(Duck())
    'quack of a duck'
    >>> quack(torch.ones(1))
    tensor([2.])
    """
    if not isinstance(relevant_args, Iterable):
        raise TypeError("expected a sequence")
    return _is_torch_function_mode_enabled() or (
        modes.types_answer and any(answers(one) for one in relevant_args)
    )


def has_torch_function_unary(inp: Any) -> bool:
    """Return what `has_torch_function` does, of one argument."""
    return has_torch_function((inp,))


def has_torch_function_variadic(*args: Any) -> bool:
    """Return what `has_torch_function` does, of arguments one by one."""
    return has_torch_function(args)


def wrap_torch_function(
    dispatcher: Callable[..., Iterable[Any]],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a function of one's own ask those of its arguments that `dispatcher` returns.

    >>> import minigrad as torch
    >>> class Duck:
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return f"{func.__name__} of a duck"
    >>> @torch.overrides.wrap_torch_function(lambda one: (one,))
    ... def quack(one):
    ...     return one * 2
    >>> quack(Duck()), quack(3)
    ('quack of a duck', 6)
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def asking(*args: Any, **kwargs: Any) -> Any:
            relevant_args = tuple(dispatcher(*args, **kwargs))
            if has_torch_function(relevant_args):
                return handle_torch_function(asking, relevant_args, *args, **kwargs)
            return function(*args, **kwargs)

        return asking

    return decorate


def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """Return what a subclass by default answers with plain tensors: the getter of gradients."""
    return {vars(Tensor)["grad"].__get__}


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """Return what the mode, or else the arguments' own ``__torch_function__``, make of a call.

    Raises:
        TypeError: if nobody knows an answer: all return NotImplemented.

    Source: https://docs.pytorch.org/docs/stable/torch.overrides.html
    """
    name = f"{public_api.__module__}.{public_api.__name__}"
    return answer_in_python(public_api, name, relevant_args, args, kwargs)


def _get_current_function_mode_stack() -> list[TorchFunctionMode]:
    return list(modes.stack)


def _get_current_function_mode() -> TorchFunctionMode | None:
    return modes.stack[-1] if modes.stack else None


def subclass_answers(cls: type, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Return what a subclass answers by default: results, except gradients, are of that class."""
    if not all(issubclass(cls, kind) for kind in types):
        return NotImplemented
    refuse_function(func)
    with DisableTorchFunctionSubclass():
        result = func(*args, **(kwargs or {}))
    return result if func in get_default_nowrap_functions() else _converted(result, cls)


def _converted(result: Any, cls: type) -> Any:
    """Return tensors, also in lists, as such of a class."""
    if cls is Tensor:
        return result
    if isinstance(result, Tensor) and not isinstance(result, cls):
        return result.as_subclass(cls)
    if isinstance(result, (list, tuple)):
        return type(result)(_converted(one, cls) for one in result)
    return result
