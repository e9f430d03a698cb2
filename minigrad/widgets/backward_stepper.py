"""BackwardStepper: the steps of a backward pass, each after a prediction."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from minigrad.viz.backward.orders import ENGINE, ORDERS
from minigrad.viz.backward.run import recorded_backward
from minigrad.viz.live.step_controls import StepControls
from minigrad.viz.read.names import given_names, names_in_frame
from minigrad.viz.read.protocol import TensorLike
from minigrad.widgets.base import Instrument
from minigrad.widgets.state.backward_stepper import BackwardStepperState


class BackwardStepper(Instrument):
    """Runs ``tensor.backward()``, of minigrad or of PyTorch, and asks for its numbers, one by one.

    The arguments are those of ``minigrad.viz.step``. order: in which order the graph is walked;
    the learner may choose another. ask: what to predict, ``"steps"`` (one number of each) or
    ``"grads"`` (only what each leaf's ``.grad`` will be).

    TypeError for anything but tensors, ValueError for an unknown order or thing to ask.

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> stepper = BackwardStepper(y)
    >>> stepper
    <BackwardStepper: step 0 of 3>
    >>> stepper.forward()
    Traceback (most recent call last):
    minigrad.widgets.state.question.PredictFirst: Predict first: MulBackward0 receives 1. \
What does it pass to x (as self)?
    >>> stepper.predict(3)
    Right: 3. It passes 1 × other (= 3) = 3.
    >>> stepper.predict(3)
    Not quite: you said 3; the answer is 6. That came along one way only: what comes \
along all ways is added up. 3 + 3 = 6 arrives for x.grad: None → 6.
    """

    state: BackwardStepperState

    def __init__(
        self,
        *tensors: TensorLike,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
        names: Mapping[str, TensorLike] | None = None,
        order: str = ENGINE,
        ask: str = "steps",
    ) -> None:
        named = names_in_frame(sys._getframe(1)) if names is None else given_names(names)
        recording = recorded_backward(
            tensors, gradient, retain_graph, create_graph, inputs, named=named
        )
        state = BackwardStepperState(recording, order, ask)
        self.controls = StepControls(
            state.steps, lambda step: self.act(lambda: state.go(step)), order
        )
        self.order = self.controls.order
        self.order.observe(lambda change: self.act(lambda: state.choose(change["new"])), "value")
        super().__init__(state, [self.controls], below=[self.controls.graph])
        self.add_class("minigrad-steps")

    def redraw(self) -> None:
        self.controls.show(self.state.steps)

    def forward(self) -> None:
        """Go to the next step, if there is one; PredictFirst while it asks for a prediction."""
        self.go(min(self.state.steps.position + 1, self.state.steps.last))

    def back(self) -> None:
        """Go one step back, if there is one."""
        self.go(max(self.state.steps.position - 1, 0))

    def go(self, position: int) -> None:
        """Go to a step by its number; PredictFirst while one on the way asks for a prediction."""
        try:
            self.state.go(position)
        finally:
            self.refresh()

    def choose(self, order: str) -> None:
        """Begin again in another order: ``"engine"``, ``"recursion"`` or ``"overwrite"``."""
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(ORDERS)}, but got {order!r}")
        self.order.value = order
