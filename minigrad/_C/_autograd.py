"""Hooks on saved tensors, switched by hand, and what the pass that is running does."""

from __future__ import annotations

from minigrad.autograd.grad_mode import state
from minigrad.autograd.saved_tensors_hooks import Pair
from minigrad.autograd.saved_tensors_hooks import SavedTensor as SavedTensor
from minigrad.autograd.saved_tensors_hooks import disable as _saved_tensors_hooks_disable  # noqa: F401
from minigrad.autograd.saved_tensors_hooks import pop as _pop_saved_tensors_default_hooks  # noqa: F401
from minigrad.autograd.saved_tensors_hooks import push as _push_saved_tensors_default_hooks  # noqa: F401


def _top_saved_tensors_default_hooks(ignore_is_tracing: bool, /) -> Pair | None:
    """Return the innermost hooks on saved tensors; None if there are none."""
    return state.saved_tensors_hooks[-1] if state.saved_tensors_hooks else None


def _saved_tensors_hooks_enable() -> None:
    """Allow hooks on saved tensors again."""
    state.no_saved_tensors_hooks = None


def _saved_tensors_hooks_is_enabled() -> bool:
    """Return whether there may be hooks on saved tensors."""
    return state.no_saved_tensors_hooks is None


def _saved_tensors_hooks_get_disabled_error_message() -> str | None:
    """Return with what message hooks on saved tensors are refused, if they are."""
    return state.no_saved_tensors_hooks


def _get_current_graph_task_keep_graph() -> bool:
    """Return whether the backward pass that is running keeps the graph; True if none is."""
    return state.walk is None or bool(state.walk.retain_graph)
