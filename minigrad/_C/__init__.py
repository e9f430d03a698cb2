"""What programs name of PyTorch's C++ code: the classes of nodes, and the pass that is running.

PyTorch calls all of it private; its own tests, and who knows them, use it.
"""

from __future__ import annotations

import itertools
from typing import Any

from minigrad._C import _functions as _functions
from minigrad.autograd.function import BackwardCFunction
from minigrad.autograd.grad_mode import _set_grad_enabled as _set_grad_enabled
from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import AccumulateGrad, Node
from minigrad.c_code import disabled_torch_function as _disabled_torch_function_impl  # noqa: F401
from minigrad.c_code import type_name
from minigrad.overrides import DisableTorchFunction as DisableTorchFunction
from minigrad.overrides import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass

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
