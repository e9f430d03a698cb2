"""check: three outcomes, whatever a learner types, and no trace of it afterwards."""

import gc
import random
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minigrad.exercises import check, checking, hint, judging, progress, solution, standing
from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, all_exercises, find
from minigrad.exercises.result import NOT_ATTEMPTED, NOT_YET, RIGHT, Result, page
from tests.exercises.answering import answer
from tests.exercises.sample import FUNCTION, NUMBER


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exercises 99_number and 99_function, as if a lesson had them."""
    known = {one.id: one for one in (NUMBER, FUNCTION)}
    find = checking.find
    monkeypatch.setattr(checking, "find", lambda name: known.get(name) or find(name))


def message(exercise: Exercise, code: str) -> str:
    """What is said of an answer that isn't right."""
    found = answer(exercise, code)
    assert found.outcome == NOT_YET
    return found.message


@pytest.mark.parametrize("code", ["", "six = ...", "other = 6"])
def test_no_answer_is_no_attempt(code: str) -> None:
    assert answer(NUMBER, code).outcome == NOT_ATTEMPTED


def test_an_answer_of_another_name_is_asked_for_by_its_own() -> None:
    assert "There's no `six`. Is it spelled that way?" in answer(NUMBER, "sixx = 6").message
    assert "There is no" not in answer(NUMBER, "six = ...").message


@pytest.mark.parametrize(
    "code",
    ["def double(x):\n    ...", "\n\n\ndef double(x):\n  # I shall write it tomorrow\n  ..."],
)
def test_an_unchanged_function_is_no_attempt(code: str) -> None:
    assert answer(FUNCTION, code).outcome == NOT_ATTEMPTED


@pytest.mark.parametrize(
    "code", ["six = 6", "six = 6.0", "six = torch.tensor(6)", "import numpy\nsix = numpy.int8(6)"]
)
def test_a_number_may_come_in_any_form(code: str) -> None:
    found = answer(NUMBER, code)
    assert found.outcome == RIGHT
    assert found.message == "5 + 1 = 6."


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("six = 'six'", "`six` is `'six'`. That isn't what the task"),
        ("six = True", "`six` is `True`. That isn't what the task"),
        ("six = [6]", "`six` is `[6]`. That isn't what the task"),
        ("six = {}", "`six` is a dict. That isn't what the task"),
        ("six = torch.ones(2)", "`six` is `[1, 1]`. That isn't what the task"),
        ("six = 10 ** 4000", "`six` is a huge number. That isn't what the task"),
        ("six = torch.ones(1, requires_grad=True).backward()", "`six` is `None`. That's what `ba"),
        ("six = torch.zeros(1).sum", "`six` is a method. That isn't what the task"),
        ("six = '6' * 100_000", "`six` is a long str. That isn't what the task"),
        ("six = 5 + none", "name 'none' is not defined"),
        ("six = 5 + none", "There's nothing with that name."),
    ],
)
def test_another_kind_of_answer_is_said_plainly(code: str, said: str) -> None:
    assert said in message(NUMBER, code)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("double = 3", "`double` is `3`. It should be a function."),
        ("def double(): return 2", "double() takes 0 positional arguments but 1 was given"),
        ("def double(x):\n    y = 2 * x", "returns `None`. Does it `return` its result?"),
        ("def double(x):\n    return x.double", "Did you leave out the parentheses that call it?"),
        ("def double(x):\n    return (2 * x,)", "take it out with `[0]`"),
        ("def double(x):\n    return x.doubled()", "It has no attribute with that name."),
        ("def double(x):\n    return x.grad.sum()", "left of the dot is None"),
        ("def double(x):\n    return x[9]", "past the end"),
        ("def double(x):\n    return 2 * (x,)[0].shape.numel", "a `method` with parentheses"),
        ("def double(x):\n    with torch.no_grad: return x", "Are parentheses missing"),
        ("def double(x):\n    return 'twice'", "What `double` returns is `'twice'`. It should"),
        ("def double(x):\n    return x", "`double(x)` is `[1, 2]`. That isn't"),
        ("def double(x):\n    return x.twice()", "in line 3 of the cell:\n\n    return x.twice()"),
        ("def double(x):\n    return y", "There's nothing with that name."),
        ("def double(x):\n    return double(x)", "A function keeps calling itself"),
        ("def double(x):\n    x += x\n    return x", "under `with torch.no_grad():`"),
        ("import sys\ndef double(x):\n    sys.exit()", "ended Python itself"),
        ("def double(x):\n    raise KeyboardInterrupt", "was interrupted before"),
        ("class E(Exception):\n  def __str__(self): 1/0\ndef double(x): raise E", "can't be print"),
        ("class double:\n    def __init__(self, x): pass", "`double` returns is a double. It"),
    ],
)
def test_what_goes_wrong_in_a_function_is_explained(code: str, said: str) -> None:
    assert said in message(FUNCTION, code)


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Hypothesis has callbacks in the garbage collector; an alarm that falls into one is lost."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_an_endless_function_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "SECONDS", 0.1)
    said = message(FUNCTION, "def double(x):\n    while True:\n        x = x * 1")
    assert "`double` ran too long and was stopped after 0.1 seconds" in said
    assert "of the cell:" in said


def test_a_check_may_take_longer_than_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "SECONDS", 0.1)

    def slowly(attempt: Attempt) -> Iterator[Observation]:
        time.sleep(0.2)
        yield "`six`", attempt["six"]

    slow = replace(NUMBER, probe=slowly)
    assert answer(slow, "six = 6").outcome == RIGHT
    monkeypatch.setattr(judging, "SECONDS_IN_ALL", 0.1)
    assert answer(slow, "six = 6").outcome == NOT_YET


@pytest.mark.parametrize(
    "hostile",
    [
        "def __getattribute__(self, name): raise ValueError('no')",
        "def __getattr__(self, name): raise SystemExit",
        "def __eq__(self, other): raise ValueError('no')\n    __hash__ = None",
        "__class__ = property(lambda self: 1 / 0)",
        "__class__ = int",
        "def __repr__(self): return 3",
        "def __bool__(self): raise ValueError",
        "def __call__(self, *a): raise BaseException('all the way up')",
        "def __getattribute__(self, name):\n        while True: pass",
    ],
)
@pytest.mark.parametrize("exercise", [NUMBER, FUNCTION], ids=lambda one: one.id)
def test_an_object_that_will_not_be_read_does_no_harm(
    exercise: Exercise, hostile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "SECONDS_IN_ALL", 0.2)
    code = f"class Hostile:\n    {hostile}\n{exercise.answers[0]} = Hostile()"
    assert answer(exercise, code).outcome == NOT_YET


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
THINGS = st.recursive(
    SCALARS | st.just(...) | st.complex_numbers() | st.builds(object) | st.just(np.arange(3)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.lists(inner).map(tuple),
    max_leaves=8,
) | st.sampled_from(
    [int, len, sys, max, np.float64(6), np.ones((2, 2)), {1, 2}, iter([]), print, lambda *x: x]
)


@pytest.mark.parametrize("exercise", [NUMBER, FUNCTION, *all_exercises()], ids=lambda one: one.id)
@given(data=st.data())
@settings(max_examples=20, derandomize=True)
def test_check_takes_anything(exercise: Exercise, data: st.DataObject) -> None:
    found = judging.judge(exercise, {name: data.draw(THINGS) for name in exercise.answers})
    assert isinstance(found, Result)
    assert str(found)
    assert found._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize(
    "spoil",
    ["torch = 3", "torch.tensor = None", "torch.manual_seed = torch.is_grad_enabled = None"],
)
def test_a_spoilt_torch_does_no_harm(spoil: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import minigrad

    for name in ("tensor", "manual_seed", "is_grad_enabled"):
        monkeypatch.setattr(minigrad, name, getattr(minigrad, name))
    found = answer(FUNCTION, f"def double(x):\n    return 2 * x\n{spoil}")
    assert found.outcome == (RIGHT if spoil == "torch = 3" else NOT_YET)


def test_it_leaves_everything_as_it_was(torch: Any, capfd: pytest.CaptureFixture[str]) -> None:
    code = """
import random, sys, warnings
w = torch.ones(3, requires_grad=True)
frozen = torch.ones(2)
(w * 2).sum().backward()
grad = w.grad
y = w * w
count = 0
def double(x):
    global count, w2
    count = 1
    w2 = 3
    print("x" * 10_000)
    warnings.warn("careful")
    torch.randn(3), random.random(), torch.set_grad_enabled(False)
    (w * 5).sum().backward()
    with torch.no_grad():
        frozen.fill_(9)
    w.grad = None
    sys.setrecursionlimit(500)
    return 2 * x
"""
    namespace: dict[str, Any] = {"torch": torch}
    exec(code, namespace)
    torch.manual_seed(1)
    random.seed(1)
    before = (torch.get_rng_state().tolist(), random.getstate(), set(namespace))
    limit = sys.getrecursionlimit()
    with torch.no_grad():
        assert judging.judge(FUNCTION, namespace).outcome == NOT_YET  # switched recording off
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()
    after = (torch.get_rng_state().tolist(), random.getstate(), set(namespace))
    assert after == before
    assert namespace["count"] == 0
    assert sys.getrecursionlimit() == limit
    assert namespace["w"].grad is namespace["grad"]
    assert namespace["w"].grad.tolist() == [2, 2, 2]
    assert namespace["frozen"].tolist() == [1, 1]
    assert namespace["w"]._version == 0
    namespace["y"].sum().backward()  # nothing was freed, nothing written to
    assert capfd.readouterr() == ("", "")


def test_the_answers_are_found_where_check_is_called() -> None:
    namespace = {"check": check, "six": 6}
    assert eval("check('99_number')", namespace).outcome == RIGHT


def test_an_unknown_exercise_is_no_attempt() -> None:
    found = check("04_dimond")
    assert found.outcome == NOT_ATTEMPTED
    assert 'Did you mean "04_diamond"?' in str(found)
    assert 'Did you mean "04_diamond"?' in hint("04_dimond").message
    assert 'Did you mean "04_diamond"?' in solution("04_dimond").message


def test_hints_come_one_at_a_time() -> None:
    assert [hint("99_number").message.split("\n")[0] for _ in range(3)] == [
        "It is not 5.",
        "It is not 7 either.",
        "It is not 7 either.",
    ]
    assert "hint 2 of 2" in str(hint("99_number"))
    assert standing.standing("99_number").hints == 2  # hints, not presses


def test_the_solution_comes_after_an_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    namespace: dict[str, Any] = {"check": check, "six": ...}
    exec("check('99_number')", namespace)
    assert "six = 6" not in str(solution("99_number"))
    namespace["six"] = 7
    exec("check('99_number')", namespace)
    assert "    six = 6\n\nAnother way:\n\n    six = 5 + 1" in str(solution("99_number"))
    assert "x + x" not in str(solution("99_function"))
    monkeypatch.setenv("MINIGRAD_TEACHER", "1")
    assert "x + x" in str(solution("99_function"))


def test_progress_is_a_table() -> None:
    exec("check('04_diamond')", {"check": check, "a_grad": 9})
    hint("04_diamond")
    shown = str(progress())
    assert shown.startswith("Exercises: 1 of ")
    title = find("04_diamond").title
    assert re.search(rf"✓ 04 {title} +1 +1", shown)


def test_a_result_is_one_line_as_text_whole_on_a_page() -> None:
    found = answer(FUNCTION, "def double(x):\n    return x * 3")
    bundle = found._repr_mimebundle_()
    assert repr(found) == "<99_function: not yet>"
    assert "MulBackward0" in str(found)
    assert bundle["text/plain"] == str(found)
    assert "<svg" in bundle["text/html"]
    wrong = answer(NUMBER, "six = 7")
    assert repr(wrong) == "<99_number: not yet, misconception 2>"
    assert wrong.message == "You added 2."


def test_emphasis_and_code_on_a_page() -> None:
    html = page("*It is `a * b`, and `c`.* 2 * 3 * 4\n\n    y = x * 2 * 3\n    z < 1\n\n**So.**")
    assert "<em>It is <code>a * b</code>, and <code>c</code>.</em> 2 * 3 * 4" in html
    assert ">y = x * 2 * 3\nz &lt; 1</pre>" in html
    assert "<strong>So.</strong>" in html


def test_what_a_learner_typed_is_no_html() -> None:
    html = answer(NUMBER, "six = '<script>'")._repr_mimebundle_()["text/html"]
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_a_function_that_changes_what_it_is_given_is_not_right() -> None:
    said = message(FUNCTION, "def double(x):\n    x.data.zero_()\n    return x.sum()")
    assert "`double` changes the values" in said
