"""What the program calls its tensors."""

from collections.abc import Iterator, Mapping
from types import FrameType

from minigrad.viz.protocol import TensorLike, is_tensor

NamedTensors = list[tuple[str, TensorLike]]

# IPython's own lists of inputs and outputs: what they hold has better names.
_NOT_NAMES = frozenset({"In", "Out"})
_LARGEST_CONTAINER = 100


def given_names(names: Mapping[str, TensorLike]) -> NamedTensors:
    """Check a mapping from name to tensor; TypeError if it holds anything else."""
    for name, tensor in names.items():
        if not isinstance(name, str) or not is_tensor(tensor):
            wrong = type(tensor if isinstance(name, str) else name).__name__
            raise TypeError(f"names: expected a dict of str to Tensor, but got one with {wrong}")
    return list(names.items())


def names_in_frame(frame: FrameType) -> NamedTensors:
    """The tensors that code running in ``frame`` can name; local variables hide global ones."""
    return names_in({**frame.f_locals, **_hidden(frame)})


def _hidden(frame: FrameType) -> dict[str, object]:
    return {name: thing for name, thing in frame.f_globals.items() if name not in frame.f_locals}


def names_in(namespace: Mapping[str, object]) -> NamedTensors:
    """The tensors that ``namespace`` names, plain variables first.

    Names with a leading underscore are left out (IPython's ``_`` and ``_12`` among them). A tensor
    in a list, tuple or dict is called ``weights[0]`` or ``state['w']``, a parameter of a module
    ``net.0.weight``, unless it has a name of its own.
    """
    variables = {
        name: thing
        for name, thing in namespace.items()
        if not name.startswith("_") and name not in _NOT_NAMES
    }
    found = [(name, thing) for name, thing in variables.items() if is_tensor(thing)]
    named = {id(tensor) for _, tensor in found}
    for name, thing in variables.items():
        for inner, member in _members(name, thing):
            if is_tensor(member) and id(member) not in named:
                named.add(id(member))
                found.append((inner, member))
    return found


def _members(name: str, thing: object) -> Iterator[tuple[str, object]]:
    if hasattr(type(thing), "named_parameters"):
        yield from _parameters(name, thing)
    elif type(thing) is list or type(thing) is tuple:
        yield from ((f"{name}[{i}]", item) for i, item in enumerate(thing[:_LARGEST_CONTAINER]))
    elif type(thing) is dict and len(thing) <= _LARGEST_CONTAINER:
        yield from ((f"{name}[{k!r}]", v) for k, v in thing.items() if type(k) is str)


def _parameters(name: str, module: object) -> Iterator[tuple[str, object]]:
    try:
        parameters = list(module.named_parameters())  # type: ignore[attr-defined]
    except Exception:  # a half-built module (or a class of modules) has no names to give
        return
    yield from ((f"{name}.{inner}", parameter) for inner, parameter in parameters)
