"""Trees of inputs and outputs: which of them are differentiated, and whether two are alike."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from minigrad.tensor import Tensor
from minigrad.utils._pytree import MAPPINGS, TreeSpec, tree_flatten, tree_structure

Argnums = Any  # int | tuple[int, ...], which is checked


def chosen(args: tuple[Any, ...], argnums: Argnums) -> Any:
    """Return the arguments at some places: a tuple of them if `argnums` is one.

    Raises:
        RuntimeError: if `argnums` is neither that nor an integer, or there are no such arguments.
    """
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    if isinstance(argnums, int):
        return args[place(argnums, len(args))]
    places = [place(one, len(args)) for one in argnums]
    if not places:
        raise RuntimeError("argnums must be non-empty")
    if len(set(places)) != len(places):
        raise RuntimeError(f"argnums elements must be unique, got {tuple(places)}")
    return tuple([args[one] for one in places])


def replaced(args: tuple[Any, ...], argnums: Argnums, others: Any) -> tuple[Any, ...]:
    """Return the arguments with others at some places, as `chosen` returns them."""
    found = list(args)
    pairs = [(argnums, others)] if isinstance(argnums, int) else zip(argnums, others, strict=True)
    for number, one in pairs:
        found[number] = one
    return tuple(found)


def place(argnum: Any, count: int) -> int:
    """Return which of so many arguments is meant.

    Raises:
        RuntimeError: if it is none of them.
    """
    if not isinstance(argnum, int):
        raise RuntimeError(f"argnum must be int, got: {type(argnum)}")
    if not -count <= argnum < count:
        raise RuntimeError(f"Got argnum={argnum}, but only {count} positional inputs")
    return argnum % count


def output_and_aux(result: Any, of: str) -> tuple[Any, Any]:
    """Return the two things that a function returned.

    Raises:
        RuntimeError: if it did not.
    """
    if not (isinstance(result, tuple) and len(result) == 2):
        raise RuntimeError(
            f"{of}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return result


def output_tensors(output: Any, of: str) -> tuple[list[Tensor], TreeSpec]:
    """Return the tensors that a function returned, and the form of the tree that they were in.

    Raises:
        RuntimeError: if there are none, or there is anything else.
    """
    leaves, spec = tree_flatten(output)
    if all(one is None for one in leaves[:1]) and len(leaves) < 2:
        raise RuntimeError(
            f"{of}: Expected f to be a function that has non-empty output (got output = {leaves})"
        )
    for one in leaves:
        if not isinstance(one, Tensor):
            raise RuntimeError(
                f"{of}: expected f(*primals) to return only tensors, got unsupported type "
                f"{type(one)}"
            )
    return leaves, spec


def dims_for(dims: Any, spec: TreeSpec) -> list[Any] | None:
    """Return a number for each leaf of a tree, from numbers in a tree that may end above them.

    It is None if the trees are not alike.
    """
    if dims is None or isinstance(dims, int):
        return [dims] * spec.num_leaves
    given = tree_structure(dims)
    if spec.type is None or given.type is None:
        return [dims] if spec.type is None and given.type is None else None
    if given.type is not spec.type or len(given.children_specs) != len(spec.children_specs):
        return None
    if spec.type in MAPPINGS:
        names = spec.context[1] if spec.type is defaultdict else spec.context
        if set(dims) != set(names):
            return None
        dims = [dims[name] for name in names]
    parts = [dims_for(one, child) for one, child in zip(dims, spec.children_specs, strict=True)]
    if any(part is None for part in parts):
        return None
    return [number for part in parts for number in part or ()]
