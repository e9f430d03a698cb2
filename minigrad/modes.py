"""What holds while a program runs: grad mode, and the modes that see public calls.

Source: https://docs.pytorch.org/docs/stable/notes/autograd.html#locally-disabling-gradient-computation
"""

from __future__ import annotations

import contextvars
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numpy as np

from minigrad.warn import warn

CLASS_DECORATED = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only "
    "decorate functions or methods. To preserve the current behavior of class decoration, you can "
    "directly decorate the `__init__` method and nothing else."
)
# Names that PyTorch accepts for a parameter, too.
ALIASES = {"axis": "dim", "keepdims": "keepdim", "input": "self", "size": "shape"}

Function = TypeVar("Function", bound=Callable[..., Any])


class State(threading.local):
    """The modes of each thread."""

    enabled = True  # grad mode: whether operations are recorded
    inference = False
    function_modes: tuple[TorchFunctionMode, ...] = ()  # entered, the innermost last
    saved_hooks: tuple[Any, ...] = ()  # saved_tensors_hooks, entered, the innermost last
    backward_pass: Any = None  # the engine.BackwardPass that runs
    running_node: Any = None  # in anomaly mode: the node whose backward runs


state = State()

# What is entered of the rare modes, in any thread: function modes, saved-tensor hooks, anomaly
# mode. Operations look here first, because reading the thread's own state costs more.
rare_modes: list[Any] = []

# numpy keeps its error settings in the context, so running there leaves the user's as they are.
# A context can't be entered twice at once, hence a copy for each call (0.1 us).
_quiet = contextvars.Context()
_quiet.run(np.seterr, all="ignore")
quiet = _quiet.copy


# Grad mode


class GradMode:
    """Switches recording inside a ``with`` block, or while the decorated function runs."""

    mode = True

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = super().__new__(cls)
        if not (args and callable(args[0])):
            return self
        cls.__init__(self)  # `@torch.no_grad` works without (), too
        return self(args[0])

    def __init__(self, argument: Any = None) -> None:
        self.previous: list[bool] = []

    def __enter__(self) -> None:
        self.previous.append(state.enabled)
        state.enabled = self.mode

    def __exit__(self, *_: object) -> None:
        state.enabled = self.previous.pop()

    def clone(self) -> GradMode:
        mode: GradMode = type(self)()
        return mode

    def __call__(self, function: Any) -> Any:
        if inspect.isclass(function):
            warn(CLASS_DECORATED, FutureWarning)
            setattr(function, "__init__", self(function.__init__))  # noqa: B010  for mypy
            return function
        if inspect.isgeneratorfunction(function):
            return self._decorate_generator(function)

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return decorated

    def _decorate_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Set the mode while the generator itself runs, not while its caller does."""

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            generator = function(*args, **kwargs)
            resume, value = generator.send, None
            while True:
                try:
                    with self.clone():
                        response = resume(value)
                except StopIteration as stop:
                    return stop.value
                try:
                    resume, value = generator.send, (yield response)
                except GeneratorExit:
                    with self.clone():
                        generator.close()
                    raise
                except BaseException as error:
                    resume, value = generator.throw, error

        return decorated


class no_grad(GradMode):
    """Record no operations: their results have ``requires_grad=False``.

    >>> import minigrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    mode = False


class enable_grad(GradMode):
    """Record operations, also inside `no_grad`."""


class set_grad_enabled(GradMode):
    """Switch recording on or off at once, until the end of the ``with`` block if there is one."""

    def __init__(self, mode: bool) -> None:
        self.mode, self.previous = mode, [state.enabled]
        state.enabled = mode

    def __enter__(self) -> None:
        self.previous.append(self.previous[0])
        state.enabled = self.mode

    def __call__(self, function: Any) -> Any:
        state.enabled = self.previous[0]  # as a decorator it acts only while the function runs
        return super().__call__(function)

    def clone(self) -> GradMode:
        return set_grad_enabled(self.mode)


class inference_mode(GradMode):
    """Record no operations, and say so in `is_inference_mode_enabled`.

    PyTorch's inference mode also makes tensors that autograd refuses later; this one doesn't.
    """

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.mode, self.inference = not mode, mode

    def __enter__(self) -> None:
        self.previous.append(state.inference)
        state.inference = self.inference
        super().__enter__()

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        state.inference = self.previous.pop()

    def clone(self) -> GradMode:
        return inference_mode(self.inference)


def is_grad_enabled() -> bool:
    """Whether this thread records operations."""
    return state.enabled


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in `inference_mode`."""
    return state.inference


# Modes that see public calls


class TorchFunctionMode:
    """Sees every public call in its ``with`` block: `__torch_function__` answers in its place.

    ``func`` is the function, method, or property accessor that was called. What
    `__torch_function__` returns is the result. It may call ``func(*args, **kwargs)``; the next
    mode further out sees that call.
    Source: https://docs.pytorch.org/docs/stable/torch.overrides.html

    >>> import minigrad as torch
    >>> class Names(torch.overrides.TorchFunctionMode):
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         print(func.__name__)
    ...         return func(*args, **(kwargs or {}))
    >>> x = torch.ones(2)
    >>> with Names():
    ...     y = torch.exp(x * 2)
    mul
    exp
    """

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Any:
        state.function_modes = (*state.function_modes, self)
        rare_modes.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        state.function_modes = state.function_modes[:-1]
        rare_modes.remove(self)


def call_mode(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Let the innermost mode answer a call; further calls go to the next mode out."""
    __tracebackhide__ = True
    modes = state.function_modes
    state.function_modes = modes[:-1]
    try:
        return modes[-1].__torch_function__(function, (), args, kwargs)
    finally:
        state.function_modes = modes


def _get_current_function_mode() -> TorchFunctionMode | None:
    return state.function_modes[-1] if state.function_modes else None


@contextmanager
def DisableTorchFunction() -> Iterator[None]:  # a class in PyTorch
    """No mode sees what is called in the ``with`` block."""
    modes, state.function_modes = state.function_modes, ()
    try:
        yield
    finally:
        state.function_modes = modes


def overridable(function: Function) -> Function:
    """A function as users call it: modes see the call, and `axis` is another name for `dim`."""
    code = inspect.unwrap(function).__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if rare_modes and state.function_modes:
            __tracebackhide__ = True
            return call_mode(call, args, kwargs)
        if kwargs:
            kwargs = {k if k in names else ALIASES.get(k, k): v for k, v in kwargs.items()}
        return function(*args, **kwargs)

    return cast(Function, call)
