"""From tensors to Python and numpy: numbers, lists, arrays, copies, and questions about memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from minigrad.graph import Array
from minigrad.modes import state
from minigrad.ops.joins import unbind
from minigrad.public import public
from minigrad.tensor import Tensor, new
from minigrad.warn import warn_once

NUMPY_REQUIRES_GRAD = (
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
)
SCALAR_REQUIRES_GRAD = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)
DEEPCOPY_NON_LEAF = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)


@public("numpy", "method")
def numpy(self: Tensor, *, force: bool = False) -> Array:
    """The elements as a numpy array that shares the memory.

    Raises RuntimeError if the tensor requires grad, unless `force`.
    """
    if state.enabled and self.requires_grad and not force:
        raise RuntimeError(NUMPY_REQUIRES_GRAD)
    return self._array


@public("__array__", "method")
def to_numpy_array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Array:
    """What ``np.asarray(tensor)`` gives: the memory itself where possible."""
    return np.array(numpy(self), dtype, copy=copy)


@public("item", "method")
def item(self: Tensor) -> Any:
    """The only element as a Python number. Raises RuntimeError if there are more."""
    if self._array.size != 1:
        raise RuntimeError(
            f"a Tensor with {self._array.size} elements cannot be converted to Scalar"
        )
    return self._array.item()


@public("tolist", "method")
def tolist(self: Tensor) -> Any:
    """The elements as nested lists of Python numbers."""
    return self._array.tolist()


@public("__bool__", "method")
def to_bool(self: Tensor) -> bool:
    """Whether the only element is not zero. Raises RuntimeError if there are more."""
    if self._array.size != 1:
        values = "no values" if self._array.size == 0 else "more than one value"
        raise RuntimeError(f"Boolean value of Tensor with {values} is ambiguous")
    return bool(self._array.item())


@public("__float__", "method")
def to_float(self: Tensor) -> float:
    """The only element as a float."""
    return float(number(self))


@public("__int__", "method")
def to_int(self: Tensor) -> int:
    """The only element as an int."""
    return int(number(self))


def number(self: Tensor) -> Any:
    if self.requires_grad:
        warn_once(SCALAR_REQUIRES_GRAD)
    return item(self)


@public("__index__", "method")
def to_index(self: Tensor) -> int:
    """The only element of an integer tensor, where Python needs an index."""
    if self._array.size != 1 or self._array.dtype.kind == "f":
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self._array.item())


@public("__len__", "method")
def length(self: Tensor) -> int:
    """The size of the first dimension. Raises TypeError for a 0-d tensor."""
    if self._array.ndim == 0:
        raise TypeError("len() of a 0-d tensor")
    return len(self._array)


@public("__iter__", "method")
def iterate(self: Tensor) -> Iterator[Tensor]:
    """The parts along the first dimension. Raises TypeError for a 0-d tensor."""
    if self._array.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter(unbind(self, 0))


@public("__contains__", "method")
def contains(self: Tensor, element: Any) -> bool:
    """Whether an element equals this number."""
    value = element._array if isinstance(element, Tensor) else element
    return bool((self._array == value).any())


@public("__format__", "method")
def formatted(self: Tensor, spec: str) -> str:
    """``f"{loss:.3f}"`` formats the number of a 0-d tensor."""
    return format(item(self), spec) if self._array.ndim == 0 else object.__format__(self, spec)


@public("__deepcopy__", "method")
def deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A copy of a leaf and of its gradient. Raises RuntimeError for a non-leaf."""
    if self.grad_fn is not None:
        raise RuntimeError(DEEPCOPY_NON_LEAF)
    if id(self) in memo:
        known: Tensor = memo[id(self)]
        return known
    copy = rebuild(type(self), self._array.copy(), self.requires_grad)
    memo[id(self)] = copy
    if self._grad is not None:
        copy._grad = deepcopy(self._grad, memo)
    return copy


@public("__reduce_ex__", "method")
def reduce(self: Tensor, protocol: Any) -> Any:
    """How pickle saves a tensor: class, array, requires_grad."""
    kind = None if type(self) is Tensor else type(self)  # pickle would look Tensor up in PyTorch
    return rebuild, (kind, self._array, self.requires_grad)


def rebuild(kind: type[Tensor] | None, array: Array, requires_grad: bool) -> Tensor:
    tensor: Tensor = new(kind or Tensor)
    tensor._array = array
    return tensor.requires_grad_(requires_grad)


@public("stride", "method")
def stride(self: Tensor, dim: int | None = None) -> Any:
    """How many elements lie between neighbors in memory, for each dimension or for one."""
    strides = tuple(n // self._array.itemsize for n in self._array.strides)
    return strides if dim is None else strides[dim]


@public("is_contiguous", "method")
def is_contiguous(self: Tensor) -> bool:
    """Whether the elements lie in memory row by row."""
    return bool(self._array.flags.c_contiguous)


@public("is_floating_point")
def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is float32 or float64."""
    return input._array.dtype.kind == "f"


@public("data_ptr", "method")
def data_ptr(self: Tensor) -> int:
    """The address of the first element."""
    return self._array.ctypes.data
