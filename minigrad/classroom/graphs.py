"""The graph that an exercise, or a known mistake in it, is about.

It comes from the exercise's own programs, so it shows nothing of any student.
"""

import base64
import functools
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

import minigrad
from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, find
from minigrad.exercises.observations import observe
from minigrad.exercises.undisturbed import undisturbed
from minigrad.overrides import TorchFunctionMode
from minigrad.viz.draw.drawing import Drawing, draw
from minigrad.viz.draw.theme import THEMES
from minigrad.viz.read.names import names_in
from minigrad.viz.read.protocol import is_tensor
from minigrad.widgets.running import run

_SECONDS = 5.0  # for one program
_LARGEST = 40  # nodes
_PROGRAM = re.compile(r"```python\n(.*?)```", re.DOTALL)


@functools.cache
def graph(exercise_id: str, slip_name: str) -> dict[str, str] | None:
    """SVG in base64 for light and for dark pages, and the outline; None if there is no graph.

    It's what a known mistake returns, or what the question shows, or what the mistake goes back
    through first. What a question asks about isn't in it: gradients. slip_name: empty if the
    mistake is none of those that the exercise knows.
    """
    exercise = find(exercise_id)
    code = next((slip.code for slip in exercise.slips if slip.name == slip_name), None)
    returned, passed = _of_slip(exercise, code) if code else (None, None)
    drawing = returned or _in_question(exercise) or passed
    if drawing is None:
        return None
    svgs = {theme: Drawing(drawing.snapshot, theme=theme).svg() for theme in THEMES}
    encoded = {theme: base64.b64encode(svg.encode()).decode() for theme, svg in svgs.items()}
    return encoded | {"outline": drawing.outline}


def _of_slip(exercise: Exercise, code: str) -> tuple[Drawing | None, Drawing | None]:
    """The graph of what is returned, and that of the first backward pass."""
    with _FirstPass() as first:
        ran = run(code, first.space, _SECONDS)
        attempt = Attempt(exercise, ran.space, minigrad, _SECONDS, np.random.default_rng(0))
        if not ran.error:
            with undisturbed(minigrad, ran.space):
                observe(exercise, attempt)
    return _drawn([*map(ran.space.get, attempt.names), attempt.graph], ran.space), first.drawing


def _in_question(exercise: Exercise) -> Drawing | None:
    """The graph in the program that the question shows, before it has gradients."""
    for code in _PROGRAM.findall(exercise.prompt):
        with _FirstPass() as first:
            space = run(code, first.space, _SECONDS).space
        if drawing := first.drawing or _drawn([*space.values()][::-1], space):
            return drawing
    return None


class _FirstPass(TorchFunctionMode):
    """Draws the graph of the first backward pass, before that changes it."""

    def __init__(self) -> None:
        super().__init__()
        self.space: dict[str, Any] = {"torch": minigrad}
        self.drawing: Drawing | None = None

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        if self.drawing is None and getattr(func, "__name__", "") in ("backward", "grad"):
            roots = args[0] if isinstance(args[0], list | tuple) else args[:1]
            self.drawing = _drawn(roots, self.space)
        return func(*args, **(kwargs or {}))


def _drawn(values: Iterable[Any], space: dict[str, Any]) -> Drawing | None:
    """The first of the values that has a graph."""
    for one in values:
        if is_tensor(one) and one.grad_fn is not None:
            return draw(one, names=dict(names_in(space)), limit=_LARGEST)
    return None
