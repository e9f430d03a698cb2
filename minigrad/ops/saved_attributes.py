"""The ``_saved_...`` attributes of the nodes of declared operations, as PyTorch shows them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.autograd.saved_tensors_hooks import SavedTensor
from minigrad.c_code import ReadOnly
from minigrad.tensor import Tensor, from_array

# What PyTorch keeps as 64-bit integers it shows as unsigned ones: dimensions, and these.
INTEGERS = {
    "diagonal", "end", "ignore_index", "index", "k", "offset", "pad", "padding_idx", "shifts",
    "start",
}  # fmt: skip
# One dimension is a tuple of dimensions there.
TUPLES = {"AmaxBackward0", "AminBackward0", "LogsumexpBackward0", "NansumBackward0"}
# What PyTorch saves besides, and what we save besides.
IMPLIED: dict[str, dict[str, Any]] = {
    "AddBackward0": {"alpha": 1},
    "RsubBackward0": {"alpha": 1},
    "RsubBackward1": {"alpha": 1},
    "SubBackward0": {"alpha": 1},
    "GatherBackward0": {"sparse_grad": False},
    "LinalgSolveExBackward0": {"left": True},
}
# Nodes that keep a matrix as its factors L and U, too.
FACTORED = {"LinalgDetBackward0", "LinalgSlogdetBackward0", "LinalgSolveExBackward0"}
# What they show by another name.
RENAMED = {"NormBackward1": {"ord": "p"}}
OURS = {
    "BlockDiagBackward0": {"shapes", "sizes"},
    "CatBackward0": {"lengths"},
    "EmbeddingBackward0": {"weight_sym_sizes"},
    "NativeLayerNormBackward0": {"eps"},
    "NativeLayerNormBackwardBackward0": {"eps"},
    "NllLoss2DBackwardBackward0": {"total_weight"},
    "NllLossBackwardBackward0": {"total_weight"},
    "PutBackward0": {"source_sym_sizes"},
    "UnbindBackward0": {"self_sym_sizes"},
}
# Saved tensors that are neither outputs nor differentiable inputs; nodes that save numbers instead.
TENSORS = {
    "attn_mask", "buffer", "condition", "index", "logsumexp", "mask", "pos_weight", "result1",
    "result2", "running_mean", "running_var", "target", "total_weight", "weight",
}  # fmt: skip
NUMBERS = {"LerpBackward0", "SelectBackward0", "SelectScatterBackward0"}

Getter = Callable[[Any], Any]
# Nodes that show one length of what we save, or how many there are.
LENGTHS: dict[str, dict[str, Getter]] = {
    "EmbeddingBackward0": {
        "weight_sym_argsize_0": lambda node: saved("weight_sym_sizes")(node)[0],
    },
    "IndexAddBackward0": {"source_dim": lambda node: dimensions_of_source(node)},
    "IndexCopyBackward0": {"source_dim": lambda node: dimensions_of_source(node)},
    "LinalgSvdBackward0": {"S_sym_argsize_minus_1": lambda node: saved("S")(node).shape[-1]},
}


def saved_attributes(rule: Any) -> dict[str, ReadOnly]:
    """Return the attributes of the nodes of an operation, by name."""
    getters: dict[str, Getter] = {}
    if rule.name in FACTORED:
        getters["_saved_LU"], getters["_saved_pivots"] = factor(0), factor(1)
    for name, getter in LENGTHS.get(rule.name, {}).items():
        getters[f"_saved_{name}"] = getter
    for name in (*IMPLIED.get(rule.name, ()), *rule.saved_names):
        if name in OURS.get(rule.name, ()) or name.endswith("_geometry"):
            continue
        shown_as = RENAMED.get(rule.name, {}).get(name, name)
        getters[f"_saved_{shown_as}"] = saved(name)
        known = name in TENSORS and rule.name not in NUMBERS
        if known or name in rule.outputs or name in rule.formulas:
            getters[f"_raw_saved_{name}"] = raw(name)
        elif name == "indices":
            getters["_raw_saved_indices"] = raw_indices
        if name == "self_sym_sizes" and rule.name.startswith("MeanBackward"):
            getters["_saved_self_sym_numel"] = number_of_elements
    return {name: ReadOnly(getter, name) for name, getter in getters.items()}


def factor(place: int) -> Getter:
    """Return a getter of what a saved matrix is taken apart into: it is only done for who looks."""

    def get(node: Any) -> Tensor:
        from minigrad.ops.lu import factors

        matrix = saved("A")(node)._array
        if matrix.flags.c_contiguous and node.name() != "LinalgSolveExBackward0":
            matrix = matrix.swapaxes(-2, -1)
        return from_array(factors(matrix)[place])

    return get


def saved(name: str) -> Getter:
    """Return the getter of ``_saved_...`` for a name; it gives what is implied if not saved."""

    def get(node: Any) -> Any:
        if name not in node.plan.names:
            nothing = () if name.endswith("_sym_strides") else None
            return IMPLIED.get(node.name(), {}).get(name, nothing)
        return shown(node, name, node.saved(node.plan.names.index(name)))

    return get


def raw(name: str) -> Getter:
    """Return the getter of ``_raw_saved_...`` for a name in formulas."""

    def get(node: Any) -> SavedTensor:
        names = node.plan.names
        return SavedTensor.of(node, names.index(name) if name in names else None)

    return get


def raw_indices(node: Any) -> SavedTensor | tuple[SavedTensor, ...]:
    """Return the ``_raw_saved_indices`` of a node: one for each dimension, if it saved several."""
    place = node.plan.names.index("indices")
    if place < len(node.versions):  # a single one
        return SavedTensor.of(node, place)
    count = len(node.indices().tensors)
    return tuple([SavedTensor.of(node, place, number) for number in range(count)])


def number_of_elements(node: Any) -> int:
    """Return how many elements the input of a mean had."""
    return math.prod(saved("self_sym_sizes")(node))


def dimensions_of_source(node: Any) -> int:
    """Return how many dimensions the source of what was written to places had."""
    source = saved("source")(node)
    return len(node.edges[0][2]) if source is None else source.ndim


def shown(node: Any, name: str, value: Any) -> Any:
    """Return a saved value as PyTorch has it."""
    if isinstance(value, Tensor):
        return value if value._number is None else number_tensor(value._number)
    if name == "indices":
        return tuple(tensors_of(value))
    if name.endswith("_sym_strides"):
        rule = node.plan.rule
        parameters = [rule.parameters[place] for place in rule.inputs]
        place = parameters.index(name.removesuffix("_sym_strides"))
        itemsize = node.edges[place][3].itemsize
        return tuple([step // itemsize for step in value])
    if name.startswith("dim") or name in INTEGERS:
        if node.name() in TUPLES and isinstance(value, int):
            value = (value,)
        return tuple(map(unsigned, value)) if isinstance(value, tuple) else unsigned(value)
    return value


def tensors_of(places: Any) -> list[Tensor | None]:
    """Return the indices that places stand for: the tensors that were given, where they were."""
    given = {id(one._array): one for one, _ in getattr(places, "tensors", ())}
    return [
        one if one is None else given[id(one)] if id(one) in given else from_array(one)
        for one in places
    ]


def unsigned(value: Any) -> Any:
    """Return a negative integer as the unsigned one of the same 64 bits."""
    return value + 2**64 if isinstance(value, int) and value < 0 else value


def number_tensor(number: Any) -> Tensor:
    """Return a number as PyTorch keeps it: a 0-d tensor of float64, int64 or bool."""
    return from_array(np.array(number))
