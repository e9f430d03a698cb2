"""A run of `minigrad grade`: what was asked for, and what is known of each submission."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from minigrad.classroom.assignment import Assignment
from minigrad.classroom.discovery import Submission
from minigrad.classroom.grades import ungraded
from minigrad.classroom.lms import Roster
from minigrad.classroom.store import Graded, Store
from minigrad.exercises.exercise import find

if TYPE_CHECKING:  # Dask takes its time
    from minigrad.classroom.distributing import Network

LATER = "It isn't graded yet: this run was for others only."


@dataclass(frozen=True)
class Order:
    """What is asked for.

    folder: where the submissions are. output: where the results go. network: a cluster of other
    machines. workers: of this machine's own, if there is none; one for each core if None.
    attempts: how many different answers to an exercise may earn its point; any number if None.
    roster: the file with the class. only: the students to grade; all if none. again: whether to
    grade what is graded already. dry: whether only to say what would be done.
    """

    folder: Path
    assignment: Assignment
    output: Path
    network: "Network | None" = None
    workers: int | None = None
    unprotected: bool = False
    json: bool = False  # whether to say how it went in JSON
    attempts: int | None = None
    roster: Path | None = None
    only: tuple[str, ...] = ()
    again: bool = False
    dry: bool = False

    def key(self, notebook: bytes) -> str:
        """What the result is filed under; what was graded unprotected counts there alone."""
        return self.assignment.key(notebook) + ("-unprotected" if self.unprotected else "")

    def file(self, what: str, kind: str) -> Path:
        """A result for the whole class."""
        return self.output / f"{what}-{self.assignment.name}.{kind}"


@dataclass
class Run:
    """What is known of each submission. keys: of those that can be read, by student.

    problems: by student; open: by key, what is known of those that the next run will try again.
    """

    order: Order
    submissions: list[Submission]
    roster: Roster = field(default_factory=Roster)
    keys: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    open: dict[str, Graded] = field(default_factory=dict)

    def later(self, submission: Submission, store: Store) -> bool:
        """Whether it waits for a run that isn't for others only."""
        key = self.keys.get(submission.student)
        return key is not None and key not in self.open and key not in store

    def graded(self, submission: Submission, store: Store) -> Graded:
        """What came of it."""
        problem = submission.problem or self.problems.get(submission.student)
        if problem is None and self.later(submission, store):
            problem = LATER
        if problem is not None:
            return self.without_grade(problem)
        key = self.keys[submission.student]
        graded = self.open[key] if key in self.open else store.get(key)
        return replace(graded, grade=graded.grade.within(self.order.attempts))

    def without_grade(self, problem: str) -> Graded:
        """A result that holds only the reason."""
        exercises = [find(one) for one in self.order.assignment.exercises]
        return Graded(ungraded(self.order.assignment.lesson, exercises, problem, final=False))

    @property
    def missing(self) -> list[str]:
        """Who of the roster has handed in nothing that could be graded."""
        there = {one.student for one in self.submissions if one.filed}
        return [student for student in self.roster.rows if student not in there]
