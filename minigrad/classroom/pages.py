"""What a run leaves for people: a page for each student, and one on the class for the teacher."""

import functools
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mistune
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from latex2mathml.converter import convert
from markupsafe import Markup

from minigrad.classroom.assignment import Assignment
from minigrad.classroom.grades import NOT_LOOKED_AT, ExerciseGrade, Grade
from minigrad.classroom.graphs import graph
from minigrad.classroom.reports import Report, number, plain
from minigrad.exercises.exercise import Exercise, Slip, find
from minigrad.exercises.misconceptions import MISCONCEPTIONS
from minigrad.exercises.result import NOT_ATTEMPTED, NOT_YET, RIGHT, page

SIGNS = {NOT_LOOKED_AT: "?", NOT_ATTEMPTED: "○", NOT_YET: "→", RIGHT: "✓"}
MOST_MISTAKES = 12  # on the page of the class
_NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'  # which a page doesn't need

Mistake = int | tuple[str, str]  # a misconception's number, or an exercise and a slip of it


def feedback(report: Report, assignment: Assignment) -> str:
    """The student's page. All that students have written is text in it, and never markup."""
    grade = report.graded.grade
    cells = [cell for cell in report.graded.cells if not cell.given]
    answers = {cell.exercise: cell.source for cell in cells if cell.exercise}
    return _render(
        "feedback.html",
        assignment,
        student=report.student,
        points=number(grade.points),
        max_points=number(grade.max_points),
        problem=_untold(grade),
        exercises=[_about(one, answers.get(one.exercise), grade) for one in grade.exercises],
        others=[cell.source for cell in cells if not cell.exercise],
    )


def _untold(grade: Grade) -> str:
    """The problem, unless an exercise tells of it."""
    reason = (grade.problem or "").rpartition(": ")[2].casefold()
    told = [one.message.casefold() for one in grade.exercises if one.outcome == NOT_YET]
    return "" if any(reason in one for one in told) else grade.problem or ""


def _about(one: ExerciseGrade, answer: str | None, grade: Grade) -> dict[str, object]:
    exercise = find(one.exercise)
    slip = _slip(exercise, one.message)
    message = "" if one.message == grade.problem else one.message
    if one.outcome == NOT_ATTEMPTED:
        message = message.partition("Write your answer")[0]  # the page says the rest
    return {
        "title": exercise.title,
        "id": one.exercise,
        "question": _typeset(exercise.prompt),
        "outcome": one.outcome,
        "sign": SIGNS[one.outcome],
        "points": number(one.points),
        "max_points": number(one.max_points),
        "message": _said(exercise, message),
        "graph": graph(exercise.id, slip.name if slip else "") if one.outcome == NOT_YET else None,
        "answer": answer if message else None,  # there is more than the starter
    }


def _slip(exercise: Exercise, message: str) -> Slip | None:
    """The known mistake that the message is about."""
    return next((slip for slip in exercise.slips if slip.says == message), None)


def _said(exercise: Exercise, message: str) -> Markup:
    """A message as HTML. What may hold a student's words is escaped, and has no formulas."""
    ours = _slip(exercise, message) or message == exercise.because
    return _typeset(message) if ours else Markup(page(plain(message)))


def _typeset(text: str) -> Markup:
    """Markdown of the lessons' own, its formulas as MathML."""
    return Markup(_markdown()(text))


@functools.cache
def _markdown() -> Any:
    made: Any = mistune.create_markdown(plugins=["math", "table"])
    made.renderer.register("inline_math", lambda _, text: convert(text).replace(_NAMESPACE, ""))
    made.renderer.register(
        "block_math", lambda _, text: convert(text, display="block").replace(_NAMESPACE, "")
    )
    return made


@dataclass
class Class:
    """What is known of all submissions together. first: right with the first answer."""

    assignment: Assignment
    number: int = 0
    first: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    students: Counter[Mistake] = field(default_factory=Counter)
    places: dict[Mistake, Counter[tuple[str, str]]] = field(default_factory=dict)

    def add(self, grade: Grade) -> None:
        """Count a student's."""
        self.number += 1
        made: set[Mistake] = set()
        for one in grade.exercises:
            self.right[one.exercise] += one.right
            self.first[one.exercise] += one.right and one.tried <= 1
            slip = _slip(find(one.exercise), one.message)
            name = slip.name if slip else ""
            mistake: Mistake = one.misconception or (one.exercise, name)
            if one.outcome == NOT_YET and (one.misconception or slip):
                made.add(mistake)
                self.places.setdefault(mistake, Counter())[one.exercise, name] += 1
        self.students.update(made)

    def page(self, missing: list[str]) -> str:
        """The class page. missing: who has handed in nothing."""
        exercises = [
            (find(one).title, self.first[one], self.right[one]) for one in self.assignment.exercises
        ]
        return _render(
            "class.html",
            self.assignment,
            number=self.number,
            exercises=exercises,
            hardest=min(exercises, key=lambda one: one[2]),
            mistakes=[self._mistake(*one) for one in self.students.most_common(MOST_MISTAKES)],
            more=max(0, len(self.students) - MOST_MISTAKES),
            missing=missing,
        )

    def _mistake(self, mistake: Mistake, students: int) -> dict[str, object]:
        places = [place for place, _ in self.places[mistake].most_common()]
        graphs = (graph(*place) for place in places)
        if isinstance(mistake, int):
            about = MISCONCEPTIONS[mistake]
            name, words = about.name, f"*{about.belief}* In fact: {about.fact}"
        else:
            name, words = mistake[1], _named(*mistake).says
        return {
            "name": Markup(_typeset(name).strip()[len("<p>") : -len("</p>")]),
            "words": _typeset(words),
            "students": students,
            "titles": list(dict.fromkeys(find(one).title for one, _ in places)),
            "graph": next(filter(None, graphs), None),
        }


def _named(exercise_id: str, name: str) -> Slip:
    (slip,) = [slip for slip in find(exercise_id).slips if slip.name == name]
    return slip


def _render(template: str, assignment: Assignment, **values: object) -> str:
    title = f"Lesson {assignment.lesson}: {assignment.name[3:].replace('_', ' ')}"
    return str(_templates().get_template(template).render(title=title, **values))


@functools.cache
def _templates() -> Any:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_finalized,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalized(value: object) -> object:
    return plain(value) if type(value) is str else value
