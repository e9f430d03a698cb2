"""What the memory of a tensor is like: an array, its shape, dtype and strides."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Literal, TypeVar, cast

import numpy as np

from minigrad import dtypes
from minigrad.autograd.bridge import tensors
from minigrad.autograd.grad_mode import is_grad_enabled
from minigrad.autograd.node import Array, Edge
from minigrad.c_code import ReadOnly
from minigrad.device import CPU, device
from minigrad.layout import strided
from minigrad.outside import warn
from minigrad.size import Size, of_dim

PUT_ON_EXPANDED = {
    function: (
        f"Use of {function} on expanded tensors is deprecated. Please clone() the tensor before "
        f"performing this operation. This also applies to advanced indexing e.g. {example}"
    )
    for function, example in (
        ("index_fill_", "tensor[mask] = scalar"),
        ("index_put_", "tensor[indices] = tensor"),
        ("masked_fill_", "tensor[mask] = scalar"),
    )
}
LAYOUT = (
    "grad and param do not obey the gradient layout contract. This is not an error, but may impair "
    "performance.\ngrad.sizes() = {}, strides() = {}\nparam.sizes() = {}, strides() = {}"
)
# What part of a memory a tensor shows, counted in elements: shape, strides, offset.
Geometry = tuple[tuple[int, ...], tuple[int, ...], int]
Forward = TypeVar("Forward", bound=Callable[..., Any])


def _storages() -> Any:
    """Return the module of storages, which stands on this one."""
    return importlib.import_module("minigrad.storage")


def allocated(make: Callable[..., Array], shape: tuple[int, ...], value: Any) -> Array:
    """Return the array that numpy makes of a shape and a dtype, or a number.

    Raises:
        RuntimeError: if memory cannot hold so many elements, with PyTorch's texts.
    """
    try:
        return make(shape, value)
    except (MemoryError, ValueError) as error:
        raise too_large(shape, value.itemsize, error) from None


def too_large(shape: Sequence[int], itemsize: int, error: Exception) -> RuntimeError:
    """Return PyTorch's error for elements that numpy found no memory for."""
    needed = math.prod(shape) * itemsize
    if isinstance(error, MemoryError):
        return RuntimeError(
            "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate "
            f"memory: you tried to allocate {needed} bytes. Error code 12 (Cannot allocate memory)"
        )
    if not needed:
        return RuntimeError("Stride calculation overflowed")
    return RuntimeError(f"Storage size calculation overflowed with sizes={list(shape)}")


def whole(array: Array) -> Array:
    """Return the array that owns the memory of this one."""
    base = array.base
    while base is not None:
        if isinstance(base, np.ndarray):  # what numpy's as_strided returns has others between
            array = base
        base = getattr(base, "base", None)
    return array


class Block:
    """The memory of somebody else's array, from its first to its last element, in one piece."""

    def __init__(self, array: Array) -> None:
        self.array = array  # which keeps the memory
        extent = sum([(n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)])
        length = (extent // array.itemsize + 1,)
        self.__array_interface__ = array.__array_interface__ | {"shape": length, "strides": None}


def in_one_block(array: Array) -> Array:
    """Return an array over memory without gaps, as views of it are cut from.

    What other packages give may show a part of memory that numpy does not know.
    """
    if not array.size or is_dense(whole(array)):
        return array
    return np.ndarray(array.shape, array.dtype, np.asarray(Block(array)), 0, array.strides)


def seen_as(array: Array, size: Sequence[int], steps: Sequence[int], begin: int = -1) -> Array:
    """Return elements of the memory of an array, by steps in bytes; from its own first one on."""
    memory = whole(array)
    if begin < 0:
        begin = address(array) - address(memory)
    # No elements may lie behind the memory.
    return np.ndarray(size, array.dtype, memory.ravel("K"), min(begin, memory.nbytes), steps)


def geometry(array: Array) -> Geometry:
    """Return what part of the memory that it lies in an array shows."""
    offset = address(array) - address(whole(array))
    return array.shape, strides(array), offset // array.itemsize


def strides(array: Array) -> tuple[int, ...]:
    """Return by how many elements the memory moves on along each dimension.

    numpy forgets them of arrays without elements: PyTorch counts lengths 0 as 1.
    """
    if array.size or any(array.strides):
        return tuple([step // array.itemsize for step in array.strides])
    return in_line_strides(array.shape)


def in_line_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of elements that lie one after the other, last dimension fastest."""
    lengths = [max(length, 1) for length in shape]
    return tuple([math.prod(lengths[dim + 1 :]) for dim in range(len(lengths))])


def address(array: Array) -> int:
    """Return where in the computer's memory the first element is."""
    return int(array.__array_interface__["data"][0])


def is_dense(array: Array) -> bool:
    """Return whether the elements lie in memory without gaps, in whatever order."""
    step = array.itemsize
    for stride, length in sorted(zip(array.strides, array.shape, strict=True)):
        if length != 1 and stride != step:
            return False
        step *= length
    return True


def gradient_like(leaf: Any, gradient: Any) -> Any:
    """Return a copy of a leaf's gradient, recorded: laid out as the leaf is if that is dense.

    Raises:
        RuntimeError: if the leaf got another shape since, to which it cannot be broadcast.
    """
    order: Literal["C", "K"] = "K" if is_dense(leaf._array) else "C"
    fresh = np.empty_like(leaf._array, gradient._array.dtype, order=order)
    return tensors.wrap(fresh).copy_(gradient)


def check_layout(leaf: Any) -> None:
    """Warn if the gradient of a leaf does not lie in memory as the leaf does."""
    sizes, strides = list(leaf._grad.shape), list(leaf._grad.stride())
    wanted = leaf.stride() if is_dense(leaf._array) else in_line_strides(sizes)
    if any(
        got != want for size, got, want in zip(sizes, strides, wanted, strict=False) if size != 1
    ):
        warn(LAYOUT.format(sizes, strides, list(leaf.shape), list(leaf.stride())))


def is_repeated(array: Any) -> bool:
    """Return whether a dimension shows the same element again and again, as `expand` does."""
    if 0 not in array.strides or not array.size:
        return False
    steps = zip(array.shape, array.strides, strict=True)
    return any(length > 1 and not step for length, step in steps)


def order_of(array: Array) -> Literal["C", "K"]:
    """Return in which of numpy's orders a copy has the dimensions that PyTorch gives it."""
    # In order "K" numpy turns around what was expanded.
    return "C" if array.flags.c_contiguous or is_repeated(array) else "K"


def in_line(array: Array) -> Array:
    """Return an array of elements that lie one after the other, last dimension fastest."""
    return array if array.flags.c_contiguous else array.copy()


def in_columns(array: Array) -> Array:
    """Return matrices whose elements lie column after column, as LAPACK leaves them."""
    if array.ndim < 2:
        return array
    return np.ascontiguousarray(array.swapaxes(-2, -1)).swapaxes(-2, -1)


def laid_out_as(array: Array, like: Array) -> Array:
    """Return new elements with the dimensions in the order in memory that those of `like` have."""
    if order_of(like) == "C":
        return array
    laid_out = np.empty_like(like, array.dtype)
    laid_out[...] = array
    return laid_out


def laid_out_by(array: Array, operands: Sequence[Sequence[int]]) -> Array:
    """Return an array with its dimensions in the order in memory that PyTorch gives a result.

    It depends on the strides of each operand along them, 0 where an operand does not move on: those
    of the first that moves on along both of two dimensions decide which is the faster one.
    """

    def verdict(one: int, other: int) -> int:
        for steps in operands:
            if steps[one] and steps[other]:
                if steps[one] != steps[other]:
                    return 1 if steps[one] > steps[other] else -1
                if array.shape[one] > array.shape[other]:
                    return 1
        return 0

    order = list(range(array.ndim))[::-1]  # from the fastest on
    for last in range(1, array.ndim):
        place = last
        for before in range(last)[::-1]:
            answer = verdict(order[before], order[place])
            if answer < 0:
                break
            if answer > 0:
                order[before], order[place] = order[place], order[before]
                place = before
    slowest_first = order[::-1]
    return np.ascontiguousarray(array.transpose(slowest_first)).transpose(np.argsort(slowest_first))


def laid_out_for(array: Array, *operands: Array) -> Array:
    """Return what was computed element by element, laid out by these operands."""
    first = operands[0]
    as_first = array.strides == first.strides and all(
        one.strides == first.strides or one.ndim < 2 for one in operands
    )
    if as_first or not array.size:
        return array
    shapes = [(1,) * (array.ndim - one.ndim) + one.shape for one in operands]
    steps = [(0,) * (array.ndim - one.ndim) + one.strides for one in operands]
    moving = [
        tuple([step if n == m else 0 for step, n, m in zip(*pair, array.shape, strict=True)])
        for pair in zip(steps, shapes, strict=True)
    ]
    return laid_out_by(array, moving)


def elementwise(forward: Forward) -> Forward:
    """Let what a function of several arrays computes element by element be laid out by them."""

    def apply(*arguments: Any) -> Any:
        value = forward(*arguments)
        operands = [one for one in arguments if isinstance(one, np.ndarray)]
        if value.ndim < 2 or all(one.flags.c_contiguous for one in operands):
            return value
        return laid_out_for(value, *operands)

    return cast(Forward, functools.update_wrapper(apply, forward))


def overlap(a: Array, b: Array) -> str:
    """Return which elements of one array are certainly those of another too: "part", "all", ""."""
    if not (a.size and b.size and is_dense(a) and is_dense(b)):
        return ""
    begin, other = address(a), address(b)
    if begin == other and a.nbytes == b.nbytes:
        return "all" if a.strides == b.strides else "part"
    return "part" if begin < other + b.nbytes and other < begin + a.nbytes else ""


def never(name: str) -> ReadOnly:
    """Return a property that is False: of what no tensor is here."""
    return ReadOnly(lambda self: False, name)


class Memory:
    """What Tensor knows of its elements without looking at them."""

    # An array, or what numpy makes of 0-d results, a scalar, as long as it is not shared.
    _value: Any
    _counter: list[int]
    _edge: Edge | None
    _requires_grad: bool
    _type_name = "torch._C.TensorBase"  # what messages call it

    @property
    def _array(self) -> Array:
        """The memory as an array: from now on a 0-d tensor may share it."""
        if type(self._value) is not np.ndarray:
            self._make_memory()
        array: Array = self._value
        return array

    def _make_memory(self) -> None:
        """Put a scalar into an array, which what its node has saved of it shares from now on."""
        scalar = self._value
        self._value = np.array(scalar)
        if self._edge is not None:
            for saved in getattr(self._edge[0], "values", None) or ():
                if getattr(saved, "_value", None) is scalar:
                    saved._value = self._value

    @ReadOnly
    def shape(self) -> Size:
        """The length of each dimension."""
        return tuple.__new__(Size, self._value.shape)

    @ReadOnly
    def dtype(self) -> dtypes.dtype:
        """The type of the elements."""
        return dtypes.of_numpy(self._value.dtype)

    @ReadOnly
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._value.ndim  # type: ignore[no-any-return]

    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the length of one dimension."""
        shape = self._value.shape
        return tuple.__new__(Size, shape) if dim is None else of_dim(shape, dim)

    def dim(self) -> int:
        """Return the number of dimensions."""
        return self._value.ndim  # type: ignore[no-any-return]

    ndimension = dim

    def numel(self) -> int:
        """Return the number of elements."""
        return self._value.size  # type: ignore[no-any-return]

    nelement = numel

    def element_size(self) -> int:
        """Return the size of one element in bytes."""
        return self._array.itemsize

    @ReadOnly
    def itemsize(self) -> int:
        """Size of one element in bytes."""
        return self._array.itemsize

    @ReadOnly
    def nbytes(self) -> int:
        """Size of all elements in bytes."""
        return self._array.nbytes

    def stride(self, dim: int | None = None) -> Any:
        """Return by how many elements the memory moves on along each dimension, or along one."""
        steps = strides(self._array)
        return steps if dim is None else of_dim(steps, dim)

    def is_contiguous(self) -> bool:
        """Return whether the elements lie in memory one after the other, last dimension fastest."""
        return self._array.flags.c_contiguous

    def _check_apart(self) -> None:
        """Refuse to be written to if several elements lie in one place."""
        if is_repeated(self._value):
            raise RuntimeError(
                "unsupported operation: more than one element of the written-to tensor refers to a "
                "single memory location. Please clone() the tensor before performing the operation."
            )

    def _check_whole(self, others: Iterable[Any], refused: Collection[str] = ("part",)) -> None:
        """Refuse to be written to while some of the elements, in other places, are read."""
        for other in others:
            shared = whole(self._array) is whole(other._array)
            if shared and overlap(self._array, other._array) in refused:
                raise RuntimeError(
                    "unsupported operation: some elements of the input tensor and the written-to "
                    "tensor refer to a single memory location. Please clone() the tensor before "
                    "performing the operation."
                )

    def _check_put(self, function: str, others: Iterable[Any] = ()) -> None:
        """Warn of writing to places if several elements lie in one, and refuse to read there.

        A mask may be filled where it is itself true.
        """
        if is_repeated(self._value):
            warn(PUT_ON_EXPANDED[function])
        self._check_whole(others, ("part",) if function == "masked_fill_" else ("part", "all"))

    def data_ptr(self) -> int:
        """Return the address of the first element, 0 if there is none.

        It is equal for tensors that share memory.
        """
        return address(self._array) if self._array.size else 0

    def untyped_storage(self) -> Any:
        """Return the memory behind the tensor, as bytes: one object for all that share it."""
        return _storages().storage_of(self._array)

    def _typed_storage(self) -> Any:
        return _storages().TypedStorage(self.untyped_storage(), self.dtype)

    def storage(self) -> Any:
        """Return the memory behind the tensor, as elements; deprecated, as it warns."""
        warn(_storages().TYPED_IS_DEPRECATED)
        return self._typed_storage()

    def storage_offset(self) -> int:
        """Return at which element of its memory the tensor begins."""
        return self._geometry()[2]

    def _geometry(self) -> Geometry:
        return geometry(self._array)

    def is_floating_point(self) -> bool:
        """Return whether the elements are floating point numbers."""
        return self._value.dtype.kind == "f"  # type: ignore[no-any-return]

    def is_complex(self) -> bool:
        """Return False: minigrad has no complex numbers."""
        return False

    is_cpu = ReadOnly(lambda self: True, "is_cpu")
    layout = ReadOnly(lambda self: strided, "layout")
    is_cuda = never("is_cuda")
    is_ipu = never("is_ipu")
    is_maia = never("is_maia")
    is_meta = never("is_meta")
    is_mkldnn = never("is_mkldnn")
    is_mps = never("is_mps")
    is_mtia = never("is_mtia")
    is_nested = never("is_nested")
    is_quantized = never("is_quantized")
    is_sparse = never("is_sparse")
    is_sparse_csr = never("is_sparse_csr")
    is_vulkan = never("is_vulkan")
    is_xla = never("is_xla")
    is_xpu = never("is_xpu")

    @ReadOnly
    def name(self) -> None:
        """That of variables of old: None."""

    @property
    def volatile(self) -> bool:
        """What variables of old could be instead of under `no_grad`: False."""
        warn("volatile was removed (Variable.volatile is always False)")
        return False

    @volatile.setter
    def volatile(self, flag: bool) -> None:
        warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")

    @ReadOnly
    def device(self) -> device:
        """Where the memory is: always ``device(type='cpu')``."""
        return CPU

    def numpy(self, *, force: bool = False) -> Array:
        """Return the array itself: writing to it changes the tensor, unseen by autograd.

        Raises:
            RuntimeError: if the tensor requires grad, unless `force` or nothing is recorded.
            TypeError: if `force` is no bool.
        """
        if not isinstance(force, bool):
            kind = type(force).__name__
            raise TypeError(f"numpy(): argument 'force' must be bool, not {kind}")
        if self._requires_grad and is_grad_enabled() and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use "
                "tensor.detach().numpy() instead."
            )
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __array_wrap__(self, array: Array) -> Any:
        """Return as a tensor what numpy computed of this one; bools as bytes, as PyTorch does."""
        return tensors.wrap(array.astype(np.uint8) if array.dtype == bool else array)

    def item(self) -> Any:
        """Return the only element as a Python number.

        Raises:
            RuntimeError: if there are more, or none.
        """
        if self._array.size != 1:
            raise RuntimeError(
                f"a Tensor with {self._array.size} elements cannot be converted to Scalar"
            )
        return self._array.item()

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers; a number if 0-d."""
        return self._array.tolist()
