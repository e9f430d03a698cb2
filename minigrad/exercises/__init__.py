"""Exercises: a learner writes an answer, and `check` says what it shows.

>>> from minigrad.exercises import check
>>> a_grad = ...
>>> check("04_diamond")
<04_diamond: not attempted>
"""

import importlib
from typing import TYPE_CHECKING, Any

from minigrad.exercises.cell_guard import watch as _watch

if TYPE_CHECKING:
    from minigrad.exercises.asking import explain as explain
    from minigrad.exercises.asking import predict as predict
    from minigrad.exercises.asking import recall as recall
    from minigrad.exercises.checking import check as check
    from minigrad.exercises.checking import hint as hint
    from minigrad.exercises.checking import progress as progress
    from minigrad.exercises.checking import solution as solution
    from minigrad.exercises.engine_file import build_engine as build_engine
    from minigrad.exercises.word_list import words as words

# By name, because they need ipywidgets, and grading does without it.
_WHERE = {
    "check": "checking",
    "hint": "checking",
    "progress": "checking",
    "solution": "checking",
    "explain": "asking",
    "predict": "asking",
    "recall": "asking",
    "build_engine": "engine_file",
    "words": "word_list",
}
__all__ = [*_WHERE]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})


_watch()
