"""Files that are no submissions are told apart, and nothing is opened but an ordinary file."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minigrad as torch
from minigrad.classroom.bridge.values import Reader, Unreadable, Writer
from minigrad.classroom.discovery import Refused, read_whole
from minigrad.classroom.grades import exercises_of_lesson
from minigrad.classroom.incidents import said_of
from minigrad.classroom.reading import BadNotebook, read_submission
from tests.classroom.sandbox.submitting import written

EXERCISES = exercises_of_lesson("04")
MOST = 1 << 20


def no_pipe(path: Path) -> None:
    os.mkfifo(path)


def no_link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "No such file"),
        (no_link, "Links are not followed"),
        (no_pipe, "not an ordinary file"),
        (Path.mkdir, "not an ordinary file"),
        (lambda path: path.write_text("x" * (MOST + 1)), "1 MB are read"),
    ],
)
def test_only_an_ordinary_file_is_opened(make: Any, said: str, tmp_path: Path) -> None:
    make(tmp_path / "it.ipynb")
    with pytest.raises(Refused, match=said):
        read_whole(tmp_path / "it.ipynb", MOST)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("not json", "cannot be read as JSON"),
        ("[" * 100_000, "cannot be read as JSON"),
        ('{"cells": 3}', "no list of cells"),
        ('{"cells": [{"cell_type": "code", "source": 3}]}', "holds no text"),
        ('{"cells": []}', "another notebook"),
        (json.dumps({"cells": [{"cell_type": "code"}] * 3000}), "more than 2000 cells"),
    ],
)
def test_what_is_no_submission_is_told(content: str, said: str) -> None:
    with pytest.raises(BadNotebook, match=said):
        read_submission(content.encode(), EXERCISES)


def test_another_lesson_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadNotebook, match="no exercise of lesson 04"):
        read_submission(written(tmp_path / "it.ipynb", "03", {}).read_bytes(), EXERCISES)


def test_every_exercise_is_found(tmp_path: Path) -> None:
    cells = read_submission(written(tmp_path / "it.ipynb", "04", {}).read_bytes(), EXERCISES)
    wanted = sorted(one.id for one in EXERCISES)
    assert sorted(cell.exercise for cell in cells if cell.exercise) == wanted
    assert sorted(name for cell in cells for name in cell.checks) == wanted


def other(*_: Any) -> Any:
    raise Unreadable


def through(value: Any) -> Any:
    writer = Writer(other)
    text = json.dumps(writer.value(value))
    return Reader(bytes(writer.arrays), other).value(json.loads(text))


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 3, -(2**80), 2.5, "text", ..., [1, (2, 3)], {"a": {4}}, slice(1, None)),
        *(torch.float32, torch.int64, torch.bool),
    ],
)
def test_values_travel_as_they_are(value: Any) -> None:
    assert through(value) == value
    assert type(through(value)) is type(value)


def test_arrays_travel_as_they_are() -> None:
    swapped = np.arange(3.0).astype(">f4")
    plain = np.arange(6.0).reshape(2, 3).T, np.array(3), np.empty((0, 2)), np.array([True])
    for array in (*plain, swapped, np.float16([1])):
        found = through(array)
        np.testing.assert_array_equal(found, array)
        assert found.dtype == array.dtype


def test_what_lies_about_itself_is_taken_for_what_it_is() -> None:
    class Seven(float):
        def __float__(self) -> float:
            return 7.0

    assert through(Seven(3)) == 3.0


@pytest.mark.parametrize(
    "written",
    [
        [1],
        {"list": 3},
        {"unknown": 1},
        {"array": ["<f4", [10], 0]},
        {"array": ["|O", [1], 0]},
        {"array": ["<f4", [-1], 0]},
        {"array": ["<f4", [1 << 40, 1 << 40], 0]},
        {"int": 3},
        {"dtype": "__builtins__"},
        {"dtype": "torch.nn"},
        {"dtype": "torch.Tensor"},
        {"dtype": ["torch.float32"]},
        {"array": ["f4,f4", [1], 0]},
        {"list": [1], "tuple": [1]},
    ],
)
def test_what_no_one_writes_is_refused(written: Any) -> None:
    with pytest.raises(Unreadable):
        Reader(b"1234", other).value(written)


def test_incidents_are_told_only_of_events_that_are_known() -> None:
    assert said_of(["open", "/etc/\x1bpasswd"]) == (
        "It opened the file /etc/?passwd: it sees no files but Python's own, and can write none."
    )
    assert said_of(["verdict", "right"]) is None
    assert said_of("right") is None
