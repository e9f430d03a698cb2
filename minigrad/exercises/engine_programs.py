"""What the checks of lesson 20 have in common: the engine around the learner's part."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.engine_file import fill_in
from minigrad.exercises.exercise import NotYet


def engine_with(attempt: Attempt) -> Any:
    """The engine with the learner's part in it, and `leaf` and `value` to make tensors."""
    space: Any = attempt.namespace
    for name in attempt.names:  # each is there
        attempt[name]
    fill_in(space, attempt.names)
    engine = SimpleNamespace(**space)
    engine.leaf = lambda number: engine.Tensor(number, requires_grad=True)
    return engine


def error_of(program: Callable[[], Any]) -> str:
    """The beginning of the error that a program raises."""
    try:
        program()
    except RuntimeError as error:
        return str(error).partition(" (")[0]
    return "no error"


def grad_of(leaf: Any) -> Any:
    if leaf.grad is not None and not hasattr(leaf.grad, "data"):
        raise NotYet("A leaf's `.grad` is a bare number. Put a `Tensor` there.")
    return "None" if leaf.grad is None else np.asarray(leaf.grad.data).tolist()
