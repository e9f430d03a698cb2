"""What a recording of any kind shares: it enters a mode of each engine, in each thread apart."""

import threading
from abc import ABC, abstractmethod
from contextlib import ExitStack
from typing import Any, Self

from minigrad.viz.read.engines import Engine, loaded_engines


class Watching(ABC):
    """A block in which every call of the loaded engines is seen; blocks may be nested."""

    def __init__(self) -> None:
        self._entered = threading.local()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._enter(stack)
            self._stack.append(stack.pop_all())
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.pop().close()

    def leave(self) -> None:
        """Leave all blocks that this thread has entered."""
        while self._stack:
            self.__exit__()

    @abstractmethod
    def _mode(self, engine: Engine) -> Any:
        """A mode of the engine's own kind, whose ``__torch_function__`` sees each call."""

    def _enter(self, stack: ExitStack) -> None:
        for engine in loaded_engines():
            stack.enter_context(self._mode(engine))

    @property
    def _stack(self) -> list[ExitStack]:
        """What this thread has entered, the innermost last."""
        found: list[ExitStack] = self._entered.__dict__.setdefault("stack", [])
        return found
