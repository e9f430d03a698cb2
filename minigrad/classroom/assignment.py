"""Which lesson is graded, and by which version of everything: what a result is filed under."""

import functools
import hashlib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import minigrad
from minigrad.classroom.builds import exercises_in, grading_source, read, student
from minigrad.exercises.exercise import OWN, Exercise, own_exercises

DISTRIBUTION = "minigrad-lessons"


@dataclass(frozen=True)
class Assignment:
    """A lesson that is graded.

    name: such as ``"03_backward_on_a_scalar"``, also nbgrader's name of it. exercises: the ids.
    given: the fingerprints of the cells that every student gets. edition: the fingerprint of the
    minigrad that grades.
    """

    name: str
    exercises: tuple[str, ...]
    given: frozenset[str]
    edition: str

    @property
    def lesson(self) -> str:
        """Its number, in two digits."""
        return self.name[:2]

    @property
    def grade_ids(self) -> list[str]:
        """nbgrader's names of the cells that grade the exercises."""
        return [cell_of(exercise) for exercise in self.exercises]

    def key(self, notebook: bytes) -> str:
        """What the result of a submission is filed under: the same for what is graded the same."""
        parts = [self.edition, self.name, hashlib.sha256(notebook).hexdigest()]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def cell_of(exercise: str) -> str:
    """nbgrader's name of the cell that grades an exercise."""
    return f"{exercise}_grade"


def assignment(lesson: str, notebooks: list[Path]) -> Assignment:
    """The lesson of that number or name, among the packaged ones; LookupError, with those, if none.

    >>> assignment("99", [])
    Traceback (most recent call last):
    LookupError: There is no lesson '99' with exercises. There are: none.
    """
    held = {path: exercises_in(read(path)) for path in notebooks}
    for path, exercises in held.items():
        if exercises and lesson in (path.stem, path.name, path.stem[:2], path.stem[:2].lstrip("0")):
            return _of(path, [exercise for exercise, _ in exercises])
    names = ", ".join(path.stem for path, exercises in held.items() if exercises) or "none"
    raise LookupError(f"There is no lesson {lesson!r} with exercises. There are: {names}.")


def _of(path: Path, exercises: list[Exercise]) -> Assignment:
    notebook = read(path)
    student(notebook)
    sources = [cell["source"] for cell in notebook["cells"]]
    sources += [grading_source(exercise.id) for exercise in exercises]  # as nbgrader releases it
    given = frozenset(map(fingerprint, sources))
    return Assignment(path.stem, tuple(exercise.id for exercise in exercises), given, edition())


def fingerprint(source: str) -> str:
    """By which a cell's text is known again, whatever its last line ends in."""
    return hashlib.sha256(source.strip().encode(errors="surrogatepass")).hexdigest()[:16]


def edition() -> str:
    """The version of minigrad, and fingerprints of its source and of a teacher's own exercises."""
    own = Path(OWN).read_bytes() if own_exercises() else b""
    return _minigrad() + (f"-{hashlib.sha256(own).hexdigest()[:16]}" if own else "")


@functools.cache
def _minigrad() -> str:
    package = Path(minigrad.__file__).parent
    source = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        source.update(f"{path.relative_to(package).as_posix()}\n".encode())
        source.update(path.read_bytes())
    return f"{_version()}-{source.hexdigest()[:16]}"


def _version() -> str:
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "source"
