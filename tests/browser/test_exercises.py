"""Every exercise in a real JupyterLab, as a student does it: wrong, a hint, right."""

import pytest

from minigrad.cli import packaged_lessons
from minigrad.exercises.cells import check_source, code_source
from minigrad.exercises.exercise import Exercise, all_exercises
from tests.browser.lesson import Lesson

pytestmark = pytest.mark.browser

EXERCISES = all_exercises()

# Make the cell that holds this text the one that is worked on.
_SELECT = """async text => {
    const { content } = lesson;
    const at = content.widgets.findIndex(cell => cell.model.sharedModel.source === text);
    if (at < 0) throw new Error(`no cell holds: ${text}`);
    content.activeCellIndex = at;
    await content.scrollToItem(at, 'center');
}"""
_WRITE = "text => lesson.content.activeCell.model.sharedModel.setSource(text)"
_RUN = "() => jupyterapp.commands.execute('notebook:run-cell')"
_ADD = "() => jupyterapp.commands.execute('notebook:insert-cell-below')"
_SHOWN = "() => lesson.content.activeCell.outputArea.node.innerText"


@pytest.fixture(
    scope="module",
    params=[
        path.stem
        for path in packaged_lessons()
        if any(exercise.id[:2] == path.stem[:2] for exercise in EXERCISES)
    ],
)
def name(request: pytest.FixtureRequest) -> str:
    """The lesson whose exercises are done."""
    stem: str = request.param
    return stem


class Student:
    """Somebody who works on one exercise."""

    def __init__(self, lesson: Lesson, exercise: Exercise) -> None:
        self.page = lesson.page
        self.exercise = exercise
        self.cell = code_source(exercise, exercise.starter)

    def answers(self, code: str) -> str:
        """Write and run an answer; what the check below it shows then."""
        self.page.evaluate(_SELECT, self.cell)
        self.cell = code_source(self.exercise, code)
        self.page.evaluate(_WRITE, self.cell)
        self.page.evaluate(_RUN)
        self.page.evaluate(_SELECT, check_source(self.exercise))
        return self.runs()

    def types(self, code: str) -> str:
        """Add a cell, type a line into it and press Shift and Enter; what is shown then."""
        self.page.evaluate(_ADD)
        self.page.locator(".jp-Notebook .jp-Cell.jp-mod-active .cm-content").click()
        self.page.keyboard.type(code)
        assert (
            self.page.evaluate("() => lesson.content.activeCell.model.sharedModel.source") == code
        )
        return self.runs()

    def runs(self) -> str:
        self.page.evaluate(_RUN)
        shown: str = self.page.evaluate(_SHOWN)
        return shown


def test_a_student_answers_wrong_asks_for_a_hint_and_answers_right(lesson: Lesson) -> None:
    for exercise in EXERCISES:
        if exercise.id[:2] != lesson.name[:2]:
            continue
        student = Student(lesson, exercise)
        assert f"{exercise.id}: not yet" in student.answers(exercise.wrong[0].code)
        assert f"hint 1 of {len(exercise.hints)}" in student.types(f'hint("{exercise.id}")')
        assert f"{exercise.id}: right" in student.answers(exercise.solutions[0])
        assert "solution" in student.types(f'solution("{exercise.id}")')


def test_the_page_finds_nothing_wrong(lesson: Lesson) -> None:
    assert lesson.complaints == []
