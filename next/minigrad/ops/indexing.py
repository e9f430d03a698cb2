"""Operations that choose elements by their values, and those that combine many tensors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minigrad.op import functions, op, public
from minigrad.ops.pointwise import METHOD
from minigrad.ops.reductions import along_put, sum_dims
from minigrad.ops.shapes import gather, permute_op, unsqueeze
from minigrad.tensor import Tensor, from_array


def ordered(self: np.ndarray, dim: int, descending: bool, count: int) -> tuple:
    """The first `count` elements in order, and where they were; equals keep their order."""
    order = np.argsort(-self if descending else self, dim, kind="stable")
    places = order.take(np.arange(count), dim)
    return np.take_along_axis(self, places, dim), places


def order_op(name: str, parameters: tuple[str, str] = ("values", "indices")) -> Any:
    named = NamedTuple(name, [(one, Tensor) for one in parameters])
    named.__repr__ = lambda self: (
        f"torch.return_types.{name}(\nvalues={self.values!r},\nindices={self.indices!r})"
    )
    call = op(
        "",
        f"{name.capitalize()}Backward0",
        ordered,
        outputs="values indices",
        self=lambda grads, self_shape, dim, indices: along_put(
            grads[0], indices, self_shape, dim, True
        ),
    )
    return lambda *args: named(*call(*args))


sort_op, topk_op = order_op("sort"), order_op("topk")


def sort(input: Tensor, dim: int = -1, descending: bool = False) -> Any:
    return sort_op(input, dim, descending, input.shape[dim])


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    if k > input.shape[dim]:
        raise RuntimeError("selected index k out of range")
    return topk_op(input, dim, largest, k)


def argsort(input: Tensor, dim: int = -1, descending: bool = False) -> Tensor:
    return sort(input, dim, descending)[1]


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The places of the elements that are not zero."""
    places = tuple(from_array(one) for one in np.nonzero(input._array))
    return places if as_tuple else from_array(np.argwhere(input._array))


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    found = np.unique(input._array, False, return_inverse, return_counts, dim)
    return tuple(map(from_array, found)) if isinstance(found, tuple) else from_array(found)


def scattered(self: np.ndarray, dim: int, index: np.ndarray, src: Any, add: bool) -> np.ndarray:
    key = list(np.ogrid[tuple(map(slice, index.shape))])
    key[dim], result = index, self.copy()
    if isinstance(src, np.ndarray):
        src = src[tuple(map(slice, index.shape))]
    if add:
        np.add.at(result, tuple(key), src)
    else:
        result[tuple(key)] = src
    return result


scatter_op = op(
    "",
    "ScatterBackward0",
    scattered,
    self=lambda grad, dim, index, add: grad if add else scatter_op(grad, dim, index, 0, False),
    src=lambda grad, dim, index: gather(grad, dim, index),
)
public(
    lambda self, dim, index, src=None, *, value=0: scatter_op(
        self, dim, index, value if src is None else src, False
    ),
    "scatter",
    METHOD,
)
public(lambda self, dim, index, src: scatter_op(self, dim, index, src, True), "scatter_add", METHOD)
trace = op(
    "trace",
    "TraceBackward0",
    lambda self: np.trace(self),
    self=lambda grad, self_shape: grad * identity(grad, self_shape),
)


def identity(like: Any, shape: tuple[int, ...]) -> Any:
    eye = np.eye(*shape, dtype=like.dtype if isinstance(like, np.generic) else "f4")
    return from_array(eye) if isinstance(like, Tensor) else eye


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    return input + value * tensor1 * tensor2


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    return input + value * tensor1 / tensor2


def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """Each tensor spread over a grid that has a dimension for each of them."""
    tensors = tuple(tensors[0]) if isinstance(tensors[0], (list, tuple)) else tensors
    shape = [one.numel() for one in tensors]
    grids = [
        one.reshape([-1 if i == place else 1 for i in range(len(shape))]).expand(shape)
        for place, one in enumerate(tensors)
    ]
    return tuple(one.transpose(0, 1) for one in grids) if indexing == "xy" else tuple(grids)


def einsum(equation: str, *operands: Any) -> Tensor:
    """Products of elements with the same letters, summed over the letters the result has not."""
    operands = tuple(operands[0]) if isinstance(operands[0], (list, tuple)) else operands
    inputs, arrow, result = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    letters = sorted(set("".join(terms)))
    if not arrow:
        result = "".join(one for one in letters if inputs.count(one) == 1)
    order = [*result, *[one for one in letters if one not in result]]
    product: Any = 1
    for term, operand in zip(terms, operands):
        for letter in set(term):
            while term.count(letter) > 1:
                first, second = term.index(letter), term.rindex(letter)
                operand = operand.diagonal(0, first, second)
                term = term.replace(letter, "") + letter * (term.count(letter) - 1)
        present = [one for one in order if one in term]
        operand = permute_op(operand, tuple(term.index(one) for one in present))
        for place, letter in enumerate(order):
            operand = operand if letter in term else unsqueeze(operand, place)
        product = product * operand
    lost = tuple(range(len(result), len(order)))
    return sum_dims(product, lost, False) if lost else product


def atleast_1d(input: Tensor) -> Tensor:
    return input.reshape(1) if input.ndim == 0 else input


for call in (sort, topk, argsort, nonzero, unique):
    public(call, call.__name__)
for call in (addcmul, addcdiv):
    public(call, call.__name__, METHOD)
for call in (meshgrid, einsum, atleast_1d):
    functions[call.__name__] = call
