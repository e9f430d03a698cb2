"""What programs name of PyTorch's C++ code: the classes of nodes, and the pass that is running.

PyTorch calls all of it private; its own tests, and who knows them, use it.
"""

from __future__ import annotations

import itertools
import weakref
from heapq import heappop, heappush
from typing import Any

from minigrad._C import _autograd as _autograd
from minigrad._C import _functions as _functions
from minigrad.autograd.forward_ad.tangents import is_followed as _is_fwd_grad_enabled  # noqa: F401
from minigrad.autograd.forward_ad.tangents import mode
from minigrad.autograd.function import BackwardCFunction
from minigrad.autograd.grad_mode import _set_grad_enabled as _set_grad_enabled
from minigrad.autograd.grad_mode import is_grad_enabled as is_grad_enabled
from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import AccumulateGrad, GraphRoot, Node, count_edges
from minigrad.c_code import disabled_torch_function as _disabled_torch_function_impl  # noqa: F401
from minigrad.c_code import type_name
from minigrad.overrides import DisableTorchFunction as DisableTorchFunction
from minigrad.overrides import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from minigrad.overrides import _is_torch_function_mode_enabled as _is_torch_function_mode_enabled
from minigrad.overrides.asking import _EnableTorchFunction as _EnableTorchFunction
from minigrad.overrides.asking import modes
from minigrad.random import Generator as Generator
from minigrad.tensor import Tensor

has_lapack = True
MULTITHREADED = (
    "get_current_graph_task_execution_order expects the current backward to be executed with "
    "multithreading disabled, e.g. by running:\n\n"
    ">>> with torch.autograd.set_multithreading_enabled(False):\n"
    "...     torch.autograd.grad(...)\n"
)
_task_ids = itertools.count()


def _current_graph_task_id() -> int:
    """Return the number of the backward pass that is running in this thread; -1 if none is.

    Passes are numbered as they are asked for it.
    """
    if state.walk is None:
        return -1
    if not hasattr(state.walk, "task_id"):
        state.walk.task_id = next(_task_ids)
    return int(state.walk.task_id)


def _will_engine_execute_node(node: Any, /) -> bool:
    """Return whether the backward pass that is running in this thread runs a node.

    Raises:
        RuntimeError: if none is running, or this is no node, or a leaf's in `autograd.grad`.
    """
    own = node._node() if isinstance(node, BackwardCFunction) else node
    if not isinstance(own, Node):
        raise RuntimeError(
            f"_will_engine_execute_node expects an grad_fn, but got {type_name(node)}"
        )
    walk = state.walk
    if walk is None:
        raise RuntimeError(
            "_get_should_execute_nodes should only be called during the backward pass"
        )
    if walk.running is None:
        return own in walk.counts
    if isinstance(own, AccumulateGrad) and (own, 0) in walk.captured:
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running "
            "autograd.grad(). This is currently not supported."
        )
    return own in walk.running or (own in walk.reached and bool(walk.captured))


def _current_autograd_node() -> Any:
    """Return the node that runs in this thread's backward pass, to hooks; None outside of one."""
    walk = state.walk
    return None if walk is None or walk.node is None else walk.node.public()


def _current_graph_task_execution_order() -> list[Any]:
    """Return the nodes that the backward pass in this thread runs, in that order.

    Raises:
        RuntimeError: if none is running, or multithreading is not disabled.
    """
    walk = state.walk
    if walk is None:
        raise RuntimeError(
            "_current_graph_task_execution_order should only be called during the backward pass"
        )
    if state.multithreading:
        raise RuntimeError(MULTITHREADED)
    counts, ready = count_edges(walk.root), [walk.root]
    order: list[Node] = []
    while ready:
        order.append(heappop(ready))
        for node, *_ in order[-1].edges:
            if node is None or not (walk.reached is None or node in walk.reached):
                continue
            counts[node] -= 1
            if not counts[node]:
                heappush(ready, node)
    return [node.public() for node in order if not isinstance(node, GraphRoot)]


def _set_fwd_grad_enabled(enabled: bool, /) -> None:
    """Set whether this thread computes tangents."""
    if not isinstance(enabled, bool):
        raise TypeError(f"enabled must be a bool (got {type_name(enabled)})")
    mode.enabled = enabled


def _is_torch_function_enabled() -> bool:
    """Return whether types answer what this thread calls."""
    return modes.types_answer


def _is_torch_function_all_disabled() -> bool:
    """Return whether neither modes see what this thread calls nor types answer."""
    return not (modes.on or modes.types_answer)


class _WeakTensorRef:
    """Knows whether a tensor is still there."""

    __module__ = "torch._C"

    def __init__(self, tensor: Tensor) -> None:
        self._reference = weakref.ref(tensor)

    def expired(self) -> bool:
        """Return whether the tensor is gone."""
        return self._reference() is None
