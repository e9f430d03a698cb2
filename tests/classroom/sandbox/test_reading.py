"""Files that are no submissions are told apart, and nothing is opened but an ordinary file."""

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minigrad as torch
from minigrad.classroom import parsing
from minigrad.classroom.bridge.values import Reader, Unreadable, Writer
from minigrad.classroom.grades import exercises_of_lesson
from minigrad.classroom.incidents import said_of
from minigrad.classroom.reading import Refused, parse, read_whole
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
        (lambda path: path.write_bytes(bytes(MOST + 1)), "1 MB are read"),
    ],
)
def test_only_ordinary_files_are_opened(make: Any, said: str, tmp_path: Path) -> None:
    make(tmp_path / "it.ipynb")
    with pytest.raises(Refused, match=said):
        read_whole(tmp_path / "it.ipynb", MOST)


def holding(*cells: Any) -> bytes:
    return json.dumps({"cells": cells}).encode()


CODE = {"cell_type": "code", "source": "1"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"not json", "can't be read as JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"cells": 3}', "no list of cells"),
        (holding(CODE, {"cell_type": "code", "source": 3}), "cell 2 has no text"),
        (holding(), "Is it another notebook"),
        (holding(*[CODE] * 2001), "2,001 cells; up to 2,000"),
        (holding(CODE, CODE | {"source": "x" * 200_001}), "Cell 2 has 200,001 characters"),
        (holding(*[CODE | {"source": "x" * 190_000}] * 11), "cells of code have more than"),
        (holding(CODE | {"metadata": {"a": [{}] * 500_001}}), "outputs and metadata have more"),
        (bytes((20 << 20) + 1), "up to 21 MB are read"),
    ],
)
def test_what_is_no_submission_is_told(content: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said):
        parse(content).code(EXERCISES)


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("limit", "said"), [("SECONDS = 0", "0 seconds"), ("MEMORY = 1 << 25", "32 MB of memory")]
)
def test_parsing_has_limits(
    limit: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, value = limit.split(" = ")
    program = Path(parsing.__file__).read_text(encoding="utf-8")
    (tmp_path / "parsing.py").write_text(re.sub(f"(?m)^{name} = .*$", limit, program))
    monkeypatch.setattr(parsing, "__file__", str(tmp_path / "parsing.py"))
    monkeypatch.setattr(parsing, name, eval(value))
    bomb = b'{"a": [' + b"{}," * 400_000 + b"1" * 100 + b"]}"
    with pytest.raises(Refused, match=said):
        parse(bomb)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_text_is_read_in_each_encoding_and_halves_of_letters_are_replaced(encoding: str) -> None:
    text = json.dumps({"cells": [CODE | {"source": ["é\ud800", "b"]}]}, ensure_ascii=True)
    (cell,) = parse(text.encode(encoding)).cells
    assert cell.source == "é?b"


def test_another_lesson_is_known_by_its_exercises(tmp_path: Path) -> None:
    notebook = parse(written(tmp_path / "it.ipynb", "03", {}).read_bytes())
    assert notebook.lessons == ["03"]
    with pytest.raises(Refused, match="It is a notebook of lesson 03"):
        notebook.code(EXERCISES)


def test_every_exercise_is_found(tmp_path: Path) -> None:
    cells = parse(written(tmp_path / "it.ipynb", "04", {}).read_bytes()).code(EXERCISES)
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
