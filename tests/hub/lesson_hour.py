"""A class at the hub: all log in at once, and each runs a whole lesson."""

import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat

from minigrad.cli import packaged_lessons
from tests.hub.hub import running_hub
from tests.hub.memory import Memory, Watch
from tests.hub.student import Student
from tests.hub.system_users import system_users
from tests.replay import differences, shown

FOLDER = "minigrad-lessons"  # where nbgitpuller puts them


@dataclass(frozen=True)
class Work:
    """What one student did. Times are seconds since the student began to log in."""

    student: Student
    lesson: str
    user: int
    server: float
    first_output: float
    finished: float
    difference: str  # what came out otherwise than it is committed; empty if nothing did


@dataclass(frozen=True)
class Hour:
    """The works of the class, and the most memory that each student's processes took."""

    works: list[Work]
    memory: dict[int, Memory]

    def most(self, work: Work) -> Memory:
        """The memory of one student, when it was most."""
        return self.memory[work.user]


@contextmanager
def lesson_hour(size: int) -> Iterator[Hour]:
    """Let ``size`` students, who begin at one moment, run the lessons, one each.

    Their servers and kernels go on until the context ends.
    """
    names = [f"minigrad-{number:02}" for number in range(1, size + 1)]
    with tempfile.TemporaryDirectory(prefix="minigrad-hub-") as folder:
        place = Path(folder)
        place.chmod(0o755)  # the students' homes are in it
        with system_users(names, place / "homes") as users, running_hub(place, names) as hub:

            def work(number: int) -> Work:
                lessons = packaged_lessons()
                lesson, began = lessons[number % len(lessons)], time.monotonic()
                student = Student(hub, names[number])
                student.start_server()
                server = time.monotonic() - began
                student.pull_lessons()
                return _run(student, lesson, users[student.name], began, server)

            with Watch(list(users.values())) as watch, ThreadPoolExecutor(size) as pool:
                works = list(pool.map(work, range(size)))
            yield Hour(works, watch.most)
            for done in works:
                done.student.leave()


def _run(student: Student, lesson: Path, user: int, began: float, server: float) -> Work:
    notebook = student.open(f"{FOLDER}/{lesson.name}")
    committed = _code_cells(nbformat.read(lesson, as_version=4))
    cells = _code_cells(notebook)
    first_output = 0.0
    for cell in cells:
        cell.outputs = student.run(cell.source)
        if cell.outputs and not first_output:
            first_output = time.monotonic() - began
    said, expected = [shown(cell) for cell in cells], [shown(cell) for cell in committed]
    difference = differences([cell.source for cell in committed], said, expected)
    finished = time.monotonic() - began
    return Work(student, lesson.stem, user, server, first_output, finished, difference)


def _code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]
