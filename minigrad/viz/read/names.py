"""What the program calls its tensors."""

from collections.abc import Iterable, Iterator, Mapping
from types import FrameType
from typing import Any

from minigrad.viz.read.protocol import TensorLike, is_tensor

NamedTensors = list[tuple[str, TensorLike]]

# IPython's own lists of inputs and outputs: what they hold has better names.
_NOT_NAMES = frozenset({"In", "Out"})
_LARGEST_CONTAINER = 100
_DEEPEST = 4  # such as net.layers[0].weights['w']
_MOST_MEMBERS = 1_000


def given_names(names: Mapping[str, TensorLike]) -> NamedTensors:
    """Check a mapping from name to tensor; TypeError if it holds anything else."""
    if not isinstance(names, Mapping):
        raise TypeError(
            f"names: expected a dict of str to Tensor, but got a {type(names).__name__}"
        )
    for name, tensor in names.items():
        if not isinstance(name, str) or not is_tensor(tensor):
            wrong = type(tensor if isinstance(name, str) else name).__name__
            raise TypeError(f"names: expected a dict of str to Tensor, but got one with {wrong}")
    return list(names.items())


def names_in_frame(frame: FrameType) -> NamedTensors:
    """The tensors that code running in ``frame`` can name; local variables hide global ones."""
    local = frame.f_locals  # first for their order, and last for their values
    return names_in({**local, **frame.f_globals, **local})


def names_in(namespace: Mapping[str, object]) -> NamedTensors:
    """The tensors that ``namespace`` names.

    A parameter of a module is ``net.0.weight``, whatever else it is called: a loop over the
    parameters leaves its variable behind. Then come plain variables. A tensor without a variable is
    called by where it lies: ``weights[0]``, ``state['w']``, ``layer.w``. Names with a leading
    underscore are left out (IPython's ``_`` and ``_12`` among them).
    """
    variables = {
        name: thing
        for name, thing in namespace.items()
        if not name.startswith("_") and name not in _NOT_NAMES
    }
    parameters = _first_names(pair for one in variables.items() for pair in _parameters(*one))
    plain = [pair for pair in variables.items() if is_tensor(pair[1])]
    plain = [(name, tensor) for name, tensor in plain if id(tensor) not in parameters]
    members = _first_names(_members(variables))
    for _, tensor in (*plain, *parameters.values()):
        members.pop(id(tensor), None)
    return [*plain, *parameters.values(), *members.values()]


def _first_names(pairs: Iterable[tuple[str, Any]]) -> dict[int, tuple[str, Any]]:
    """Each tensor, by its id, with the first of its names."""
    first: dict[int, tuple[str, Any]] = {}
    for name, tensor in pairs:
        first.setdefault(id(tensor), (name, tensor))
    return first


def _parameters(name: str, thing: object) -> Iterator[tuple[str, Any]]:
    """The parameters of a module."""
    if not hasattr(type(thing), "named_parameters"):
        return
    try:
        parameters = list(thing.named_parameters())  # type: ignore[attr-defined]
    except Exception:  # a half-built module (or a class of modules) has no names to give
        return
    yield from ((f"{name}.{inner}", parameter) for inner, parameter in parameters)


def _members(variables: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
    """The tensors in containers and attributes, with where they lie; those with short names first.

    Each container is looked into once, so that cycles and shared ones cost nothing.
    """
    level, seen = list(variables.items()), set[int]()
    for _ in range(_DEEPEST):
        fresh = {id(thing): (name, thing) for name, thing in reversed(level)}
        inside = [
            (name + inner, member)
            for number, (name, thing) in reversed(fresh.items())
            if number not in seen
            for inner, member in _contents(thing)
        ]
        seen.update(fresh)
        yield from (pair for pair in inside if is_tensor(pair[1]))
        level = inside[:_MOST_MEMBERS]


def _contents(thing: Any) -> list[tuple[str, Any]]:
    """What lies directly in a container, a module, or an object of a class of the program's own."""
    if type(thing) in (list, tuple):
        return [(f"[{i}]", item) for i, item in enumerate(thing[:_LARGEST_CONTAINER])]
    if type(thing) is dict:
        items = list(thing.items()) if len(thing) <= _LARGEST_CONTAINER else []
        return [(f"[{key!r}]", item) for key, item in items if type(key) is str]
    if type(thing).__module__ != "__main__" or is_tensor(thing) or not hasattr(thing, "__dict__"):
        return []
    return [(f".{key}", item) for key, item in vars(thing).items() if not key.startswith("_")]
