"""What `debug=True` tells of a checkpoint whose function did something else when it ran again."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import Any

from minigrad.autograd.anomaly_mode import traceback_of
from minigrad.overrides import TorchFunctionMode, resolve_name
from minigrad.tensor import Tensor
from minigrad.utils._pytree import tree_leaves, tree_map_only
from minigrad.utils.checkpoint import CheckpointError, Contexts

REPORT = """ \
An error happened while unpacking tensors; dumping logs of latest computation
because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.
Scroll all the way down for guidance on how to navigate these logs.

+~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~+
|        1. Stack traces of the operators that ran in the original forward     |
+------------------------------------------------------------------------------+

{forward_traces}
+~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~+
|        2. Stack traces of the operators that ran during recomputation        |
+------------------------------------------------------------------------------+

{recompute_traces}
+~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~+
|       3. Log of operators in the original forward and recomputation          |
+------------------------------------------------------------------------------+
(Scroll up to correlate stack traces with each operation listed below. This
 helps identify their source in the code.)

IMPORTANT: Differences in "detach" calls between the original forward and the
           recomputation are expected. They are introduced by the checkpointing
           mechanism and can be ignored.

Operations executed during the original forward:

{forward_ops}

Operations executed during recomputation:

{recompute_ops}

+------------------------------------------------------------------------------+
 ERROR: Detected non-determinism while running activation checkpointing

 You are seeing this error because you passed `debug=True` to checkpoint and
 tensors to be saved during the original forward and differ between those saved
 during recomputation. This can happen if different operators were ran in the
 original forward and in the recomputation.

 To identify where the mismatch may be coming from, you can do the following:

 1) Compare the operators ran during original forward and recomputation to
    see where they differ. These operators are printed above in the order they
    were executed.

 2) Review the stack trace for each operator to locate its invocation source.
    Each operator's stack trace is printed in their execution order.

 Note that the logs can be quite long. Here's how they are structured:
 (Tip: you can Ctrl-f for these headers)

 1. Stack traces of the operators that ran in the original forward
 2. Stack traces of the operators that ran during recomputation
 3. Log of operators in the original forward and recomputation
 4. Error message                                             <--- You are here
--------------------------------------------------------------------------------
"""


class Named:
    """Stands for a tensor among the arguments of a call, and is shown by its number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"${self.number}"


class CallLog(TorchFunctionMode):
    """Notes the public calls of one run, ``$1: f32[3] = torch.sin($0)``, and where they are."""

    def __enter__(self) -> TorchFunctionMode:
        self.calls: list[str] = []
        self.places: list[str] = []
        self.named: dict[int, Named] = {}  # tensors, by their ids
        self.numbers = itertools.count()
        return super().__enter__()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = tree_map_only(Tensor, self.name, (args, kwargs or {}))
        shown = [repr(one) for one in given[0]]
        shown += [f"{name}={one!r}" for name, one in given[1].items()]
        result = func(*args, **(kwargs or {}))
        tensors = [one for one in tree_leaves(result) if isinstance(one, Tensor)]
        if tensors:
            taken = set(map(id, tree_leaves((args, kwargs or {}))))
            for one in tensors:
                if id(one) not in taken:  # what had this id before is gone
                    self.named.pop(id(one), None)
            results = ", ".join([f"{self.name(one)}: {kind(one)}" for one in tensors])
            self.calls.append(f"{results} = {resolve_name(func)}({', '.join(shown)})")
            self.places.append("".join(traceback_of(sys._getframe(1))))
        return result

    def name(self, tensor: Tensor) -> Named:
        """Return what a tensor is shown as: by a number of its own."""
        if id(tensor) not in self.named:
            self.named[id(tensor)] = Named(next(self.numbers))
        return self.named[id(tensor)]

    def traces(self, label: str) -> str:
        """Return the calls, each with the lines of the program that led there."""
        total = len(self.calls)
        return "".join(
            [
                f"{call}   ({number} of {total} in {label})\n\n{place}\n\n"
                for number, (call, place) in enumerate(zip(self.calls, self.places, strict=True), 1)
            ]
        )


def kind(tensor: Tensor) -> str:
    """Return a tensor's dtype and shape in short: ``f32[2, 3]``."""
    dtype = tensor._array.dtype
    return f"{dtype.kind}{dtype.itemsize * 8}{list(tensor._array.shape)}"


class Runs:
    """The logs of the run of a checkpoint's function, and of the last time that it ran again."""

    def __init__(self) -> None:
        self.original, self.again = CallLog(), CallLog()

    def contexts(self) -> Contexts:
        """Return the contexts for both."""
        return self.original, self.again

    def explaining(self, unpack: Callable[[int], Tensor]) -> Callable[[int], Tensor]:
        """Return the same function; what it raises tells what ran."""

        def unpack_or_report(number: int) -> Tensor:
            try:
                return unpack(number)
            except CheckpointError as error:
                report = REPORT.format(
                    forward_traces=self.original.traces("original"),
                    recompute_traces=self.again.traces("recompute"),
                    forward_ops="\n".join(self.original.calls),
                    recompute_ops="\n".join(self.again.calls),
                )
                raise CheckpointError(report) from error

        return unpack_or_report
