"""One public call as a recording sees it: what went in, and what has come of it."""

import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from minigrad.viz.read.engines import Engine
from minigrad.viz.read.notes import (
    Cause,
    Line,
    Note,
    Source,
    Stamp,
    living,
    merge,
    note_of,
    roots,
    stamp_of,
    write_note,
    write_stamp,
)
from minigrad.viz.read.protocol import GraphNode, TensorLike, is_leaf_node, is_tensor, maker
from minigrad.viz.read.values import format_number
from minigrad.viz.record.reasons import (
    NO_INPUT,
    Call,
    leaves_by,
    reads_no_numbers,
    why_no_edge,
    why_without_gradient,
)

# Deeper graphs are not stamped: PyTorch crashes when it frees 50,000 nodes, one behind the other,
# that Python has touched.
_DEEPEST = 5_000
_MOST_NEW_NODES = 1_000
_MOST_ITEMS = 1_000


class Observation:
    """A call that is about to be made; ``note`` writes down what has come of it."""

    def __init__(
        self, engine: Engine, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        name, self._is_getter = _name(func)
        self._call = Call(name, engine.grad_enabled, engine.inference)
        self._given = list(_tensors((*args, *kwargs.values())))
        self._sources = [_source(thing) for thing in self._given]
        self._depth = 1 + max((source.depth for source in self._sources), default=0)
        self._number = _number(args)
        self._writes = "out" in kwargs or name == "__setitem__" or name.strip("_") + "_" == name

    def note(self, result: object, made: Line | None) -> None:
        """Write down which line made the tensors of ``result``, and why they have no edge."""
        given = {id(thing) for thing in self._given}
        for thing in _tensors((result,)):
            if id(thing) not in given and not self._was_there(thing):
                given.add(id(thing))
                self._note_new(thing, made)
        if self._given and is_tensor(self._given[0]):
            self._note_change(self._given[0], self._sources[0], made)
        exit_ = leaves_by(self._call.name)
        if exit_ is not None and self._given and self._sources[0].requires_grad:
            note = note_of(self._given[0]) or Note()
            note.exits = tuple(dict.fromkeys((*note.exits, exit_)))
            write_note(self._given[0], note)

    def _was_there(self, thing: TensorLike) -> bool:
        """Whether a property has given a tensor that is not its own: ``.grad`` and ``._base``."""
        return self._is_getter and self._call.name in ("grad", "_base")

    def _note_new(self, thing: Any, made: Line | None) -> None:
        requires_grad = getattr(thing, "requires_grad", False)
        causes = () if requires_grad else self._causes(str(thing.dtype), self._sources)
        write_note(thing, Note(made, merge(causes), depth=self._depth))
        if requires_grad:
            self._stamp(thing, made)

    def _note_change(self, tensor: TensorLike, before: Source, made: Line | None) -> None:
        """Note what has become of the first argument, which may have been changed in place."""
        if tensor.requires_grad:
            if self._writes:
                note = note_of(tensor) or Note()
                note.depth = max(note.depth, self._depth)
                write_note(tensor, note)
                self._stamp(tensor, made)
        elif before.requires_grad or self._writes:
            note = note_of(tensor) or Note()
            sources = self._sources[:1] if before.requires_grad else self._sources[1:]
            kept = () if before.requires_grad else living(note.causes)
            note.causes = merge((*kept, *self._causes(str(tensor.dtype), sources)))
            write_note(tensor, note)

    def _causes(self, dtype: str, sources: Sequence[Source]) -> Iterator[Cause]:
        """Why a result of ``dtype`` has no edge to what was given."""
        if reads_no_numbers(self._call.name):
            return
        lost = any(source.requires_grad for source in sources)
        for source in sources:
            yield Cause(why_no_edge(self._call, dtype) if lost else NO_INPUT, source)

    def _stamp(self, tensor: TensorLike, made: Line | None) -> None:
        """Stamp the nodes that the call has made, and note which inputs gave them no edge."""
        if self._depth > _DEEPEST:
            return
        new = list(_unstamped(maker(tensor)))
        for index, node in enumerate(new):
            write_stamp(node, Stamp(made, self._depth, None if index else self._number))
        lacking = [node for node in new if any(to is None for to, _ in node.next_functions)]
        for node in (lacking or new)[:1]:
            stamp = stamp_of(node)
            assert stamp is not None
            stamp.missing = merge(
                Cause(why_without_gradient(source.dtype), source)
                for source in self._sources
                if not source.requires_grad
            )


def _name(func: Any) -> tuple[str, bool]:
    """What was called, and whether it reads a property: then its name is the property's."""
    name = str(getattr(func, "__name__", ""))
    if name not in ("__get__", "__set__", "__delete__"):
        return name, False
    owner = getattr(func, "__self__", None)
    named = owner if hasattr(owner, "__name__") else getattr(owner, "fget", None)
    return str(getattr(named, "__name__", "")), name == "__get__"


def _number(args: tuple[Any, ...]) -> str | None:
    """The plain number that an operation on a tensor was given."""
    numbers = [one for one in args if type(one) in (int, float)]
    return format_number(numbers[0]) if len(args) == 2 and len(numbers) == 1 else None


def _tensors(things: Iterable[object]) -> Iterator[Any]:
    """The tensors and arrays among ``things`` and in their lists, tuples and dicts."""
    waiting = [iter(things)]
    seen = 0
    while waiting and seen < _MOST_ITEMS:
        thing = next(waiting[-1], waiting)
        if thing is waiting:
            waiting.pop()
            continue
        seen += 1
        if is_tensor(thing) or isinstance(thing, np.ndarray):
            yield thing
        elif isinstance(thing, list | tuple):
            waiting.append(iter(thing))
        elif type(thing) is dict:
            waiting.append(iter(thing.values()))


def _source(thing: Any) -> Source:
    note = note_of(thing)
    dtype = str(thing.dtype)
    depth = 0 if note is None else note.depth
    reference = weakref.ref(thing)
    if not getattr(thing, "requires_grad", False):
        behind = () if note is None else merge(living(roots(note.causes)))
        return Source(reference, dtype, depth, behind=behind)
    node = maker(thing) if depth < _DEEPEST else None
    if node is None:
        return Source(reference, dtype, depth, True)
    stamp = stamp_of(node)
    if stamp is None:  # made before the recording, or by a custom Function, which modes do not see
        stamp = Stamp(None if note is None else note.made, depth)
        write_stamp(node, stamp)
    depth = max(depth, stamp.depth)
    return Source(reference, dtype, depth, True, weakref.ref(stamp), thing.output_nr)


def _unstamped(root: GraphNode | None) -> Iterator[GraphNode]:
    """``root`` and the operations behind it, up to those that are stamped."""
    waiting = [root]
    seen: set[GraphNode] = set()
    while waiting and len(seen) < _MOST_NEW_NODES:
        node = waiting.pop(0)
        if node is None or node in seen or is_leaf_node(node) or stamp_of(node) is not None:
            continue
        seen.add(node)
        yield node
        waiting.extend(source for source, _ in node.next_functions)
