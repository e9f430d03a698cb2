"""Grade one submission: run its cells in a sandbox, look at its exercises, sum up."""

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from minigrad.classroom.bridge.channel import Lost
from minigrad.classroom.grades import NOT_LOOKED_AT, ExerciseGrade, Grade
from minigrad.classroom.incidents import said_of
from minigrad.classroom.needed import ANY_NAME, needed
from minigrad.classroom.protection import Protection
from minigrad.classroom.reading import Cell
from minigrad.classroom.session import Place, Session, running
from minigrad.exercises.exercise import Exercise, find
from minigrad.exercises.result import NOT_ATTEMPTED, NOT_YET, RIGHT, Result, result

STARTS = 6  # of a sandbox: each time without the cell that ended it before
MOST_INCIDENTS = 100
READING = "reading"  # all cells, before they are run
FEW = 5  # different answers to an exercise in one notebook; more are reported


def grade_here(
    cells: list[Cell],
    lesson: str,
    exercises: list[Exercise],
    place: Place,
    given: Set[int] = frozenset(),
) -> Grade:
    """The grade of a submission; nothing is raised for what is in it.

    given: the numbers of the lesson's own cells, of which only what is needed is run.
    """
    return Grading(cells, exercises, place, given).grade(lesson)


@dataclass
class Grading:
    """One submission on its way: what is known of its exercises so far."""

    cells: list[Cell]
    exercises: list[Exercise]
    place: Place
    given: Set[int]
    found: dict[str, Result] = field(default_factory=dict)
    problem: str | None = None
    final: bool = True  # False once the grader's own part has failed
    incidents: dict[str, None] = field(default_factory=dict)
    timeouts: set[str] = field(default_factory=set)
    complete: bool = False  # whether all of it was looked at
    left_out: set[int | str] = field(default_factory=set)  # cells and exercises that end a sandbox
    doing: int | str | None = None  # a cell's number, an exercise, or READING
    tried: Counter[str] = field(default_factory=Counter)  # different answers, by exercise

    def grade(self, lesson: str) -> Grade:
        """Run all, beginning anew without whatever ended the sandbox."""
        for _ in range(STARTS):
            self.doing = None
            try:
                with running(self.place) as session:
                    try:
                        self._work(session)
                        self.complete = True
                        break
                    finally:
                        self._note(session.heard)
                        self.timeouts |= session.timeouts
            except Lost as lost:
                self._ended(str(lost))
            if self.doing is None:  # the sandbox did not start
                self.final = False
                break
        return Grade(
            lesson,
            tuple(self._exercise(one) for one in self.exercises),
            self.problem,
            tuple(self.incidents),
            final=self.final,
            timeout="clock" if "clock" in self.timeouts else "".join(self.timeouts),
        )

    def _work(self, session: Session) -> None:
        self.tried.clear()
        errors: dict[str, Any] = {}
        by_id = {one.id: one for one in self.exercises}
        for cell in self._needed(session):
            if cell.number not in self.left_out:
                self.doing = cell.number
                is_exercise = cell.exercise is not None
                error, checked = session.run(cell.number, cell.source, is_exercise)
                if cell.exercise is not None:
                    errors[cell.exercise] = error
                for name in [name for name in by_id if name in checked]:
                    self._look(session, by_id[name], errors.get(name))
        # An answer counts wherever in the notebook it was written in the end.
        for exercise in self.exercises:
            self._look(session, exercise, errors.get(exercise.id), again=False)

    def _needed(self, session: Session) -> list[Cell]:
        """The cells, without what of the lesson's own the others have nothing to do with."""
        own = [cell.source for cell in self.cells if cell.number not in self.given]
        if READING in self.left_out or any(map(ANY_NAME.search, own)):
            return self.cells
        self.doing = READING
        return needed(self.cells, self.given, set().union(*map(session.names, own)))

    def _look(self, session: Session, exercise: Exercise, error: Any, again: bool = True) -> None:
        """Judge an exercise: the last look counts. again: even if its answers are the same."""
        if exercise.id in self.left_out:
            return
        self.doing = exercise.id
        changed = session.changed(exercise)
        if changed or again:
            found = self.found[exercise.id] = session.judge(exercise, error)
            self.tried[exercise.id] += changed and found.outcome != NOT_ATTEMPTED

    def _ended(self, reason: str) -> None:
        """Leave out what ended the sandbox."""
        if self.doing is None:
            said = f"The sandbox did not start. {reason}"
        else:
            exercise: int | str | None = self.doing
            where = f"While {self.doing} was looked at"
            if isinstance(self.doing, int):
                cell = self.cells[self.doing]
                exercise = cell.exercise
                where = f"In the cell that begins with “{_first_line(cell.source)}”"
            elif self.doing == READING:
                exercise, where = None, "While the notebook was read"
            self.left_out |= {one for one in (self.doing, exercise) if one is not None}
            said = f"{where}: {reason[:1].lower()}{reason[1:]}"
            if isinstance(exercise, str) and exercise not in self.found:
                message = f"Your answer could not be looked at. {reason}"
                self.found[exercise] = result(find(exercise), NOT_YET, message, "error")
        self.problem = self.problem or said
        self.incidents[said] = None

    def _note(self, heard: list[Any]) -> None:
        protected = self.place.protection is not Protection.NONE
        said = [said_of(one, protected) for one in heard[:MOST_INCIDENTS]]
        self.incidents |= dict.fromkeys(one for one in said if one is not None)

    def _exercise(self, exercise: Exercise) -> ExerciseGrade:
        found = self.found.get(exercise.id)
        if found is None or (found.outcome == NOT_ATTEMPTED and not self.complete):
            return ExerciseGrade(exercise.id, NOT_LOOKED_AT, self.problem or "")
        points = int(found.outcome == RIGHT)
        tried = self.tried[exercise.id]
        if tried > FEW:
            self.incidents[f"{exercise.id}: {tried} answers tried."] = None
        about = found.outcome, found.message, found.misconception
        return ExerciseGrade(exercise.id, *about, points, tried=tried)


def _first_line(source: str) -> str:
    """The first line of a cell that isn't a comment."""
    lines = [line.strip() for line in source.splitlines()]
    return next((line[:60] for line in lines if line and not line.startswith("#")), "")
