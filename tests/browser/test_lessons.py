"""Every lesson in a real JupyterLab: it runs, can be looked at, and a student goes through it."""

import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from minigrad.cli import packaged_lessons
from minigrad.exercises.exercise import all_exercises
from tests.browser.lesson import Lesson
from tests.browser.student import Student

pytestmark = pytest.mark.browser

SVG = "{http://www.w3.org/2000/svg}"
SCREENSHOTS = Path(__file__).parents[2] / "test-results" / "lessons"


@pytest.fixture(scope="module", params=[path.stem for path in packaged_lessons()])
def name(request: pytest.FixtureRequest) -> str:
    """The lesson that is looked at."""
    stem: str = request.param
    return stem


def test_every_cell_runs_and_only_those_meant_to_raise_do(lesson: Lesson) -> None:
    cells = lesson.cells
    wrong = {
        cell.source: cell.errors
        for cell in cells
        if len(cell.errors) != ("raises-exception" in cell.tags)
    }
    assert wrong == {}
    assert [cell.count for cell in cells] == list(range(1, len(cells) + 1))


def test_every_drawing_is_a_picture_of_its_graph(lesson: Lesson) -> None:
    for cell in lesson.drawings:
        picture = lesson.picture(cell)
        boxes, arrows = drawn(picture.svg)
        assert told_boxes(cell.outline) <= boxes
        assert told_arrows(cell.outline) <= arrows


def drawn(svg: str) -> tuple[Counter[str | None], int]:
    """The name in each box of a picture, and the number of roads."""
    groups = list(ET.fromstring(svg).iter(f"{SVG}g"))
    boxes = [group for group in groups if group.get("class", "").startswith("box ")]
    return Counter(map(name_in, boxes)), sum("data-road" in group.attrib for group in groups)


def name_in(box: ET.Element) -> str | None:
    """What a card is called; of an operation the name of its node, written in several lines."""
    texts = list(box.iter(f"{SVG}text"))
    nodes = [text.text or "" for text in texts if text.get("class", "").startswith("node")]
    return "".join(nodes) or next((text.text for text in texts), None)


def told_boxes(outline: str) -> Counter[str | None]:
    """Leaves and operations; adding to a leaf's gradient has no box of its own."""
    leaves = re.findall(r"^(\w+): leaf", outline, re.MULTILINE)
    operations = re.findall(r"^n\d+ (?:folded: )?(?!AccumulateGrad)([\w.]+)", outline, re.MULTILINE)
    return Counter(operations) + Counter(re.sub(r"^n\d+$", "leaf", name) for name in leaves)


def told_arrows(outline: str) -> int:
    """One for each input of an operation that a gradient goes back to."""
    inputs = re.findall(r"^n\d+ \w+\((.*)\)", outline, re.MULTILINE)
    return sum(name != "no grad" for names in inputs for name in names.split(", "))


def test_pictures_have_their_full_size_on_an_ordinary_screen(lesson: Lesson) -> None:
    lesson.resize(1280)
    for cell in lesson.drawings:
        picture = lesson.picture(cell)
        assert picture.size == picture.natural
        assert min(picture.size) > 0
        assert min(picture.left, picture.spare) >= 0


def test_a_narrow_window_keeps_no_part_of_a_picture_from_view(lesson: Lesson) -> None:
    lesson.resize(800)
    for cell in lesson.drawings:
        picture = lesson.picture(cell)
        assert picture.left >= 0
        assert picture.spare >= 0 or picture.scrolls


@pytest.mark.parametrize(("theme", "width"), [("Light", 1280), ("Dark", 1280), ("Light", 800)])
def test_the_lesson_can_be_looked_at(lesson: Lesson, theme: str, width: int) -> None:
    """For human eyes: CI keeps the screenshots."""
    lesson.change_theme(f"JupyterLab {theme}")
    screenshot = SCREENSHOTS / f"{lesson.name}-{theme.lower()}-{width}.png"
    lesson.save_screenshot(screenshot, width)
    assert screenshot.stat().st_size > 100_000


def test_a_student_uses_every_instrument(lesson: Lesson) -> None:
    """Predicts, moves the controls, asks for hints and cures what the clinic has."""
    widgets = [cell for cell in lesson.cells if cell.has_widget]
    assert len(Student(lesson).uses_widgets()) == len(widgets) > 0


def test_a_student_answers_wrong_asks_for_a_hint_and_answers_right(lesson: Lesson) -> None:
    student = Student(lesson)
    exercises = [it for it in all_exercises() if it.id[:2] == lesson.name[:2]]
    assert exercises
    for exercise in exercises:
        wrong, right = exercise.slips[0].code, exercise.solutions[0]
        student.answers(exercise, wrong, exercise.starter, f"{exercise.title}: not yet")
        student.types(f'hint("{exercise.id}")', f" of {len(exercise.hints)}")
        student.answers(exercise, right, wrong, f"{exercise.title}: right")
        student.types(f'solution("{exercise.id}")', "solution")


def test_the_page_finds_nothing_wrong_and_fetches_nothing_from_elsewhere(
    lesson: Lesson, lab: str
) -> None:
    assert lesson.complaints == []
    assert lesson.page.locator("[role=alert]:visible, [role=dialog]:visible").count() == 0
    assert lesson.fetched_from - {""} == {urlsplit(lab).netloc}
