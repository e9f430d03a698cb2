"""What an exercise is, and where all of them are found.

One `Exercise` in a file ``lesson_NN.py`` is all there is to say about it: the cells in the lesson,
`check`, `hint` and `solution`, the builds for teaching and the tests come from it. A teacher's own
are declared in the same form in ``my_exercises.py``, beside the lessons.
"""

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minigrad.exercises.attempt import Attempt

OWN = "my_exercises.py"


class NotYet(Exception):
    """Raised by a probe, and by what reads an attempt: why the answer can't be judged any further.

    message: Markdown (paragraphs, `code`, *emphasis*, indented blocks). shows: the number of a
    misconception, or "error" if the learner's code raised one; error: its type and text.
    """

    def __init__(
        self,
        message: str,
        shows: int | str | None = None,
        error: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.shows = shows
        self.error = error


Observation = tuple[str, Any]  # what it is, in Markdown, and its value


@dataclass(frozen=True)
class Slip:
    """A known answer that isn't the solution: its code, what it shows, and what to say about it.

    An answer that behaves like `code`, seen through the exercise's probe, gets this diagnosis.
    name: the belief behind it, in a few words. misconception: its number, if it is one of those.
    accepted: the answer is right, but unwise; `says` is the remark that goes with "right".
    when: recognizes more answers than those that behave exactly like `code`: a function of the
    observations, by what they are.
    """

    name: str
    code: str
    says: str
    misconception: int | None = None
    accepted: bool = False
    when: Callable[[dict[str, Any]], bool] | None = None


@dataclass(frozen=True, repr=False)
class Exercise:
    """One exercise: its texts, its cells, its check and its tests.

    id: lesson and name, such as ``"04_diamond"``. prompt: Markdown, without the title.
    starter: the code that the learner finds, with ``...`` where the answer goes.
    answers: the names that the learner defines; no two exercises of a lesson share one.
    solutions: right answers; the first is shown first.
    hints: where to look, which idea, which line.
    because: said when the answer is right.
    slips: known answers with their diagnoses.
    probe: yields observations of an attempt. It sees the learner's answer, the first solution and
    the slips alike, with the same random inputs (`Attempt.drawn`). By default: the answers' values.
    """

    id: str
    title: str
    prompt: str
    starter: str
    answers: tuple[str, ...]
    solutions: tuple[str, ...]
    hints: tuple[str, ...]
    because: str = ""
    slips: tuple[Slip, ...] = ()
    probe: "Callable[[Attempt], Iterator[Observation]] | None" = None

    def __repr__(self) -> str:
        return f"<Exercise {self.id}: {self.title}>"


def lesson_modules() -> list[str]:
    """The modules that hold exercises, ``lesson_00`` and on, those that exist."""
    package = importlib.import_module("minigrad.exercises")
    names = (module.name for module in pkgutil.iter_modules(package.__path__))
    return sorted(name for name in names if name.startswith("lesson_"))


@functools.cache
def exercises_of(module: str) -> dict[str, Exercise]:
    """The exercises that a module such as ``lesson_04`` declares, in their order, by id."""
    found = vars(importlib.import_module(f"minigrad.exercises.{module}")).values()
    return {thing.id: thing for thing in found if isinstance(thing, Exercise)}


def own_exercises() -> dict[str, Exercise]:
    """The exercises that ``my_exercises.py`` in the current folder declares, by id.

    LookupError if it can't be run, or declares an exercise of the series anew.
    """
    path = Path.cwd() / OWN
    return _declared(path, path.stat().st_mtime_ns) if path.is_file() else {}


@functools.cache
def _declared(path: Path, _changed: int) -> dict[str, Exercise]:
    space: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), space)
    except Exception as error:
        raise LookupError(f"{OWN} can't be run: {type(error).__name__}: {error}") from error
    declared = {thing.id: thing for thing in space.values() if isinstance(thing, Exercise)}
    for module in lesson_modules():
        for taken in declared.keys() & exercises_of(module).keys():
            raise LookupError(f"{OWN} declares {taken}, which is an exercise of the series.")
    return declared


def all_exercises() -> list[Exercise]:
    """Every exercise of the series, in the lessons' order, and a teacher's own."""
    series = [one for module in lesson_modules() for one in exercises_of(module).values()]
    return [*series, *own_exercises().values()]


def find(exercise_id: str) -> Exercise:
    """The exercise of that id; LookupError, with those that are spelt alike, if there is none."""
    module = f"lesson_{str(exercise_id)[:2]}"
    if module in lesson_modules() and exercise_id in exercises_of(module):
        return exercises_of(module)[exercise_id]
    own = own_exercises()
    if str(exercise_id) in own:
        return own[exercise_id]
    known = [exercise.id for exercise in all_exercises()]
    alike = difflib.get_close_matches(str(exercise_id), known, n=1, cutoff=0.5)
    meant = f' Did you mean "{alike[0]}"?' if alike else ""
    raise LookupError(f"There is no exercise {exercise_id!r}.{meant}")
