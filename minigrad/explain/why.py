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
        for call in reversed(list(self.history.ancestors(root, backward.index).values())):
            if call.requires_grad and reached & set(call.arguments):
                reached |= set(call.results)
                if not last or root in call.results:
                    yield call

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
