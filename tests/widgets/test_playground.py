"""The playground: a network really learns, on either engine, and the kernel goes on meanwhile."""

import asyncio
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from minigrad.widgets import Playground
from minigrad.widgets import playground as widget
from minigrad.widgets.playground import PlaygroundState, Settings
from minigrad.widgets.playground_pictures import bars, boundary, network
from minigrad.widgets.points import SHAPES, make_points


@pytest.fixture
def state(torch):
    return PlaygroundState(torch)


def test_it_trains_first_and_asks_then(state):
    assert state.question is None
    state.step(3)
    assert state.iterations == 3
    assert "In iteration 3, which layer's weights had the larger gradients" in state.question.prompt
    assert state.gradients is None
    assert state.rows == [["layer 1", "?"], ["layer 2", "?"], ["layer 3", "?"]]
    assert state.gradient_bars() == ""
    state.step()
    assert "In iteration 4" in state.question.prompt
    state.is_running = True
    assert state.question is None


def test_what_is_said_agrees_with_the_bars_beside_it(state):
    state.step(30)
    said = str(state.predict("about the same"))
    sizes = list(state.gradients.values())
    assert f"{sizes[0]:.1e} in the first layer and {sizes[-1]:.1e} in the last" in said
    assert f"{sizes[0]:.1e}" in state.gradient_bars()
    state.step()
    assert state.verdict is None
    assert state.question is None


@pytest.mark.parametrize("data", SHAPES)
def test_it_learns(torch, data):
    state = PlaygroundState(torch, Settings(data=data))
    state.step(300)
    assert state.losses[-1] < 0.3 * state.losses[0]
    assert state.accuracy > 0.9
    assert state.iterations == 300


def test_gradients_vanish_behind_many_sigmoids(torch):
    state = PlaygroundState(torch, Settings(layers=4, activation="sigmoid"))
    state.step()
    verdict = str(state.predict("layer 1, the first"))
    assert "the answer is “layer 5, the last”. The gradient gets to the first layer last" in verdict
    sizes = list(state.gradients.values())
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1] / 1000


def test_it_does_what_the_seed_says_on_both_engines(torch):
    state = PlaygroundState(torch, Settings(seed=3))
    state.step(20)
    once = state.losses
    state.reset()
    state.step(20)
    assert state.losses == once
    assert once[-1] == pytest.approx(0.6895, abs=0.02)
    state.predict("about the same")
    state.change(seed=4)
    state.step()
    assert state.question is not None


def test_the_learners_random_numbers_stay_as_they_were(torch):
    torch.manual_seed(5)
    expected = torch.rand(1).item()
    torch.manual_seed(5)
    PlaygroundState(torch).step()
    assert torch.rand(1).item() == expected


def test_each_shape_of_network_is_asked_about_once(state):
    state.step()
    state.predict("about the same")
    state.change(rate=0.1)
    state.step()
    assert state.question is None
    state.change(layers=3)
    state.step()
    assert "3 hidden layers of 8, tanh" in state.question.prompt
    state.change(layers=2)
    state.step()
    assert state.question is None


REFUSED = (
    "data='spiral' activation='gelu' layers=0 layers=7 units=33 rate=0 rate=float('nan') seed=-1"
)


@pytest.mark.parametrize("setting", REFUSED.split())
def test_settings_that_there_are_not_are_refused(state, setting):
    with pytest.raises(ValueError, match=f"{setting.partition('=')[0]} must be"):
        eval(f"state.change({setting})")
    assert state.settings == Settings()


@pytest.mark.parametrize("name", SHAPES)
def test_points_are_of_two_kinds_and_always_the_same(name):
    places, kinds = make_points(name, 100, 7)
    assert kinds.sum() == 50
    assert np.abs(places).max() <= 1
    again, _ = make_points(name, 100, 7)
    np.testing.assert_array_equal(places, again)


def test_its_pictures_say_what_they_show(state):
    state.step(3)
    state.predict("about the same")
    pictures = state.boundary(), state.chart(), state.gradient_bars(), state.network()
    for picture in pictures:
        root = ET.fromstring(picture)
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"]
    svg = ET.fromstring(state.boundary())
    shapes = [element.tag.rpartition("}")[2] for element in svg.iter()]
    assert shapes.count("circle") == shapes.count("path") == 61  # in the legend too
    assert "the predicted class" in state.boundary()


def test_the_classes_look_as_in_the_lesson(state):
    """Class 1 are orange circles, class 0 blue crosses, and so is the ground behind them."""
    circles = [e for e in ET.fromstring(state.boundary()).iter() if e.tag.endswith("circle")]
    assert {circle.attrib["fill"] for circle in circles} == {"rgb(213, 94, 0)"}


def test_all_weights_are_in_the_networks_picture(state):
    images = [e for e in ET.fromstring(state.network()).iter() if e.tag.endswith("image")]
    sizes = [(float(e.attrib["width"]), float(e.attrib["height"])) for e in images]
    assert sizes == [(14, 56), (56, 56), (56, 7)]
    before = state.network()
    state.step()
    assert state.network() != before


def test_bars_have_one_scale_for_ever():
    ticks = [bars("Sizes", {"a": size}).partition("<rect x")[0] for size in (1e-7, 0.3)]
    assert ticks[0] == ticks[1]
    assert all(f">{tick}<" in ticks[0] for tick in ("1e-8", "1e-4", "1"))


def test_pictures_stand_any_numbers():
    sizes = {"a": 0.0, "b": float("nan"), "c": float("inf"), "d": 1e-30}
    assert "1.0e-30" in bars("Sizes", sizes)
    assert "0.0e+00" in bars("Sizes", {"a": 0.0})
    thinks = np.array([[1e300, -1e300], [0, 1]])
    ET.fromstring(network("<b>", [np.array([[float("nan"), 1e300]])], "tanh"))
    ET.fromstring(boundary("<b>", thinks, np.zeros((1, 2)), np.zeros(1)))


def test_it_runs_while_the_kernel_goes_on(torch):
    async def lesson():
        playground = Playground(torch)
        playground.buttons["run"].click()
        assert playground.is_running
        assert playground.buttons["run"].description == "Stop"
        seen = []
        while len(seen) < 3:
            await asyncio.sleep(0)  # what else the kernel does
            if playground.state.iterations not in seen:
                seen.append(playground.state.iterations)
        playground.buttons["run"].click()
        await asyncio.sleep(0.05)
        assert not playground.is_running
        assert playground.buttons["run"].description == "Run"
        assert playground.state.question is not None
        stopped = playground.state.iterations
        await asyncio.sleep(0.05)
        assert playground.state.iterations == stopped
        playground.buttons["run"].click()
        playground.change(seed=2)
        await asyncio.sleep(0.05)
        assert playground.state.iterations == 0

    asyncio.run(lesson())


def test_when_it_stops_by_itself_it_says_so(torch, monkeypatch):
    monkeypatch.setattr(widget, "_LONGEST_RUN", 10)

    async def lesson():
        playground = Playground(torch)
        playground.run()
        while playground.is_running:
            await asyncio.sleep(0.01)
        assert playground.state.iterations == 10
        assert "Stopped after 10 iterations. Press Run to go on." in playground._feedback.value

    asyncio.run(lesson())


def test_its_controls(torch):
    playground = Playground(torch, layers=1)
    playground.buttons["step"].click()
    assert playground.state.iterations == 1
    playground._panel.choice.value = "layer 2, the last"
    playground._panel.button.click()
    assert "<svg" in playground._bars.value
    assert "Right" in playground._feedback.value
    playground.buttons["step"].click()
    assert playground._feedback.value == ""
    playground.buttons["run"].click()
    assert "use step(iterations)" in playground._feedback.value
    playground.buttons["reset"].click()
    assert playground.state.iterations == 0
    playground.choices["data"].value = "moons"
    assert playground.state.settings.data == "moons"
    playground.change(layers=3, rate=0.1)
    assert playground.choices["layers"].value == 3
    assert repr(playground) == "<Playground: moons, 2-8-8-8-1 tanh, seed 0, not trained yet>"


def test_a_teacher_hides_controls(torch):
    playground = Playground(torch, hide=("seed", "rate", "run"))
    hidden = {**playground.choices, **playground.buttons}
    assert {name for name, it in hidden.items() if it.layout.display == "none"} == {
        "seed",
        "rate",
        "run",
    }
    with pytest.raises(ValueError, match="hide must be one of step, .*, but got 'loss'"):
        Playground(torch, hide=("loss",))
