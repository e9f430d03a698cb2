"""torch.autograd.Function: operations with a backward of one's own."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad import views
from minigrad.engine import as_tensor, note_origin
from minigrad.graph import Node, state, tick
from minigrad.op import SECOND_TIME, changed_text
from minigrad.tensor import Packed, Tensor, pack
from minigrad.modes import no_grad

STATIC = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style "
    "autograd function with static forward method. (Example: "
    "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)
OF_FUNCTION = (
    " This view was created inside a "
    "custom Function (or because an input was returned as-is) and the autograd logic to handle "
    "view+inplace would override the custom backward associated with the custom Function, leading "
    "to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of "
    "the custom Function."
)

NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. The "
    "inputs that are modified inplace must all be outputs of the Function."
)
DIRTY_VIEW = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function "
    "cannot return more than one Tensor. This is not supported by the current autograd engine. You "
    "should either make sure the input is not a view (using .clone() for example) or make your "
    "Function only return one Tensor (potentially splitting it into two Functions: one doing the "
    "inplace that returns a single Tensor and a second one that does the other operations). You "
    "can ask on the forum https://discuss.pytorch.org/ if you need help to do this change."
)


class FunctionNode(Node):
    """The node of a Function, and the `ctx` that its methods get."""

    function: Any
    needs_input_grad: tuple[bool, ...] = ()
    saved: tuple | None = ()
    to_save: tuple = ()
    dirty: tuple = ()
    without_gradient: tuple = ()
    materialize_grads = _materialize_non_diff_grads = True

    def save_for_backward(self, *tensors: Any) -> None:
        self.to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        self.without_gradient = tensors

    def set_materialize_grads(self, value: bool) -> None:
        self.materialize_grads = value

    def name(self) -> str:
        return type(self).__name__

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        if self.saved is None:
            raise RuntimeError(SECOND_TIME)
        return tuple([self.unpack(*one) for one in self.saved] if self.saved else self.to_save)

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)
        return self.saved_tensors

    def unpack(self, saved: Any, number: int | None) -> Any:
        """A saved tensor; if it is an output, as one."""
        if type(saved) is Packed:
            return saved.unpack()
        if saved is None:
            return None
        if saved._changes and saved._changes[-1] > self.sequence:
            expected = sum(time < self.sequence for time in saved._changes)
            raise RuntimeError(changed_text(saved, expected, len(saved._changes), ""))
        if number is None:
            return saved
        output = saved._alias()
        output._edge = (self, number, saved._array.shape, saved._array.dtype)
        return output

    def keep(self, outputs: Sequence[Any]) -> None:
        saved = []
        for place, one in enumerate(self.to_save):
            if not isinstance(one, Tensor) and one is not None:
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {place} is of type "
                    f"{type(one).__name__}"
                )
            number = next((i for i, out in enumerate(outputs) if out is one), None)
            saved.append((one if number is None or one is None else one._alias(), number))
        if state.hooks:
            saved = [(pack(one), number) for one, number in saved]
        self.saved, self.to_save = tuple(saved), ()

    def release(self) -> None:
        if self.saved:
            self.saved = None

    def apply(self, grads: list[Any], taped: bool) -> Sequence[Any]:
        if self.materialize_grads:
            grads = [np.zeros(*m) if g is None and m else g for g, m in zip(grads, self.metas)]
        results = self.function.backward(self, *map(as_tensor, grads))
        results = results if isinstance(results, tuple) else (results,)
        count, name = len(self.needs_input_grad), self.name()
        if len(results) > count and any(one is not None for one in results[count:]):
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {count}, "
                f"got {len(results)})"
            )
        if len(results) < count:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {count}, "
                f"got {len(results)})"
            )
        for place, one in enumerate(results[:count]):
            if one is not None and not isinstance(one, Tensor):
                raise TypeError("expected Tensor or None from the backward of a Function")
            if one is not None and not self.of_tensors[place]:
                raise RuntimeError(
                    f"function {name} returned a gradient different from None at position "
                    f"{place + 1}, but the corresponding forward input was not a Variable"
                )
        given = [one for one, is_tensor in zip(results, self.of_tensors) if is_tensor]
        return given if taped else [None if one is None else one._array for one in given]


FunctionCtx = FunctionNode


class Function:
    """Subclass it with static methods `forward` and `backward`, and call `apply`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._node_class = type(
            f"{cls.__name__}Backward",
            (FunctionNode,),
            {"function": cls, "__module__": "torch.autograd.function"},
        )

    def __init__(self) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(STATIC)

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> None:
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        if cls.setup_context is not Function.setup_context and kwargs:
            args = fill_defaults(cls.forward, args, kwargs)
            kwargs = {}
        elif cls.setup_context is not Function.setup_context:
            args = fill_defaults(cls.forward, args, {})
        node = cls._node_class()
        node._hooks, node.sequence, node.edges = None, tick(), ()
        node.of_tensors = [isinstance(one, Tensor) for one in args]
        node.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        recorded = state.enabled and any(node.needs_input_grad)
        with no_grad():
            if cls.setup_context is Function.setup_context:
                output = cls.forward(node, *args, **kwargs)
            else:
                output = cls.forward(*args)
                cls.setup_context(node, args, output)
        alone = not isinstance(output, (tuple, list))
        outputs = [output] if alone else list(output)
        node.edges = tuple([a._fresh_edge() for a in args if isinstance(a, Tensor)])
        check_dirty(node, outputs)
        finished = [finish(node, one, i, args, recorded) for i, one in enumerate(outputs)]
        node.metas = [
            (one._array.shape, one._array.dtype) if isinstance(one, Tensor) else None
            for one in finished
        ]
        if not node._materialize_non_diff_grads:
            for number, one in enumerate(outputs):
                if any(one is other for other in node.without_gradient):
                    node.metas[number] = None
        node.outputs = len(finished)
        node.sequence = tick()
        if recorded:
            node.keep(outputs)
            if state.anomaly:
                note_origin(node, 2)
        node.dirty = node.without_gradient = ()
        return finished[0] if alone else tuple(finished)


def check_dirty(node: Any, outputs: list) -> None:
    for one in node.dirty:
        if not any(one is out for out in outputs):
            raise RuntimeError(NOT_RETURNED)
        if one._base is not None and len(outputs) > 1:
            raise RuntimeError(DIRTY_VIEW)


def fill_defaults(forward: Callable, args: tuple, kwargs: dict[str, Any]) -> tuple:
    import inspect

    bound = inspect.signature(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    return tuple(bound.args)


def finish(node: Any, one: Any, number: int, args: tuple, recorded: bool) -> Any:
    """Give an output of `forward` its place in the graph."""
    if not isinstance(one, Tensor):
        return one
    is_input = any(one is a for a in args)
    is_dirty = any(one is d for d in node.dirty)
    if is_dirty and not is_input:
        warnings.warn(
            "Only input Tensors should be given to ctx.mark_dirty(). If a Tensor is not an input, "
            "there is no need to pass it to mark_dirty()."
        )
        is_dirty = False
    if is_dirty:
        if recorded and one._base is None and one._edge is not None and one.grad_fn is None:
            raise RuntimeError(
                "a leaf Variable that requires grad has been used in an in-place operation."
            )
        one._stamp()
    if any(one is n for n in node.without_gradient) or one._array.dtype.kind != "f":
        if is_input and not is_dirty:
            return one._alias()
        if not is_dirty:
            one._edge = None
        return one
    if not recorded:
        if one._base is not None and state.enabled:
            one._made_in = OF_FUNCTION
        return one
    edge = (node, number, one._array.shape, one._array.dtype)
    if is_dirty:
        views.rebase(one, edge) if one._base is None or len(args) else None
        return one
    if is_input:
        one = one.view_as(one) if not state.enabled else alias_of(one)
        one._made_in = OF_FUNCTION
    elif one._base is not None:
        one._made_in = OF_FUNCTION
    one._edge = edge
    return one


def alias_of(tensor: Tensor) -> Tensor:
    with no_grad():
        return tensor.view_as(tensor)


class Error(Node):
    """A node that refuses to run."""

    def __init__(self, edges: tuple) -> None:
        self.edges, self.sequence, self._hooks = edges, tick(), None
        self.outputs = len(edges)

    def apply(self, grads: list[Any], taped: bool) -> Sequence[Any]:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def once_differentiable(backward: Callable) -> Callable:
    """Refuse to differentiate a backward itself."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            results = backward(ctx, *grads)
        needed = any(isinstance(g, Tensor) and g.requires_grad for g in grads)
        if not state.enabled or not needed:
            return results
        alone = not isinstance(results, tuple)
        results = [r if r is None else r.detach() for r in ((results,) if alone else results)]
        leaves = [r if r is None else r.detach().requires_grad_() for r in results]
        node = Error(tuple([None if leaf is None else leaf._edge for leaf in leaves]))
        for number, one in enumerate(results):
            if one is not None:
                one._edge = (node, number, one._array.shape, one._array.dtype)
        return results[0] if alone else tuple(results)

    return wrapper


def traceable(cls: Any) -> Any:
    return cls
