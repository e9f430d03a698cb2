"""The question why a tensor's gradient is what it is, and what a trail tells about it."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from types import FrameType
from typing import Any

import numpy as np

from minigrad.explain.case import Scene
from minigrad.explain.cuts import Cut, find_cut
from minigrad.explain.history import Call
from minigrad.explain.trail import Trail
from minigrad.explain.watch import classes, parameters_of
from minigrad.viz.read.protocol import TensorLike, is_tensor, keeps_grad

_LARGE = 10_000  # elements that are looked at


class Question(Scene):
    """Why is ``x.grad`` what it is? ``said`` sorts the answers: ``why: None, cleared``."""

    def __init__(
        self, tensor: TensorLike, frames: Sequence[FrameType], trail: Trail | None
    ) -> None:
        super().__init__(frames, trail)
        self.tensor = tensor

    @property
    def said(self) -> str:
        """What sort of gradient it is."""
        grad = self.tensor.grad if keeps_grad(self.tensor) else None
        if grad is None:
            return f"why: None, {self._none}"
        values = numbers(grad)
        if not values.any():
            return "why: zero"
        return "why: added up" if np.isfinite(values).all() else "why: not finite"

    @property
    def _none(self) -> str:
        if not self.tensor.is_leaf:
            return "computed"
        if not self.tensor.requires_grad:
            return "constant"
        if not self.passes:
            return "no backward pass"
        return "cleared" if self.reaching else "not reached"

    @cached_property
    def passes(self) -> list[Call]:
        """The backward passes since the tensor was made."""
        birth = self.birth(self.tensor)
        start = -1 if birth is None else birth.index
        found = self.history.backward_passes()
        return [one for one in found if one.name == "backward" and one.index > start]

    @cached_property
    def reaching(self) -> list[Call]:
        """Those of them that have brought a gradient."""
        return [one for one in self.passes if any(self.path(one, last=True))]

    def path(self, backward: Call, last: bool = False) -> Iterator[Call]:
        """The recorded calls from the tensor toward the result of a backward pass.

        last: the one alone that ends there.
        """
        if not backward.arguments:
            return
        reached, root = {id(self.tensor)}, backward.arguments[0]
        if last and root in reached:
            yield backward
        end = self.history.birth(root, backward.index)
        for call in reversed(list(self.history.ancestors(root, backward.index).values())):
            if call.requires_grad and reached & set(call.arguments):
                reached |= set(call.results)
                if not last or call is end:
                    yield call
            else:  # an id that was one of these may be used again
                reached -= set(call.results) - {*call.arguments, id(self.tensor)}

    @property
    def uses(self) -> list[Call]:
        """The recorded calls that were given the tensor, on the way of the last pass to it."""
        if not self.reaching:
            return []
        last = self.reaching[-1]
        start = max((one.index for one in self.passes if one.index < last.index), default=-1)
        calls = (call for call in self.path(last) if call.index > start and not call.writes)
        return [call for call in calls if id(self.tensor) in call.arguments]

    def values(self, tensors: Sequence[int], before: int) -> list[Any]:
        """The elements of those of the tensors that still have a name; the ids of a time."""
        same = (self.history.birth(one) is self.history.birth(one, before) for one in tensors)
        named = [
            one for one, known in zip(tensors, same, strict=True) if known and one in self.alive
        ]
        return [numbers(self.variables[self.alive[one]]) for one in named]

    def given(self, call: Call) -> list[Any]:
        """The elements of what a call was given."""
        return self.values(call.arguments, call.index)

    @cached_property
    def optimizers(self) -> list[tuple[str, Any]]:
        """The optimizers that have a name."""
        kinds = classes("optim", "Optimizer")
        named = [
            item for frame in self.frames for item in {**frame.f_globals, **frame.f_locals}.items()
        ]
        return [(name, thing) for name, thing in named if isinstance(thing, kinds)]

    @property
    def optimizer(self) -> tuple[str, Any] | None:
        """The one that moves the tensor."""
        for name, optimizer in self.optimizers:
            if any(one is self.tensor for one in parameters_of(optimizer)):
                return name, optimizer
        return None

    @cached_property
    def cut(self) -> Cut | None:
        """Where the way from the last backward pass to the tensor was cut, or its own history."""
        if not self.tensor.requires_grad:
            return find_cut(self, id(self.tensor))
        last = self.passes[-1] if self.passes else None
        if last is None or not last.arguments:
            return None
        return find_cut(self, last.arguments[0], self.tensor, last.index)

    @property
    def start(self) -> str:
        """How a sentence about that cut begins."""
        name = f"`{self.thing(self.tensor):}`"
        if not self.tensor.requires_grad:
            return f"{name} doesn't require grad"
        last = self.passes[-1]
        return f"The backward pass in {self.at(last.place)} doesn't reach {name}"

    @property
    def fields(self) -> dict[str, Any]:
        """What each page may say."""
        x = self.thing(self.tensor)
        known: dict[str, Any] = {"x": x, "torch": self.torch, "birth": x and x.birth}
        if x is not None and x.birth is not None:
            known["made"] = self.at(x.birth)
        if self.passes and self.passes[-1].arguments:
            last = self.passes[-1]
            known |= {"last": last.place, "at_last": self.at(last.place)}
            known["root"] = self.thing(last.arguments[0], last.index)
        return known


def numbers(tensor: Any) -> Any:
    """The values of a tensor, of a large one the first."""
    flat = tensor.detach().reshape(-1)[:_LARGE]
    return np.asarray(flat.tolist(), dtype=float)


def questions_in(scene: Scene, text: str, trail: Trail | None) -> Iterator[tuple[str, Question]]:
    """The ``.grad`` that a line reads and that are None."""
    for name in re.findall(r"([\w.\[\]']+)\.grad\b", text):
        tensor = scene.variables.get(name, scene.resolved(name))
        if is_tensor(tensor) and (not keeps_grad(tensor) or tensor.grad is None):
            yield name, Question(tensor, scene.frames, trail)
