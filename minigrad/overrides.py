"""Modes: an object that sees, and may replace, every public call while its ``with`` block runs.

Nothing looks for modes while there is none. When the first is entered, in any thread, the public
functions and what Tensor has are exchanged for such as ask the modes of their thread; when the last
is left everything is put back. Within a call the mode is off: what the library does inside is no
public call.
Source: https://docs.pytorch.org/docs/stable/torch.overrides.html
"""

from __future__ import annotations

import functools
import importlib
import inspect
import threading
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from minigrad.ops.promotion import OPERANDS
from minigrad.outside import warn
from minigrad.tensor import Tensor

# Where public functions are; PyTorch has no names for those that are not told.
NAMESPACES = {
    "minigrad": "torch",
    "minigrad.nn.functional": "torch.nn.functional",
    "minigrad.linalg": "torch.linalg",
    "minigrad.autograd": "",
}
DIFFERENTIATING = {"backward", "grad"}
# Functions that work on no tensor, and helpers.
UNSEEN = {
    "broadcast_shapes", "fork_rng", "from_numpy", "get_default_dtype", "get_rng_state",
    "initial_seed", "is_grad_enabled", "is_tensor", "manual_seed", "seed", "set_default_dtype",
    "set_printoptions", "set_rng_state",
    "kernel", "refusing", "warn", "missing", "implicit_dim", "chosen_reduction", "like_sized",
}  # fmt: skip
# As which method PyTorch shows an operator.
SHOWN_AS = {
    "__add__": "add", "__radd__": "add", "__iadd__": "add_",
    "__sub__": "sub", "__isub__": "sub_",
    "__mul__": "mul", "__rmul__": "mul", "__imul__": "mul_",
    "__truediv__": "div", "__itruediv__": "div_", "__ifloordiv__": "floor_divide_",
    "__mod__": "remainder", "__imod__": "remainder_", "__matmul__": "matmul",
    "__rand__": "bitwise_and", "__ror__": "bitwise_or", "__rxor__": "bitwise_xor",
    "__ne__": "ne", "__lt__": "lt", "__le__": "le", "__gt__": "gt", "__ge__": "ge",
    "__neg__": "neg", "__pos__": "positive", "__abs__": "abs",
}  # fmt: skip
# What else of Tensor is public though its name begins with an underscore.
PUBLIC = {
    *SHOWN_AS, "__pow__", "__rpow__", "__ipow__", "__rsub__", "__rtruediv__", "__floordiv__",
    "__rfloordiv__", "__rmod__", "__and__", "__or__", "__xor__", "__iand__", "__ior__", "__ixor__",
    "__lshift__", "__rshift__", "__rlshift__", "__rrshift__", "__rmatmul__", "__invert__", "__eq__",
    "__getitem__", "__setitem__", "__len__", "__contains__", "__bool__", "__float__", "__int__",
    "__index__", "__repr__", "__format__", "__array__", "__deepcopy__", "_version", "_is_view",
}  # fmt: skip


class _Modes(threading.local):
    """The modes that a thread is in, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[TorchFunctionMode] = []


_modes = _Modes()
_lock = threading.Lock()
_entered = 0  # by all threads
_exchanged: list[tuple[Any, str, Any]] = []  # where, name, and what was there; MISSING if nothing
MISSING = object()


class TorchFunctionMode:
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
        global _entered
        with _lock:
            if not _entered:
                _exchange()
            _entered += 1
        _modes.stack.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        global _entered
        _modes.stack.pop()
        with _lock:
            _entered -= 1
            if not _entered:
                _put_back()

    @classmethod
    def push(cls, *args: Any, **kwargs: Any) -> TorchFunctionMode:
        """Return a new mode; entering it is left to the caller, as in PyTorch."""
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that only calls what was called."""

    __module__ = "torch.overrides"

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        return func(*args, **(kwargs or {}))


class DisableTorchFunction:
    """No mode of this thread sees what is called in the ``with`` block."""

    def __enter__(self) -> None:
        self.stack, _modes.stack = _modes.stack, []

    def __exit__(self, *exception: object) -> None:
        _modes.stack = self.stack


def _ask(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], path: str) -> Any:
    """Ask the innermost mode, which is off meanwhile, for the result of a call."""
    stack = _modes.stack
    mode = stack.pop()
    try:
        result = mode.__torch_function__(func, (), args, kwargs or None)
    finally:
        stack.append(mode)
    if result is NotImplemented:
        raise TypeError(
            f"Multiple dispatch failed for '{path}'; all __torch_function__ handlers returned "
            f"NotImplemented:\n\n  - mode object {mode!r}\n\nFor more information, try re-running "
            "with TORCH_LOGS=not_implemented"
        )
    return result


class _Seen:
    """A function or method that modes see; equal to what it stands for."""

    def __init__(self, function: Callable[..., Any], name: str, path: str) -> None:
        functools.update_wrapper(self, function)
        self.__name__ = name
        self.function = function
        self.path = path
        self.shown: _Seen = self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # What an operator does not know is left to the other operand.
        known = self.shown is self or all(isinstance(one, OPERANDS) for one in args)
        if not _modes.stack or not known:
            return self.function(*args, **kwargs)
        return _ask(self.shown, args, kwargs, self.shown.path)

    def __get__(self, tensor: Any, owner: Any = None) -> Any:
        return self if tensor is None else types.MethodType(self, tensor)

    def __eq__(self, other: object) -> bool:
        return self.function is (other.function if isinstance(other, _Seen) else other)

    def __hash__(self) -> int:
        return hash(self.function)

    def __repr__(self) -> str:
        return repr(self.function)


# What errors call it: whoever is in no mode is to notice nothing.
_Seen.__module__, _Seen.__name__, _Seen.__qualname__ = "builtins", "function", "function"


class _SeenProperty:
    """A property of Tensor that modes see."""

    def __init__(self, wrapped: property, name: str) -> None:
        self.wrapped = wrapped
        self.path = f"torch.Tensor.{name}"

    def __get__(self, tensor: Any, owner: Any = None) -> Any:
        if tensor is None:
            return self.wrapped
        return self.ask("__get__", tensor)

    def __set__(self, tensor: Any, value: Any) -> None:
        self.ask("__set__", tensor, value)

    def __delete__(self, tensor: Any) -> None:
        self.ask("__delete__", tensor)

    def ask(self, action: str, *args: Any) -> Any:
        func = getattr(self.wrapped, action)
        if not _modes.stack:
            return func(*args)
        return _ask(func, args, {}, f"{self.path}.{action}")


KINDS = (property, _Seen, _SeenProperty)


def _public_functions() -> Iterator[tuple[types.ModuleType, str, Any, str]]:
    """Yield all public functions: module, name, function, and PyTorch's path, or nothing."""
    for module_name, path in NAMESPACES.items():
        module = importlib.import_module(module_name)
        for name, function in list(vars(module).items()):
            seen = name in DIFFERENTIATING if not path else name not in UNSEEN
            if seen and not name.startswith("_") and inspect.isfunction(function):
                yield module, name, function, f"{path}.{name}" if path else ""


def _public_attributes() -> Iterator[tuple[str, Any]]:
    """Yield all methods and properties of Tensor."""
    for name in dir(Tensor):
        attribute = inspect.getattr_static(Tensor, name)
        public = name in PUBLIC or not name.startswith("_")
        if public and (isinstance(attribute, KINDS) or inspect.isfunction(attribute)):
            yield name, attribute


def _exchange() -> None:
    """Put what asks the modes in the place of all public functions, methods and properties."""
    for module, name, function, path in _public_functions():
        _set(module, name, _Seen(function, name, path))
    methods: dict[str, _Seen] = {}
    for name, attribute in _public_attributes():
        if isinstance(attribute, property):
            _set(Tensor, name, _SeenProperty(attribute, name))
        else:
            methods[name] = _Seen(attribute, name, f"torch.Tensor.{name}")
    for name, seen in methods.items():
        seen.shown = methods.get(SHOWN_AS.get(name, name), seen)
        _set(Tensor, name, seen)


def _set(owner: Any, name: str, value: Any) -> None:
    """Set an attribute, to be put back later."""
    _exchanged.append((owner, name, vars(owner).get(name, MISSING)))
    setattr(owner, name, value)


def _put_back() -> None:
    """Undo what `_exchange` did."""
    while _exchanged:
        owner, name, before = _exchanged.pop()
        if before is MISSING:
            delattr(owner, name)
        else:
            setattr(owner, name, before)


def resolve_name(f: Any) -> str | None:
    """Return the name of what a mode was called with, such as ``"torch.Tensor.add"``."""
    if isinstance(f, _Seen):
        return f.path or None
    for _, _, function, path in _public_functions():
        if f is function and path:
            return path
    for name, attribute in _public_attributes():
        wrapped = getattr(attribute, "wrapped", attribute)
        if isinstance(wrapped, property):
            if getattr(f, "__self__", None) is wrapped:
                return f"torch.Tensor.{name}.{f.__name__}"
        elif f is wrapped:
            return f"torch.Tensor.{name}"
    return None


def is_tensor_like(inp: Any) -> bool:
    """Return whether something is a tensor, or behaves as one by having ``__torch_function__``."""
    return isinstance(inp, Tensor) or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Return whether a function of one's own has to ask somebody else, as below.

    That is so if a mode is on, or an argument is no plain tensor and has ``__torch_function__``.

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
    others = [one for one in relevant_args if hasattr(type(one), "__torch_function__")]
    return bool(_modes.stack or others)


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """Return what the mode, or else the arguments' own ``__torch_function__``, make of a call.

    Raises:
        TypeError: if nobody knows an answer: all return NotImplemented.

    Source: https://docs.pytorch.org/docs/stable/torch.overrides.html
    """
    overloaded = _overloaded(relevant_args)
    kinds = tuple(map(type, overloaded))
    mode = _get_current_function_mode()
    if mode is not None:
        _modes.stack.pop()
        try:
            result = mode.__torch_function__(public_api, kinds, args, kwargs)
        finally:
            _modes.stack.append(mode)
        if result is not NotImplemented:
            return result
    for one in overloaded:
        if type(one) is Tensor:  # has no answer for others
            continue
        answer = one.__torch_function__
        if getattr(answer, "__self__", None) is one:
            warn(PLAIN_METHOD, DeprecationWarning)
        result = answer(public_api, kinds, args, kwargs)
        if result is not NotImplemented:
            return result
    name = f"{public_api.__module__}.{public_api.__name__}"
    text = f"no implementation found for '{name}' on types that implement __torch_function__: "
    raise TypeError(text + str(list(kinds)) + ("" if mode is None else f" nor in mode {mode}"))


PLAIN_METHOD = (
    "Defining your `__torch_function__ as a plain method is deprecated and will be an error in "
    "future, please define it as a classmethod."
)


def _overloaded(relevant_args: Iterable[Any]) -> list[Any]:
    """Return one tensor, or the like, of each type, subclasses before their bases."""
    found: list[Any] = []
    for one in relevant_args:
        kind = type(one)
        if is_tensor_like(one) and kind not in map(type, found):
            later = [place for place, other in enumerate(found) if issubclass(kind, type(other))]
            found.insert(min(later, default=len(found)), one)
    return found


def _get_current_function_mode_stack() -> list[TorchFunctionMode]:
    return list(_modes.stack)


def _get_current_function_mode() -> TorchFunctionMode | None:
    return _modes.stack[-1] if _modes.stack else None
