"""What a tensor knows of being a view: whose memory it shares, and where its gradient goes.

All views of a tensor, and views of these, have that tensor as `_base` and its version counter. When
the memory is changed in place, and that is recorded, the history of the base changes and with it
that of each view: as soon as somebody asks, the view gets a new `grad_fn`.
Source: https://docs.pytorch.org/docs/stable/notes/autograd.html#in-place-operations-with-autograd
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakSet

from minigrad.autograd.grad_mode import UNTRACKED, Untracked, state
from minigrad.autograd.node import NO_EDGE, Edge, leaf_edge, operation_name

LEAF_IN_PLACE = "{} leaf Variable that requires grad is being used in an in-place operation."
# Why a view must not be changed in place while that is recorded, nor its base be.
SEVERAL = (
    " This view is the output of a function that returns multiple views. Such functions do not "
    "allow the output views to be modified inplace. You should replace the inplace operation by an "
    "out-of-place one."
)
AMBIGUOUS = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
    "code by moving both the view and the inplace either both inside the {} block (if you "
    "don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
)
NO_GRAD, INFERENCE = AMBIGUOUS.format("no_grad"), AMBIGUOUS.format("inference_mode")
# In which mode such a view was made, and what is not allowed now.
MADE_IN = {
    NO_GRAD: ("no_grad", "with grad mode enabled"),
    INFERENCE: ("inference", "in normal mode"),
}
# Told of a tensor that is about to be changed in place, and by which operation on what, if any: see
# `minigrad.autograd.allow_mutation`, `minigrad.func.captured`.
before_change: list[Callable[[Any, str, Sequence[Any]], None]] = []
ITSELF = "is being"
THE_BASE = "its base or another view of its base has been"


class Watched(int):
    """The version of a memory that a tensor was detached of in place: no other seems to be equal.

    So a node that saved such a tensor looks at it more closely; see `SavingNode.saved`.
    """

    __hash__ = int.__hash__

    def __ne__(self, other: object) -> bool:
        return True


class View:
    """What Tensor has besides its memory: an edge to what computed it, and a base if it is a view.

    A view requires grad if its base does, one without a grad_fn as well: made under `no_grad`, or
    of a leaf that was asked to require grad only later. Such a view is no leaf that collects
    gradients, unless it was itself asked to require grad.
    """

    _counter: list[int]
    _edge: Edge | None = None  # the node that computed it, and which output of it this is
    _requires_grad: Any = False  # true also if it is UNTRACKED
    _base: Any = None
    _edge_version = 0  # a view's version when its edge was found
    _forbidden = ""  # why it must not be changed in place, if so
    _asked = False  # whether a view was asked to require grad
    _leaf_since = -1  # the number of the first node after it was detached in place
    _hooked = False  # whether an AccumulateGrad has to look for hooks
    _followers: WeakSet[Any] | None = None  # a base's views that were not recorded

    def _is_view(self) -> bool:
        return self._base is not None

    def is_inference(self) -> bool:
        """Return whether it was made in `inference_mode`."""
        return isinstance(self._counter, Untracked)

    def _count_change(self) -> None:
        """Let all that share the memory see that it was changed in place."""
        (version,) = self._counter
        self._counter[0] = version + 1

    def _find_edge(self) -> Edge | None:
        """Return the edge to what computed this tensor, found anew if its memory was changed.

        Raises:
            RuntimeError: if it is a view that must not be changed in place, and was.
        """
        base = self._base
        if base is None or self._edge_version == self._counter[0]:
            return self._edge
        if self._edge is not None or base._requires_grad:
            self._refuse_change(THE_BASE)
            self._see_base_anew()
        return self._edge

    def _see_base_anew(self) -> None:
        """Record that this view shows its base as it is now; see `minigrad.ops.views`."""
        raise NotImplementedError

    def _gradient_edge(self) -> Edge:
        """Return where the gradient of this tensor goes, which requires grad."""
        edge = self._find_edge()
        if edge is None and (self._base is None or self._asked):
            return leaf_edge(self)
        return edge or NO_EDGE

    def _require_grad(self, flag: bool) -> None:
        """Require grad or not, and let views that were not recorded follow."""
        if self._base is not None:
            self._asked = flag
            self._hooked = self._hooked or flag  # it may become another part of the base
            flag = flag or self._edge is not None or self._base._requires_grad
        untracked = flag and isinstance(self._counter, Untracked)
        if untracked and self._edge is None and not state.inference:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not "
                "allowed."
            )
        self._requires_grad = UNTRACKED if untracked else flag
        for view in self._followers or ():
            view._requires_grad = flag or view._asked or view._edge is not None

    def _forget_edge(self) -> None:
        """Be a leaf from now on, and remember since which node."""
        if self._edge is not None:
            self._edge = None
            self._leaf_since = state.upcoming()
            self._counter[0] = Watched(self._counter[0])
        self._require_grad(False)

    def _refuse_change(self, changed: str) -> None:
        """Refuse what autograd cannot follow if this view, or its base, is changed in place.

        Raises:
            RuntimeError: if the view is one of several, or was made under `no_grad`.
        """
        if not self._forbidden:
            return
        view = ""
        if self._edge is not None:
            view = f"Output {self._edge[1]} of {operation_name(self._edge[0])} is a view"
        if not view or self._forbidden in MADE_IN:
            mode, now = MADE_IN.get(self._forbidden, MADE_IN[NO_GRAD])
            view = (
                f"{view + ' of a view which' if view else 'A view'} was created in {mode} mode "
                f"and {changed} modified inplace {now}."
            )
        else:
            view = f"{view} and {changed} modified inplace."
        raise RuntimeError(view + self._forbidden)

    def _check_in_place(
        self, recorded: bool, operation: str = "", operands: Sequence[Any] = ()
    ) -> None:
        """Refuse an in-place operation, which is `recorded` or not, that autograd cannot follow.

        Raises:
            RuntimeError: for a leaf that requires grad, a view of one, or a view that must not be
                changed; or if anybody else refuses it.
        """
        for tell in before_change:
            tell(self, operation, operands)
        if recorded and self._base is not None:
            self._refuse_change(ITSELF)
            if self._requires_grad and self._base._edge is None:
                raise RuntimeError(LEAF_IN_PLACE.format("a view of a"))
        if recorded and self._requires_grad and self._edge is None:
            raise RuntimeError(LEAF_IN_PLACE.format("a"))


def follow_base(views: Any) -> None:
    """Let a view that was not recorded, or several, require grad as soon as the base does."""
    for view in views if isinstance(views, tuple) else (views,):
        base = view._base
        if base is None:
            continue
        if not state.grad_enabled:
            view._forbidden = INFERENCE if state.inference else NO_GRAD
        view._requires_grad = base._requires_grad
        if base._followers is None:
            base._followers = WeakSet()
        base._followers.add(view)
