"""Functions whose derivatives users write themselves.

PyTorch has them in the namespace ``torch.autograd.function``.
Source: https://docs.pytorch.org/docs/stable/notes/extending.html
"""

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

import numpy as np

from minigrad.autograd.fit import fit_all
from minigrad.autograd.grad_mode import (
    SAVED_INFERENCE,
    Unrecorded,
    Untracked,
    is_grad_enabled,
    state,
)
from minigrad.autograd.hooks import Hook
from minigrad.autograd.node import (
    NO_EDGE,
    Edge,
    Gradient,
    Node,
    Watcher,
    leaf_edge,
)
from minigrad.autograd.room import with_room
from minigrad.autograd.saved import FREED, SavingNode, observe, observers
from minigrad.autograd.saved_tensors_hooks import SavedTensor
from minigrad.c_code import ReadOnly, c_method, type_name
from minigrad.ops.check import check
from minigrad.ops.views import set_history
from minigrad.outside import warn
from minigrad.tensor import Tensor, from_array
from minigrad.views import SEVERAL

Template: TypeAlias = tuple[tuple[int, ...], np.dtype[Any]]

LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. "
    "Please use new-style autograd function with static forward method. "
    "(Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)
MORE = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
NO_CONTEXT = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
    f"...), it must override the setup_context staticmethod. {MORE}"
)
NO_BACKWARD = (
    "You must implement either the backward or vjp method for your custom autograd.Function to use "
    "it with backward mode AD."
)
ACCESSED_ONCE = (
    "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the "
    "autograd.Function. Either access saved_tensors only once, or set "
    "clear_saved_tensors_on_access=False."
)
ONCE = "trying to differentiate twice a function that was marked with @once_differentiable"
ACCESSED = (None,)  # what is left of what was saved when it could be accessed only once
INPUT_RETURNED_AS_IS = (
    "An input that has been returned as-is as output is being saved for backward. This is not "
    "supported if you override setup_context. You should return and save a view of the input "
    "instead, e.g. with x.view_as(x) or setup ctx inside the forward function itself."
)
NO_INPUT = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been "
    "mutated should be passed to ctx.mark_dirty()."
)
SEVERAL_OF_PURE_VIEW = (
    "Pure view custom Function can only have one input Tensor and one output Tensor. Open an issue "
    "if you need to support more."
)
OF_A_FUNCTION = (
    " This view was created inside a custom Function (or because an input was returned as-is) and "
    "the autograd logic to handle view+inplace would override the custom backward associated with "
    "the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix "
    "this by cloning the output of the custom Function."
)
SEVERAL_OUTPUTS = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function "
    "cannot return more than one Tensor. This is not supported by the current autograd engine. You "
    "should either make sure the input is not a view (using .clone() for example) or make your "
    "Function only return one Tensor (potentially splitting it into two Functions: one doing the "
    "inplace that returns a single Tensor and a second one that does the other operations). You "
    "can ask on the forum https://discuss.pytorch.org/ if you need help to do this change."
)


class FunctionCtx:
    """What `forward` and `setup_context` of a custom function may say to its backward pass."""

    __module__ = "torch.autograd.function"

    def save_for_backward(self, *tensors: Any) -> None:
        """Save tensors (or None) for `backward`, which finds them in ``ctx.saved_tensors``.

        They are checked for changes in place when they are used, and freed with the graph.
        """
        self.to_save: Any = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Save tensors (or None) for `jvp`, which finds them in ``ctx.saved_tensors``."""
        if not all(one is None or isinstance(one, Tensor) for one in tensors):
            raise AssertionError(
                "save_for_forward expects all arguments to be tensors; you should "
                "save non-tensors as attributes on ctx."
            )
        self.saved_for_forward: Any = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs `forward` has changed in place; it must return all of them."""
        self.dirty_tensors: Any = args

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Do nothing: tensors that share memory are known to do so."""
        warn(
            "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically "
            "tracked. Note that calls to `set_()` are not tracked",
            FutureWarning,
        )

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which outputs have no gradient; `backward` gets zeros for them all the same."""
        self.non_differentiable: Any = args

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether `backward` gets zeros (the default) or None where no gradient arrived."""
        self.materialize_grads: Any = value


class BackwardCFunction(FunctionCtx):
    """The context of one call of a custom function, and what users see of its node.

    Unlike other nodes it takes attributes of any name: the node itself, as the engine knows it, is
    an object apart.
    """

    __module__ = "torch.autograd.function"
    __slots__ = (
        "_materialize_non_diff_grads",
        "_node",
        "dirty_tensors",
        "needs_input_grad",
        "non_differentiable",
        "saved_for_forward",
        "to_save",
    )
    _type_name = "torch._C._FunctionBase"
    _forward_cls: type[Function]
    _node: Callable[[], Any]  # returns the node; see FunctionNode.public
    needs_input_grad: Any

    def __init__(self) -> None:
        self._forget_marks()

    def __reduce__(self) -> Any:
        raise TypeError(f"cannot pickle {type(self).__name__!r} object")

    def _forget_marks(self) -> None:
        self.to_save = self.dirty_tensors = self.non_differentiable = self.saved_for_forward = None
        self._materialize_non_diff_grads = True

    @ReadOnly
    def saved_tensors(self) -> Any:
        """What `save_for_backward` was given; `save_for_forward` until `apply` is done.

        Raises:
            RuntimeError: if it was freed by a backward pass or changed in place since.
        """
        if self.saved_for_forward is not None:
            return self.saved_for_forward
        return self._node().saved_tensors()

    @ReadOnly
    def _raw_saved_tensors(self) -> tuple[SavedTensor, ...]:
        """The saved tensors as such, to register hooks on them."""
        node = self._node()
        if node.values is None:
            raise RuntimeError(FREED)
        return tuple([SavedTensor.of(node, position) for position in range(len(node.versions))])

    @ReadOnly
    def saved_variables(self) -> Any:
        """The old name of `saved_tensors`."""
        warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)
        return self._node().saved_tensors()

    @property
    def materialize_grads(self) -> NoReturn:
        raise AttributeError(
            "attribute 'materialize_grads' of 'torch._C._FunctionBase' objects is not readable"
        )

    @materialize_grads.setter
    def materialize_grads(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(
                "set_materialize_grads received an invalid combination of arguments - got (), but "
                "expected (bool)"
            )
        self._node().materialize_grads = value

    def _get_user_fn(self) -> Callable[..., Any]:
        function = self._forward_cls
        if function.vjp is Function.vjp:
            return function.backward
        if function.backward is not Function.backward:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You "
                "should only implement one of them."
            )
        return function.vjp

    def apply_jvp(self, *args: Any) -> Any:
        """Call the user's `jvp`."""
        return self._forward_cls.jvp(self, *args)

    def apply(self, *args: Any) -> Any:
        """Call the user's `backward` (or `vjp`)."""
        if self._forward_cls.boxed_grads_call:
            return self._get_user_fn()(self, list(args))
        return self._get_user_fn()(self, *args)

    # What it has as a node

    @c_method(0)
    def name(self) -> str:
        return type(self).__name__

    @ReadOnly
    def next_functions(self) -> Any:
        return self._node().next_functions

    @ReadOnly
    def metadata(self) -> Any:
        return self._node().metadata

    @ReadOnly
    def requires_grad(self) -> bool:
        return True

    @c_method(0)
    def _sequence_nr(self) -> Any:
        return self._node().sequence_number

    @c_method(1)
    def _set_sequence_nr(self, number: int) -> None:
        self._node()._set_sequence_nr(number)

    @c_method(1)
    def register_hook(self, fn: Hook) -> Any:
        return self._node().register_hook(fn)

    @c_method(1)
    def register_prehook(self, fn: Hook) -> Any:
        return self._node().register_prehook(fn)


class FunctionNode(SavingNode):
    """The node of one call of a custom function, as the engine knows it."""

    __slots__ = (
        "attributes",
        "context",
        "context_class",
        "kept_outputs",
        "materialize_grads",
        "needs_input_grad",
        "reference",
        "takes",
        "templates",
    )
    gives_all = True
    context: BackwardCFunction | None
    # What was saved; None once it is freed.
    values: Any
    kept_outputs: Sequence[int | None]  # for each saved tensor, which output it is
    takes: tuple[bool, ...]  # which arguments are tensors: these have edges
    templates: list[Template | None]  # what the outputs that are tensors are like

    def __init__(self, function: type[Function], args: Sequence[Any], recorded: bool) -> None:
        self.context = None  # what follows may raise; see `__del__`
        tensors = [one for one in args if isinstance(one, Tensor)]
        self.sequence_number = next(state.sequence_numbers)
        self.edges = ()
        if recorded:
            self.edges = tuple(
                [one._gradient_edge() if one._requires_grad else NO_EDGE for one in tensors]
            )
        self.outputs, self.hooks = 0, None
        self.values, self.versions, self.kept_outputs = (), (), ()
        self.takes = tuple([isinstance(one, Tensor) for one in args])
        self.templates = []
        self.materialize_grads = True
        self.context_class = function._backward_cls
        self.context = self.context_class()
        self.context._node = weakref.ref(self)
        self.needs_input_grad = tuple(
            [isinstance(one, Tensor) and one._requires_grad for one in args]
        )
        self.context.needs_input_grad = self.needs_input_grad
        self.attributes = vars(self.context)
        self.reference = weakref.ref(self.context)

    def public(self) -> Any:
        """Return the context.

        The node holds it, and it knows the node weakly, so that they make no circle. But who holds
        nothing but the context holds the graph below: when nothing else holds the node any more,
        the context does (`__del__`), and from then on it is made anew whenever it is asked for.
        """
        context = self.reference()
        if context is None:
            context = self.context_class()
            context.__dict__ = self.attributes
            context.needs_input_grad = self.needs_input_grad
            context._node = lambda: self
            self.reference = weakref.ref(context)
        return context

    def __del__(self) -> None:
        context, self.context = self.context, None
        if context is not None:
            context._node = lambda: self

    def name(self) -> str:
        return self.context_class.__name__

    def save(self, tensors: Sequence[Any], outputs: Sequence[Any], dirty: set[int]) -> None:
        """Keep what `save_for_backward` was given; outputs without making a circle."""
        own = {
            id(one): number
            for number, one in enumerate(outputs)
            if isinstance(one, Tensor)
            and one._requires_grad
            and ((one._edge or NO_EDGE)[0] is self or id(one) in dirty)
        }
        self.kept_outputs = [own.get(id(one)) for one in tensors]
        self.versions = tuple([0 if one is None else one._counter[0] for one in tensors])
        self.values = tuple([one._alias() if id(one) in own else one for one in tensors])

    def finish(self, outputs: Outputs, returned: Any, separate: bool) -> Any:
        """Return what the caller of the function gets, and keep what was saved for `backward`."""
        context = self.public()
        for one in context.dirty_tensors or ():
            one._count_change()
        to_save = context.to_save or ()
        if separate:
            outputs.saved_as_is = set(map(id, to_save))
        # Now already: who observes may raise, and what was to be saved leads back here.
        context._forget_marks()
        several = isinstance(returned, tuple)
        connected = outputs.connect(returned if several else (returned,))
        if outputs.recorded:
            self.save(to_save, connected, outputs.dirty)
            if observers:
                observe(self, connected)
        return connected if several else connected[0]

    def output_saved(self, position: int) -> int | None:
        return self.kept_outputs[position]

    def check_unchanged(self, position: int) -> None:
        # What was detached in place is given to `backward` as it is.
        if not self.values[position]._counter[0] == self.versions[position]:
            raise RuntimeError(self.modified(position))

    def saved_tensors(self) -> tuple[Any, ...]:
        """Return what was saved.

        Raises:
            RuntimeError: if it was freed, or changed in place since.
        """
        if self.values is None:
            raise RuntimeError(FREED)
        if self.values is ACCESSED:
            raise RuntimeError(ACCESSED_ONCE)
        tensors = tuple(
            [None if one is None else self.saved(place) for place, one in enumerate(self.values)]
        )
        if self.context_class._forward_cls.clear_saved_tensors_on_access:
            self.values = ACCESSED
        return tensors

    def release(self) -> None:
        self.values = None

    def run(
        self, arrived: list[Gradient], walk: Watcher
    ) -> tuple[tuple[Edge, ...], Sequence[Gradient]]:
        # Also without hooks: `backward` may register some.
        return self.edges, walk.run_watched(self, arrived)

    def apply(self, arrived: Sequence[Gradient], recorded: bool) -> Sequence[Gradient]:
        walk = state.walk
        walk.node = self
        wrapped = arrived if recorded else list(map(walk.exchange.tensor_of, arrived))
        wrapped = [*wrapped, *[None] * (self.outputs - len(wrapped))]
        if self.materialize_grads:
            wrapped = list(map(materialized, wrapped, self.templates))
        # The user's code does not run in the engine's context.
        run = walk.outside.run
        returned = with_room(state.keeping, run, self.public().apply, *wrapped)
        gradients = self.checked(returned if isinstance(returned, tuple) else (returned,))
        if not recorded:
            gradients = list(map(walk.exchange.array_of, gradients))
        return fit_all(self, gradients)  # now: what is refused has not freed what was saved

    def checked(self, returned: tuple[Any, ...]) -> list[Any]:
        """Return the gradients of the arguments that are tensors.

        Raises:
            RuntimeError: if there are too few or too many, or one is no tensor, as in PyTorch.
        """
        count = len(self.takes)
        if all(one is None for one in returned[count:]):
            returned = returned[:count]
        if len(returned) != count:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected "
                f"{count}, got {len(returned)})"
            )
        for place, (takes, gradient) in enumerate(zip(self.takes, returned, strict=True)):
            if gradient is None or (takes and isinstance(gradient, Tensor)):
                continue
            if takes:
                raise RuntimeError(f"expected Variable or None (got {type_name(gradient)})")
            raise RuntimeError(
                f"function {self.name()} returned a gradient different than None at position "
                f"{place + 1}, but the corresponding forward input was not a Variable"
            )
        return [one for takes, one in zip(self.takes, returned, strict=True) if takes]


def materialized(gradient: Tensor | None, template: Template | None) -> Tensor | None:
    """Return a gradient, zeros if none arrived for an output that is a tensor."""
    if gradient is not None or template is None:
        return gradient
    return from_array(np.zeros(*template))


class Outputs:
    """Makes what the forward function returned into what its caller gets."""

    def __init__(self, node: FunctionNode, args: Sequence[Any], recorded: bool) -> None:
        context = node.public()
        check_tuple("to_save", context.to_save, recorded)
        if recorded:
            check_saved(context.to_save or ())
        check_tuple("non_differentiable", context.non_differentiable, True)
        self.constant = marked(
            context.non_differentiable,
            "mark_non_differentiable only accepts variable arguments, but got ",
        )
        check_tuple("dirty_tensors", context.dirty_tensors, True)
        self.node = node
        self.recorded = recorded
        self.args = args
        self.inputs = {id(one) for one in args if isinstance(one, Tensor)}
        self.dirty = marked(
            context.dirty_tensors, "mark_dirty can only accept variables, but argument "
        )
        self.pure_view = getattr(context, "_is_pure_view", False)
        self.never_given = set() if context._materialize_non_diff_grads else self.constant
        self.saved_as_is: set[int] = set()  # what may not be an input returned as it is

    def connect(self, outputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Give the tensors among the outputs the node as their grad_fn."""
        tensors = sum([isinstance(one, Tensor) for one in outputs])
        check(not self.pure_view or len(self.inputs) == tensors == 1, SEVERAL_OF_PURE_VIEW)
        connected = [
            self.connected(number, one, len(outputs)) if isinstance(one, Tensor) else one
            for number, one in enumerate(outputs)
        ]
        if not self.dirty <= set(map(id, outputs)):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as "
                "output. The inputs that are modified inplace must all be outputs of the Function."
            )
        self.forbid_changes(outputs, connected)
        self.node.outputs = len(outputs)
        self.node.templates = [
            (one._value.shape, one._value.dtype)
            if isinstance(one, Tensor) and id(before) not in self.never_given
            else None
            for before, one in zip(outputs, connected, strict=True)
        ]
        return tuple(connected)

    def connected(self, number: int, output: Tensor, count: int) -> Tensor:
        """Return one output as the caller gets it."""
        is_input, modified = id(output) in self.inputs, id(output) in self.dirty
        differentiable = (
            self.recorded and id(output) not in self.constant and output._array.dtype.kind == "f"
        )
        if output._requires_grad and not differentiable:
            if is_input:
                return output._alias()
            return output if output._base is not None else output.detach_()
        if is_input and not modified:
            output = self.view(output)
        if not differentiable:
            return output
        if modified:
            check_modified(output, is_input, count)
            output._grad = None  # It was that of what the tensor has been.
            set_history(output, self.node, number)
        else:
            output._edge = (self.node, number, output._value.shape, output._value.dtype)
            if output._base is None:
                output._require_grad(True)  # and views that `forward` has made of it as well
            else:
                output._requires_grad = True
                # What `forward` itself has changed of it is no change.
                output._edge_version = output._counter[0]
        return output

    def forbid_changes(self, outputs: tuple[Any, ...], connected: Sequence[Any]) -> None:
        """Let views among the outputs not be changed in place."""
        several = (
            sum([(getattr(one, "_edge", None) or NO_EDGE)[0] is self.node for one in connected]) > 1
        )
        for before, one in zip(outputs, connected, strict=True):
            if isinstance(one, Tensor) and one._base is not None:
                if several:
                    one._forbidden = SEVERAL
                elif not (id(before) in self.inputs and id(before) in self.dirty):
                    one._forbidden = "" if self.pure_view else OF_A_FUNCTION

    def view(self, output: Tensor) -> Tensor:
        """Return a view of an input that was returned as it is; its type may answer for it."""
        if id(output) in self.saved_as_is:
            raise RuntimeError(INPUT_RETURNED_AS_IS)
        with Unrecorded():
            view: Tensor = output.view_as(output)
        return view


def check_tuple(name: str, value: Any, used: bool) -> None:
    """Refuse what a user has put in the place of what `ctx` was told."""
    if used and not (value is None or isinstance(value, tuple)):
        # The text ends there.
        raise RuntimeError(
            f"autograd internal error: {name} attribute is expected to be a tuple but is "
        )


def marked(tensors: tuple[Any, ...] | None, refusal: str) -> set[int]:
    """Return the identities of the tensors that a function marked.

    Raises:
        RuntimeError: if one is no tensor, with PyTorch's text, which ends where it should not.
    """
    if not all(isinstance(one, Tensor) for one in tensors or ()):
        raise RuntimeError(refusal)
    return set(map(id, tensors or ()))


def check_modified(output: Tensor, is_input: bool, count: int) -> None:
    """Refuse tensors, marked as dirty, that a function may not change in place."""
    if output._requires_grad and output._edge is None:
        raise RuntimeError(
            "a leaf Variable that requires grad has been used in an in-place operation."
        )
    if not is_input:
        check(output._base is None, NO_INPUT)
        warn(NO_INPUT)
    if output._base is not None and count > 1:
        raise RuntimeError(SEVERAL_OUTPUTS)
    output._check_in_place(True)


def check_saved(values: Sequence[Any]) -> None:
    """Refuse to save for the backward pass what is no tensor."""
    for place, one in enumerate(values):
        if not (one is None or isinstance(one, Tensor)):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {place} is of type "
                f"{type_name(one)}"
            )
        check(one is None or not isinstance(one._counter, Untracked), SAVED_INFERENCE)


class FunctionMeta(type):
    """Makes, with each custom function, the class of its nodes: ``SquareBackward`` for Square."""

    __module__ = "torch.autograd.function"
    _backward_cls: type[BackwardCFunction]

    def __init__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> None:
        super().__init__(name, bases, members)
        of_nodes = {"_forward_cls": cls, "__module__": "torch.autograd.function"}
        cls._backward_cls = type(f"{name}Backward", (BackwardCFunction,), of_nodes)


class Function(FunctionCtx, metaclass=FunctionMeta):
    """A function with a derivative of your own: subclass it, and call the subclass's `apply`.

    Static methods say what it computes. Either ``forward(ctx, *args)`` does all, or
    ``forward(*args)`` computes and ``setup_context(ctx, inputs, output)`` keeps what `backward`
    needs. ``backward(ctx, *grad_outputs)`` gets a gradient for each output and returns one for each
    argument, None where there is none. Its operations are recorded under ``create_graph=True``.

    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.Function

    >>> import minigrad as torch
    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * grad
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = Square.apply(x)
    >>> y
    tensor(9., grad_fn=<SquareBackward>)
    >>> y.backward()
    >>> x.grad
    tensor(6.)
    """

    __module__ = "torch.autograd.function"
    generate_vmap_rule = False
    clear_saved_tensors_on_access = False  # whether ``ctx.saved_tensors`` may be read only once
    boxed_grads_call = False  # whether `backward` gets the gradients as one list

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(LEGACY)

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs: a tensor, or a tuple of tensors and other values."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Keep what `backward` needs, if `forward` does not take a context."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradients of the arguments from those of the outputs."""
        raise NotImplementedError(NO_BACKWARD)

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Return the tangents of the outputs, of those of the arguments: see `forward_ad`."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with "
            "forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Return the outputs for batched arguments, and the dimension of the batch in each."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or "
            "set generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the function and record it.

        Raises:
            TypeError, RuntimeError: if the arguments do not fit `forward`, or what it marked or
                saved is no tensor, or not what may be, with PyTorch's texts; in the function of a
                transform without a `setup_context`.
        """
        separate = cls.setup_context is not Function.setup_context
        if state.transforms and not separate:
            raise RuntimeError(NO_CONTEXT)
        if separate:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        for one in args:
            if hasattr(type(one), "apply_custom"):  # it stands for many, within `vmap`
                return one.apply_custom(cls, args, kwargs)
        if kwargs:
            args = positional(cls.forward, args, kwargs, taken=0 if separate else 1)
        recorded = is_grad_enabled() and any(
            isinstance(one, Tensor) and one._requires_grad for one in args
        )
        node = FunctionNode(cls, args, recorded)
        context = node.public()
        output = run_forward(cls, context, args, separate)
        return node.finish(Outputs(node, args, recorded), output, separate)


def run_forward(
    function: type[Function], context: BackwardCFunction, args: tuple[Any, ...], separate: bool
) -> Any:
    """Return what the user's forward function returns, once its context is set up."""
    with Unrecorded():
        if not separate:
            return function.forward(context, *args)
        output = function.forward(*args)
        function.setup_context(context, args, output)
        return output


class InplaceFunction(Function):
    """The former base of functions that change their arguments in place."""

    __module__ = "torch.autograd.function"

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


def positional(
    forward: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any], taken: int
) -> tuple[Any, ...]:
    """Return the arguments of a forward function by position, but for the context.

    Raises:
        TypeError: if the keywords do not fit, with PyTorch's texts.
    """
    parameters = inspect.signature(forward).parameters.values()
    names = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD][taken:]
    for name in keywords:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if name in names[: len(args)]:
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    last = max(map(names.index, keywords))
    for place in range(len(args), last + 1):
        if names[place] not in keywords:
            raise TypeError(
                f"forward() missing required argument: '{names[place]}' (position {place})"
            )
    return (*args, *[keywords[name] for name in names[len(args) : last + 1]])


class Error(Node):
    """The node of gradients that cannot be differentiated again, or of what is said not to be."""

    __slots__ = ("message",)

    def __init__(self, edges: tuple[Edge, ...], message: str = ONCE) -> None:
        self.edges, self.message = edges, message
        self.sequence_number = next(state.sequence_numbers)
        self.outputs, self.hooks = len(edges), None

    def apply(self, arrived: Sequence[Gradient], recorded: bool) -> NoReturn:
        raise RuntimeError(self.message)


Error.__module__ = "builtins"


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` that cannot be differentiated itself: to try is then an error."""

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        with Unrecorded():
            outputs = fn(ctx, *args, **kwargs)
        requires_grad = any(isinstance(one, Tensor) and one._requires_grad for one in args)
        if not (is_grad_enabled() and requires_grad):
            return outputs
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        cut = [one if one is None else one.detach().requires_grad_() for one in outputs]
        node = Error(tuple([NO_EDGE if one is None else leaf_edge(one) for one in cut]))
        aliases = [one if one is None else one.detach() for one in cut]
        for number, alias in enumerate(aliases):
            if alias is not None:
                alias._edge = (node, number, alias._value.shape, alias._value.dtype)
                alias._requires_grad = True
        return tuple(aliases)

    return wrapper


once_differentiable.__module__ = "torch.autograd.function"
