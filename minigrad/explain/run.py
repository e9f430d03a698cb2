"""A block that has run under a watch: what findings ask about it."""

import linecache
import math
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from types import FrameType
from typing import Any

import numpy as np

from minigrad.explain.case import Scene
from minigrad.explain.history import Call
from minigrad.explain.source import Place
from minigrad.explain.watch import Event, Pass, Watch, parameters_of
from minigrad.explain.why import numbers
from minigrad.viz.read.protocol import TensorLike

_SAME = {"view", "reshape", "squeeze", "unsqueeze", "flatten", "permute", "transpose", "t", "T"}
_SAME |= {"float", "double", "contiguous", "to", "clone"}


class Run(Scene):
    """The passes of a block, its parameters, and its optimizers."""

    said = text = "checkup"

    def __init__(self, watch: Watch, frames: list[FrameType]) -> None:
        super().__init__(frames, watch.trail)
        self.watch = watch
        self.passes = list(watch.passes)
        self._moved_last = watch.now.moved | watch.moved()
        self._indexes = {id(raw): index for index, raw in enumerate(watch.trail.calls)}

    @cached_property
    def variables(self) -> dict[str, TensorLike]:
        """The tensors with names; parameters also by the names that they had in functions."""
        seen = self.watch.names
        named = {seen[number]: one for number, one in self.watch.alive() if number in seen}
        return {**named, **super().variables}

    @property
    def fields(self) -> dict[str, Any]:
        """What each page may say."""
        last = self.passes[-1].raw if self.passes else None
        call = None if last is None else self.call(last)
        count = f"{len(self.passes)} backward pass{'es' * (len(self.passes) != 1)}"
        known: dict[str, Any] = {"torch": self.torch, "count": count, "passes": len(self.passes)}
        if call is not None:
            known |= {"last": call.place, "at_last": self.at(call.place), "line": call.place.text}
        return known

    @cached_property
    def params(self) -> dict[int, Any]:
        """The parameters that are to learn: in the order of their use, then the others."""
        alive = {number: one for number, one in self.watch.alive() if one.requires_grad}
        used = [number for event in self.events() for number in event.weights if number in alive]
        return {number: alive[number] for number in dict.fromkeys([*used, *alive])}

    @cached_property
    def matrices(self) -> list[int]:
        """The weights of layers, in the order of their use."""
        used = dict.fromkeys(number for event in self.events() for number in event.weights)
        return [one for one in used if one in self.params and len(self.params[one].shape) > 1]

    def slopes(self, each: Pass) -> dict[int, float]:
        """How large the gradient at the output of each layer was, as the weights' tell it."""
        found: dict[int, float] = {}
        for event in each.events:
            for one in event.weights if event.raw[5] else ():
                size = each.after.get(one)
                if one in self.matrices and size and event.size and math.isfinite(size):
                    found.setdefault(one, size / event.size)
        return found

    def events(self) -> Iterator[Event]:
        """The calls of all passes that were noted, and of what came after."""
        for each in (*self.passes, self.watch.now):
            yield from each.events

    def call(self, raw: Any) -> Call | None:
        """A call in the history; None if the trail has forgotten it."""
        index = self._indexes.get(id(raw))
        return None if index is None else self.history.calls[index]

    def moved(self, index: int) -> set[int]:
        """The parameters that have changed after the pass with this index."""
        later = self.passes[index + 1 :]
        return later[0].moved if later else self._moved_last

    @cached_property
    def movers(self) -> set[int]:
        """The parameters that have changed at some time after a pass."""
        return set().union(*map(self.moved, range(len(self.passes))))

    def sizes(self, number: int, after: bool = True) -> list[float | None]:
        """The largest element of a parameter's .grad, after or before each pass."""
        return [(one.after if after else one.before).get(number) for one in self.passes]

    @cached_property
    def broken_weights(self) -> bool:
        """Whether a parameter has elements that aren't finite."""
        return not all(np.isfinite(numbers(one)).all() for one in self.params.values())

    @cached_property
    def given(self) -> set[int]:
        """The parameters of the modules and lists that were given."""
        modules = self.watch.modules
        return self.watch.listed.union(id(one) for each in modules for one in each.parameters())

    @cached_property
    def optimized(self) -> dict[int, Any]:
        """The optimizer of each parameter that has one."""
        given = self.watch.optimizers
        return {id(one): optimizer for optimizer in given for one in parameters_of(optimizer)}

    def named_all(self, numbers: Iterable[int]) -> str:
        """The names of parameters, of many the first."""
        names = [f"`{self.thing(self.watch.params[one]()):}`" for one in numbers]
        more = [f"{len(names) - 3} more"] if len(names) > 4 else names[3:]
        *first, last = [*names[:3], *more]
        return f"{', '.join(first)} and {last}" if first else last

    def name_of(self, thing: Any, default: str) -> str:
        """A variable for a thing that isn't a tensor."""
        for frame in reversed(self.frames):
            for name, value in {**frame.f_globals, **frame.f_locals}.items():
                if value is thing and not name.startswith("_"):
                    return name
        return default

    def origin(self, tensor: int, before: Call) -> Call | None:
        """The call that computed the elements of a tensor: not one that gave them a new shape."""
        call = self.history.birth(tensor, before.index)
        while call is not None and call.name in _SAME and call.arguments:
            call = self.history.birth(call.arguments[0], call.index)
        return call

    def find(self, place: Place, pattern: str) -> Place:
        """The line near a place that has a pattern, or else the place."""
        if re.search(pattern, place.text):
            return place
        for filename in dict.fromkeys((place.filename, self.home)):
            for number, text in enumerate(linecache.getlines(filename), 1):
                if re.search(pattern, text.partition("#")[0]):
                    return Place(filename, number, (number, number, 0, 0))
        return place
