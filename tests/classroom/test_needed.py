"""Of a lesson's own cells, those statements run that the student's cells have to do with."""

from pathlib import Path

import pytest

from minigrad.classroom.assignment import assignment
from minigrad.classroom.bridge.cells import names_in
from minigrad.classroom.needed import ANY_NAME, needed
from minigrad.classroom.reading import Cell
from minigrad.classroom.store import Graded
from minigrad.classroom.task import grade_bytes
from minigrad.cli import packaged_lessons
from tests.classroom.sandbox.submitting import written

LESSON = """\
import minigrad as torch
nn = torch.nn
steps = 3
torch.manual_seed(1)
def loss_of(model): return model(data).sum()
data = torch.ones(2, 2)
net = nn.Linear(2, 2)
copy = net
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(steps):
    loss_of(net).backward()
    optimizer.step()
total = 0
def count():
    global total
    total += 1
count()
other = torch.ones(3)"""
ALWAYS = {0, 1, 2, 3, 4, 12, 13, 14, 15, 16}  # and what a function may change by itself


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("answer = 3", set()),
        ("def answer(net):\n    data = net\n    return data + nn.init", set()),
        ("other += 1", {17}),
        ("loss_of(torch.relu)", {5, 6, 7, 8, 9, 10, 11}),
        ("copy", {5, 6, 7, 8, 9, 10, 11}),
        ("f'{net}'", {5, 6, 7, 8, 9, 10, 11}),
        ("%time answer = data + 1", {5, 6, 7, 8, 9, 10, 11}),
        ("def f():\n    return [other for x in 'ab']", {17}),
    ],
)
def test_what_a_name_has_to_do_with_is_run(code: str, lines: set[int]) -> None:
    cells = [Cell(0, LESSON, None, ()), Cell(1, code, None, ())]
    lesson, own = needed(cells, {0}, names_in(code))
    found = {n for n, line in enumerate(lesson.source.split("\n")) if line}
    assert found == ALWAYS | lines
    assert own.source == code


@pytest.mark.parametrize(
    ("code", "any_name"),
    [
        ("for _, one in things: pass", False),
        ("_ = f()", False),
        ("class Dual:\n    def __init__(self, a_): self.Inputs = a_", False),
        ("a_grad = _", True),
        ("a_grad = Out[3]", True),
        ("eval('net')", True),
        ("get_ipython().user_ns", True),
        ("# In words: dir of sys", False),
        ("import __main__", True),
    ],
)
def test_code_may_use_names_that_do_not_stand_in_it(code: str, any_name: bool) -> None:
    cells = [Cell(0, LESSON, None, ()), Cell(1, code, None, ())]
    everything = bool(ANY_NAME.search(code)) or needed(cells, {0}, names_in(code)) == cells
    assert everything is any_name


@pytest.mark.sandbox
@pytest.mark.parametrize("path", packaged_lessons(), ids=lambda path: path.stem)
def test_every_lesson_gets_all_its_points(path: Path, tmp_path: Path) -> None:
    lesson = assignment(path.stem, [path])
    content = written(tmp_path / "it.ipynb", lesson.lesson, {}).read_bytes()
    graded = Graded.from_json(grade_bytes(content, lesson, unprotected=False))
    assert graded.grade.points == len(lesson.exercises), graded.grade
    assert graded.grade.problem is None
