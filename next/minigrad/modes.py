"""What switches recording off and on: context managers that also decorate."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from minigrad.graph import state


class Mode:
    """Sets recording while it is entered, or while what it decorates runs."""

    def __init__(self, mode: bool) -> None:
        self.mode, self.before = mode, []

    def __enter__(self) -> None:
        self.before.append(state.enabled)
        state.enabled = self.mode

    def __exit__(self, *_: object) -> None:
        state.enabled = self.before.pop()

    def clone(self) -> Mode:
        return type(self)() if type(self) is not set_grad_enabled else Mode(self.mode)

    def __call__(self, function: Callable) -> Callable:
        if inspect.isclass(function):
            import warnings

            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You "
                "should only decorate functions or methods. To preserve the current behavior of "
                "class decoration, you can directly decorate the `__init__` method and nothing "
                "else.",
                FutureWarning,
                stacklevel=2,
            )
            function.__init__ = self(function.__init__)
            return function
        if inspect.isgeneratorfunction(function):
            return self.generator(function)

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return decorated

    def generator(self, function: Callable) -> Callable:
        """Set the mode only while the generator itself runs."""

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            running = function(*args, **kwargs)
            step, value = running.send, None
            while True:
                try:
                    with self.clone():
                        response = step(value)
                except StopIteration as stop:
                    return stop.value
                try:
                    step, value = running.send, (yield response)
                except GeneratorExit:
                    with self.clone():
                        running.close()
                    raise
                except BaseException as error:
                    step, value = running.throw, error

        return decorated


class no_grad(Mode):
    def __new__(cls, function: Callable | None = None) -> Any:
        mode = object.__new__(cls)
        Mode.__init__(mode, cls is enable_grad)
        return mode if function is None else mode(function)

    def __init__(self, function: Callable | None = None) -> None:
        pass


class enable_grad(no_grad):
    pass


inference_mode = no_grad


class set_grad_enabled(Mode):
    def __init__(self, mode: bool) -> None:
        super().__init__(mode)
        self.before.append(state.enabled)
        state.enabled = mode

    def __enter__(self) -> None:
        state.enabled = self.mode

    def __call__(self, function: Callable) -> Callable:
        state.enabled = self.before.pop()
        return super().__call__(function)


def is_grad_enabled() -> bool:
    return state.enabled


class detect_anomaly:
    """Keep where operations are recorded, to say so if their gradients fail."""

    def __init__(self, check_nan: bool = True) -> None:
        self.set, self.before = (True, check_nan), (state.anomaly, state.check_nan)
        import warnings

        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        state.anomaly, state.check_nan = self.set

    def __exit__(self, *_: object) -> None:
        state.anomaly, state.check_nan = self.before


class set_detect_anomaly(detect_anomaly):
    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = (state.anomaly, state.check_nan)
        self.set = state.anomaly, state.check_nan = (mode, check_nan)
