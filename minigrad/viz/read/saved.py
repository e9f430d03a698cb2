"""What a node keeps for its backward, read without raising and without running anybody's hooks."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from minigrad.viz.read.protocol import GraphNode, TensorLike, is_tensor
from minigrad.viz.read.values import format_number

# Numbers that decide what an operation computes, under the same names in every engine.
_NUMBERS = ("alpha", "exponent", "max", "min", "negative_slope", "reduction", "self", "value")

HELD, FREED, MODIFIED = "held", "freed", "modified"


class SavedTensor(NamedTuple):
    """One saved tensor of a node; ``tensor`` is None unless it is held and can be read."""

    name: str
    state: str
    tensor: TensorLike | None


def read_saved(node: GraphNode) -> list[SavedTensor]:
    """The saved tensors of ``node``, ``self`` first and then by name.

    Read from the attributes ``_saved_...`` of an operation and ``saved_tensors`` of a custom
    Function, which raise RuntimeError once the tensor was freed or modified in place. A tensor
    packed by a saved-tensor hook counts as held; its hook is not run, so it is not read. A small
    engine, which has neither, may have a dict ``saved`` of tensors by name: None once freed.
    """
    names = _names(type(node), *getattr(node, "__dict__", ()))
    if not names and isinstance(saved := getattr(node, "saved", None), dict):
        kept = [(name, one) for name, one in saved.items() if one is None or is_tensor(one)]
        return [SavedTensor(name, FREED if one is None else HELD, one) for name, one in kept]
    return [saved for name in names for saved in _read(node, name)]


@lru_cache(maxsize=1000)
def _names(kind: type, *own: str) -> list[str]:
    """The attributes to read from a node of this class that has these attributes of its own."""
    names = [name for name in {*dir(kind), *own} if name.startswith("_saved_")]
    names.sort(key=lambda name: (name not in ("_saved_self", "_saved_input"), name))
    if hasattr(kind, "saved_tensors"):
        names.append("saved_tensors")
    return names


def _read(node: GraphNode, attribute: str) -> Iterator[SavedTensor]:
    name = attribute.removeprefix("_saved_")
    if _has_unpack_hook(node, attribute):
        yield SavedTensor(name, HELD, None)
        return
    try:
        value = getattr(node, attribute)
    except RuntimeError as error:
        modified = "modified by an inplace operation" in str(error)
        yield SavedTensor(name, MODIFIED if modified else FREED, None)
        return
    if is_tensor(value):
        yield SavedTensor(name, HELD, value)
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            if is_tensor(item):
                yield SavedTensor(f"{name}[{index}]", HELD, item)


def _has_unpack_hook(node: GraphNode, attribute: str) -> bool:
    """Whether ``_raw_saved_...`` says that reading the tensor would run a hook."""
    try:
        raw = getattr(node, f"_raw{attribute if attribute[0] == '_' else '_' + attribute}", None)
    except RuntimeError:  # freed
        return False
    raws = raw if isinstance(raw, tuple | list) else (raw,)
    return any(getattr(item, "unpack_hook", None) is not None for item in raws)


def read_numbers(node: GraphNode, saved: Iterable[SavedTensor]) -> tuple[tuple[str, str], ...]:
    """The plain numbers that ``node`` was given, beside the tensors that it has ``saved``."""
    names = [name for name in _NUMBERS if name not in {one.name for one in saved}]
    found = [(name, getattr(node, f"_saved_{name}", None)) for name in names]
    return tuple(
        (name, format_number(value))
        for name, value in found
        if isinstance(value, int | float) and (name, value) != ("alpha", 1)  # minigrad has no alpha
    )
