"""Trees of lists, tuples and dictionaries: functions of one's own walk them, as modes need it.

PyTorch has it in the namespace ``torch.utils._pytree``.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

MAPPINGS = (dict, OrderedDict, defaultdict)
IsLeaf = Callable[[Any], bool] | None


class TreeSpec(NamedTuple):
    """What a tree is without its leaves: its type, the keys of a dictionary, its children.

    A leaf has no type. It is shown as PyTorch shows it.
    """

    type: Any
    context: Any
    children_specs: list[TreeSpec]

    @property
    def num_leaves(self) -> int:
        """How many leaves the tree has."""
        if self.type is None:
            return 1
        return sum(child.num_leaves for child in self.children_specs)

    def __repr__(self) -> str:
        return self.shown(2)

    def shown(self, indent: int) -> str:
        """Return its text, where parts stand on lines of their own behind so many spaces."""
        if self.type is None:
            return "*"
        parts = [child.shown(indent + 2) for child in self.children_specs]
        text = f",\n{' ' * indent}".join(parts)
        return f"TreeSpec({self.type.__name__}, {self.context}, [{text}])"


def form(tree: Any) -> tuple[Any, Any, list[Any]] | None:
    """Return a tree's type, what else makes one of it again, and what it holds; None for a leaf."""
    kind = type(tree)
    if kind is defaultdict:
        return kind, [tree.default_factory, list(tree)], list(tree.values())
    if kind in MAPPINGS:
        return kind, list(tree), list(tree.values())
    if kind is deque:
        return kind, tree.maxlen, list(tree)
    if kind in (list, tuple):
        return kind, None, list(tree)
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return namedtuple, kind, list(tree)
    if isinstance(tree, tuple) and kind.__module__.count("torch"):
        return kind, None, list(tree)
    return None


def made(kind: Any, context: Any, values: Iterable[Any]) -> Any:
    """Return a tree of a form, with these values."""
    if kind is defaultdict:
        return kind(context[0], zip(context[1], values, strict=True))
    if kind in MAPPINGS:
        return kind(zip(context, values, strict=True))
    if kind is deque:
        return kind(values, context)
    return context(*values) if kind is namedtuple else kind(values)


def tree_map(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: IsLeaf = None) -> Any:
    """Return a tree with the results of a function of the leaves, and of those of like trees.

    Raises:
        ValueError: if the other trees have another form.

    >>> tree_map(lambda a, b: a + b, [1, {"x": 2}], [3, {"x": 4}])
    [4, {'x': 6}]
    """
    parts = None if is_leaf is not None and is_leaf(tree) else form(tree)
    if parts is None:
        return func(tree, *rests)
    kind, context, values = parts
    others = [parts_like(rest, tree, len(values)) for rest in rests]
    results = [
        tree_map(func, *together, is_leaf=is_leaf) for together in zip(values, *others, strict=True)
    ]
    return made(kind, context, results)


def parts_like(tree: Any, like: Any, count: int) -> list[Any]:
    """Return what a tree holds, which has to be of the type and length of another."""
    if type(tree) is not type(like):
        raise ValueError(f"Node type mismatch; expected {type(like)}, but got {type(tree)}.")
    if type(tree) in MAPPINGS:
        missing, extra = set(like) - set(tree), set(tree) - set(like)
        text = f"; missing key(s): {missing}" if missing else ""
        text += f"; extra key(s): {extra}" if extra else ""
        if text:
            raise ValueError(f"Node keys mismatch{text}.")
        return [tree[key] for key in like]
    if len(tree) != count:
        raise ValueError(f"Node arity mismatch; expected {count}, but got {len(tree)}.")
    return list(tree)


def tree_iter(tree: Any, is_leaf: IsLeaf = None) -> Iterator[Any]:
    """Yield the leaves of a tree, from the first to the last."""
    parts = None if is_leaf is not None and is_leaf(tree) else form(tree)
    if parts is None:
        yield tree
    else:
        for one in parts[2]:
            yield from tree_iter(one, is_leaf)


def tree_leaves(tree: Any, is_leaf: IsLeaf = None) -> list[Any]:
    """Return the leaves of a tree, from the first to the last."""
    return list(tree_iter(tree, is_leaf))


def tree_structure(tree: Any, is_leaf: IsLeaf = None) -> TreeSpec:
    """Return what a tree is without its leaves."""
    parts = None if is_leaf is not None and is_leaf(tree) else form(tree)
    if parts is None:
        return TreeSpec(None, None, [])
    kind, context, values = parts
    return TreeSpec(kind, context, [tree_structure(one, is_leaf) for one in values])


def tree_flatten(tree: Any, is_leaf: IsLeaf = None) -> tuple[list[Any], TreeSpec]:
    """Return the leaves of a tree, and what it is without them.

    >>> leaves, form = tree_flatten({"a": [1, 2], "b": 3})
    >>> tree_unflatten([leaf * 10 for leaf in leaves], form)
    {'a': [10, 20], 'b': 30}
    """
    return tree_leaves(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> Any:
    """Return the tree of a form with these leaves.

    Raises:
        ValueError: if there are not as many as it has.
    """
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(
            f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to "
            f"a pytree that holds {treespec.num_leaves} items ({treespec})."
        )
    return filled(treespec, iter(leaves))


def filled(spec: TreeSpec, leaves: Iterator[Any]) -> Any:
    """Return the tree of a form with the next leaves."""
    if spec.type is None:
        return next(leaves)
    values = [filled(child, leaves) for child in spec.children_specs]
    return made(spec.type, spec.context, values)


def tree_map_only(kind: Any, func: Callable[[Any], Any], tree: Any, is_leaf: IsLeaf = None) -> Any:
    """Return a tree with the results of a function of those leaves that are of a type."""
    return tree_map(lambda one: func(one) if isinstance(one, kind) else one, tree, is_leaf=is_leaf)


def tree_any(pred: Callable[[Any], bool], tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Return whether something holds for a leaf."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all(pred: Callable[[Any], bool], tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Return whether something holds for all leaves."""
    return all(map(pred, tree_iter(tree, is_leaf)))
