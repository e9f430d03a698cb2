"""Grade one submission: run its cells in a sandbox, look at its exercises, sum up."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from minigrad.classroom.bridge.channel import Lost
from minigrad.classroom.grades import ExerciseGrade, Grade, ungraded
from minigrad.classroom.incidents import said_of
from minigrad.classroom.protection import Protection
from minigrad.classroom.reading import BadNotebook, Cell, read_submission
from minigrad.classroom.session import Place, Session, running
from minigrad.exercises.exercise import Exercise, find
from minigrad.exercises.result import NOT_ATTEMPTED, NOT_YET, RIGHT, Result, result

STARTS = 4  # of a sandbox: each time without the cell that ended it before
MOST_INCIDENTS = 100


def grade_here(path: Path, lesson: str, exercises: list[Exercise], place: Place) -> Grade:
    """The grade of a submission; nothing is raised for what is in it.

    What had the time but hardly the machine is graded once more.
    """
    try:
        cells = read_submission(path, place.limits.notebook, exercises)
    except BadNotebook as error:
        return ungraded(lesson, exercises, str(error))
    grading = Grading(cells, exercises, place)
    grade = grading.grade(lesson)
    return Grading(cells, exercises, place).grade(lesson) if grading.starved else grade


@dataclass
class Grading:
    """One submission on its way: what is known of its exercises so far."""

    cells: list[Cell]
    exercises: list[Exercise]
    place: Place
    found: dict[str, Result] = field(default_factory=dict)
    problem: str | None = None
    final: bool = True  # False once the grader's own part has failed
    incidents: dict[str, None] = field(default_factory=dict)
    starved: bool = False
    ran: bool = False  # whether any of it was run
    left_out: set[int | str] = field(default_factory=set)  # cells and exercises that end a sandbox
    doing: int | str | None = None  # a cell's number, or an exercise

    def grade(self, lesson: str) -> Grade:
        """Run all, beginning anew without whatever ended the sandbox."""
        end = time.monotonic() + self.place.limits.seconds
        for _ in range(STARTS):
            self.doing = None
            try:
                with running(self.place, end) as session:
                    try:
                        self._work(session)
                        break
                    finally:
                        self._note(session.heard)
                        self.starved = session.starved
            except Lost as lost:
                self._ended(str(lost))
                # A sandbox that does not start is to blame on what ran before it, if anything did.
                late = self.ran and time.monotonic() > end
                self.final = self.final and (self.doing is not None or late)
            if self.doing is None or time.monotonic() > end:
                break
        grades = [self._exercise(one) for one in self.exercises]
        incidents = tuple(self.incidents)
        return Grade(lesson, tuple(grades), self.problem, incidents, final=self.final)

    def _work(self, session: Session) -> None:
        self.ran = True
        errors: dict[str, Any] = {}
        by_id = {one.id: one for one in self.exercises}
        for cell in self.cells:
            if cell.number not in self.left_out:
                self.doing = cell.number
                error = session.run(cell.number, cell.source, cell.exercise is not None)
                if cell.exercise is not None:
                    errors[cell.exercise] = error
            for name in cell.checks:
                self._look(session, by_id[name], errors.get(name))
        # An answer counts wherever in the notebook it was written in the end.
        for exercise in self.exercises:
            self._look(session, exercise, errors.get(exercise.id))

    def _look(self, session: Session, exercise: Exercise, error: Any) -> None:
        """Judge an exercise, unless it is right already or has ended a sandbox."""
        known = self.found.get(exercise.id)
        if exercise.id in self.left_out or (known is not None and known.outcome == RIGHT):
            return
        self.doing = exercise.id
        found = session.judge(exercise, error)
        if known is None or known.outcome == NOT_ATTEMPTED or found.outcome == RIGHT:
            self.found[exercise.id] = found

    def _ended(self, reason: str) -> None:
        """Leave out what ended the sandbox."""
        if self.doing is None:
            said = f"The sandbox did not start. {reason}"
        else:
            exercise: int | str | None = self.doing
            where = f"While {self.doing} was looked at"
            if isinstance(self.doing, int):
                exercise = self.cells[self.doing].exercise
                where = f"In cell {self.doing + 1} of those with code"
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
        if found is None:
            return ExerciseGrade(exercise.id, NOT_ATTEMPTED, self.problem or "")
        points = int(found.outcome == RIGHT)
        return ExerciseGrade(exercise.id, found.outcome, found.message, found.misconception, points)
