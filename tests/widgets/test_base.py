"""What all instruments share, tried with one that asks three questions."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from minigrad import widgets
from minigrad.viz.backward.answers import Numbers
from minigrad.widgets.answers import Choice, Subset
from minigrad.widgets.base import Instrument, State, html
from minigrad.widgets.questions import Question


class Sums(State):
    title = "Sums"

    def __init__(self, *questions):
        self.questions = list(questions)
        self.known = []

    @property
    def question(self):
        return self.questions[0] if self.questions else None

    @property
    def summary(self):
        return f"{len(self.known)} known"

    @property
    def text(self):
        return "\n".join([self.summary, *map(str, self.known)])

    def answered(self, question):
        self.known.append(question.answer)
        self.questions.remove(question)


@pytest.fixture
def sums():
    instrument = Instrument(
        Sums(
            Question("1 + <1>?", Numbers(), lambda: 2.0),
            Question("Is it even?", Choice(("True", "False")), lambda: "True"),
            Question("Which divide it?", Subset(("1", "2", "3")), lambda: {"1", "2"}),
        ),
        [html()],
    )
    return SimpleNamespace(it=instrument, panel=instrument._panel, said=instrument._feedback)


def shown(panel):
    """The controls that can be seen."""
    controls = (panel.text, panel.choice, panel.boxes)
    return [control for control in controls if control.layout.display != "none"]


def test_driven_by_its_controls(sums):
    assert repr(sums.it) == "<Instrument: 0 known>"
    assert "1 + &lt;1&gt;?" in sums.panel._prompt.value
    sums.panel.text.value = "two"
    sums.panel.button.click()
    assert ">Type a number, such as 1.<" in sums.said.value
    assert sums.panel.text.value == "two"

    sums.panel.text.value = "2"
    sums.panel.text._handle_custom_msg({"event": "submit"}, [])  # what the Enter key sends
    assert "<b>Right:</b> 2." in sums.said.value

    assert shown(sums.panel) == [sums.panel.choice]
    sums.panel.button.click()
    assert ">Choose an answer first.<" in sums.said.value
    assert sums.panel.choice.value is None
    sums.panel.choice.value = "False"
    sums.panel.button.click()
    assert "<b>Not quite:</b> you said False; the answer is True." in sums.said.value

    assert shown(sums.panel) == [sums.panel.boxes]
    sums.panel.button.click()
    assert ">Choose an answer first.<" in sums.said.value
    sums.panel.boxes.children[0].value = True
    sums.panel.button.click()
    assert "you said 1; the answer is 1, 2." in sums.said.value
    assert sums.panel.layout.display == "none"
    assert repr(sums.it) == "<Instrument: 3 known>"


def test_none_of_them_is_an_answer_of_its_own():
    subset = Question("Which are even?", Subset(("1", "3")), set)
    panel = Instrument(Sums(subset), [html()])._panel
    one, three, none = panel.boxes.children
    assert none.description == "none of them"
    one.value = three.value = True
    none.value = True
    assert not one.value
    assert not three.value
    one.value = True
    assert not none.value
    none.value = True
    panel.button.click()
    assert subset.verdict.text == "Right: none."


def test_another_prediction_takes_the_verdict_back(sums):
    sums.it.predict(2)
    assert sums.said.layout.visibility == "visible"
    sums.panel.choice.value = "False"
    assert sums.said.layout.visibility == "hidden"
    sums.panel.button.click()
    assert sums.said.layout.visibility == "visible"
    assert "you said False" in sums.said.value


def test_a_control_leaves_neither_verdict_nor_field_text(sums):
    sums.panel.text.value = "two"
    sums.panel.button.click()
    sums.it.act(lambda: None)
    assert sums.said.value == sums.panel.text.value == ""
    sums.it.predict(2)
    sums.it.act(lambda: None)
    assert sums.said.value == ""


def test_driven_without_controls(sums):
    assert sums.it.predict(2).right
    with pytest.raises(ValueError, match="Choose one of these: True, False."):
        sums.it.predict("maybe")
    assert not sums.it.predict(False).right
    sums.it.predict(["1", "2"])
    with pytest.raises(RuntimeError, match="no open question"):
        sums.it.predict(1)


def test_what_it_leaves_where_no_kernel_runs(sums):
    data = sums.it._repr_mimebundle_()
    assert data["text/plain"] == "0 known"
    assert "0 known" in data["image/svg+xml"]
    assert data["image/svg+xml"].startswith("<svg")
    assert "application/vnd.jupyter.widget-view+json" in data


def test_it_has_what_a_screen_reader_needs(sums):
    assert 'role="heading"' in sums.it._heading.value
    assert sums.panel.text.description
    assert sums.panel.button.tooltip
    sums.it.predict(3)
    assert 'role="status"' in sums.said.value


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def test_importing_minigrad_imports_no_widgets():
    ran = run("import minigrad, sys; print('minigrad.widgets' in sys.modules)")
    assert ran.stdout.strip() == "False", ran.stderr


def test_what_instruments_share_needs_no_widgets_and_widgets_no_matplotlib():
    ran = run(
        "import importlib, sys, minigrad.widgets as w\n"
        "for name in 'questions answers plot points running cut_program clinic_cases'.split():\n"
        "    importlib.import_module(f'minigrad.widgets.{name}')\n"
        "print({'ipywidgets', 'anywidget', 'IPython'} & set(sys.modules))\n"
        "for name in w._WHERE: getattr(w, name)\n"
        "print({'matplotlib', 'torch'} & set(sys.modules))"
    )
    assert ran.stdout.split() == ["set()", "set()"], ran.stderr


def test_nudge_is_the_function_and_not_its_module():
    ran = run("import minigrad.widgets as w; w.Nudge; print(type(w.nudge).__name__)")
    assert ran.stdout.strip() == "function", ran.stderr


def test_without_ipywidgets_it_says_what_to_install():
    ran = run("import sys; sys.modules['ipywidgets'] = None; from minigrad.widgets import Clinic")
    assert 'pip install "minigrad-lessons[lab]"' in ran.stderr


def test_every_instrument_is_listed():
    assert {"LeafInspector", "teacher_mode", "PredictFirst"} <= set(dir(widgets))
    with pytest.raises(AttributeError, match="has no attribute 'Hammer'"):
        _ = widgets.Hammer
