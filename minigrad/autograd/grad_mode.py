"""Whether operations are recorded: no_grad, enable_grad, set_grad_enabled, inference_mode.

The mode belongs to a thread, as does the rest of `ThreadState`; anomaly mode is for all threads.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import threading
from collections.abc import Callable, Generator
from typing import Any, TypeVar, overload

from minigrad.outside import warn
from minigrad.pickling import PickledFromHere

DECORATED_CLASS = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only "
    "decorate functions or methods. To preserve the current behavior of class decoration, you can "
    "directly decorate the `__init__` method and nothing else."
)
SAVED_INFERENCE = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)
INFERENCE_IN_PLACE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone "
    "to get a normal tensor before doing inplace update.See "
    "https://github.com/pytorch/rfcs/pull/17 for more details."
)
NOT_SUPPORTED = (
    "You are attempting to call Tensor.{0}() {1}inside of a function being transformed by a "
    "functorch transform. This is unsupported, please attempt to use the functorch transforms "
    "(e.g. grad, vjp, jacrev, jacfwd, hessian) or call {0}() outside of a function being "
    "transformed instead."
)
SETTING_DATA = "mutating directly with `.data` {} transform is not allowed."
Function = TypeVar("Function", bound=Callable[..., Any])

# What `grad_enabled` is where it was asked for in inference mode: operations do not heed it.
IN_VAIN: Any = 0


class ThreadState(threading.local):
    """What each thread keeps for itself while it records and differentiates."""

    def __init__(self) -> None:
        self.grad_enabled = True  # True, False or IN_VAIN
        self.inference = False
        self.multithreading = True
        self.sequence_numbers = itertools.count()
        # Pairs of hooks for packing and unpacking, and why there may be none if so.
        self.saved_tensors_hooks: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = ()
        self.no_saved_tensors_hooks: str | None = None
        self.depth = 0  # of the user's code in backward passes that are running
        self.walk: Any = None  # the backward pass that is running
        self.transforms = 0  # of functions that are running; see `minigrad.func`
        self.scope: Any = None  # of the innermost that differentiates

    def upcoming(self) -> int:
        """Return the sequence number of the next node, which stays its."""
        number = next(self.sequence_numbers)
        self.sequence_numbers = itertools.count(number)
        return number

    def refuse_in_transforms(self, method: str, instead: str = "") -> None:
        """Refuse a method of tensors while the function of a transform runs."""
        if self.transforms:
            raise RuntimeError(NOT_SUPPORTED.format(method, instead))

    def refuse_data_in_transforms(self) -> None:
        """Refuse to set the `data` of tensors in functions that transforms differentiate."""
        if self.scope is not None:
            raise RuntimeError(SETTING_DATA.format("inside functorch"))

    def keeping(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the user's, and put back what it changes of this state."""
        kept = vars(self).copy()
        try:
            return function(*arguments)
        finally:
            vars(self).update(kept)


class AnomalyMode:
    """Whether anomaly mode is on, for all threads; see `minigrad.autograd.anomaly_mode`."""

    enabled = False
    check_nan = True


state = ThreadState()
anomaly = AnomalyMode()
# The inference modes that threads are in, and transforms that differentiate, which are in one too:
# whoever makes a tensor asks first whether there are any.
inferring: list[inference_mode] = []


def is_grad_enabled() -> bool:
    """Return whether this thread records operations.

    >>> import minigrad as torch
    >>> with torch.no_grad():
    ...     torch.is_grad_enabled()
    False
    """
    return state.grad_enabled is not False


def recording(flag: bool) -> bool:
    """Return what `grad_enabled` is while recording is switched on or off."""
    return flag and (not state.inference or IN_VAIN)


def _set_grad_enabled(enabled: bool) -> None:
    """Set whether this thread records; modes of calls see that the user's modes call it."""
    state.grad_enabled = recording(enabled)


def is_inference_mode_enabled() -> bool:
    """Return whether this thread is in `inference_mode`."""
    return state.inference


def is_multithreading_enabled() -> bool:
    """Return what `set_multithreading_enabled` has set last in this thread."""
    return state.multithreading


class _GradMode(PickledFromHere):
    """A mode that holds inside a ``with`` block or a decorated function or generator."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode
        self.prev = False

    def __enter__(self) -> None:
        self.prev = is_grad_enabled()
        _set_grad_enabled(self.mode)

    def __exit__(self, *exception: object) -> None:
        _set_grad_enabled(self.prev)

    def clone(self) -> _GradMode:
        """Return a mode of the same kind, so that calls of a decorated function may nest."""
        return type(self)()  # type: ignore[call-arg]

    def __call__(self, function: Function) -> Function:
        """Decorate `function` (a generator function too) so that its body runs in this mode."""
        if inspect.isclass(function):
            warn(DECORATED_CLASS, FutureWarning)
            # A lambda, as in PyTorch: the class's name is lost.
            return self(lambda *args, **kwargs: function(*args, **kwargs))  # type: ignore[return-value]
        if inspect.isgeneratorfunction(function):
            return _decorated_generator(self.clone, function)  # type: ignore[return-value]

        return context_decorator(self.clone, function)  # type: ignore[return-value]


def context_decorator(
    mode: Callable[[], _GradMode], function: Callable[..., Any]
) -> Callable[..., Any]:
    """Enter the mode whenever the function is called."""

    @functools.wraps(function)
    def decorate_context(*args: Any, **kwargs: Any) -> Any:
        with mode():
            return function(*args, **kwargs)

    return decorate_context


def _decorated_generator(
    mode: Callable[[], _GradMode], function: Callable[..., Generator[Any, Any, Any]]
) -> Callable[..., Generator[Any, Any, Any]]:
    """Enter the mode whenever the generator runs and leave it whenever it yields."""

    @functools.wraps(function)
    def decorated(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        generator = function(*args, **kwargs)
        try:
            with mode():
                response = next(generator)
            while True:
                try:
                    request = yield response
                except GeneratorExit:
                    with mode():
                        generator.close()
                    raise
                except BaseException as error:
                    with mode():
                        response = generator.throw(error)
                else:
                    with mode():
                        response = generator.send(request)
        except StopIteration as stop:
            return stop.value

    return decorated


class _NoParamDecoratorContextManager(_GradMode):
    """A mode whose class decorates as well as its instances: ``@no_grad`` and ``@no_grad()``."""

    enabled: bool

    @overload
    def __new__(cls, function: Function) -> Function: ...  # type: ignore[misc]
    @overload
    def __new__(cls, function: None = None) -> _NoParamDecoratorContextManager: ...
    def __new__(cls, function: Any = None) -> Any:
        if function is None:
            return super().__new__(cls)
        return cls()(function)

    def __init__(self) -> None:
        super().__init__(self.enabled)


class no_grad(_NoParamDecoratorContextManager):
    """Do not record operations: results have ``requires_grad=False``.

    Works as a context manager and as a decorator of functions and generator functions.

    >>> import minigrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.no_grad():
    ...     (x * 2).requires_grad
    False
    """

    __module__ = "torch.autograd.grad_mode"
    enabled = False


class Unrecorded:
    """Do not record what the library does itself: no mode of calls sees that it is switched."""

    def __enter__(self) -> None:
        self.prev, state.grad_enabled = state.grad_enabled, False

    def __exit__(self, *exception: object) -> None:
        state.grad_enabled = self.prev


class enable_grad(_NoParamDecoratorContextManager):
    """Record operations again, inside a `no_grad` block for instance.

    >>> import minigrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.no_grad(), torch.enable_grad():
    ...     (x * 2).requires_grad
    True
    """

    __module__ = "torch.autograd.grad_mode"
    enabled = True


def check_flag(function: str, mode: Any) -> None:
    """Refuse a mode that is no bool."""
    if not isinstance(mode, bool):
        raise TypeError(
            f"{function}(): argument 'enabled' (position 1) must be bool, not {type(mode).__name__}"
        )


class set_grad_enabled(_GradMode):
    """Switch recording on or off, at once and until the end of the ``with`` block if there is one.

    >>> import minigrad as torch
    >>> with torch.set_grad_enabled(False):
    ...     torch.is_grad_enabled()
    False
    >>> _ = torch.set_grad_enabled(True)
    """

    __module__ = "torch.autograd.grad_mode"

    def __init__(self, mode: bool) -> None:
        check_flag("set_grad_enabled", mode)
        super().__init__(mode)
        self.prev = is_grad_enabled()
        _set_grad_enabled(mode)

    def __enter__(self) -> None:
        _set_grad_enabled(self.mode)

    def __call__(self, function: Function) -> Function:
        _set_grad_enabled(self.prev)
        return super().__call__(function)

    def clone(self) -> set_grad_enabled:
        return set_grad_enabled(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


class inference_mode(_GradMode):
    """Do not record operations, as `no_grad`; ``inference_mode(False)`` records them again.

    What is made in it is an inference tensor: outside, autograd refuses to save it, and it must
    not be changed in place.

    >>> import minigrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.inference_mode():
    ...     (x * 2).requires_grad
    False
    """

    __module__ = "torch.autograd.grad_mode"

    def __new__(cls, mode: Any = True) -> Any:
        return super().__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        super().__init__(mode)
        self.inference = state.inference

    def __enter__(self) -> None:
        self.prev, self.inference = state.grad_enabled, state.inference
        state.grad_enabled, state.inference = not self.mode, self.mode
        inferring.append(self)

    def __exit__(self, *exception: object) -> None:
        inferring.remove(self)
        state.grad_enabled, state.inference = self.prev, self.inference

    def clone(self) -> inference_mode:
        return inference_mode(self.mode)


# What an inference tensor that requires grad has for True: operations on such tensors alone are not
# recorded, even outside the mode.
UNTRACKED: Any = "in inference mode"


class Untracked(list[int]):
    """The version counter of an inference tensor: outside the mode nobody can rely on it."""

    def __getitem__(self, place: Any) -> Any:
        if state.inference:
            return super().__getitem__(place)
        raise RuntimeError(SAVED_INFERENCE)

    def __setitem__(self, place: Any, version: Any) -> None:
        if not state.inference:  # As in PyTorch the memory is changed by then.
            raise RuntimeError(INFERENCE_IN_PLACE)
        super().__setitem__(place, version)


class Detached(Untracked):
    """That of an inference tensor's `detach()` or `data`, taken outside the mode.

    It counts changes in place, which are allowed, but the tensor cannot be saved either.
    """

    __setitem__ = list.__setitem__


class Inside(list[int]):
    """That of a tensor made within a transform, which alone may be changed in place there."""

    scope: Any


def new_counter(version: int = 0) -> list[int]:
    """Return the version counter of a new tensor, made by this thread."""
    if state.inference:
        return Untracked((version,))
    if state.scope is None:
        return [version]
    counter = Inside((version,))
    counter.scope = state.scope
    return counter


class _unsafe_preserve_version_counter:
    """Put the versions of tensors back at the end of the ``with`` block, whatever is done to them.

    Autograd does not notice changes in place then; whoever uses it says that they do not matter.
    """

    __module__ = "torch.autograd.grad_mode"

    def __init__(self, tensors: Any) -> None:
        self.tensors = (tensors,) if hasattr(tensors, "_version") else tensors
        if not isinstance(self.tensors, tuple):
            raise AssertionError("Expected tensors to be a tuple")
        self.versions = [one._version for one in self.tensors]

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        for tensor, version in zip(self.tensors, self.versions, strict=True):
            tensor._counter[0] = version


class set_multithreading_enabled(_GradMode):
    """Set what `is_multithreading_enabled` returns, at once and until the end of a ``with`` block.

    It changes nothing else: a backward pass runs in the thread that calls it.
    """

    __module__ = "torch.autograd.grad_mode"

    def __init__(self, mode: bool) -> None:
        check_flag("set_multithreading_enabled", mode)
        super().__init__(mode)
        self.prev = state.multithreading
        state.multithreading = mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        state.multithreading = self.prev

    def clone(self) -> set_multithreading_enabled:
        return set_multithreading_enabled(self.mode)
