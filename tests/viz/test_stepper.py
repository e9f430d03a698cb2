"""The stepper without a browser: its controls, what it says, and what it leaves in a file."""

import asyncio
import sys

import pytest

from minigrad.viz import draw, step
from minigrad.viz.draw.details import details
from minigrad.viz.live.stepper import Stepper


@pytest.fixture
def stepper(torch):
    """``loss = x * y + x`` at 2 and 5."""
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(5.0, requires_grad=True)
    loss = x * y + x
    return step(loss)


def told(stepper):
    return stepper.controls._text.value


def test_backward_has_really_run(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    stepper = step(y)
    assert x.grad.item() == 6
    assert repr(stepper) == "<Stepper: step 0 of 3>"
    assert "freed self, other" in repr(draw(y))


def test_a_module_that_may_not_be_imported_is_passed_over(torch, monkeypatch):
    known = dict(sys.modules)
    monkeypatch.setattr(sys, "modules", {"blocked": None, **known})
    assert repr(step(torch.tensor(3.0, requires_grad=True) * 2)) == "<Stepper: step 0 of 3>"


@pytest.mark.parametrize(("keep", "after"), [(False, "used; freed"), (True, "used; held: y = 5")])
def test_what_was_saved_is_told_to_be_held_used_or_freed(torch, keep, after):
    x, y = (torch.tensor(value, requires_grad=True) for value in (2.0, 5.0))
    stepper = step(x * y, retain_graph=keep)
    graph = stepper.controls.graph
    ((node, _),) = ((i, d) for i, d in graph.details.items() if d["title"] == "MulBackward0")
    said = []
    for _ in range(3):
        panel = details(graph.snapshot, graph.marks, "saved")[node]
        said.append(dict(panel["rows"])["saved other"])
        stepper.forward()
    assert said == ["held: y = 5", "used now; held: y = 5", after]


def test_arguments_are_those_of_backward(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    y = x * w
    step(y, gradient=torch.tensor([1.0, 10.0]), retain_graph=True, inputs=[x])
    assert (x.grad.tolist(), w.grad) == ([3.0, 30.0], None)
    step(y, gradient=torch.tensor([1.0, 0.0]))
    assert (x.grad.tolist(), w.grad.item()) == ([6.0, 30.0], 1.0)


def test_several_tensors_begin_together(torch):
    x = torch.tensor(2.0, requires_grad=True)
    p, q = x * 3, x * x
    stepper = step(p, q, gradient=[torch.tensor(1.0), torch.tensor(10.0)])
    assert x.grad.item() == 43
    assert stepper.steps.text == "Before backward: it will begin at p with 1, and q with 10."


def test_buttons(stepper):
    controls = stepper.controls
    assert controls.back.disabled
    assert controls.first.disabled
    controls.next.click()
    assert "AddBackward0 receives 1." in told(stepper)
    assert controls.slider.value == 1
    assert controls.graph.marks.parts["n3"].note == "runs now"
    controls.next.click()
    controls.back.click()
    assert stepper.steps.position == 1
    controls.end.click()
    assert "Backward is over. x.grad is 6. y.grad is 2." in told(stepper)
    assert controls.next.disabled
    assert controls.end.disabled
    controls.first.click()
    assert stepper.steps.position == 0


def test_slider_and_nodes(stepper):
    controls = stepper.controls
    controls.slider.value = 3
    assert stepper.steps.position == controls.place.value == 3
    assert [name for name, _ in controls.place.options] == [
        "a node",
        "1. AddBackward0, which gave loss",
        "2. MulBackward0",
        "3. x.grad",
        "4. y.grad",
    ]
    controls.place.value = 2
    assert stepper.steps.position == 2
    stepper.jump("n0")
    assert stepper.steps.position == controls.place.value == 3


def test_it_plays_by_itself_until_the_end(stepper):
    controls = stepper.controls
    seen = []

    async def watch():
        controls.speed.options, controls.speed.value = [("test", 0.001)], 0.001
        controls.play.click()
        assert controls.play.description == "Pause"
        while controls.play.description == "Pause":
            seen.append(stepper.steps.position)
            await asyncio.sleep(0)

    asyncio.run(watch())
    assert sorted(set(seen)) == [0, 1, 2, 3, 4]
    assert stepper.steps.position == stepper.steps.last


def test_playing_can_be_paused(stepper):
    controls = stepper.controls

    async def watch():
        controls.play.click()
        await asyncio.sleep(0)
        controls.play.click()
        await asyncio.sleep(0)
        assert controls.play.description == "Play"

    asyncio.run(watch())
    assert stepper.steps.position == 0


def test_positions_and_nodes_that_are_not_there_are_refused(stepper):
    for position in (-1, 9):
        with pytest.raises(ValueError, match=f"must be from 0 to 5, but got {position}"):
            stepper.go(position)
    with pytest.raises(ValueError, match="'n9' does not run in this backward pass"):
        stepper.jump("n9")
    with pytest.raises(ValueError, match="order must be one of engine, recursion, overwrite"):
        stepper.choose("none")
    assert stepper.steps.position == 0


def test_the_step_is_announced_with_the_picture(stepper):
    stepper.forward()
    assert stepper.controls.graph.news == stepper.steps.text
    assert "passes 1 to x" in stepper.controls.graph.outline


def test_a_number_is_predicted_before_it_is_shown(stepper):
    stepper.forward()
    assert "What does it pass to x?" in stepper._prompt.value
    assert "× 5" not in stepper.controls.graph.dot.replace("\N{NO-BREAK SPACE}", " ")
    stepper.prediction.value = "5"
    stepper.button.click()
    assert stepper.steps.position == 2
    assert stepper.verdict.right
    assert "× 5" in stepper.controls.graph.dot.replace("\N{NO-BREAK SPACE}", " ")
    assert "Right: 5. It passes 1 × other (= 5) = 5." in stepper._said.value
    assert stepper.prediction.value == ""
    verdict = stepper.predict(5)
    assert not verdict.right
    assert "along one way only" in verdict.text
    stepper.back()
    assert stepper.verdict is None


def test_what_is_no_number_is_said_and_changes_nothing(stepper):
    stepper.prediction.value = "six"
    stepper.button.click()
    assert "Type a number" in stepper._said.value
    assert stepper.steps.position == 0
    with pytest.raises(TypeError, match="takes a number, but got str"):
        stepper.predict("6")
    stepper.end()
    with pytest.raises(RuntimeError, match="There is no number to predict"):
        stepper.predict(6)
    assert stepper._asking.layout.display == "none"


def test_another_order_begins_again(torch):
    a = torch.tensor(1.0, requires_grad=True)
    b = a + a
    stepper = step(b + b)
    stepper.end()
    stepper.choose("recursion")
    assert stepper.steps.position == 0
    assert len(stepper.controls.place.options) == 8
    stepper.end()
    assert "which is wrong: the engine stores 4" in told(stepper)
    stepper.order.value = "overwrite"
    assert stepper.steps.position == 0
    assert a.grad.item() == 4  # all this is computed, and stores nothing


def test_what_backward_raises_is_the_last_step(torch):
    stepper = step(torch.ones(3, requires_grad=True) * 2)
    stepper.end()
    assert "grad can be implicitly created only for scalar outputs" in told(stepper)


def test_markup_in_names_is_only_text(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * 2
    stepper = step(y, names={"<img src=x onerror=alert(1)>": x})
    stepper.forward()
    assert "<img" not in told(stepper)
    assert "&lt;img" in told(stepper)


def test_what_stays_in_a_file_shows_this_step_and_no_other(stepper):
    data = stepper._repr_mimebundle_()
    assert data["text/plain"].startswith("Before backward: it will begin at loss with 1.\nGraph of")
    assert "grad 6" not in data["text/plain"]
    assert ">6<" not in data["image/svg+xml"]
    assert "waits for 2" in data["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in data
    stepper.end()
    assert "x.grad is 6" in stepper._repr_mimebundle_()["text/plain"]


def test_bad_arguments_are_refused_and_nothing_runs(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    with pytest.raises(TypeError, match="takes tensors, but got int"):
        step(3)
    with pytest.raises(TypeError, match="takes one or more tensors, but got none"):
        step()
    with pytest.raises(ValueError, match="order must be one of engine"):
        step(y, order="random")
    with pytest.raises(ValueError, match="limit must be at least 1"):
        step(y, limit=0)
    assert x.grad is None


def test_without_ipywidgets_it_says_what_to_install_and_nothing_runs(monkeypatch, torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    monkeypatch.delitem(sys.modules, Stepper.__module__)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(ImportError, match="minigrad-lessons\\[lab\\]"):
        step(y)
    assert x.grad is None
