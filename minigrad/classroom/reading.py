"""What was handed in, read: the file's bytes, and the cells of a notebook.

Whatever a file holds is parsed by `minigrad.classroom.parsing`, in a process of its own. What comes
from there is checked, and small.
"""

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from minigrad.classroom import parsing
from minigrad.classroom.parsing import LARGEST, MOST_CELLS
from minigrad.classroom.parsing import Refused as Refused
from minigrad.exercises.exercise import Exercise

SECONDS = 300.0  # of the clock, for what has 10 of CPU time

_CHECK = re.compile(r"""\bcheck\(\s*["'](\w+)["']""")


class NotRead(Exception):
    """It was not read, for no fault of its own; the text says why."""


@dataclass(frozen=True)
class Cell:
    """A cell of code. exercise: the one whose answer it is; checks: those to look at after it."""

    number: int
    source: str
    exercise: str | None
    checks: tuple[str, ...]


@dataclass(frozen=True)
class Written:
    """A cell as it was handed in. kind: "code" or "text"; grade_id: nbgrader's name of it."""

    kind: str
    source: str
    exercise: str | None
    grade_id: str | None


@dataclass(frozen=True)
class Notebook:
    """A notebook as it was handed in."""

    cells: tuple[Written, ...]

    @property
    def lessons(self) -> list[str]:
        """The numbers of the lessons whose exercises are in it, the most frequent one first."""
        held = (cell.exercise for cell in self.cells if cell.kind == "code" and cell.exercise)
        counts = Counter(one[:2] for one in held if re.match(r"\d\d_", one))
        return [lesson for lesson, _ in counts.most_common()]

    def code(self, exercises: list[Exercise]) -> list[Cell]:
        """Its cells of code; Refused if there is nothing of these exercises in it."""
        known = {one.id for one in exercises}
        code = [cell for cell in self.cells if cell.kind == "code"]
        cells = [
            Cell(number, one.source, among(known, one.exercise), _checks(one.source, known))
            for number, one in enumerate(code)
        ]
        if any(cell.exercise or cell.checks for cell in cells):
            return cells
        wanted, others = exercises[0].id[:2], self.lessons
        what = f"It is a notebook of lesson {others[0]}." if others else "Is it another notebook?"
        raise Refused(f"There is no exercise of lesson {wanted} in it. {what}")


def among(known: Collection[str], exercise: str | None) -> str | None:
    """The exercise, if it is one of those."""
    return exercise if exercise in known else None


def _checks(source: str, known: set[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in _CHECK.findall(source) if name in known))


def parse(content: bytes) -> Notebook:
    """The notebook. Refused if it is none, or too large; NotRead if it should be tried again."""
    said: Any = json.loads(_program(None, content, "notebook"))
    fits = type(said) is list and len(said) <= MOST_CELLS and all(map(_is_cell, said))
    if not fits:
        raise NotRead("The program that parses it sent what it never sends.")
    return Notebook(tuple(Written(*one) for one in said))


def _is_cell(one: Any) -> bool:
    if type(one) is not list or [type(part) for part in one[:2]] != [str, str]:
        return False
    return len(one) == 4 and all(part is None or type(part) is str for part in one[2:])


def zipped(path: Path) -> list[str]:
    """The names of the files in a zip file. Refused if it can't be opened."""
    with opened(path, LARGEST) as file:
        return [str(name) for name in json.loads(_program(file, b"", "zip"))]


def unzipped(path: Path, number: int) -> bytes:
    """What the file of that number in a zip file holds. Refused if it can't be opened."""
    with opened(path, LARGEST) as file:
        content = _program(file, b"", "member", str(number))
    parsing.refuse_large(len(content), LARGEST)
    return content


def _program(file: BinaryIO | None, content: bytes, *arguments: str) -> bytes:
    command = [sys.executable, "-I", "-S", str(Path(parsing.__file__)), *arguments]
    given: dict[str, Any] = {"stdin": file} if file else {"input": content}
    try:
        done: subprocess.CompletedProcess[bytes] = subprocess.run(
            command, capture_output=True, timeout=SECONDS, **given
        )
    except (subprocess.TimeoutExpired, OSError) as error:
        raise NotRead(f"The machine is too busy to read it ({error}).") from error
    if done.returncode == 0:
        return done.stdout
    if done.returncode == 1 and done.stdout:
        raise Refused(done.stdout.decode())
    if done.returncode == -getattr(signal, "SIGXCPU", 0):
        raise Refused(f"It takes more than {parsing.SECONDS} seconds to read.")
    raise NotRead(
        f"The program that parses it has ended: {done.stderr[-200:].decode(errors='replace')}."
    )


def read_whole(path: Path, largest: int) -> bytes:
    """The file's content. Refused if it is no ordinary file of that size; it never waits."""
    with opened(path, largest) as file:
        return file.read(largest + 1)


@contextmanager
def opened(path: Path, largest: int) -> Iterator[BinaryIO]:
    """The file, open. Refused if it is no ordinary file of that size; it never waits."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        _refuse(path.lstat(), largest)
        with open(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as file:
            _refuse(os.fstat(file.fileno()), largest)
            yield file
    except OSError as error:
        raise Refused(f"The file can't be read: {error.strerror}.") from None


def _refuse(status: os.stat_result, largest: int) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise Refused("This is a link to another place. Links are not followed.")
    if not stat.S_ISREG(status.st_mode):
        raise Refused("This is not an ordinary file.")
    parsing.refuse_large(status.st_size, largest)
