"""Running a backward pass so that it can be stepped through afterwards."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from minigrad.viz.backward.recorder import BackwardRecorder
from minigrad.viz.backward.recording import BackwardRecording
from minigrad.viz.read.engines import package_of
from minigrad.viz.read.names import NamedTensors
from minigrad.viz.read.protocol import TensorLike, is_tensor
from minigrad.viz.read.snapshot import DEFAULT_LIMIT


def recorded_backward(
    tensors: Sequence[TensorLike],
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
    named: NamedTensors | None = None,
    limit: int = DEFAULT_LIMIT,
) -> BackwardRecording:
    """Run backward from ``tensors`` for real; what it raises is not raised, but recorded.

    gradient: one for each of several tensors. TypeError for anything but tensors, ValueError for a
    limit below 1; then nothing has run.
    """
    if not tensors:
        raise TypeError("stepping through backward takes one or more tensors, but got none")
    for tensor in tensors:
        if not is_tensor(tensor):
            raise TypeError(
                f"stepping through backward takes tensors, but got {type(tensor).__name__}"
            )
    if limit < 1:
        raise ValueError(f"limit must be at least 1, but got {limit}")
    gradients = list(gradient) if isinstance(gradient, list | tuple) else [gradient]
    known = gradients if len(gradients) == len(tensors) else None
    recorder = BackwardRecorder(tensors, known, named, limit)
    backward = package_of(tensors[0]).autograd.backward
    with suppress(Exception), recorder:  # the recording has it
        backward(tensors, gradient, retain_graph, create_graph, inputs=inputs)
    return recorder.recording
