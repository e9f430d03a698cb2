"""The stepper without a browser: its controls, what it says, and what it leaves in a file."""

import asyncio
import importlib
import json
import re
import sys

import pytest

from minigrad.viz import draw, step
from minigrad.viz.draw.details import details
from minigrad.viz.live.stepper import Stepper
from minigrad.widgets import BackwardStepper


@pytest.fixture
def stepper(torch):
    """``loss = x * y + x`` at 2 and 5."""
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(5.0, requires_grad=True)
    loss = x * y + x
    return step(loss)


def said(stepper):
    """The sentence or the verdict below the picture."""
    return re.sub("<.*?>", "", stepper._said.value)


def asks(stepper):
    """The question that a learner sees; none if it is hidden."""
    return stepper.box.prompt


def give(stepper, **message):
    """What the browser sends when an answer is given, or typed."""
    stepper.box._handle_custom_msg(message, [])


def watch(stepper, press=lambda: None):
    """Press Show me, and wait until it has played; press: what to do while it plays."""

    async def play():
        stepper.speed.options, stepper.speed.value = [("test", 0.001)], 0.001
        stepper.show.click()
        press()
        while stepper.play.description == "Pause":
            await asyncio.sleep(0)

    asyncio.run(play())


def learn(stepper):
    """Watch, then press Now you."""
    watch(stepper)
    stepper.show.click()
    return stepper


def test_backward_has_really_run(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    stepper = step(y)
    assert x.grad.item() == 6
    assert repr(stepper) == "<Stepper: step 0 of 3>"
    assert "freed self, other" in repr(draw(y))


def test_the_instrument_is_the_same_and_knows_the_names_of_its_caller(torch):
    x = torch.tensor(3.0, requires_grad=True)
    stepper = BackwardStepper(x * 2, ask="grads")
    assert isinstance(stepper, Stepper)
    stepper.go(2)
    assert said(stepper) == "2 arrives for x.grad: None → 2."


def test_a_module_that_may_not_be_imported_is_passed_over(torch, monkeypatch):
    known = dict(sys.modules)
    monkeypatch.setattr(sys, "modules", {"blocked": None, **known})
    assert repr(step(torch.tensor(3.0, requires_grad=True) * 2)) == "<Stepper: step 0 of 3>"


@pytest.mark.parametrize(("keep", "after"), [(False, "used; freed"), (True, "used; held: y = 5")])
def test_what_was_saved_is_told_to_be_held_used_or_freed(torch, keep, after):
    x, y = (torch.tensor(value, requires_grad=True) for value in (2.0, 5.0))
    stepper = step(x * y, retain_graph=keep)
    graph = stepper.graph
    ((node, _),) = ((i, d) for i, d in graph.details.items() if d["title"] == "MulBackward0")
    told = []
    for _ in range(3):
        panel = details(graph.snapshot, graph.marks, "saved")[node]
        told.append(dict(panel["rows"])["saved other"])
        stepper.forward()
    assert told == ["held: y = 5", "used now; held: y = 5", after]


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
    assert said(stepper).startswith("Before backward: it will begin at p with 1, and q with 10.")


def test_first_one_watches_then_one_is_asked(stepper):
    assert stepper.show.description == "Show me"
    assert "mg-main" in stepper.show._dom_classes
    assert asks(stepper) == ""
    watch(stepper)
    assert said(stepper).startswith("Backward is over. x.grad is 6. y.grad is 2. Press “Now you”")
    assert stepper.show.description == "Now you"
    assert asks(stepper) == ""
    stepper.show.click()
    assert stepper.steps.position == 0
    assert asks(stepper) == "1 arrives at the + that made loss. What does it pass to the × (n2)?"
    assert stepper.show.description == "Show me again"
    assert "mg-main" not in stepper.show._dom_classes
    watch(stepper)
    assert asks(stepper) == ""


def test_the_node_asked_about_is_marked(stepper):
    learn(stepper)
    assert stepper.graph.marks.parts["n3"].state == "current"
    stepper.predict(1)
    states = {node: stepper.graph.marks.parts[node].state for node in ("n3", "n2")}
    assert states == {"n3": "done", "n2": "current"}
    stepper.go(3)
    marks = stepper.graph.marks.parts
    assert (marks["n0"].state, marks["n0"].note) == ("done", "None → 6")
    assert [node for node, mark in marks.items() if mark.state == "current"] == ["n1"]


def test_a_prediction_is_judged_and_the_next_one_asked(stepper):
    learn(stepper)
    give(stepper, answer="2/2")
    assert said(stepper).startswith("✓ Right: 1. It passes 1 on to the × (n2)")
    assert asks(stepper).startswith("1 arrives at the × (n2). What does it pass to x?")
    assert stepper.predict(6).right is False
    assert "✕ Not quite: you said 6; the answer is 5. Multiply the two" in said(stepper)
    assert "Not quite" in stepper.graph.news  # for those who listen
    assert "What is x.grad after this step?" in stepper.graph.news


def test_forward_is_never_refused(stepper):
    learn(stepper)
    for position in range(1, stepper.steps.last + 1):
        stepper.next.click()
        assert stepper.steps.position == position
    assert asks(stepper) == ""
    with pytest.raises(RuntimeError, match="nothing to predict"):
        stepper.predict(1)


def test_what_is_no_number_gets_a_sentence_and_typing_takes_it_away(stepper):
    learn(stepper)
    give(stepper, answer="a lot")
    assert said(stepper) == "✕ Type a number, such as 1."
    assert stepper.steps.position == 0
    give(stepper, typing=True)
    assert said(stepper).startswith("Before backward")


CONTROLS = {
    "back": lambda s: s.previous.click(),
    "forward": lambda s: s.next.click(),
    "slider": lambda s: setattr(s.slider, "value", 4),
    "go to": lambda s: setattr(s.place, "value", 3),
    "order": lambda s: setattr(s.order, "value", "overwrite"),
    "start": lambda s: s._more.children[0].click(),
    "end": lambda s: s._more.children[1].click(),
}


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_no_control_leaves_anything_stale(stepper, control):
    learn(stepper)
    stepper.predict(99)
    before = stepper.box.step
    control(stepper)
    assert stepper.box.step > before  # which empties the field
    assert stepper.verdict is None
    assert said(stepper).startswith(stepper.steps.text)
    assert asks(stepper) == (stepper.steps.question.prompt if stepper.steps.question else "")
    assert stepper.slider.value == stepper.place.value == stepper.steps.position


def test_playing_stops_where_another_control_takes_over(stepper):
    watch(stepper, press=lambda: stepper.next.click())
    assert stepper.steps.position == 1
    assert stepper.play.description == "Play"
    watch(stepper, press=lambda: stepper.play.click())
    assert stepper.steps.position == 0


def test_more_shows_the_other_controls(stepper):
    assert stepper._more.layout.display == "none"
    stepper.more.click()
    assert stepper._more.layout.display == "flex"
    assert " ".join(text for text, _ in stepper.place.options) == (
        "0. before backward 1. + that made loss 2. × (n2) 3. x.grad 4. y.grad 5. after backward"
    )


def test_a_wrong_order_begins_again_and_can_be_predicted(torch):
    a = torch.tensor(1.0, requires_grad=True)
    b = a + a
    stepper = step(b + b)
    learn(stepper)
    stepper.choose("recursion")
    assert stepper.steps.position == 0
    assert len(stepper.place.options) == 9
    for prediction in (1, 1, 1, 2, 2, 4, 6):
        assert stepper.predict(prediction).right
    stepper.go(stepper.steps.last)
    assert "a.grad is 6, but the engine stores 4" in said(stepper)
    assert a.grad.item() == 4  # all this is computed, and stores nothing
    with pytest.raises(ValueError, match="order must be one of engine"):
        stepper.choose("random")


def test_what_stays_in_a_notebook_shows_this_step_and_no_other(stepper):
    data = stepper._repr_mimebundle_()
    assert data["text/plain"].startswith("Backward stepper: step 0 of 5\nBefore backward: it will")
    assert "grad 6" not in data["text/plain"]
    assert ">6<" not in data["image/svg+xml"]
    assert "application/vnd.jupyter.widget-view+json" in data
    stepper.go(stepper.steps.last)
    assert "x.grad is 6" in stepper._repr_mimebundle_()["text/plain"]


def frames_of(page):
    return json.loads(re.search(r'id="frames">(.*?)</script>', page, re.DOTALL)[1])


def test_a_page_has_all_steps(stepper, tmp_path):
    learn(stepper)
    stepper.save(tmp_path / "loss.html")
    page = (tmp_path / "loss.html").read_text(encoding="utf-8")
    frames = frames_of(page)
    assert ". ".join(frame["text"].split(".")[0] for frame in frames) == (
        "Before backward: it will begin at loss with 1. 1 arrives at the + that made loss. "
        "1 arrives at the × (n2). 1 + 5 = 6 arrives for x. 2 arrives for y. Backward is over"
    )
    assert "None → 6" in frames[3]["outline"]
    assert frames[0]["light"].startswith("<svg")
    assert frames[0]["light"] != frames[0]["dark"]
    assert stepper.steps.position == 0
    assert asks(stepper)
    stepper.save(tmp_path / "loss.svg")
    assert (tmp_path / "loss.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parity
def test_a_page_is_the_same_for_the_tensors_of_pytorch(tmp_path):
    pages = []
    for name in ("minigrad", "torch"):
        package = importlib.import_module(name)
        x = package.tensor(2.0, requires_grad=True)
        y = x * x
        stepper = step(y * 3 + y, names={"x": x, "y": y})
        stepper.save(tmp_path / f"{name}.html")
        pages.append((tmp_path / f"{name}.html").read_bytes())
    assert pages[0] == pages[1]


def test_markup_and_a_megabyte_of_text_do_no_harm(torch, tmp_path):
    name = "</script><img src=x onerror=alert(1)>\"'&" + "x" * 1_000_000
    x = torch.tensor(3.0, requires_grad=True)
    stepper = step(x * 2, names={name: x})
    stepper.go(2)
    assert "<img" not in stepper._said.value
    assert "&lt;img" in stepper._said.value
    stepper.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert len(page) < 200_000


def test_a_pass_that_is_too_long_for_a_page_says_so(torch, tmp_path):
    y = x = torch.tensor(1.0, requires_grad=True)
    for _ in range(250):
        y = y + x
    with pytest.raises(ValueError, match="a page holds at most 200 steps"):
        step(y).save(tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_bad_arguments_are_refused_and_nothing_runs(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    with pytest.raises(TypeError, match="takes tensors, but got int"):
        step(3)
    with pytest.raises(TypeError, match="takes one or more tensors, but got none"):
        step()
    with pytest.raises(ValueError, match="order must be one of engine"):
        step(y, order="random")
    with pytest.raises(ValueError, match="ask must be one of steps, grads, but got 'all'"):
        step(y, ask="all")
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
