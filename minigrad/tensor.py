"""Tensor: an array, a version counter, flags, and the way its gradient goes.

What can be computed with tensors is declared in `minigrad.ops` and given to the class by
`minigrad.ops.bind`; this file is about what a tensor is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from minigrad import dtypes, printing
from minigrad.autograd import differentiate
from minigrad.autograd.bridge import tensors as _bridge
from minigrad.autograd.grad_dtype import GradDtype
from minigrad.autograd.grad_mode import Detached, Untracked, inferring, new_counter, state
from minigrad.autograd.node import (
    Array,
    Gradient,
    Node,
    quiet_copy,
)
from minigrad.c_code import ReadOnly, type_name
from minigrad.copying import deep_copied, part, reduced
from minigrad.data import checked_array, legacy_array, warn_of_grad
from minigrad.memory import Geometry, Memory, check_layout, gradient_like
from minigrad.methods import TensorMethods
from minigrad.outside import warn
from minigrad.subclasses import Subclassed

OF_LEAVES = "you can only change requires_grad flags of leaf variables."
INSTEAD = (
    "If you want to use a computed variable in a subgraph that doesn't require differentiation use "
    "var_no_grad = var.detach()."
)
INSTEAD_OF_SETTING = "(or perhaps using torch.autograd.functional.* APIs) "
GRAD_OF_NON_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor "
    "is being accessed. Its .grad attribute "
    "won't be populated during autograd.backward(). If you indeed want the .grad field to be "
    "populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the "
    "non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)
GRAD_OF_OTHER_DTYPE = (
    "attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The "
    "gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the "
    "tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set "
    "grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
    "downstream systems that assume they match."
)
DETACHED_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
    "(DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP "
    "buckets, and hence detach_() cannot be called on these gradients. To fix this error, please "
    "refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
)


class Tensor(Memory, GradDtype, Subclassed, TensorMethods):
    """A multi-dimensional array that knows how it was computed.

    Made by `minigrad.tensor`, `minigrad.ones` and their like, and by every operation.
    ``Tensor(2, 3)`` and ``Tensor([1, 2])`` work as PyTorch's old constructor: always of the
    default dtype.

    Attributes:
        requires_grad: whether operations on it are recorded.
        grad_fn: the node that computed it; None for a leaf.
        grad: the gradient accumulated by backward passes, None before the first.
    """

    __module__ = "torch"
    __array_priority__ = 1000  # numpy's numbers leave operations with tensors to these

    # Defaults of what most tensors never set. An instance always has its array and a version
    # counter, a list shared with its views.
    _grad: Tensor | None = None
    _number: Any = None  # the Python number that this tensor stands for in an operation

    def __new__(cls, *args: Any, **named: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], Tensor):
            return args[0].as_subclass(cls)
        tensor = object.__new__(cls)
        tensor._value = legacy_array(args, dtypes.get_default_dtype().numpy_dtype, **named)
        tensor._counter = new_counter()
        return tensor

    # What it is

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded."""
        return bool(self._requires_grad)

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        if not isinstance(flag, bool):
            raise RuntimeError("requires_grad must be a bool")
        if self._edge is not None:
            raise RuntimeError(OF_LEAVES if flag else f"{OF_LEAVES} {INSTEAD}")
        if flag and self._array.dtype.kind != "f":
            raise RuntimeError(
                "only Tensors of floating point and complex dtype can require gradients"
            )
        self._require_grad(flag)

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` of a leaf and return the tensor.

        Raises:
            RuntimeError: if it is not a leaf, or not of floating point dtype; or in the function
                of a transform.
        """
        if not isinstance(requires_grad, bool):
            raise TypeError(
                "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                f"{type(requires_grad).__name__}"
            )
        state.refuse_in_transforms("requires_grad_", INSTEAD_OF_SETTING)
        if requires_grad and self._value.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if self._edge is None or not requires_grad:
            self.requires_grad = requires_grad
        return self

    @ReadOnly
    def grad_fn(self) -> Node | None:
        """The node that computed this tensor; None for a leaf."""
        edge = self._find_edge()
        return None if edge is None else edge[0].public()

    @property
    def _grad_fn(self) -> Node | None:
        """The same; None may be assigned, which detaches the tensor."""
        return self.grad_fn  # type: ignore[no-any-return]

    @_grad_fn.setter
    def _grad_fn(self, node: None) -> None:
        if node is not None:
            raise RuntimeError("_grad_fn can be only set to None")
        self.detach_()

    @_grad_fn.deleter
    def _grad_fn(self) -> None:
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    @ReadOnly
    def output_nr(self) -> int:
        """Which output of its `grad_fn` this tensor is."""
        return 0 if self._edge is None else self._edge[1]

    @ReadOnly
    def is_leaf(self) -> bool:
        """Whether it was not computed by a recorded operation."""
        return self._find_edge() is None

    # Its gradient

    @property
    def grad(self) -> Tensor | None:
        """The gradient accumulated so far; None before any. Warns if none will ever come."""
        if self._edge is not None and self._grad is None and not self.retains_grad:
            warn(GRAD_OF_NON_LEAF)
        return self._grad

    @grad.setter
    def grad(self, gradient: Tensor | None) -> None:
        if gradient is None:
            self._grad = None
            return
        if not isinstance(gradient, Tensor):
            raise TypeError(
                "assigned grad expected to be a Tensor or None but got grad of type "
                f"{type_name(gradient)}"
            )
        if gradient is self:
            raise RuntimeError("can't assign Variable as its own grad")
        wanted = self._wanted_dtype()
        if wanted is not None and gradient._value.dtype is not wanted.numpy_dtype:
            names = gradient.dtype.cpp_name, wanted.scalar_name
            raise RuntimeError(GRAD_OF_OTHER_DTYPE.format(*names))
        if gradient._value.shape != self._value.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(gradient.shape)}' to a tensor of "
                f"size '{list(self.shape)}'. Please ensure that the gradient "
                f"and the tensor are the "
                "same size"
            )
        self._grad = gradient

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Add the gradient of this tensor to the `.grad` of every leaf it was computed from.

        Args and errors are those of `minigrad.autograd.backward`.
        """
        differentiate.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def _accumulate_grad(self, gradient: Gradient) -> None:
        """Add what arrived at this leaf; called by its AccumulateGrad."""
        before = self._grad
        if isinstance(gradient, Tensor):
            # A copy that is recorded: x.grad.grad_fn is then CopyBackwards, as in PyTorch.
            self._grad = gradient_like(self, gradient) if before is None else before + gradient
        elif before is None:
            # A copy: the array may be somebody else's too, and it may be read-only.
            if self._value.flags.c_contiguous:
                grad = object.__new__(Tensor)
                grad._value = gradient.copy()
                # PyTorch writes what lies otherwise into new memory, which counts as a change.
                written = int(gradient.strides != self._value.strides)
                grad._counter = new_counter() if inferring else [written]
                self._grad = grad
            else:
                self._grad = gradient_like(self, from_array(gradient))
        else:
            before._check_in_place(recorded=False)
            before._check_apart()
            try:
                np.add(before._array, gradient, before._array)
            except ValueError:  # with PyTorch's text, if `data` got another shape
                before.add_(from_array(gradient))
                raise
            before._count_change()
            if before._value.strides != self._value.strides:
                check_layout(self)

    def _take_gradient(self, gradient: Gradient) -> Gradient:
        """Return what arrived at a leaf that may be another than when it was recorded.

        Raises:
            RuntimeError: if it was changed in place and is none any more, or got another shape, to
                which the gradient cannot be broadcast.
        """
        if self._find_edge() is not None:
            raise RuntimeError("leaf variable has been moved into the graph interior")
        fits = self._grad is not None or gradient.shape == self.shape
        if fits or isinstance(gradient, Tensor) or not self._requires_grad:
            return gradient
        return gradient_like(self, from_array(gradient))._array

    # The same memory, seen otherwise

    def detach(self) -> Tensor:
        """Return a tensor of the same memory and version that is cut off from the graph.

        >>> import minigrad as torch
        >>> y = torch.ones(2, requires_grad=True) * 3
        >>> y.detach()
        tensor([3., 3.])
        """
        tensor = self._alias()
        if self.is_inference() and not state.inference:
            tensor._counter = Detached((0,))
        return tensor

    @property
    def data(self) -> Tensor:
        """The same memory as a tensor that autograd does not watch: with a version of its own."""
        tensor = self._alias()
        if self.is_inference():
            tensor._counter = Untracked((0,)) if state.inference else Detached((0,))
        else:
            tensor._counter = [0] if type(self._counter) is list else new_counter()
        return tensor

    @data.setter
    def data(self, other: Tensor) -> None:
        if not isinstance(other, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(other).__name__}")
        state.refuse_data_in_transforms()
        if self._requires_grad and other._value.dtype.kind != "f":
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex "
                "dtype"
            )
        self._warn_accumulator()
        if other._array.dtype != self._value.dtype:
            self._accumulator = None  # Graphs to come want gradients of the new dtype.
        self._value = other._array

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    @ReadOnly
    def _version(self) -> int:
        if type(self._counter) is Untracked:
            raise RuntimeError("Inference tensors do not track version counter.")
        (version,) = self._counter
        return int(version)

    def detach_(self) -> Tensor:
        """Cut this tensor itself off from the graph, and return it.

        In inference mode, as on an inference tensor, it does nothing.

        Raises:
            RuntimeError: if it is a view.
        """
        if not (state.inference or self.is_inference()):
            if self._base is not None:
                raise RuntimeError(DETACHED_VIEW)
            self._forget_edge()
        return self

    def _alias(self) -> Tensor:
        """Return a new leaf that shares memory and version."""
        tensor: Tensor = object.__new__(Tensor)
        tensor._value = self._array
        tensor._counter = self._counter
        return tensor

    def _modify(self, value: Array, where: Any = True) -> None:
        """Write `value` into the memory of this tensor, seen by all that share it."""
        quiet_copy().run(np.copyto, self._array, value, "unsafe", where)
        self._count_change()

    # Out of the world of tensors

    def _as_number(self, exactly: bool) -> Any:
        if exactly:
            warn_of_grad(self)
        if self._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self._array.item()

    def __bool__(self) -> bool:
        if self._array.size != 1:
            kind = "no values" if self._array.size == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {kind} is ambiguous")
        return bool(self._array.item())

    def __float__(self) -> float:
        return float(self._as_number(exactly=True))

    def __int__(self) -> int:
        return int(self._as_number(exactly=False))

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind == "f":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self._array)

    def __iter__(self) -> Iterator[Tensor]:
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __reversed__(self) -> Tensor:
        return self.flip(0) if self.ndim else self

    def __contains__(self, element: Any) -> bool:
        if isinstance(element, (Tensor, int, float, bool)):
            found: Any = element == self
            return bool(found._array.any())
        raise RuntimeError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you "
            f"passed in a {type(element)}."
        )

    def __delitem__(self, index: Any) -> None:
        raise TypeError("Tensor does not support deleting items")

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self, *, tensor_contents: str | None = None) -> str:
        return printing.tensor_repr(self, tensor_contents)

    def __format__(self, specification: str) -> str:
        return printing.tensor_format(self, specification)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        copied: Tensor = deep_copied(self, memo)
        return copied

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return reduced(self, _rebuild, Tensor)


def from_array(array: Array) -> Tensor:
    """Return a tensor of the same memory as a numpy array."""
    tensor: Tensor = object.__new__(Tensor)
    tensor._value = array
    tensor._counter = new_counter() if inferring else [0]
    return tensor


def _rebuild(
    memory: Array,
    dtype: np.dtype[Any],
    place: Geometry,
    requires_grad: bool,
    kind: type[Tensor] = Tensor,
) -> Any:
    tensor = from_array(checked_array(part(memory, dtype, place)))
    if kind is Tensor:
        tensor._counter = new_counter(1)  # PyTorch has shown an empty tensor the memory
    return Tensor._make_subclass(kind, tensor, requires_grad)


_bridge.type = Tensor
_bridge.wrap = from_array
