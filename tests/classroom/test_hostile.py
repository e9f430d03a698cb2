"""Whatever one student hands in, the others' rows stay as they would be without it.

`HOSTILE=10000` draws that many submissions; 300 otherwise.
"""

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from minigrad import cli
from minigrad.classroom.assignment import assignment
from tests.classroom import synthetic
from tests.classroom.running import rows

pytestmark = pytest.mark.classroom

NUMBER = int(os.environ.get("HOSTILE", "300"))
LESSON = assignment("01", cli.packaged_lessons())
NAME = LESSON.name
BLANK = synthetic.Lesson(NAME)
OTHERS = {
    "ada": BLANK.filled_in({one.id: one.solutions[0] for one in BLANK.exercises}, seed=1),
    "zoe": BLANK.filled_in({}, seed=2),
}
MEMORY = 300 << 20  # bytes that a submission may add to the coordinator

# Halves of letters, controls, directions, markup, formulas. Without `map`, Hypothesis would merge
# them with all other letters, and they would be very rare.
odd = st.sampled_from("\ud800\udfff\0\x1b\x9b\u202e\u2067\u2028\uffff<&\"'=;@").map(str)
letters = st.characters() | odd
texts = st.text(letters, max_size=30) | st.sampled_from(["=1+1", "</pre><script>", "x" * 10**7])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)
BOMB = b'{"cells": [], "metadata": {"a": [' + b"{}," * 6_500_000 + b"0]}}"
MANY = json.dumps({"cells": [{"cell_type": "code", "source": "1"}] * 250_000}).encode()
bombs = st.sampled_from([BOMB, MANY, b"[" * 100_000, b"9" * 10**7])


def code(text: str) -> str:
    """What a cell of an exercise may hold that has to do with a text."""
    return f"raise ValueError({json.dumps(text)})"


def answered(source: str) -> bytes:
    """The lesson's notebook with this answer to its first exercise."""
    return BLANK.filled_in({BLANK.exercises[0].id: source}, seed=0)


@st.composite
def notebooks(draw: st.DrawFn) -> bytes:
    """The lesson's notebook, with something odd in it or around it."""
    source = draw(texts | texts.map(code))
    notebook: dict[str, Any] = json.loads(answered("HERE"))
    cells = notebook["cells"]
    (answer,) = (cell for cell in cells if "HERE" in cell["source"])
    answer["source"] = answer["source"].replace("HERE", source)
    place = st.integers(0, len(cells) - 1)
    for _ in range(draw(st.integers(0, 3))):
        cell = cells[draw(place)]
        cell[draw(st.sampled_from(["source", "metadata", "id", "outputs", "cell_type"]))] = draw(
            values
        )
    note = {"cell_type": draw(st.sampled_from(["code", "markdown"])), "source": draw(texts)}
    cells.insert(draw(place), note | {"metadata": draw(values)})
    for name in ("grade", "solution"):  # as nbgrader's notebooks are
        for exercise in BLANK.exercises:
            held = f"{exercise.id}_grade" if name == "grade" else exercise.id
            marks = {"grade": name == "grade", "grade_id": held, "solution": name == "solution"}
            mine = {"nbgrader": marks | {"locked": True, "schema_version": 3, "points": 1}}
            cells.append({"cell_type": "code", "source": "", "metadata": mine, "outputs": []})
    notebook["metadata"] = draw(values)
    return json.dumps(notebook).encode()


contents = st.binary(max_size=200) | values.map(lambda one: json.dumps(one).encode())
contents = contents | bombs | notebooks() | notebooks()
named = st.sampled_from("\udcff\x1b\u202e\n ='<").map(str) | st.characters()
names = st.text(named.filter(lambda one: one not in "/\0"), min_size=1, max_size=40)
endings = st.sampled_from([".ipynb", ".IPYNB", ".ipynb.txt", ".zip", ".txt", ""])


@pytest.fixture(scope="module")
def graded_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The others' submissions, and what came of them, in both layouts."""
    top = tmp_path_factory.mktemp("before")
    for layout in ("folder", "nbgrader"):
        for student, content in OTHERS.items():
            hand_in(top / layout / "submitted", layout, student, ".ipynb", content)
        run(top / layout)
    return top


def hand_in(folder: Path, layout: str, student: str, ending: str, content: bytes) -> None:
    place = folder / student / NAME if layout == "nbgrader" else folder
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{NAME if layout == 'nbgrader' else student}{ending}").write_bytes(content)


def run(folder: Path) -> list[dict[str, str]]:
    """Grade what is in there; the rows of the table."""
    from minigrad.classroom import class_run
    from minigrad.classroom.run import Order

    output = folder / "graded"
    class_run.grade_class(Order(folder / "submitted", LESSON, output))
    kept = set(rows(output / f"grades-{NAME}.csv")[0]) - {"seconds"}
    return [{key: row[key] for key in kept} for row in rows(output / f"grades-{NAME}.csv")]


@pytest.fixture(scope="module", autouse=True)
def here() -> Iterator[None]:
    """Grade in this process's own workers, one after the other: no cluster for each example."""
    from minigrad.classroom import distributing

    def distribute(client: Any, work: Any, grade: Any, **_: Any) -> Any:
        return (distributing.Result(key, grade(content)) for key, content in work)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distributing, "cluster", lambda *_: contextlib.nullcontext())
        patch.setattr(distributing, "distribute", distribute)
        yield


# What cost the class its results, or a student the points, before there was this test.
@example("nbgrader", "half a letter", ".ipynb", answered("'HALF'").replace(b"HALF", rb"\ud800"))
@example("nbgrader", "half a letter in an error", ".ipynb", answered(code("\ud800")))
@example("nbgrader", "bomb", ".ipynb", BOMB)
@example("nbgrader", "many cells", ".ipynb", MANY)
@example("folder", "capital", ".IPYNB", answered("1"))
@settings(max_examples=NUMBER, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(["folder", "nbgrader"]), names, endings, contents)
def test_a_submission_costs_only_itself(
    graded_before: Path,
    tmp_path_factory: pytest.TempPathFactory,
    layout: str,
    name: str,
    ending: str,
    content: bytes,
) -> None:
    import resource

    folder = tmp_path_factory.mktemp("class")
    shutil.copytree(graded_before / layout, folder, dirs_exist_ok=True)
    before = run(folder)
    try:
        hand_in(folder / "submitted", layout, f"new-{name}", ending, content)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
        after = run(folder)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10 < used + MEMORY
        assert [row for row in after if row["student"] in OTHERS] == before
        assert len(after) == len(OTHERS) + 1
        (row,) = (row for row in after if row["student"] not in OTHERS)
        assert row["problem"] or any(row[one] for one in LESSON.exercises)
        assert not re.search("went wrong|can't be written", row["problem"])
    finally:
        shutil.rmtree(folder)
