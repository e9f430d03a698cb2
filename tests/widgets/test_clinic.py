"""The clinic: every case fails as its engine says, and is cured by what should cure it."""

import re
from collections import Counter

import pytest

import minigrad
from minigrad.widgets import Clinic, PredictFirst
from minigrad.widgets.clinic import CURED, DIAGNOSED, UNKNOWN, ClinicState
from minigrad.widgets.clinic_cases import CASES
from tests.widgets.sample_cases import WHICH_SLOPE

ALL = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def case_of(case_id):
    return next(case for case in CASES if case.id == case_id)


def test_there_is_a_case_for_each_lesson_and_many_for_the_clinic():
    cases = Counter(case.lesson for case in CASES)
    assert cases.pop(19) >= 12
    assert cases == dict.fromkeys({*range(22)} - {19}, 1)
    assert len({case.id for case in CASES}) == len(CASES)


@ALL
def test_it_fails_as_the_engine_says(torch, case):
    state = ClinicState(torch, case.id)
    last = state.symptom.splitlines()[-1]  # before it may be a warning that comes once a program
    assert last == ClinicState(minigrad, case.id).symptom.splitlines()[-1]
    assert bool(state.line) == ("Error: " in state.symptom)


@ALL
def test_only_a_right_snippet_cures(torch, case):
    state = ClinicState(torch, case.id)
    assert state.predict(case.cause).right
    assert state.status == DIAGNOSED
    assert not state.cure(case.source)
    assert not state.cure("")
    assert state.cure(case.fix), state.result
    assert state.status == CURED


@ALL
def test_a_wrong_diagnosis_is_told_what_speaks_against_it(torch, case):
    state = ClinicState(torch, case.id)
    for tries, other in enumerate(case.others, 1):
        verdict = state.predict(other)
        assert not verdict.right
        assert verdict.text.endswith(f"? {case.others[other]} Choose again.")
        assert case.because not in verdict.text
        assert case.cause not in verdict.text
        assert state.hints == case.hints[:tries]
        assert state.status == UNKNOWN
    assert case.because in state.predict(case.cause).text
    assert state.status == DIAGNOSED


@ALL
def test_nothing_is_told_before_the_diagnosis(torch, case):
    state = ClinicState(torch, case.id)
    shown = state.text + repr(state.snapshot) + repr(vars(state))
    assert case.because not in shown
    assert case.fix not in shown
    assert all(hint not in shown for hint in case.hints)
    assert case.cause not in state.text
    assert case.id not in state.text
    with pytest.raises(PredictFirst):
        state.cure(case.fix)
    with pytest.raises(PredictFirst):
        _ = state.solution
    assert state.status == UNKNOWN


def test_the_right_diagnosis_has_no_fixed_place(torch):
    state = ClinicState(torch)
    places = set()
    for name in state.ids:
        state.choose(name)
        (case,) = (case for case in CASES if case.id == name)
        places.add(state.question.kind.options.index(case.cause))
    assert places >= {0, 1, 2}


def test_the_graph_is_that_of_the_moment_of_failure(torch):
    state = ClinicState(torch, "99_written_over")
    assert "modified since saved: result" in state.text
    assert "No tensor was made." in ClinicState(torch, "99_paths_lost").text


def test_hints_come_one_by_one_and_a_solution_after_an_attempt(torch):
    state = ClinicState(torch, "99_which_slope")
    first, second = state.hint(), state.hint()
    assert first == "What is y.shape?"
    assert state.hints == (first, second)
    assert state.hint() == second
    state.predict("y has two entries, and backward() does not know how to weigh them")
    with pytest.raises(RuntimeError, match="Try a cure of your own first"):
        _ = state.solution
    state.cure(state.source)
    assert "backward(torch.ones(2))" in state.solution


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("while True:\n    pass", r"Not yet. Line [12]: Stopped after 0.2 seconds. Does a loop"),
        ("x = 1; y = x * x; while True: pass", "Not yet. Line 1: SyntaxError"),
        ("while True: print('again')", "Not yet. Line 1: Stopped after"),
        ("x = = 1", "Not yet. Line 1: SyntaxError"),
        ("x = unknown", "Not yet. Line 1: NameError: name 'unknown' is not defined"),
        ("raise SystemExit", "Not yet. Line 1: SystemExit"),
        ("def f(): return f()\nf()", "Not yet. Line 1: RecursionError"),
        ("x=1", "Not yet: it runs without an error, but the result isn't what the author wanted."),
    ],
)
def test_anything_that_is_typed_is_run(torch, source, says):
    state = ClinicState(torch, "00_nothing_asked", patience=0.2)
    state.predict(case_of("00_nothing_asked").cause)
    assert not state.cure(source)
    assert re.match(says, state.result)


def test_running_leaves_warnings_and_random_numbers_alone(torch):
    torch.manual_seed(5)
    expected = torch.rand(1).item()
    torch.manual_seed(5)
    ClinicState(torch, "15_two_loaders")
    assert torch.rand(1).item() == expected


def test_cases_that_there_are_not_are_refused(torch):
    with pytest.raises(ValueError, match="there's no case for lesson 77"):
        ClinicState(torch, 77)
    with pytest.raises(ValueError, match="cases must be one of .*, but got '99_none'"):
        ClinicState(torch, ["99_none"])
    with pytest.raises(ValueError, match="case must be one of 00_nothing_asked, but got '01'"):
        ClinicState(torch, 0).choose("01")


def test_what_cured_it_takes_the_place_of_what_was_wrong(torch):
    state = ClinicState(torch, ["99_which_slope", "00_nothing_asked"])
    state.choose("00_nothing_asked")
    state.predict(case_of("00_nothing_asked").cause)
    state.cure("x = torch.tensor(4.0, requires_grad=True)")
    assert "RuntimeError" in state.symptom
    state.cure(state.solution)
    assert (state.symptom, state.line) == ("tensor(6.)", None)
    assert "grad 6" in state.text
    assert "requires_grad=True" in state.program
    state.cure("x = 1")  # it stays cured
    assert "grad 6" in state.text
    state.choose("99_which_slope")
    assert state.cured == {"00_nothing_asked"}
    state.choose("00_nothing_asked")
    assert state.result == "Cured."
    assert "grad 6" in state.text


@pytest.fixture
def clinic(torch):
    return Clinic(torch, ["99_which_slope", "99_paths_lost"])


def diagnose(clinic):
    clinic._panel.choice.value = WHICH_SLOPE.cause
    clinic._panel.button.click()


def test_its_controls(clinic):
    assert clinic._workbench.layout.display == "none"
    assert "→  3</span>" in clinic._program.value
    assert clinic._panel.button.description == "Diagnose"
    clinic.buttons["hint"].click()
    assert "What is y.shape?" in clinic._hints.value
    diagnose(clinic)
    assert clinic._workbench.layout.display == ""
    assert clinic.buttons["solution"].disabled
    clinic.buttons["run"].click()
    assert not clinic.buttons["solution"].disabled
    assert "grad can be implicitly created" in clinic._result.value
    clinic.editor.value = "x = torch.ones(2)"
    clinic.buttons["run"].click()
    assert "it runs without an error, but" in clinic._result.value
    clinic.buttons["solution"].click()
    clinic.buttons["run"].click()
    assert "Cured." in clinic._result.value
    assert "mg-error" not in clinic._program.value
    assert "grad" in clinic._graph.outline
    assert [button.description for button in clinic.cases.values()] == ["1 ✓", "2"]
    clinic.cases["99_paths_lost"].click()
    assert "for source, result in edges" in clinic.editor.value
    assert repr(clinic) == "<Clinic: case 2 of 2, not diagnosed yet; 1 cured>"


def test_the_learners_own_text_can_be_brought_back(clinic):
    diagnose(clinic)
    assert clinic.buttons["own"].disabled
    clinic.editor.value = "x = 17"
    clinic.buttons["run"].click()
    for other in ("solution", "original", "solution"):
        clinic.buttons[other].click()
        assert clinic.editor.value != "x = 17"
    clinic.buttons["own"].click()
    assert clinic.editor.value == "x = 17"


def test_it_says_that_it_runs_while_it_runs(clinic, monkeypatch):
    diagnose(clinic)
    clinic.buttons["run"].click()
    shown = []
    monkeypatch.setattr(clinic.state, "cure", lambda _: shown.append(clinic._result.value))
    clinic.buttons["run"].click()
    assert "Running…" in shown[0]
    assert "Not yet" not in shown[0]


def test_what_is_read_comes_in_the_order_in_which_it_is_needed(clinic):
    parts = (clinic._panel, clinic._feedback, clinic._hints, clinic._workbench)
    places = [clinic.children.index(child) for child in parts]
    assert places == sorted(places)
