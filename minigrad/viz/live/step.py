"""step(): a backward pass, step by step."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from minigrad.viz.backward.orders import ENGINE, ORDERS
from minigrad.viz.backward.recording import record_backward
from minigrad.viz.backward.steps import ASKABLE
from minigrad.viz.draw.scene import check_detail
from minigrad.viz.read.names import given_names, names_in_frame
from minigrad.viz.read.protocol import TensorLike
from minigrad.viz.read.snapshot import DEFAULT_LIMIT

if TYPE_CHECKING:
    from minigrad.viz.live.stepper import Stepper

INSTALL = 'step() needs anywidget and ipywidgets: pip install "minigrad-lessons[lab]"'


def step(
    *tensors: TensorLike,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
    names: Mapping[str, TensorLike] | None = None,
    order: str = ENGINE,
    ask: str = "steps",
    detail: str = "values",
    limit: int = DEFAULT_LIMIT,
) -> Stepper:
    """Run ``tensor.backward()``, of minigrad or of PyTorch, and step through what it did.

    The pass is real: gradients are stored and saved values are freed as by ``backward()`` with the
    same arguments. An error of the pass is not raised: the last step shows it, and its node.

    tensors: where backward begins; several as in ``autograd.backward``, with as many gradients.
    names: what to call tensors, ``{"x": x}``; by default the variables that the caller sees.
    order: ``"engine"``, or one that goes wrong: ``"recursion"`` (naive, each node runs whenever a
    gradient arrives) or ``"overwrite"`` (= instead of +=). These are computed, and store nothing.
    ask: what the learner predicts, ``"steps"`` (numbers of each step) or ``"grads"`` (only what
    each leaf's ``.grad`` will be).
    detail: how much the picture tells, as for ``draw``.
    limit: how many nodes to watch, those nearest to ``tensors``.

    TypeError for anything but tensors, ValueError for an unknown order, an unknown thing to ask, an
    unknown detail or a limit below 1, ImportError with what to install if the widgets are missing;
    then nothing has run.

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> stepper = step(y)
    >>> stepper.forward()
    >>> print(stepper.steps.text.split(" It ")[0])
    1 arrives at the × that made y.
    >>> stepper.predict("6/2").text.split(" That ")[0]
    'Not quite: you said 3; the answer is 6.'
    >>> x.grad
    tensor(6.)
    """
    for argument, value, known in (("order", order, ORDERS), ("ask", ask, ASKABLE)):
        if value not in known:
            raise ValueError(f"{argument} must be one of {', '.join(known)}, but got {value!r}")
    check_detail(detail)
    try:
        from minigrad.viz.live.stepper import Stepper
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "ipywidgets"):
            raise
        raise ImportError(INSTALL, name=error.name) from error
    named = names_in_frame(sys._getframe(1)) if names is None else given_names(names)
    recording = record_backward(tensors, gradient, retain_graph, create_graph, inputs, named, limit)
    return Stepper(recording, order, ask, detail)
