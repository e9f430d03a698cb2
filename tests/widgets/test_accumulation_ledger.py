"""The accumulation ledger: each change of a .grad is entered, and covered until it is predicted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import minigrad
from minigrad.widgets import AccumulationLedger
from minigrad.widgets.accumulation_ledger import AccumulationLedgerState


@pytest.fixture
def x(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


@pytest.fixture
def ledger(x):
    return AccumulationLedgerState(x, "x")


def shown(ledger):
    return [" ".join(filter(None, row[1:])) for row in ledger.rows]


def test_a_history(torch, x, ledger):
    (x * 3).sum().backward()
    asked = "x.grad was None. Then backward() ran. What does x.grad hold now?"
    assert ledger.question.prompt == asked
    assert str(ledger.predict("None")).startswith(
        "Not quite: you said None; the answer is [3, 3]. "
        "backward() stores a gradient in every leaf that it reaches."
    )
    (x * 3).sum().backward()
    assert str(ledger.predict(3)) == (
        "Not quite: you said [3, 3]; the answer is [6, 6]. "
        "That's what this one backward() added. "
        "[3, 3] + [3, 3] = [6, 6]: backward() adds to what is there."
    )
    x.grad.zero_()
    ledger.look()
    assert "Then your code changed it." in ledger.question.prompt
    assert "Zero isn't None" in str(ledger.predict("None"))
    torch.optim.SGD([x], lr=0.1).zero_grad()
    ledger.look()
    assert "None isn't zero" in str(ledger.predict("0, 0"))
    x.grad = torch.tensor([1.0, 5.0])
    ledger.look()
    assert ledger.predict([1, 5]).right
    assert shown(ledger) == [
        "start None",
        "backward() None + [3, 3] [3, 3]",
        "backward() [3, 3] + [3, 3] [6, 6]",
        "zero_() [6, 6] [0, 0]",
        "set to None [0, 0] None",
        "changed None [1, 5]",
    ]
    assert ledger.question is None
    assert ledger.summary == "x.grad, 5 of 5 entries shown"


def test_what_waits_is_covered_though_more_has_happened(x, ledger):
    for _ in range(3):
        (x * 7).sum().backward()
    x.grad = None
    ledger.look()
    covered = ["backward() ? ? ?", "changed ? ? ?"]
    assert shown(ledger)[1:] == ["backward() None ? ?", "backward() ? ? ?", *covered]
    assert "7" not in ledger.text
    assert "7" not in repr([vars(entry) for entry in ledger.entries])
    ledger.predict(7)
    told = ["backward() None + [7, 7] [7, 7]", "backward() [7, 7] ? ?"]
    assert shown(ledger)[1:] == [*told, *covered]


def test_a_change_is_noticed_before_the_next_backward(x, ledger):
    (x * 3).sum().backward()
    x.grad.zero_()
    (x * 3).sum().backward()
    for _ in range(3):
        ledger.predict(0)
    assert shown(ledger)[2:] == ["zero_() [3, 3] [0, 0]", "backward() [0, 0] + [3, 3] [3, 3]"]


def test_nothing_is_asked_about_what_was_pressed(x, ledger):
    (x * 3).sum().backward()
    ledger.predict(3)
    ledger.zero()
    assert ledger.question is None
    ledger.set_to_none()
    assert ledger.question is None
    assert shown(ledger)[2:] == ["zero_() [3, 3] [0, 0]", "set to None [0, 0] None"]
    assert ledger.summary == "x.grad, 3 of 3 entries shown"
    ledger.set_to_none()  # a press that changes nothing is entered, too
    assert shown(ledger)[4:] == ["set to None None None"]


def test_what_was_pressed_while_another_waits_gives_nothing_away(x, ledger):
    (x * 3).sum().backward()
    ledger.zero()
    (x * 3).sum().backward()
    assert shown(ledger)[1:] == ["backward() None ? ?", "zero_() ? [0, 0]", "backward() ? ? ?"]
    assert "backward() ran" in ledger.question.prompt
    ledger.predict(3)
    assert ledger.question.prompt.startswith("x.grad was [0, 0]. Then backward() ran.")
    assert ledger.predict(3).right


def test_a_change_by_code_is_still_asked_about_before_a_press(x, ledger):
    (x * 3).sum().backward()
    ledger.predict(3)
    x.grad.fill_(5)
    ledger.zero()
    assert shown(ledger)[2:] == ["changed [3, 3] ? ?", "zero_() ? [0, 0]"]
    assert "Then your code changed it." in ledger.question.prompt


def test_where_something_happened_is_entered(x):
    cells = iter(["cell 4", "cell 5"])
    ledger = AccumulationLedgerState(x, "x", lambda: next(cells))
    (x * 3).sum().backward()
    x.grad = None
    ledger.look()
    assert [row[1] for row in ledger.rows] == ["start", "backward() in cell 4", "changed in cell 5"]
    assert "Then backward() ran in cell 4." in ledger.question.prompt


def test_gradients_that_are_no_numbers_are_entered_once(x, ledger):
    (x * float("nan")).sum().backward()
    ledger.look()
    ledger.look()
    assert len(ledger.entries) == 1
    assert ledger.predict([float("nan")] * 2).right


def test_it_changes_nothing_and_lets_go(torch, x, ledger):
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3, 3]
    ledger.close()
    (x * 3).sum().backward()
    ledger.look()
    assert len(ledger.entries) == 1


@given(st.lists(st.sampled_from(["backward", "zero", "none"]), max_size=8))
def test_any_history_adds_up(actions):
    x = minigrad.tensor(1.0, requires_grad=True)
    ledger = AccumulationLedgerState(x, "x")
    for action in actions:
        if action == "backward":
            (x * 3).backward()
        elif action == "none":
            x.grad = None
        elif x.grad is not None:
            x.grad.zero_()
        ledger.look()
    while ledger.question is not None:
        ledger.predict("None")
    grad = None
    for _, what, was, change, now in ledger.rows[1:]:
        assert was == str(grad)
        grad = {"set to None": None, "zero_()": 0}.get(what, (grad or 0) + 3)
        assert change == ("+ 3" if what == "backward()" else "")
        assert now == str(grad)
    assert grad == (None if x.grad is None else x.grad.item())


def test_only_a_leaf_that_requires_grad_is_followed(torch, x):
    with pytest.raises(TypeError, match="tensor must be a tensor, but is list"):
        AccumulationLedgerState([x], "x")
    for tensor in (x * 2, torch.ones(1)):
        with pytest.raises(ValueError, match="must be a leaf that requires grad"):
            AccumulationLedgerState(tensor, "x")


def test_its_buttons(x):
    ledger = AccumulationLedger(x, loss=lambda: (x * 3).sum())
    backward, zero, none = ledger.buttons
    zero.click()
    said = "AttributeError: &#x27;NoneType&#x27; object has no attribute &#x27;zero_&#x27;"
    assert said in ledger._feedback.value
    backward.click()
    assert ">[3, 3]</td>" not in ledger.table.value
    ledger.predict(3)
    assert ">[3, 3]</td>" in ledger.table.value
    none.click()
    assert x.grad is None
    assert repr(ledger) == "<AccumulationLedger: x.grad, 2 of 2 entries shown>"
    assert "set to None" in ledger.table.value
    ledger.close()


def test_it_follows_the_cells(torch, monkeypatch):
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    config = Config()
    config.HistoryManager.hist_file = ":memory:"
    shell = InteractiveShell(config=config)
    monkeypatch.setattr("minigrad.widgets.base.get_ipython", lambda: shell)
    shell.user_ns.update(torch=torch, AccumulationLedger=AccumulationLedger)
    run = lambda cell: shell.run_cell(cell, store_history=True).raise_error()  # noqa: E731
    run("x = torch.tensor(1., requires_grad=True)\nledger = AccumulationLedger(x)")
    run("(x * 3).backward()")
    run("x.grad = None")
    ledger = shell.user_ns["ledger"]
    assert [entry.where for entry in ledger.state.entries] == ["cell 2", "cell 3"]
    x = shell.user_ns["x"]
    (x * 3).backward()  # not by a cell
    assert ledger.state.entries[-1].where == ""
    ledger.close()
    shell.history_manager.end_session()
