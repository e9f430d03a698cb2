"""The clinic asks about a program of your own before it tells."""

from types import ModuleType

import pytest

from minigrad.explain.own_program import OwnProgram, case_of


def test_the_diagnosis_is_asked_first(torch: ModuleType) -> None:
    own = OwnProgram(torch)
    own.editor.value = (
        "w = torch.ones(2, requires_grad=True)\ny = w.exp()\ny += 1\ny.sum().backward()"
    )
    own.ask()
    state = own.children[-1].state
    assert "was changed by line 3" not in state.text
    case = case_of(own.editor.value, torch)
    assert len({case.cause, *case.others}) == 4
    assert not state.predict(next(iter(case.others))).right
    verdict = state.predict(case.cause)
    assert verdict.right
    assert "`y` was changed by line 3" in verdict.text


@pytest.mark.parametrize(
    ("program", "said"), [("x = 1", "without an error"), ("1 / 0", "doesn't know")]
)
def test_nothing_is_asked_about_other_programs(torch: ModuleType, program: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        case_of(program, torch)
