"""From tensors to Python and numpy: numbers, lists, arrays, copies, and questions about memory."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np

from minigrad.graph import Array
from minigrad.modes import state
from minigrad.ops.shapes import unbind
from minigrad.public import public
from minigrad.shape import wrap_dim
from minigrad.tensor import Tensor, from_array
from minigrad.warn import warn_once

NUMPY_REQUIRES_GRAD = (
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
)
DEEPCOPY_NON_LEAF = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)


class Conversions:
    """Methods of Tensor; `self` is one."""

    def numpy(self: Any, *, force: bool = False) -> Array:
        """The elements as a numpy array that shares the memory.

        Raises RuntimeError if the tensor requires grad, unless `force`.
        """
        if state.enabled and self.requires_grad and not force:
            raise RuntimeError(NUMPY_REQUIRES_GRAD)
        return self._array

    def __array__(self: Any, dtype: Any = None, copy: bool | None = None) -> Array:
        """What ``np.asarray(tensor)`` gives: the memory itself where possible."""
        return np.array(self.numpy(), dtype, copy=copy)

    def __array_wrap__(self: Any, array: Any, context: Any = None, scalar: bool = False) -> Tensor:
        """What numpy's functions return for a tensor: ``np.exp(tensor)`` is one, too."""
        return from_array(np.asarray(array))

    def item(self: Any) -> Any:
        """The only element as a Python number. Raises RuntimeError if there are more."""
        if self._array.size != 1:
            raise RuntimeError(
                f"a Tensor with {self._array.size} elements cannot be converted to Scalar"
            )
        return self._array.item()

    def tolist(self: Any) -> Any:
        """The elements as nested lists of Python numbers."""
        return self._array.tolist()

    def __bool__(self: Any) -> bool:
        """Whether the only element is not zero. Raises RuntimeError if there are more."""
        if self._array.size != 1:
            values = "no values" if self._array.size == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {values} is ambiguous")
        return bool(self._array.item())

    def __float__(self: Any) -> float:
        """The only element as a float."""
        return float(number(self))

    def __int__(self: Any) -> int:
        """The only element as an int."""
        return int(number(self))

    def __index__(self: Any) -> int:
        """The only element of an integer tensor, where Python needs an index."""
        if self._array.size != 1 or self._array.dtype.kind == "f":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    def __len__(self: Any) -> int:
        """The size of the first dimension. Raises TypeError for a 0-d tensor."""
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self._array)

    def __iter__(self: Any) -> Iterator[Tensor]:
        """The parts along the first dimension. Raises TypeError for a 0-d tensor."""
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(unbind(self, 0))

    def __contains__(self: Any, element: Any) -> bool:
        """Whether an element equals this number."""
        return bool(self.eq(element).any())

    def __format__(self: Any, spec: str) -> str:
        """``f"{loss:.3f}"`` formats the number of a 0-d tensor."""
        return format(self.item(), spec) if self._array.ndim == 0 else object.__format__(self, spec)

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Tensor:
        """A copy of a leaf and of its gradient. Raises RuntimeError for a non-leaf."""
        if self.grad_fn is not None:
            raise RuntimeError(DEEPCOPY_NON_LEAF)
        twin = rebuild(self._array.copy(), self.requires_grad)
        twin._grad = copy.deepcopy(self._grad, memo)
        return twin

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        """How pickle saves a tensor."""
        return rebuild, (self._array, self.requires_grad)

    def stride(self: Any, dim: int | None = None) -> Any:
        """How many elements lie between neighbors in memory, for each dimension or for one."""
        strides = tuple(n // self._array.itemsize for n in self._array.strides)
        return strides if dim is None else strides[wrap_dim(dim, self._array.ndim)]

    def is_contiguous(self: Any) -> bool:
        """Whether the elements lie in memory row by row."""
        return bool(self._array.flags.c_contiguous)

    def data_ptr(self: Any) -> Any:
        """The address of the first element."""
        return self._array.ctypes.data


for name, method in vars(Conversions).items():
    if isinstance(method, FunctionType):
        public(name, "method")(method)


@public("is_floating_point")
def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is float32 or float64."""
    return input._array.dtype.kind == "f"


def number(tensor: Tensor) -> Any:
    """The only element, for Python's own conversions. Raises ValueError if there are more."""
    if tensor._array.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    if tensor.requires_grad:
        warn_once(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
            "behavior.\nConsider using tensor.detach() first."
        )
    return tensor._array.item()


def rebuild(array: Array, requires_grad: bool) -> Tensor:
    """The tensor that was pickled or copied."""
    return from_array(array).requires_grad_(requires_grad)
