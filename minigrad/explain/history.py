"""What a trail tells afterward: where a tensor came from, and what changed it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from minigrad.explain.source import Place, place_of
from minigrad.explain.trail import RawCall

# What ends in "_" and leaves the elements alone.
_NO_CHANGE = {"requires_grad_", "detach_", "retain_grad_", "share_memory_"}
# What gives a tensor in the same memory.
_VIEWS = {
    "data",
    "detach",
    "view",
    "reshape",
    "__getitem__",
    "t",
    "T",
    "mT",
    "transpose",
    "permute",
}
_VIEWS |= {"squeeze", "unsqueeze", "expand", "expand_as", "view_as", "narrow", "select", "unbind"}
_VIEWS |= {
    "chunk",
    "split",
    "flatten",
    "ravel",
    "unfold",
    "diagonal",
    "movedim",
    "swapaxes",
    "numpy",
}
_CONSTANTS = {id(None), id(True), id(False)}
BACKWARD = ("backward", "grad")


class Call:
    """One call that the user's program made."""

    def __init__(self, index: int, raw: RawCall) -> None:
        self.index, self.raw = index, raw
        self._func, self._code, self._instruction, made, arguments, asks = raw
        self.requires_grad = bool(asks)
        results = made if isinstance(made, tuple) else (made,)
        self.results = tuple(one for one in results if one not in _CONSTANTS)
        self.arguments = tuple(one for one in arguments if one not in _CONSTANTS)
        self.memory: tuple[tuple[int, int], ...] = ()

    @cached_property
    def name(self) -> str:
        """The function's name; of a property that is read or set, the property's."""
        return function_name(self._func)

    @property
    def is_property(self) -> bool:
        """Whether a property was read or set."""
        return getattr(self._func, "__name__", "") in ("__get__", "__set__")

    @cached_property
    def place(self) -> Place:
        """Where the user's program made the call."""
        return place_of(self._code, self._instruction)

    @cached_property
    def writes(self) -> bool:
        """Whether the call changes its first argument in place."""
        name = self.name
        if name in _NO_CHANGE or not self.arguments:
            return False
        inplace = name.endswith("_") and not name.endswith("__")
        return name == "__setitem__" or inplace or (name.startswith("__i") and name != "__iter__")

    @property
    def is_backward(self) -> bool:
        """Whether the call is a backward pass."""
        return self.name in BACKWARD and not self.is_property


class History:
    """All calls of a trail, in their order."""

    def __init__(self, raw: Iterable[RawCall]) -> None:
        self.calls = [Call(index, one) for index, one in enumerate(raw)]
        self._made = _Timeline()
        self._written = _Timeline()
        self._returned = _Timeline()
        for call in self.calls:
            for one in call.results:
                self._returned.add(one, call)
                if one not in call.arguments:
                    self._made.add(one, call)
            if call.writes:
                self._written.add(call.arguments[0], call)

    def birth(self, tensor: int, before: int | None = None) -> Call | None:
        """The call that made the tensor with this id; None if it was made unseen."""
        return self._made.last(tensor, len(self.calls) if before is None else before)

    def first_change(self, tensor: int) -> Call | None:
        """The first recorded change in place of the tensor with this id."""
        return next(iter(self._written.between(tensor, -1, len(self.calls))), None)

    def changes_of_flag(self, tensor: int) -> Iterator[Call]:
        """The calls that set requires_grad of the tensor with this id."""
        named = (call for call in self.calls if call.name.startswith("requires_grad"))
        return (call for call in named if call.arguments[:1] == (tensor,))

    def required_grad(self, tensor: int, before: int) -> bool | None:
        """Whether a tensor required grad when it was last returned; None if that is unknown."""
        call = self._returned.last(tensor, before)
        return None if call is None else call.requires_grad

    def backward_passes(self, before: int | None = None) -> Iterator[Call]:
        """The backward passes, the first one first."""
        return (call for call in self.calls[:before] if call.is_backward)

    @cached_property
    def _memory_now(self) -> dict[int, tuple[int, int]]:
        """The memory of each tensor: the first one that had it, by its id and its call.

        Along the way, each call is told the memory of its arguments, and after them its results. An
        id names a new tensor as soon as a call returns one that it wasn't given.
        """
        memory: dict[int, tuple[int, int]] = {}
        for call in self.calls:
            given = [memory.get(one, (one, 0)) for one in call.arguments]
            for one in call.results:
                if one not in call.arguments:
                    memory[one] = given[0] if given and call.name in _VIEWS else (one, call.index)
            call.memory = (*given, *(memory.get(one, (one, 0)) for one in call.results))
        return memory

    def changed_after_use(self, used: Call, result: bool) -> Iterator[Call]:
        """The changes of what a call has returned (``result``), or else of what it was given."""
        assert self._memory_now is not None  # calls know their memory from now on
        count = len(used.arguments)
        memory = used.memory[count:] if result else used.memory[:count]
        for call in self.calls[used.index + 1 :]:
            if call.writes and call.memory[0] in memory:
                yield call

    def ancestors(self, tensor: int, before: int | None = None) -> dict[int, Call]:
        """The calls that a tensor was computed by, by their index; the latest comes first."""
        found: dict[int, Call] = {}
        seen: dict[tuple[int, int], int] = {}
        waiting = [(tensor, len(self.calls) if before is None else before)]
        while waiting:
            one, time = waiting.pop()
            birth = self.birth(one, time)
            start = -1 if birth is None else birth.index
            if seen.get((one, start), -1) >= time:
                continue
            written = self._written.between(one, max(start, seen.get((one, start), -1)), time)
            seen[one, start] = time
            for call in (*written, *([] if birth is None else [birth])):
                if call.index not in found:
                    found[call.index] = call
                    waiting += [(given, call.index) for given in call.arguments]
        return dict(sorted(found.items(), reverse=True))

    def derived(self, tensor: int) -> dict[int, set[int]]:
        """For each call, by its index, those of its arguments that were computed from a tensor."""
        derived, found = {tensor}, {}
        birth = self.birth(tensor)
        for call in self.calls[0 if birth is None else birth.index + 1 :]:
            found[call.index] = derived & set(call.arguments)
            change = derived.update if found[call.index] else derived.difference_update
            change(one for one in call.results if one != tensor and one not in call.arguments)
        return found


class _Timeline:
    """Calls by the id of a tensor, in their order."""

    def __init__(self) -> None:
        self._calls: dict[int, list[Call]] = {}
        self._times: dict[int, list[int]] = {}

    def add(self, tensor: int, call: Call) -> None:
        self._calls.setdefault(tensor, []).append(call)
        self._times.setdefault(tensor, []).append(call.index)

    def last(self, tensor: int, before: int) -> Call | None:
        at = bisect_left(self._times.get(tensor, ()), before)
        return self._calls[tensor][at - 1] if at else None

    def between(self, tensor: int, start: int, stop: int) -> list[Call]:
        times = self._times.get(tensor, ())
        return self._calls.get(tensor, [])[bisect_right(times, start) : bisect_left(times, stop)]


def function_name(func: Any) -> str:
    """What is called: of a property's getter or setter, the property."""
    name = str(getattr(func, "__name__", ""))
    if name not in ("__get__", "__set__", "__delete__"):
        return name
    owner = getattr(func, "__self__", None)
    named = owner if hasattr(owner, "__name__") else getattr(owner, "fget", None)
    return str(getattr(named, "__name__", ""))
