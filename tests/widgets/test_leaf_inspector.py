"""The leaf inspector: what it shows of tensors, and what it asks before."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from minigrad.widgets import LeafInspector
from minigrad.widgets.leaf_inspector import ASKABLE, COLUMNS, LeafInspectorState

QUESTIONS = tuple(ASKABLE)


@pytest.fixture
def tensors(torch):
    """One tensor of each kind, by name."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    kept = y.exp()
    kept.retain_grad()
    kept.sum().backward()
    data = torch.tensor([3.0])
    data.add_(1)
    return {"x": x, "y": y, "kept": kept, "cut": y.detach(), "data": data}


def rows(state):
    return {row[0]: dict(zip(state.head, row, strict=True)) for row in state.rows}


def answer_all(state):
    while state.question is not None:
        state.predict(state.question.kind.options[0])


def test_a_row_is_covered_until_all_questions_about_it_are_answered(tensors):
    state = LeafInspectorState(list(tensors.items()), ask=("is_leaf", "grad"))
    assert state.head == ["tensor", "is_leaf", "grad"]
    assert {text for row in state.rows for text in row[1:]} == {"?"}
    assert state.current == 0
    assert state.question.prompt == "x.is_leaf: is x a leaf?"
    assert state.predict(True).right
    assert state.rows[0] == ["x", "True", "?"]
    state.predict("a tensor")
    assert state.rows[:2] == [["x", "True", "[14.7781, 109.1963]"], ["y", "?", "?"]]
    assert state.summary == "1 of 5 tensors shown"


def test_the_other_columns_come_when_all_is_answered(torch, tensors):
    state = LeafInspectorState(list(tensors.items()), ask=("grad_fn",))
    assert state.head == ["tensor", "grad_fn"]
    answer_all(state)
    assert state.head == ["tensor", *COLUMNS]
    assert rows(state)["x"]["dtype [shape]"] == "float32 [2]"
    state.look([*tensors.items(), ("new", torch.ones(1))])
    assert state.head == ["tensor", "grad_fn"]
    assert state.rows[-1] == ["new", "?"]


def test_what_it_shows_is_what_the_tensors_say(tensors):
    state = LeafInspectorState(list(tensors.items()))
    answer_all(state)
    for name, row in rows(state).items():
        tensor = tensors[name]
        for column in ("is_leaf", "requires_grad", "retains_grad"):
            assert row[column] == str(getattr(tensor, column))
        assert row["version"] == str(tensor._version)
        assert row["grad_fn"] == ("None" if tensor.grad_fn is None else tensor.grad_fn.name())
    assert rows(state)["x"]["grad"] == "[14.7781, 109.1963]"
    assert rows(state)["kept"]["grad"] == "[1, 1]"
    assert rows(state)["y"]["grad"] == "None"
    assert rows(state)["data"]["version"] == "1"
    shared = {name: row["shares memory with"] for name, row in rows(state).items()}
    assert shared == {"x": "–", "y": "cut", "kept": "–", "cut": "y", "data": "–"}
    assert state.question is state.current is None


def test_each_answer_comes_with_its_reason(tensors):
    state = LeafInspectorState(list(tensors.items()))
    said = []
    while state.question is not None:
        said.append(str(state.predict("True")))
    assert said == [
        "Right: True. x: no recorded operation made it, and it requires grad, so it is a leaf.",
        "Not quite: you said True; the answer is False. "
        "y: MulBackward0 computed it from a tensor that requires grad, so it isn't a leaf.",
        "Not quite: you said True; the answer is False. "
        "kept: ExpBackward0 computed it from a tensor that requires grad, so it isn't a leaf.",
        "Right: True. cut: no recorded operation made it, so it is a leaf, "
        "even without requiring grad.",
        "Right: True. data: no recorded operation made it, so it is a leaf, "
        "even without requiring grad.",
    ]


@pytest.mark.parametrize("column", QUESTIONS)
def test_every_question_is_answered_by_the_tensors(tensors, column):
    for name, tensor in tensors.items():
        state = LeafInspectorState([(name, tensor)], ask=(column,))
        question = state.question
        state.predict(question.kind.options[0])
        if column == "grad_fn":
            truth = "None" if tensor.grad_fn is None else "a node"
        elif column == "grad":
            truth = "a tensor" if name in ("x", "kept") else "None"
        else:
            truth = str(getattr(tensor, column))
        assert question.answer == truth


def test_what_was_predicted_belongs_to_the_tensor_not_to_its_name(torch, tensors):
    state = LeafInspectorState(list(tensors.items()))
    state.predict(True)
    state.look([("renamed", tensors["x"]), ("x", torch.ones(1)), ("y", tensors["y"])])
    assert state.rows[0][1] == "True"
    assert state.rows[1][1] == "?"
    question = state.question
    assert question.prompt == "x.is_leaf: is x a leaf?"
    state.look([("y", tensors["y"])])
    assert state.question is not question
    question = state.question
    state.look([("y", tensors["y"]), ("z", tensors["data"])])
    assert state.question is question


def test_a_question_that_cannot_be_asked_is_refused():
    with pytest.raises(ValueError, match="ask must be one of is_leaf, .*, but got 'version'"):
        LeafInspectorState([], ask=("version",))
    with pytest.raises(ValueError, match="but got 'nothing'"):
        LeafInspectorState([], ask=())


def test_the_widget_shows_the_tensors_by_their_names(torch):
    x = torch.ones(2, requires_grad=True)
    inspector = LeafInspector(x, x * 2)
    assert [row[0] for row in inspector.state.rows] == ["x", "tensor 1"]
    assert "is_leaf</th>" in inspector.table.value
    assert ">True</td>" not in inspector.table.value
    inspector._panel.choice.value = "True"
    inspector._panel.button.click()
    assert ">True</td>" in inspector.table.value
    assert repr(inspector) == "<LeafInspector: 1 of 2 tensors shown>"
    with pytest.raises(TypeError, match=r"tensor 0 must be a tensor, but is list"):
        LeafInspector([x])


def test_it_follows_the_notebook(torch, monkeypatch):
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    config = Config()
    config.HistoryManager.hist_file = ":memory:"
    shell = InteractiveShell(config=config)
    monkeypatch.setattr("minigrad.widgets.base.get_ipython", lambda: shell)
    shell.user_ns.update(torch=torch, LeafInspector=LeafInspector)
    shell.run_cell("a = torch.ones(1)\nb = a\ninspector = LeafInspector()").raise_error()
    inspector = shell.user_ns["inspector"]
    assert [row[0] for row in inspector.state.rows] == ["a"]
    shell.run_cell("c = a + 1").raise_error()
    assert [row[0] for row in inspector.state.rows] == ["a", "c"]
    inspector.close()
    shell.run_cell("d = a + 1").raise_error()
    assert [row[0] for row in inspector.state.rows] == ["a", "c"]
    shell.history_manager.end_session()


def test_names_with_markup_are_only_text(torch):
    inspector = LeafInspector(torch.ones(1))
    inspector.state.look([("<img src=x onerror=alert(1)>", torch.ones(1))])
    inspector.refresh()
    shown = inspector.table.value + inspector._panel._prompt.value
    assert "<img" not in shown
    assert "&lt;img" in shown
