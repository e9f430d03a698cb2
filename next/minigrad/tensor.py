"""The Tensor: an array, when it was changed, and its place in the graph."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minigrad import dtypes

from minigrad import printing
from minigrad.graph import AccumulateGrad, Edge, Handle, HookDict, Node, state, tick

new = object.__new__
LEAF_ONLY = "you can only change requires_grad flags of leaf variables."
NO_DIFF = (
    " If you want to use a computed variable in a subgraph that doesn't require differentiation "
    "use var_no_grad = var.detach()."
)
GRAD_OF_NON_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more informations."
)


class Size(tuple):
    """The shape of a tensor."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __getitem__(self, index: Any) -> Any:
        part = tuple.__getitem__(self, index)
        return Size(part) if isinstance(index, slice) else part

    def numel(self) -> int:
        return int(np.prod(self, dtype=int))


class Tensor:
    """A numpy array that knows how it was computed.

    `_edge` is where its gradient goes, or None if it does not require grad; `_changes` are the
    times of its changes in place, which it shares with its views; `_base` is what it is a view of,
    and `_steps` lead from there to it: (operation, other arguments, number of the output).
    """

    _array: np.ndarray
    _changes: list[int] | tuple[()] = ()
    _edge: Edge | None = None
    _grad: Tensor | None = None
    _base: Tensor | None = None
    _steps: tuple[tuple[Callable, tuple, int | None], ...] = ()
    _as_of = 0  # how many changes the edge of a view takes into account
    _is_number = False  # it stands for an operand that is a Python number
    _made_in = ""  # what makes changing a view an error
    __array_ufunc__ = None  # lets numpy leave array + tensor to us
    is_sparse = is_cuda = False
    layout, names = "torch.strided", property(lambda self: (None,) * self.ndim)

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        from minigrad.creation import legacy_tensor

        return legacy_tensor(cls, *args, **kwargs)

    # What it is

    shape = property(lambda self: Size(self._array.shape))
    ndim = property(lambda self: self._array.ndim)
    dtype = property(lambda self: dtypes.from_numpy[self._array.dtype])
    device = property(lambda self: device("cpu"))
    itemsize = property(lambda self: self._array.itemsize)
    is_leaf = property(lambda self: self.grad_fn is None)
    _version = property(lambda self: len(self._changes))
    output_nr = property(lambda self: self._edge[1] if self._edge else 0)
    T = property(lambda self: self.permute(*reversed(range(self.ndim))))
    mT = property(lambda self: self.transpose(-2, -1))

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self._array.shape[dim]

    def dim(self) -> int:
        return self._array.ndim

    def numel(self) -> int:
        return self._array.size

    nelement = numel

    def stride(self, dim: int | None = None) -> Any:
        strides = tuple(n // self._array.itemsize for n in self._array.strides)
        return strides if dim is None else strides[dim]

    def is_contiguous(self) -> bool:
        return self._array.flags.c_contiguous

    def is_floating_point(self) -> bool:
        return self._array.dtype.kind == "f"

    def type(self, dtype: Any = None) -> Any:
        return f"torch.{self.dtype.tensor_type}" if dtype is None else self.to(dtype)

    def data_ptr(self) -> int:
        return self._array.ctypes.data

    # Its place in the graph

    @property
    def grad_fn(self) -> Node | None:
        edge = self._edge if self._base is None else self._fresh_edge()
        return None if edge is None or type(edge[0]) is AccumulateGrad else edge[0].public()

    @property
    def requires_grad(self) -> bool:
        return (self._edge if self._base is None else self._fresh_edge()) is not None

    @requires_grad.setter
    def requires_grad(self, needed: bool) -> None:
        if self.grad_fn is not None:
            if not needed:
                raise RuntimeError(LEAF_ONLY + NO_DIFF)
        elif not needed:
            self._edge = None
        elif self._array.dtype.kind != "f":
            raise RuntimeError(
                "only Tensors of floating point and complex dtype can require gradients"
            )
        elif self._edge is None:
            self._edge = (AccumulateGrad(self), 0, self._array.shape, self._array.dtype)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        if requires_grad and self._array.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        self.requires_grad = requires_grad
        return self

    @property
    def grad(self) -> Tensor | None:
        if self._grad is None and self.grad_fn is not None and not self.retains_grad:
            warnings.warn(GRAD_OF_NON_LEAF, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, grad: Tensor | None) -> None:
        if grad is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if grad is not None:
            if not isinstance(grad, Tensor):
                raise TypeError(
                    f"assigned grad expected to be a Tensor or None but got grad of type "
                    f"{type(grad).__name__!r}"
                )
            if grad.dtype is not self.dtype:
                raise RuntimeError("assigned grad has data of a different type")
            if grad.shape != self.shape:
                raise RuntimeError(
                    f"attempting to assign a gradient of size '{list(grad.shape)}' to a tensor of "
                    f"size '{list(self.shape)}'. Please ensure that the gradient and the tensor "
                    "are the same size"
                )
        self._grad = grad

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def _accumulate(self, grad: Any, taped: bool) -> None:
        """Add a gradient to `grad`: in place, unless that would change what the graph holds."""
        if taped and self._grad is not None:
            self._grad = self._grad + grad
        elif taped:
            self._grad = from_array(np.empty_like(grad._array)).copy_(grad)
        elif self._grad is None:
            self._grad = from_array(np.array(grad))
        elif self._grad._edge is not None and type(self._edge[0]) is not AccumulateGrad:
            self._grad = from_array(self._grad._array + grad)  # retained, not a leaf's
        else:
            self._grad._array += grad
            self._grad._stamp()

    def register_hook(self, hook: Callable) -> Handle:
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node, number = self._fresh_edge()[:2]
        return Handle(node.hooks().tensor.setdefault(number, HookDict()), hook)

    def register_post_accumulate_grad_hook(self, hook: Callable) -> Handle:
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        return Handle(self._edge[0].hooks().accumulated, hook)

    def retain_grad(self) -> None:
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self.grad_fn is not None:
            node, number = self._edge[:2]
            node.hooks().retain[number] = weakref.ref(self)

    @property
    def retains_grad(self) -> bool:
        if (edge := self._edge) is None:
            return False
        hooks = edge[0]._hooks
        kept = None if hooks is None else hooks.retain.get(edge[1])
        return kept is not None and kept() is self

    # Memory that is shared and changed

    def _alias(self) -> Tensor:
        """The same memory without history."""
        alias = new(Tensor)
        alias._array, alias._changes = self._array, self._shared_changes()
        return alias

    def _shared_changes(self) -> list[int]:
        """The times of changes, in a list: most tensors are never changed and need none."""
        if type(self._changes) is tuple:
            self._changes = []
        return self._changes

    def _view_of(
        self, input: Tensor, call: Callable, args: tuple, number: int | None = None
    ) -> None:
        """Become the view of another tensor that an operation has made."""
        self._changes = input._shared_changes()
        self._base = input if input._base is None else input._base
        self._steps = (*input._steps, (call, args, number))
        self._as_of = len(self._changes)
        if not state.enabled:
            self._made_in = "no_grad"
        elif number is not None:
            self._made_in = "several"
        elif input._made_in:
            self._made_in = input._made_in

    def _fresh_edge(self) -> Edge | None:
        """The edge, made anew if this is a view whose base has been changed meanwhile."""
        if self._base is not None and self._as_of != len(self._changes):
            self._follow_base()
        return self._edge

    def _stamp(self) -> None:
        """Note that the memory has been changed now."""
        state.changed = now = tick()
        self._shared_changes().append(now)

    def detach(self) -> Tensor:
        return self._alias()

    def detach_(self) -> Tensor:
        if self._base is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using "
                "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as "
                "True, gradients are views of DDP buckets, and hence detach_() cannot be called on "
                "these gradients. To fix this error, please refer to the Optimizer.zero_grad() "
                "function in torch/optim/optimizer.py as a solution."
            )
        self._edge = None
        state.changed = tick()  # what saved it has to look closer
        return self

    @property
    def data(self) -> Tensor:
        return from_array(self._array)

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            kind = type(value).__name__
            raise TypeError(f"Variable data has to be a tensor, but got {kind}")
        if self.requires_grad and value._array.dtype.kind != "f":
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex "
                "dtype"
            )
        self._array = value._array
        if self._edge is not None:
            self._edge = (*self._edge[:2], value._array.shape, value._array.dtype)

    @property
    def volatile(self) -> bool:
        warnings.warn("volatile was removed (Variable.volatile is always False)", stacklevel=2)
        return False

    def _keep(self) -> None:
        raise RuntimeError("this attribute of a Tensor cannot be deleted")

    data, requires_grad = data.deleter(_keep), requires_grad.deleter(_keep)
    _grad_fn = property(lambda self: self.grad_fn, None, _keep)
    _backward_hooks = property(lambda self: {}, lambda self, hooks: None, _keep)

    def _is_view(self) -> bool:
        return self._base is not None

    # Out of the world of tensors

    def numpy(self, *, force: bool = False) -> np.ndarray:
        if state.enabled and self.requires_grad and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. "
                "Use tensor.detach().numpy() instead."
            )
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def item(self) -> Any:
        if self._array.size != 1:
            raise RuntimeError(
                f"a Tensor with {self._array.size} elements cannot be converted to Scalar"
            )
        return self._array.item()

    def tolist(self) -> Any:
        return self._array.tolist()

    def __bool__(self) -> bool:
        if self._array.size != 1:
            kind = "no values" if self._array.size == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {kind} is ambiguous")
        return bool(self._array.item())

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def _number(self) -> Any:
        if self.requires_grad:
            warnings.warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
                "behavior.\nConsider using tensor.detach() first.",
                stacklevel=3,
            )
        return self.item()

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind == "f":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self._array)

    def __iter__(self) -> Iterator[Tensor]:
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, element: Any) -> bool:
        return bool((self == element)._array.any())

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return printing.tensor_text(self)

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if self.ndim == 0 else object.__format__(self, spec)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if self.grad_fn is not None:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
                "protocol at the moment.  If you were attempting to deepcopy a module, this may be "
                "because of a torch.nn.utils.weight_norm usage, "
                "see https://github.com/pytorch/pytorch/pull/103001"
            )
        copied = new(type(self))
        copied._array = self._array.copy()
        copied.requires_grad = self.requires_grad
        memo[id(self)] = copied
        if self._grad is not None:
            copied._grad = self._grad.__deepcopy__(memo)
        return copied

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _rebuild, (self._array, self.requires_grad)


class device:
    """Where tensors are: always the CPU."""

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        self.type, self.index = getattr(type, "type", type), index

    def __repr__(self) -> str:
        return f"device(type='{self.type}')"

    def __str__(self) -> str:
        return self.type

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, device) and self.type == other.type

    def __hash__(self) -> int:
        return hash(self.type)


class Packed:
    """What a hook made of a saved tensor."""

    def __init__(self, tensor: Tensor) -> None:
        hooks, self.edge = state.hooks[-1], tensor._edge
        self.unhook, self.packed = hooks.unpack, hooks.pack(tensor._alias())

    def unpack(self) -> Tensor:
        tensor = self.unhook(self.packed)._alias()
        tensor._edge = self.edge
        return tensor

    _array = property(lambda self: self.unpack()._array)


def pack(saved: Any) -> Any:
    return Packed(saved) if isinstance(saved, Tensor) and not saved._is_number else saved


def from_array(array: np.ndarray) -> Tensor:
    """A tensor of the same memory."""
    tensor = new(Tensor)
    tensor._array = array
    return tensor


def _rebuild(array: np.ndarray, requires_grad: bool) -> Tensor:
    return from_array(array).requires_grad_(requires_grad)
