"""torch.autograd.Function: operations with a forward and a backward of your own.

Source: https://docs.pytorch.org/docs/stable/notes/extending.html
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.anomaly import anomaly, note_origin
from minigrad.graph import Node, tick
from minigrad.hooks import as_tensor
from minigrad.missing import module_hooks
from minigrad.modes import no_grad, state
from minigrad.saved import SECOND_TIME, PackedTensor, check_version, pack
from minigrad.tensor import Tensor
from minigrad.views import rebase_history, set_edge
from minigrad.warn import warn

__all__ = ["Function", "FunctionCtx", "once_differentiable"]
__dir__, __getattr__ = module_hooks(__name__, __all__)


class FunctionCtx(Node):
    """The ctx of a Function's methods, and its node in the graph.

    Each call of `apply` makes a new one. A program may set attributes on it in `forward`, and read
    them in `backward` or from the result's `grad_fn`; our own names begin with an underscore, so
    that they don't get in the way.
    """

    _forward_cls: Any  # the Function
    _saved: Sequence[tuple[Any, int | None]] | None = ()  # None once freed; see `_pack`
    _materialize_grads = _materialize_non_diff_grads = True
    to_save = dirty_tensors = non_differentiable = tuple[Any, ...]()

    # For forward and setup_context

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `backward`, which finds them in `saved_tensors`.

        Call it once. Only tensors that are kept here are checked for in-place changes, freed after
        the backward pass, and seen by saved-tensor hooks. TypeError for anything but tensors and
        None.
        """
        self.to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs `forward` changes in place. It must return them."""
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient. (Integer outputs never have one.)"""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Choose whether `backward` gets zeros (the default) or None for a missing gradient."""
        self._materialize_grads = value

    # For backward

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What `save_for_backward` kept. RuntimeError if it was freed or changed in place."""
        return tuple([self._unpack(*one) for one in self._kept_pairs()])

    @property
    def saved_variables(self) -> tuple[Tensor | None, ...]:
        """The old name of `saved_tensors`."""
        warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        """What is kept for each saved tensor, without running unpack hooks."""
        return tuple([kept for kept, _ in self._kept_pairs()])

    def _kept_pairs(self) -> Sequence[tuple[Any, int | None]]:
        if self._saved is None:
            raise RuntimeError(SECOND_TIME)
        return self._saved

    # For the engine

    def _start(self, args: Sequence[Any]) -> None:
        """Note the inputs, before `forward` can change them."""
        self._hooks, self.next_edges, self.sequence_nr = None, (), tick()
        self._inputs_are_tensors = [isinstance(arg, Tensor) for arg in args]
        self.needs_input_grad = tuple([isinstance(a, Tensor) and a.requires_grad for a in args])
        self._is_recorded = state.enabled and any(self.needs_input_grad)
        if self._is_recorded:
            self.next_edges = tuple([a._current_edge() for a in args if isinstance(a, Tensor)])
            if anomaly.enabled:
                note_origin(self)

    def _finish(self, args: Sequence[Any], outputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Give the outputs of `forward` their places in the graph, and keep what is to be saved."""
        self._check_marks(args, outputs)
        for tensor in self.dirty_tensors:
            tensor._bump_version()
        self.output_count, self.sequence_nr = len(outputs), tick()
        self._zeros = [self._zeros_for(output) for output in outputs]
        several = sum(map(self._has_gradient, outputs)) > 1
        creation = "multiple outputs" if several else "custom function"
        results = [self._place(output, i, args, creation) for i, output in enumerate(outputs)]
        if self._is_recorded:
            self._saved = [self._pack(tensor, results) for tensor in self.to_save]
        self.to_save = self.dirty_tensors = self.non_differentiable = ()
        return tuple(results)

    def _check_marks(self, args: Sequence[Any], outputs: tuple[Any, ...]) -> None:
        for index, one in enumerate(self.to_save if self._is_recorded else ()):
            if not isinstance(one, Tensor | None):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {index} is of type "
                    f"{type(one).__name__}"
                )
        for tensor in self.dirty_tensors:
            if not contains(outputs, tensor):
                raise RuntimeError(
                    "Some elements marked as dirty during the forward method were not returned as "
                    "output. The inputs that are modified inplace must all be outputs."
                )
            if self._is_recorded and not contains(args, tensor):
                warn(
                    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors "
                    "that have been mutated should be passed to ctx.mark_dirty()."
                )
            if self._is_recorded and tensor._base is not None and len(outputs) > 1:
                raise RuntimeError(
                    "If your Function modifies inplace an input that is a view of another Tensor, "
                    "your Function cannot return more than one Tensor."
                )
            if self._has_gradient(tensor):
                tensor._check_in_place()

    def _zeros_for(self, output: Any) -> tuple[tuple[int, ...], Any] | None:
        """Shape and dtype of the zeros for a missing gradient; None if `backward` gets None."""
        skipped = contains(self.non_differentiable, output) and not self._materialize_non_diff_grads
        wanted = isinstance(output, Tensor) and self._materialize_grads and not skipped
        return (output._array.shape, output._array.dtype) if wanted else None

    def _has_gradient(self, output: Any) -> bool:
        """Whether a gradient comes back from an output."""
        is_floating = isinstance(output, Tensor) and output._array.dtype.kind == "f"
        return is_floating and self._is_recorded and not contains(self.non_differentiable, output)

    def _place(self, output: Any, number: int, args: Sequence[Any], creation: str) -> Any:
        """An output in its place: it leads to this node if it has a gradient, else nowhere.

        An input that `forward` returns unchanged becomes a view, so that the caller's own tensor
        keeps its history. `creation` is why a view must not be changed later.
        """
        if not isinstance(output, Tensor):
            return output
        is_input = contains(args, output)
        is_dirty = is_input and contains(self.dirty_tensors, output)
        edge = (self, number, output._array.shape, output._array.dtype)
        if self._has_gradient(output):
            if is_dirty:
                rebase_history(output, edge)
                return output
            output = view_of(output) if is_input else output
            set_edge(output, edge)
            output._leaf_requires_grad, output._edge_version = False, output._version
        elif output._leaf_requires_grad or output._edge is not None:
            if is_input:
                return output.detach()
            if output._base is None:
                output.detach_()
        elif is_input and not is_dirty:
            output = view_of(output)
        if output._base is not None and not is_dirty:
            output._creation = creation
        return output

    def _pack(self, tensor: Any, results: Sequence[Any]) -> tuple[Any, int | None]:
        """What is kept of a tensor, and its number if it is an output that has a gradient."""
        numbers = [i for i, one in enumerate(results) if one is tensor and self._has_gradient(one)]
        if numbers:
            tensor = tensor._alias()  # without its edge, so that the node doesn't hold itself
        kept = pack(tensor) if state.saved_hooks else tensor
        return kept, numbers[0] if numbers else None

    def _unpack(self, saved: Any, number: int | None) -> Any:
        if isinstance(saved, PackedTensor):
            saved = saved.unpack()
        elif saved is not None:
            check_version(saved, self.sequence_nr, None if number is None else (self, number))
        return saved if number is None else saved._as_output(self, number)

    def apply(self, grads: list[Any], create_graph: bool) -> Sequence[Any]:
        grads = [
            np.zeros(*zeros) if grad is None and zeros is not None else grad
            for grad, zeros in zip(grads, self._zeros, strict=True)
        ]
        results = self._forward_cls.backward(self, *map(as_tensor, grads))
        results = results if isinstance(results, tuple) else (results,)
        count = len(self.needs_input_grad)
        if len(results) < count or any(result is not None for result in results[count:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected "
                f"{count}, got {len(results)})"
            )
        input_grads: list[Any] = []
        for index, is_tensor in enumerate(self._inputs_are_tensors):
            result = results[index]
            if result is not None and not is_tensor:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position "
                    f"{index + 1}, but the corresponding forward input was not a Variable"
                )
            if not isinstance(result, Tensor | None):
                raise RuntimeError(f"expected Variable or None (got {type(result).__name__})")
            if is_tensor:
                input_grads.append(result if create_graph or result is None else result._array)
        return input_grads

    def release_variables(self) -> None:
        if self._saved:
            self._saved = None


def contains(values: Sequence[Any], value: Any) -> bool:
    """Whether a value is among others, by identity."""
    return any(one is value for one in values)


def view_of(tensor: Tensor) -> Any:
    with no_grad():
        return tensor.view_as(tensor)


class Function:
    """An operation whose derivative you write.

    Subclass it with two static methods, and call `apply`. ``forward(ctx, *args)`` computes the
    result, a tensor or a tuple, from any arguments; what `backward` needs is kept with
    ``ctx.save_for_backward``. ``backward(ctx, *grads)`` gets a gradient for each output, and
    returns one for each argument of `forward`, None for those that aren't tensors.

    Alternatively, ``forward(*args)`` has no ctx, and ``setup_context(ctx, inputs, output)`` runs
    after it. `forward` is not recorded; `backward` is under ``create_graph=True``.

    >>> import minigrad as torch
    >>> class Cube(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**3
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return grad * 3 * x**2
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = Cube.apply(x)
    >>> y
    tensor(8., grad_fn=<CubeBackward>)
    >>> y.backward()
    >>> x.grad
    tensor(12.)
    """

    _backward_cls: type[FunctionCtx] = FunctionCtx

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        attributes = {"_forward_cls": cls, "__module__": "torch.autograd.function"}
        cls._backward_cls = type(f"{cls.__name__}Backward", (FunctionCtx,), attributes)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself.",
            DeprecationWarning,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use "
            "new-style autograd function with static forward method."
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs. Define it in a subclass."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Keep what `backward` needs. Define it in a subclass if `forward` gets no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Turn the gradients of the outputs into those of the inputs. Define it in a subclass."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call `forward` and record it. Returns what `forward` returns."""
        has_setup = cls.setup_context is not Function.setup_context
        if has_setup:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        ctx, inputs = cls._backward_cls(), (*args, *kwargs.values())
        ctx._start(inputs)
        with no_grad():
            if has_setup:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, output)
            else:
                output = cls.forward(ctx, *args, **kwargs)
        if isinstance(output, tuple):
            return ctx._finish(inputs, output)
        return ctx._finish(inputs, (output,))[0]


class Error(Node):
    """The node of a gradient that can't be differentiated."""

    __module__ = "builtins"

    def __init__(self, results: Sequence[Any]) -> None:
        leaves = [r if r is None else r.detach().requires_grad_() for r in results]
        self.next_edges = tuple([None if leaf is None else leaf._current_edge() for leaf in leaves])
        self.sequence_nr, self._hooks, self.output_count = tick(), None, len(results)

    def name(self) -> str:
        return "torch::autograd::Error"

    def apply(self, grads: list[Any], create_graph: bool) -> Sequence[Any]:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` that has no derivative itself: a second one raises RuntimeError.

    Put it below ``@staticmethod``. Use it where `backward` leaves the graph, for instance through
    numpy, so that a second derivative isn't silently wrong.
    """

    @functools.wraps(fn)
    def backward(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            results = fn(ctx, *grads)
        if not state.enabled or not any(isinstance(g, Tensor) and g.requires_grad for g in grads):
            return results
        values = results if isinstance(results, tuple) else (results,)
        node = Error(values)
        marked = [v if v is None else v._as_output(node, i) for i, v in enumerate(values)]
        return tuple(marked) if isinstance(results, tuple) else marked[0]

    return backward
