"""Room on the stack: backward passes inside backward passes, however deep.

The user's code may start a backward pass while one is running, and so on. From some depth on it
goes on in another thread, whose stack is empty, as it does in PyTorch. A browser has no threads:
there it ends in a RecursionError when the stack is full.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

from minigrad.autograd.grad_mode import state

DEPTH = 50  # calls of this kind on one stack


def with_room(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that may itself come back here."""
    state.depth += 1
    try:
        if state.depth % DEPTH or sys.platform == "emscripten":
            return function(*arguments)
        return in_another_thread(function, *arguments)
    finally:
        state.depth -= 1


def in_another_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a new thread, which goes on with this one's state, and wait for it."""
    from concurrent.futures import Future  # needed once a graph is that deep

    future: Future[Any] = Future()
    own = vars(state)

    def run() -> None:
        vars(state).update(own)
        try:
            future.set_result(function(*arguments))
        except BaseException as error:
            future.set_exception(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return future.result()
