"""What arrives along an edge has the shape and dtype that the edge says: broadcasting undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.autograd.bridge import tensors
from minigrad.autograd.node import Edge, Gradient, Node
from minigrad.summing import column_sums, sums

# Nodes that give their input a gradient of its own dtype, even where any would do, and before what
# was broadcast is added up.
CASTING = {
    "BinaryCrossEntropyWithLogitsBackward0", "CopyBackwards", "CumsumBackward0",
    "HuberLossBackward0", "LinalgVectorNormBackward0",
    "LogSoftmaxBackward0", "MaskedScatterBackward0", "MseLossBackward0", "SmoothL1LossBackward0",
    "SoftmaxBackward0", "ToCopyBackward0",
}  # fmt: skip


def fit(
    node: Node,
    gradients: Sequence[Gradient],
    gradient: Gradient,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
) -> Gradient:
    """Return a gradient summed to the shape that was broadcast, and in the dtype of its tensor.

    Raises:
        RuntimeError: if it cannot be summed to that shape, naming the node.
    """
    size = gradient.shape
    extra = len(size) - len(shape)
    if extra == 1 and size[1:] == shape and gradient.dtype is dtype:
        # The commonest case, a bias that was added to every row, and an array: Tensors' dtypes are
        # others than numpy's.
        return column_sums(gradient) if node.name() == "AddmmBackward0" else sums(gradient, (0,))
    if extra < 0 or any(
        want not in (1, got) for want, got in zip(shape, size[extra:], strict=True)
    ):
        # A node may give one gradient several times, of which one place does not take it.
        places = enumerate(zip(node.edges, gradients, strict=True))
        index = next(at for at, (edge, one) in places if one is gradient and edge[2] == shape)
        of_function = "" if node.name() == "GraphRoot" else f"Function {node.name()} returned an "
        raise RuntimeError(
            f"{of_function}invalid gradient at index {index} - got {list(size)} but expected shape "
            f"compatible with {list(shape)}"
        )
    if type(node).__name__ in CASTING:
        if dtype is None:
            places = zip(node.edges, gradients, strict=True)
            leaf = next(edge[0].variable for edge, one in places if one is gradient)
            dtype = leaf._value.dtype
        gradient = tensors.fit(gradient, size, dtype)
    return tensors.fit(gradient, shape, dtype)


def fit_all(node: Node, gradients: Sequence[Gradient]) -> list[Gradient]:
    """Return all gradients that a node gave: those that an edge takes are fitted to it."""
    return [
        one if one is None or fits(one, edge) else fit(node, gradients, one, *edge[2:])
        for edge, one in zip(node.edges, gradients, strict=True)
    ]


def fits(gradient: Gradient, edge: Edge) -> bool:
    """Return whether a gradient is what the edge takes, if it takes any."""
    value: Any = getattr(gradient, "_value", gradient)
    return edge[0] is None or (value.shape == edge[2] and value.dtype is edge[3])
