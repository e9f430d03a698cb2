"""The trail of a program: which of the user's lines called what, with which tensors.

A ``TorchFunctionMode`` sees each public call, of minigrad's and of PyTorch's tensors. The trail
holds numbers and code, never a tensor: a tensor that is alive is found by its ``id``, and one that
is gone by what was made of it. It keeps the last calls only, so that it doesn't grow.
"""

import re
import sys
import warnings
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import CodeType, FrameType
from typing import Any, NamedTuple

from minigrad.explain.source import is_users
from minigrad.viz.read.engines import Engine, loaded_engines
from minigrad.viz.read.protocol import TensorLike, is_tensor
from minigrad.viz.record.watching import Watching

_MOST_CALLS = 10_000
_THIS_MODULE = re.compile(re.escape(__name__) + "$")
_SEQUENCES = (list, tuple)

# What a call leaves: the function, the user's code and instruction, the id of its result (or of
# several), those of its arguments, and whether the result requires grad.
RawCall = tuple[Any, CodeType, int, int | tuple[int, ...], tuple[int, ...], bool | None]


class _Own(dict[str, bool]):
    """Whether a file is the user's own, looked up fast."""

    def __missing__(self, filename: str) -> bool:
        self[filename] = is_users(filename)
        return self[filename]


_own = _Own()


class Argument(NamedTuple):
    """What a call was given: a tensor's shape and dtype, and the tensor as long as it lives."""

    shape: tuple[int, ...] | None
    dtype: str
    reference: "weakref.ref[TensorLike] | None"

    @property
    def tensor(self) -> TensorLike | None:
        """None if it is gone, or never was one."""
        return None if self.reference is None else self.reference()


class Failure(NamedTuple):
    """A call that raised an error: its function, its arguments, and the id of the exception."""

    func: Any
    arguments: tuple[Argument, ...]
    error: int


class Trail(Watching):
    """The calls that were seen, and the last one that failed."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: deque[RawCall] = deque(maxlen=_MOST_CALLS)
        self.failure: Failure | None = None

    def _enter(self, stack: ExitStack) -> None:
        super()._enter(stack)
        stack.enter_context(_warnings_of_the_user())
        _entered.append(self)
        stack.callback(_entered.remove, self)

    def _mode(self, engine: Engine) -> Any:
        return _mode(engine, self)

    def fail(self, func: Any, given: tuple[Any, ...], error: Exception) -> None:
        """Note a call that raised ``error``."""
        self.failure = Failure(func, tuple(map(_argument, _flat(given))), id(error))


_entered: list[Trail] = []


def current() -> Trail | None:
    """The trail that is being written."""
    return _entered[-1] if _entered else None


@contextmanager
def unseen() -> Iterator[None]:
    """What is read and drawn in the block is no part of the program."""
    with ExitStack() as stack:
        for engine in loaded_engines():
            stack.enter_context(engine.unseen())
        yield


def _mode(engine: Engine, trail: Trail) -> Any:
    """A mode of the engine's own kind that writes the trail."""
    append, own, innermost = trail.calls.append, _own, sys._getframe  # it runs for each call
    sequences = _SEQUENCES

    class Watch(engine.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(
            self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
        ) -> Any:
            __tracebackhide__ = True  # IPython shows the user's lines alone
            try:
                result = func(*args, **kwargs) if kwargs else func(*args)
            except Exception as error:
                with engine.unseen():
                    trail.fail(func, (*args, *(kwargs or {}).values()), error)
                raise
            frame: FrameType | None = innermost(1)
            while frame is not None:
                code = frame.f_code
                if own[code.co_filename]:
                    break
                frame = frame.f_back
            else:
                return result
            if kwargs:
                args = (*args, *kwargs.values())
            if args and type(args[0]) in sequences:
                args = (*args[0], *args[1:])
            made: int | tuple[int, ...] = id(result)
            asks = getattr(result, "requires_grad", None)
            if asks is None and type(result) in sequences:
                made = tuple(map(id, result))
                asks = bool(result) and getattr(result[0], "requires_grad", False)
            append((func, code, frame.f_lasti, made, tuple(map(id, args)), asks))
            return result

    return Watch()


def _flat(given: tuple[Any, ...]) -> Iterator[Any]:
    for thing in given:
        yield from thing[:100] if type(thing) in _SEQUENCES else (thing,)


def _argument(thing: Any) -> Argument:
    if is_tensor(thing):
        return Argument(tuple(thing.shape), str(thing.dtype).rpartition(".")[2], weakref.ref(thing))
    return Argument(None, type(thing).__name__, None)


@contextmanager
def _warnings_of_the_user() -> Iterator[None]:
    """Let a warning that is given while a call goes through ``Watch`` be one of the user's line."""
    shown = warnings.showwarning
    always = ("always", None, Warning, _THIS_MODULE, 0)

    def show(
        message: Any, category: Any, filename: str, lineno: int, *more: Any, **named: Any
    ) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not is_users(frame.f_code.co_filename):
            frame = frame.f_back
        if filename != __file__ or frame is None:
            shown(message, category, filename, lineno, *more, **named)
            return
        module = frame.f_globals.get("__name__", "<string>")  # as Python does
        registry = frame.f_globals.setdefault("__warningregistry__", {})
        where = frame.f_code.co_filename, frame.f_lineno
        warnings.warn_explicit(message, category, *where, module, registry)

    filters: Any = warnings.filters
    filters.insert(0, always)
    warnings.showwarning = show
    try:
        yield
    finally:
        if always in filters:
            filters.remove(always)
        if warnings.showwarning is show:
            warnings.showwarning = shown
