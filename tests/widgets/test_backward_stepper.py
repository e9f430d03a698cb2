"""The backward stepper: no step is seen before its number was predicted."""

import pytest

from minigrad.widgets import BackwardStepper, PredictFirst, teacher_mode
from minigrad.widgets.backward_stepper import BackwardStepperState


@pytest.fixture
def stepper(torch):
    """``b = a + a; c = b + b`` at 3."""
    a = torch.tensor(3.0, requires_grad=True)
    b = a + a
    c = b + b
    return BackwardStepper(c)


@pytest.fixture
def teacher():
    teacher_mode(True)
    yield
    teacher_mode(False)


def position(stepper):
    return stepper.state.steps.position


def test_each_step_asks_first(stepper):
    with pytest.raises(PredictFirst, match="AddBackward0 receives 1. What does it pass to b"):
        stepper.forward()
    assert position(stepper) == 0
    assert stepper.predict(1).right
    assert position(stepper) == 1
    verdict = stepper.predict(1)
    assert not verdict.right
    assert verdict.text.startswith("Not quite: you said 1; the answer is 2. ")
    assert position(stepper) == 2
    assert stepper.predict(4).right
    assert position(stepper) == 3
    stepper.forward()
    assert stepper.state.steps.text == "Backward is over. a.grad is 4."
    assert stepper.state.question is None


def test_what_was_shown_may_be_seen_again(stepper):
    stepper.predict(1)
    stepper.predict(2)
    stepper.back()
    stepper.back()
    assert position(stepper) == 0
    stepper.go(2)
    with pytest.raises(PredictFirst):
        stepper.go(4)
    assert position(stepper) == 2
    with pytest.raises(ValueError, match="position must be from 0 to 4"):
        stepper.go(5)


def test_a_prediction_from_further_back_goes_on_to_the_step_asked_about(stepper):
    stepper.predict(1)
    stepper.go(0)
    stepper.predict(2)
    assert position(stepper) == 2


def test_controls_do_not_reveal_and_say_why(stepper):
    controls = stepper.controls
    for control in (controls.next, controls.end):
        control.click()
        assert position(stepper) == 0
        assert "Predict first: AddBackward0 receives 1." in stepper._feedback.value
    controls.slider.value = 3
    assert controls.slider.value == position(stepper) == 0
    controls.place.value = 3
    assert controls.place.value is None
    assert position(stepper) == 0


def test_playing_stops_where_a_prediction_is_asked_for(stepper):
    import asyncio

    async def play():
        controls = stepper.controls
        controls.speed.options, controls.speed.value = [("test", 0.001)], 0.001
        controls.play.click()
        while controls.play.description == "Pause":
            await asyncio.sleep(0)

    asyncio.run(play())
    assert position(stepper) == 0


def test_nothing_is_left_behind_before_it_was_predicted(stepper):
    data = stepper._repr_mimebundle_()
    assert "grad 4" not in data["text/plain"]
    assert "passed" not in data["text/plain"]
    assert data["text/plain"].startswith("Backward stepper: step 0 of 4\nBefore backward: it will")
    assert ">4<" not in data["image/svg+xml"]
    assert repr(stepper) == "<BackwardStepper: step 0 of 4>"


def test_a_wrong_order_is_predicted_too(stepper):
    stepper.choose("recursion")
    assert position(stepper) == 0
    for prediction in (1, 1, 1, 2, 2, 4, 6):
        assert stepper.predict(prediction).right
    stepper.forward()
    assert "a.grad is 6, which is wrong: the engine stores 4" in stepper.state.steps.text
    with pytest.raises(ValueError, match="order must be one of"):
        stepper.choose("random")


def test_only_the_grads_may_be_asked_for(torch):
    a = torch.tensor(1.0, requires_grad=True)
    stepper = BackwardStepper((a * 2) * 3, ask="grads")
    with pytest.raises(PredictFirst, match="What is a.grad after this step"):
        stepper.go(4)
    assert position(stepper) == 2
    assert stepper.predict(6).right
    with pytest.raises(ValueError, match="ask: one of steps, grads, but got 'all'"):
        BackwardStepperState(stepper.state.steps.recording, ask="all")


def test_a_teacher_sees_everything(stepper, teacher):
    stepper.go(4)
    assert "a.grad is 4" in stepper.state.steps.text


def test_an_exception_is_shown_where_it_was(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    stepper = BackwardStepper(y)
    stepper.forward()
    assert "There backward ends: RuntimeError: Trying to backward" in stepper.state.steps.text


def test_anything_but_tensors_is_refused():
    with pytest.raises(TypeError, match="takes tensors, but got float"):
        BackwardStepper(3.0)
