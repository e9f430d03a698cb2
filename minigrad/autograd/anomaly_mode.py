"""Anomaly mode: find the forward call behind an error, or a nan, of the backward pass.

PyTorch has it in the namespace ``torch.autograd.anomaly_mode``.
Source: https://docs.pytorch.org/docs/stable/autograd.html#anomaly-detection
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any

import numpy as np

from minigrad.autograd.engine import Walk
from minigrad.autograd.fit import fit_all
from minigrad.autograd.grad_mode import anomaly, state
from minigrad.autograd.node import AccumulateGrad, Gradient, Node, count_edges
from minigrad.autograd.saved import observers
from minigrad.outside import is_ours, warn
from minigrad.pickling import PickledFromHere

NO_TRACEBACK = (
    "No forward pass information available. Enable detect anomaly during forward pass for more "
    "information."
)


def is_anomaly_enabled() -> bool:
    """Return whether anomaly mode is on; it is for all threads."""
    return anomaly.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether anomaly mode, when it is on, looks for nan."""
    return anomaly.check_nan


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode on or off.

    Raises:
        TypeError: if an argument is no bool.
    """
    given = {"enabled": enabled, "check_nan": check_nan}
    for position, (name, flag) in enumerate(given.items(), 1):
        if not isinstance(flag, bool):
            raise TypeError(
                f"set_anomaly_enabled(): argument '{name}' (position {position}) must be bool, not "
                f"{type(flag).__name__}"
            )
    if anomaly.enabled:
        observers.remove(keep_traceback)
    if enabled:
        observers.append(keep_traceback)
    Walk.kind = AnomalyWalk if enabled else Walk
    anomaly.enabled, anomaly.check_nan = enabled, check_nan


class detect_anomaly(PickledFromHere):
    """Inside a ``with`` block, tell of errors in the backward pass which forward call is behind.

    Operations recorded there keep the traceback of their call, and it is shown in a warning when
    their part of the backward pass fails. With `check_nan`, a gradient that is nan is an error.

    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.detect_anomaly

    >>> import warnings
    >>> import minigrad as torch
    >>> x = torch.zeros(1, requires_grad=True)
    >>> with warnings.catch_warnings(), torch.autograd.set_detect_anomaly(True):
    ...     warnings.simplefilter("ignore")
    ...     (x.sqrt() * 0).backward()
    Traceback (most recent call last):
    RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output.
    """

    __module__ = "torch.autograd.anomaly_mode"

    def __init__(self, check_nan: bool = True) -> None:
        self.prev = anomaly.enabled
        self.check_nan = check_nan
        self.prev_check_nan = anomaly.check_nan
        warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging."
        )

    def __enter__(self) -> None:
        set_anomaly_enabled(True, self.check_nan)

    def __exit__(self, *exception: object) -> None:
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class set_detect_anomaly(PickledFromHere):
    """Switch anomaly mode on or off, at once and until the end of the ``with`` block if any.

    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.set_detect_anomaly
    """

    __module__ = "torch.autograd.anomaly_mode"

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.prev = anomaly.enabled
        self.prev_check_nan = anomaly.check_nan
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        set_anomaly_enabled(self.prev, self.prev_check_nan)


def keep_traceback(node: Node, result: Any) -> None:
    """Note in a node's metadata which call recorded it, and the node that ran then, if any."""
    traceback = traceback_of(sys._getframe(1))
    running = getattr(state.walk, "node", None)
    leaves = [edge[0] for edge in node.edges if isinstance(edge[0], AccumulateGrad)]
    for new in (node, *[leaf for leaf in leaves if "traceback_" not in leaf.metadata]):
        new.metadata["traceback_"] = traceback
        if running is not None:
            new.metadata["parent_"] = running.public()


def traceback_of(frame: FrameType | None) -> list[str]:
    """Return the calls that led to a frame, outermost first, but for those inside minigrad."""
    calls = []
    while frame is not None:
        if not is_ours(frame):
            file, line = frame.f_code.co_filename, frame.f_lineno
            text = linecache.getline(file, line, frame.f_globals).strip()
            call = f'  File "{file}", line {line}, in {frame.f_code.co_name}\n'
            calls.append(call + (f"    {text}\n" if text else ""))
        frame = frame.f_back
    return calls[::-1]


class AnomalyWalk(Walk):
    """A backward pass that watches every node it runs."""

    def run(self, root: Node, arrived: list[Gradient]) -> None:
        if self.reached is None:
            # As if these were targets: then each is run by `run_watched`.
            self.reached = set(count_edges(root))
        super().run(root, arrived)

    def run_watched(self, node: Node, arrived: list[Gradient]) -> Sequence[Gradient]:
        try:
            gradients = super().run_watched(node, arrived)
            fitted = fit_all(node, gradients)
            if anomaly.check_nan:
                self.check_for_nan(node, fitted)
        except Exception:
            warn_of(node)
            raise
        return fitted

    def check_for_nan(self, node: Node, gradients: Sequence[Gradient]) -> None:
        """Raise a RuntimeError if one of a node's gradients has a nan."""
        for place, gradient in enumerate(gradients):
            value = gradient._value if self.recorded and gradient is not None else gradient
            if value is not None and np.isnan(value).any():
                raise RuntimeError(
                    f"Function '{node.name()}' returned nan values in its {place}th output."
                )


def warn_of(node: Any) -> None:
    """Warn which forward call is behind a node that failed, and which is behind that one."""
    said, does = "Error detected in", "caused the error"
    while node is not None:
        traceback = NO_TRACEBACK
        if "traceback_" in node.metadata:
            calls = "".join(node.metadata["traceback_"])
            traceback = f"Traceback of forward call that {does}:\n{calls}"
        try:
            warn(f"{said} {node.name()}. {traceback}")
        except Warning as refused:  # warnings are errors here: let the node's own error through
            print(f"{type(refused).__name__}: {refused}", file=sys.stderr)
        node = node.metadata.get("parent_")
        said = "\n\nPrevious calculation was induced by"
        does = "induced the previous calculation"
