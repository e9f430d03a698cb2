"""Anomaly mode: errors in the backward pass point at the forward call behind them.

Source: https://docs.pytorch.org/docs/stable/autograd.html#anomaly-detection
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.graph import Node
from minigrad.hooks import as_tensor
from minigrad.modes import rare_modes, state
from minigrad.warn import user_frame, warn

ANOMALY_ENABLED = (
    "Anomaly Detection has been enabled. This mode will increase the runtime and should only be "
    "enabled for debugging."
)
# {} are a node's name and the lines of the forward call.
NO_ORIGIN = (
    "Error detected in {}. No forward pass information available. Enable detect anomaly during "
    "forward pass for more information."
)
ORIGIN = "Error detected in {}. Traceback of forward call that caused the error:\n{}"
PARENT = (
    "\n\nPrevious calculation was induced by {}. Traceback of forward call that induced the "
    "previous calculation:\n{}"
)


class Anomaly:
    """Whether nodes remember where they were recorded, and gradients are checked for nan."""

    enabled = False
    check_nan = True

    def set(self, enabled: bool, check_nan: bool) -> None:
        if self.enabled:
            rare_modes.remove(self)
        if enabled:
            rare_modes.append(self)
        self.enabled, self.check_nan = enabled, check_nan


anomaly = Anomaly()


class detect_anomaly:
    """Anomaly mode in a ``with`` block, with a warning that it is slow.

    In anomaly mode, an error in the backward pass comes with a warning that shows the forward call
    behind it, and a gradient with nan is an error (unless ``check_nan=False``).
    """

    def __init__(self, check_nan: bool = True) -> None:
        warn(ANOMALY_ENABLED)
        self.outer, self.inner = (anomaly.enabled, anomaly.check_nan), (True, check_nan)

    def __enter__(self) -> None:
        anomaly.set(*self.inner)

    def __exit__(self, *_: object) -> None:
        anomaly.set(*self.outer)


class set_detect_anomaly(detect_anomaly):
    """Switch anomaly mode on or off at once, until the end of the ``with`` block if there is one.

    `detect_anomaly` says what the mode does.
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.outer, self.inner = (anomaly.enabled, anomaly.check_nan), (mode, check_nan)
        anomaly.set(mode, check_nan)


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return anomaly.enabled


def run_traced(node: Node, grads: list[Any], create_graph: bool) -> Sequence[Any]:
    """Run a node in anomaly mode: if it fails or gives nan, warn where it was recorded."""
    outer, state.running_node = state.running_node, node
    try:
        results = node.apply(grads, create_graph)
        for number, grad in enumerate(map(as_tensor, results) if anomaly.check_nan else ()):
            if grad is not None and np.isnan(grad._array).any():
                raise RuntimeError(
                    f"Function '{node.name()}' returned nan values in its {number}th output."
                )
        return results
    except RuntimeError:
        try:
            warn_of_origin(node)
        except Warning as warning:  # where warnings are errors, the error itself is what is raised
            print(warning, file=sys.stderr)
        raise
    finally:
        state.running_node = outer


def note_origin(node: Node) -> None:
    """Keep in anomaly mode where a node is recorded, and which node was running then."""
    node.metadata["traceback_"] = traceback.format_stack(user_frame()[0])
    if state.running_node is not None:
        node.metadata["parent_"] = state.running_node


def warn_of_origin(node: Node | None) -> None:
    """Warn which forward call is behind a node that failed, and behind its parents."""
    text = ORIGIN
    while node is not None:
        stack = node.metadata.get("traceback_")
        warn((NO_ORIGIN if stack is None else text).format(node.name(), "".join(stack or ())))
        text, node = PARENT, node.metadata.get("parent_")
