"""The Tensor: an array, a version counter, and a place in the graph."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from sys import getrefcount
from typing import Any, ClassVar

import numpy as np

from minigrad import dtypes, printing
from minigrad.device import device
from minigrad.graph import (
    AccumulateGrad,
    Array,
    Edge,
    Hook,
    HookDict,
    NodeHooks,
    Nowhere,
    RemovableHandle,
    clock,
    tick,
)
from minigrad.missing import missing_name
from minigrad.modes import call_mode, overridable, quiet, rare_modes, state
from minigrad.shape import Size, dim_error
from minigrad.warn import warn

new = object.__new__

ONLY_LEAVES = "you can only change requires_grad flags of leaf variables."
NOT_A_LEAF = (
    " If you want to use a computed variable in a subgraph that doesn't require differentiation "
    "use var_no_grad = var.detach()."
)
GRAD_OF_NON_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)
GRAD_DTYPE = (
    "attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The "
    "gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the "
    "tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set "
    "grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
    "downstream systems that assume they match."
)
DETACH_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
    "(DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP "
    "buckets, and hence detach_() cannot be called on these gradients. To fix this error, please "
    "refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as a solution."
)
HOOK_WITHOUT_GRAD = "cannot register a hook on a tensor that doesn't require gradient"


class VersionCounter:
    """How often memory was changed in place, and when. A tensor shares it with its views.

    Only the latest times are kept, so that millions of changes take no memory. A saved tensor asks
    for times only if it was changed after it was saved.
    """

    version = 0
    times: list[int] | tuple[()] = ()
    KEPT = 1000

    def bump(self) -> None:
        clock.last_change = now = tick()
        self.version += 1
        if not isinstance(self.times, list):
            self.times = []
        self.times.append(now)
        if len(self.times) > 2 * self.KEPT:
            del self.times[: self.KEPT]

    def version_at(self, time: int) -> int:
        """The version that the memory had at a time of the clock."""
        return self.version - sum(one > time for one in self.times)


class Tensor:
    """A numpy array that knows how it was computed.

    `_edge` says where the gradient goes; None if there is no gradient. For most tensors it never
    changes. A leaf that requires grad and a view look theirs up, see `_current_edge`.
    """

    __module__ = "torch"  # print(type(x)) shows it

    _array: Array
    _edge: Edge | None = None
    _edge_is_current = True  # False for a leaf that requires grad and for a view
    _grad: Tensor | None = None
    _version_counter: VersionCounter | None = None  # made when it is shared or first counts
    _number: Any = None  # the Python number that it stands for among the operands
    __array_priority__ = 1000  # numpy leaves `array + tensor` to us

    # A leaf that requires grad
    _leaf_requires_grad = False
    _accumulator: weakref.ref[AccumulateGrad] | None = None
    _leaf_hooks: NodeHooks | None = None

    # A view: of which tensor, by which operations, and when its edge was looked up (see views.py)
    _base: Tensor | None = None
    _recipe: tuple[tuple[Callable[..., Any], tuple[Any, ...], int | None], ...] = ()
    _edge_version = 0
    _creation = ""  # how the view was made, if that forbids in-place changes
    _follow_base: ClassVar[Callable[[Tensor], None]]  # these three: views.py
    _overwrite: ClassVar[Callable[[Tensor, Tensor], Tensor]]
    _check_in_place: ClassVar[Callable[[Tensor], None]]

    is_sparse = is_cuda = False
    itemsize = property(lambda self: self._array.itemsize)
    nbytes = property(lambda self: self._array.nbytes)
    ndim = property(lambda self: self._array.ndim)
    shape = property(lambda self: Size(self._array.shape))
    dtype = property(lambda self: dtypes.from_numpy[self._array.dtype])
    device = property(lambda self: device("cpu"))
    is_leaf = property(lambda self: self.grad_fn is None)

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        try:
            return self.shape if dim is None else self._array.shape[dim]
        except IndexError:
            raise dim_error(dim, self._array.ndim) from None

    def dim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim

    def numel(self) -> int:
        """The number of elements."""
        return self._array.size

    nelement = numel

    def element_size(self) -> int:
        """The number of bytes of an element, as `itemsize`."""
        return self._array.itemsize

    # The place in the graph

    def _current_edge(self) -> Edge | None:
        """Where the gradient goes.

        The edge of a view is looked up again if its base has changed. The edge of a leaf leads to
        its AccumulateGrad, which lives as long as a graph uses it.
        """
        if self._base is not None and self._edge_version != self._version:
            self._follow_base()
        if self._edge is not None:
            return self._edge
        if not self.requires_grad:
            return None
        node: Any = None if self._accumulator is None else self._accumulator()
        if not self._leaf_requires_grad:
            node = Nowhere()
        elif node is None:
            node = AccumulateGrad(self, self._leaf_hooks)
            self._accumulator = weakref.ref(node)
        return (node, 0, self._array.shape, self._array.dtype)

    @property
    def grad_fn(self) -> Any:
        """The node of the operation that computed this tensor; None for a leaf."""
        if self._base is not None:
            self._current_edge()
        return None if self._edge is None else self._edge[0]

    @grad_fn.deleter
    def grad_fn(self) -> None:
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    _grad_fn = grad_fn

    @property
    def output_nr(self) -> int:
        """Which of the outputs of `grad_fn` this is."""
        return 0 if self._edge is None else self._edge[1]

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded."""
        if self._leaf_requires_grad or self._edge is not None:
            return True
        return self._base is not None and self._base.requires_grad

    @requires_grad.setter
    def requires_grad(self, requires_grad: bool) -> None:
        if self._edge is not None:
            raise RuntimeError(ONLY_LEAVES + ("" if requires_grad else NOT_A_LEAF))
        if not requires_grad:
            self._leaf_requires_grad = False
        elif self._array.dtype.kind != "f":
            raise RuntimeError(
                "only Tensors of floating point and complex dtype can require gradients"
            )
        else:
            self._leaf_requires_grad, self._edge_is_current = True, False

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    @overridable
    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` of a leaf. Returns the tensor itself.

        Raises RuntimeError for an integer tensor, or if it would end a recorded history.
        """
        if requires_grad and self._array.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if not requires_grad or self._edge is None:
            self.requires_grad = requires_grad
        return self

    # The gradient

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward passes have added up; None before the first."""
        if rare_modes and state.function_modes:
            seen: Tensor | None = call_mode(Tensor.grad.__get__, (self,), {})
            return seen
        if self._grad is None and self._edge is not None and not self.retains_grad:
            warn(GRAD_OF_NON_LEAF)
        return self._grad

    @grad.setter
    def grad(self, grad: Tensor | None) -> None:
        if grad is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if grad is not None:
            if not isinstance(grad, Tensor):
                raise TypeError(
                    "assigned grad expected to be a Tensor or None but got grad of type "
                    f"{type(grad).__name__}"
                )
            if grad.dtype is not self.dtype:
                titles = [dtypes.TITLES[one._array.dtype] for one in (grad, self)]
                raise RuntimeError(GRAD_DTYPE.format(titles[0].lower(), titles[1]))
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

    def _accumulate_grad(self, grads: list[Any], create_graph: bool) -> None:
        """Add the gradient in a list to `grad`: in place for a leaf, unless the sum is recorded."""
        if self._grad is None and create_graph:
            fresh: Any = from_array(np.empty_like(grads[0]._array))
            self._grad = fresh.copy_(grads[0]) if self._leaf_requires_grad else grads[0].clone()
        elif self._grad is None:
            array = grads[0] if is_unshared(grads) else np.array(grads[0], order="C")
            self._grad = from_array(array)
        elif create_graph:
            self._grad = self._grad + grads[0]
        elif not self._leaf_requires_grad:
            self._grad = from_array(quiet().run(np.add, self._grad._array, grads[0]))
        else:
            quiet().run(np.add, self._grad._array, grads[0], self._grad._array)
            self._grad._bump_version()

    @overridable
    def retain_grad(self) -> None:
        """Keep the gradient of a non-leaf in `grad`, too. On a leaf this does nothing."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self.grad_fn is not None and self._edge is not None:
            node, number = self._edge[:2]
            node.node_hooks().retain_grad[number] = weakref.ref(self)

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad` was called on this non-leaf."""
        if (edge := self._edge) is None or edge[0]._hooks is None:
            return False
        retained = edge[0]._hooks.retain_grad.get(edge[1])
        return retained is not None and retained() is self

    @overridable
    def register_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(grad)`` when this tensor's gradient is known; it may return another one."""
        if not self.requires_grad:
            raise RuntimeError(HOOK_WITHOUT_GRAD)
        edge: Any = self._current_edge()
        return RemovableHandle(edge[0].node_hooks().tensor.setdefault(edge[1], HookDict()), hook)

    def register_post_accumulate_grad_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(leaf)`` each time after a backward pass has added to the leaf's `grad`."""
        if not self.requires_grad:
            raise RuntimeError(HOOK_WITHOUT_GRAD)
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        edge: Any = self._current_edge()
        return RemovableHandle(edge[0].node_hooks().post_accumulate, hook)

    @property
    def _backward_hooks(self) -> HookDict:
        """The hooks from `register_hook`, for tools that show them."""
        edge = self._current_edge() if self.requires_grad else None
        if edge is None or edge[0]._hooks is None:
            return HookDict()
        hooks: HookDict = edge[0]._hooks.tensor.get(edge[1], HookDict())
        return hooks

    @_backward_hooks.setter
    def _backward_hooks(self, hooks: None) -> None:
        """Do nothing: `register_hook` is the way to register hooks."""

    @_backward_hooks.deleter
    def _backward_hooks(self) -> None:
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")

    @property
    def _post_accumulate_grad_hooks(self) -> HookDict | None:
        return None if self._leaf_hooks is None else self._leaf_hooks.post_accumulate

    # Shared memory and in-place changes

    @property
    def _version(self) -> int:
        """How often the memory was changed in place, by this tensor or by one that shares it."""
        return 0 if self._version_counter is None else self._version_counter.version

    def _shared_version_counter(self) -> VersionCounter:
        """The version counter, to change it or to share it."""
        if self._version_counter is None:
            self._version_counter = VersionCounter()
        return self._version_counter

    def _bump_version(self) -> None:
        """Note that the memory has been changed now."""
        self._shared_version_counter().bump()

    def _alias(self) -> Tensor:
        """The same memory and version counter, without history."""
        alias = from_array(self._array)
        alias._version_counter = self._shared_version_counter()
        return alias

    def _as_output(self, node: Any, number: int) -> Tensor:
        """The same memory and version counter, as an output of a node."""
        output = self._alias()
        output._edge = (node, number, output._array.shape, output._array.dtype)
        return output

    def _become_view(
        self, base: Tensor, operation: Callable[..., Any], args: tuple[Any, ...], number: int | None
    ) -> None:
        """Note that an operation has made this view (output `number` of several) of a tensor."""
        self._version_counter = counter = base._shared_version_counter()
        self._base = base if base._base is None else base._base
        self._recipe = (*base._recipe, (operation, args, number))
        self._edge_version, self._edge_is_current = counter.version, False
        if not state.enabled:
            self._creation = "no_grad"
        elif number is not None:
            self._creation = "multiple outputs"
        else:
            self._creation = base._creation

    def _is_view(self) -> bool:
        return self._base is not None

    @overridable
    def detach(self) -> Tensor:
        """The same memory, outside the graph: no gradient flows through the result."""
        return self._alias()

    @overridable
    def detach_(self) -> Tensor:
        """Take this tensor out of the graph. Raises RuntimeError for a view."""
        if self._base is not None:
            raise RuntimeError(DETACH_VIEW)
        self._edge, self._leaf_requires_grad = None, False
        clock.last_change = tick()  # a node that saved it must look closer
        return self

    @property
    def data(self) -> Tensor:
        """The same memory, outside the graph, with a version counter of its own.

        Autograd doesn't notice changes through `data`: gradients can become wrong silently.
        """
        if rare_modes and state.function_modes:
            seen: Tensor = call_mode(Tensor.data.__get__, (self,), {})
            return seen
        return from_array(self._array)

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        if self.requires_grad and value._array.dtype.kind != "f":
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex "
                "dtype"
            )
        self._array = value._array

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    def __getattr__(self, name: str) -> Any:
        """Say what is near; the operations add their methods to the class (see public.py)."""
        raise missing_name("'Tensor' object", name, type(self))

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return printing.tensor_text(self)


def is_unshared(arrays: list[Any]) -> bool:
    """Whether a list of one array is the only way to its memory, which is in the usual order."""
    # The list and the argument refer to the array; its owner, if it is a view, has two such, too.
    unshared = type(arrays[0]) is np.ndarray and getrefcount(arrays[0]) == 2
    owner_unshared = arrays[0].base is None or getrefcount(arrays[0].base) == 2
    return unshared and owner_unshared and arrays[0].flags.carray


def from_array(array: Array) -> Tensor:
    """A tensor with the memory of an array and no history."""
    tensor = new(Tensor)
    tensor._array = array
    return tensor
