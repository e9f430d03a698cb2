"""From a declaration to an operation: numpy computes it, and autograd records it.

A declaration is PyTorch's derivatives.yaml in Python: the name of the node, the forward function on
arrays, and one formula for each differentiable input. The parameter names of a formula say what the
node saves: inputs, outputs (`result`), or the shape of an input (`self_shape`). An ordinary
backward pass calls a formula with arrays; under `create_graph` it gets Tensors, and the operations
that it uses are recorded in turn. That is all there is to second derivatives.
Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.anomaly import anomaly, note_origin
from minigrad.graph import AccumulateGrad, Edge, Node, clock, tick
from minigrad.modes import ALIASES, call_mode, quiet, rare_modes, state
from minigrad.operands import ARRAYS, argument_error, operand, promote, tensor_tuple, torch_error
from minigrad.public import publish
from minigrad.saved import (
    DETACHED,
    SECOND_TIME,
    PackedTensor,
    check_version,
    holds_memory,
    pack,
    to_array,
    to_arrays,
)
from minigrad.tensor import Tensor, from_array, new

declarations: list[Declaration] = []  # all operations, for tests that visit each


# Nodes


class OpNode(Node):
    """The node of a declared operation."""

    __slots__ = ("constants", "output_edge", "output_metadata", "plan", "saved")
    declaration: Declaration
    plan: Plan
    saved: tuple[Any, ...] | None  # None once freed
    constants: dict[int, Any]  # what is left of it then, by place
    output_metadata: list[tuple[tuple[int, ...], np.dtype[Any]]]  # if there are several outputs
    output_edge: Edge  # of the output, if a CopySlices runs this node

    def apply(self, grads: list[Any], create_graph: bool) -> Sequence[Any]:
        plan, saved, (grad,) = self.plan, self.saved, grads
        if grad is None:
            return [None] * len(self.next_edges)
        if create_graph or saved is None or clock.last_change > self.sequence_nr or rare_modes:
            values = self.unpack(create_graph)
        elif plan.run_saved is not None:
            return quiet().run(plan.run_saved, grad, saved)
        else:
            values = to_arrays(saved)
        if plan.shapes:
            values += self.input_shapes()
        return plan.run(grad, values) if create_graph else quiet().run(plan.run, grad, values)

    def input_shapes(self) -> list[Any]:
        """The shapes that the formulas name."""
        edges: Any = self.next_edges  # a formula names only shapes of inputs that need a gradient
        return [edges[number][2] for number in self.plan.shapes]

    def unpack(self, create_graph: bool) -> list[Any]:
        """What is saved: arrays, or Tensors with their history.

        Raises RuntimeError if it was freed, or changed in place since it was saved.
        """
        if self.saved is None:
            raise RuntimeError(SECOND_TIME)
        saved = [s.unpack() if type(s) is PackedTensor else s for s in self.saved]
        if clock.last_change > self.sequence_nr:
            for place, value in enumerate(saved):
                for tensor in value if type(value) is tuple else (value,):
                    self.check_unchanged(tensor, place)
        if not create_graph:
            return to_arrays(saved)
        for place, number in self.plan.outputs.items():
            saved[place] = self.with_history(saved[place], number)
        return saved

    def check_unchanged(self, tensor: Any, place: int) -> None:
        """Raise RuntimeError if a saved tensor was changed or detached in place."""
        if not isinstance(tensor, Tensor):
            return
        number = self.plan.input_numbers[place]
        edge = None if number is None else self.next_edges[number]
        had_history = edge is not None and type(edge[0]) is not AccumulateGrad
        if had_history and tensor._current_edge() is None:
            raise RuntimeError(DETACHED)
        output_nr = self.plan.outputs.get(place)
        source = None if output_nr is None else (self, output_nr)
        check_version(tensor, self.sequence_nr, source)

    def with_history(self, output: Tensor, number: int) -> Tensor:
        """A saved output as an output of this node."""
        if output._array.dtype.kind == "f":
            output = output._as_output(self, number)
            output._edge = getattr(self, "output_edge", output._edge)
        return output

    def release_variables(self) -> None:
        if saved := self.saved:
            places = self.plan.constant_places
            constants = (
                {p: saved[p] for p in places if not holds_memory(saved[p])} if places else {}
            )
            if len(constants) < len(saved):  # a node that saved no tensor may run again
                self.saved, self.constants = None, constants

    def saved_value(self, name: str) -> Any:
        """What is saved under a name; None if these inputs didn't need it."""
        value = self.raw_saved_value(name)
        if type(value) is PackedTensor:
            value = value.unpack()
        if isinstance(value, Tensor):
            place = self.plan.names.index(name)
            self.check_unchanged(value, place)
            if value._number is not None:  # PyTorch shows the number in its own dtype
                return from_array(np.array(value._number))
            if place in self.plan.outputs:
                return self.with_history(value, self.plan.outputs[place])
        return value

    def raw_saved_value(self, name: str) -> Any:
        """What the node keeps for a saved value, before it is unpacked."""
        if name not in self.plan.names:
            return None
        place = self.plan.names.index(name)
        if self.saved is None and place not in self.constants:
            raise RuntimeError(SECOND_TIME)
        return self.constants[place] if self.saved is None else self.saved[place]

    def shape_of(self, name: str) -> tuple[int, ...] | None:
        """The shape of an input; None if that needs no gradient."""
        place = self.declaration.inputs.index(self.declaration.names.index(name))
        edge = self.next_edges[place]
        return None if edge is None else edge[2]


class MultiOutputNode(OpNode):
    """The node of an operation with several outputs; its formulas get a list of gradients."""

    __slots__ = ()

    @property
    def output_count(self) -> int:  # type: ignore[override]
        return len(self.output_metadata)

    def apply(self, grads: list[Any], create_graph: bool) -> Sequence[Any]:
        zipped = zip(grads, self.output_metadata, strict=True)
        filled = [np.zeros(*metadata) if g is None else g for g, metadata in zipped]
        if create_graph:
            filled = [g if isinstance(g, Tensor) else from_array(g) for g in filled]
        return super().apply([filled], create_graph)


class ListNode(OpNode):
    """The node of an operation on a list of tensors, with one edge for each of them."""

    __slots__ = ("shapes",)
    shapes: tuple[tuple[int, ...], ...]

    def input_shapes(self) -> list[Any]:
        return [self.shapes]

    def apply(self, grads: list[Any], create_graph: bool) -> Sequence[Any]:
        results = super().apply(grads, create_graph)
        return results if results[0] is None else results[0]


# Declarations and plans


class Declaration:
    """What `op` was told, and the plans made from it: one for each choice of inputs that need a
    gradient."""

    def __init__(
        self,
        name: str,
        node_name: str,
        forward: Callable[..., Any],
        kind: str,
        outputs: str,
        formulas: dict[str, Callable[..., Any]],
    ) -> None:
        self.name, self.forward, self.kind = name, forward, kind
        operands = getattr(forward, "nin", None)  # of a ufunc
        self.names = ("self", "other")[:operands] if operands else parameters(forward)
        defaults = getattr(forward, "__defaults__", None) or ()
        with_default = self.names[len(self.names) - len(defaults) :]
        self.defaults: dict[str, Any] = dict(zip(with_default, defaults, strict=True))
        self.outputs = tuple(outputs.split())
        self.inputs = sorted(self.names.index(name) for name in formulas)
        self.formulas = {self.names[place]: formulas[self.names[place]] for place in self.inputs}
        self.plans: dict[tuple[bool, ...], Plan] = {}
        self.node_class = self.make_node_class(node_name)
        declarations.append(self)

    @property
    def pointwise(self) -> bool:
        """Whether it has one or two operands and nothing else."""
        most = {"pointwise": 2, "floating": 2, "view": 1}.get(self.kind, 0)
        return len(self.names) <= most and not self.defaults

    def make_node_class(self, node_name: str) -> type[OpNode]:
        """The class of this operation's nodes, with PyTorch's `_saved_...` attributes."""
        base = ListNode if self.kind == "list" else MultiOutputNode if self.outputs[1:] else OpNode
        content: dict[str, Any] = {"__slots__": (), "__module__": "builtins", "declaration": self}
        wanted = {name for formula in self.formulas.values() for name in parameters(formula)[1:]}
        for name in self.names + self.outputs:
            # PyTorch calls a result `output` where it is an input, of the operation's gradient.
            key = "output" if name == "result" and name not in self.outputs else name
            if name in wanted:
                content[f"_saved_{key}"] = property(partial(OpNode.saved_value, name=name))
                content[f"_raw_saved_{key}"] = property(partial(OpNode.raw_saved_value, name=name))
            if f"{name}_shape" in wanted:
                content[f"_saved_{name}_sym_sizes"] = property(partial(OpNode.shape_of, name=name))
        return type(node_name, (base,), content)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in the order of the declaration. Raises Python's own TypeError."""
        named = {ALIASES.get(k, k) if k not in self.names else k: v for k, v in kwargs.items()}
        bound = [*args]
        for name in self.names[len(args) :]:
            if name in named:
                bound.append(named.pop(name))
            elif name in self.defaults:
                bound.append(self.defaults[name])
        if named or len(bound) != len(self.names):
            self.forward(*args, **kwargs)
        return tuple(bound)


class Plan:
    """What a node saves, and how its formulas are called, for one choice of inputs."""

    def __init__(self, declaration: Declaration, needs_grad: tuple[bool, ...]) -> None:
        every = zip(declaration.formulas.values(), needs_grad, strict=True)
        formulas = [formula if needed else None for formula, needed in every]
        # The node of a gradient saves all that its formulas name, as in PyTorch.
        saving = declaration.formulas.values() if declaration.outputs == ("grad",) else formulas
        used = [name for formula in saving if formula for name in parameters(formula)[1:]]
        wanted = dict.fromkeys(used)
        # Inputs before outputs, each in the order in which the formulas name them, as in PyTorch.
        inputs, outputs = (
            [name for name in wanted if name in names]
            for names in (declaration.names, declaration.outputs)
        )
        self.names = inputs + outputs
        all_names = [*declaration.names, *declaration.outputs]
        places = [all_names.index(name) for name in self.names]
        # Which input each saved value is, as the number of its edge.
        edge_numbers = {place: number for number, place in enumerate(declaration.inputs)}
        self.input_numbers = [edge_numbers.get(place) for place in places]
        self.save: Callable[[Sequence[Any]], tuple[Any, ...]] | None = None
        if len(places) == 1:
            (place,) = places
            self.save = lambda values: (values[place],)
        elif places:
            self.save = itemgetter(*places)
        # Which output, by the place among the saved values.
        self.outputs = {
            self.names.index(name): number
            for number, name in enumerate(declaration.outputs)
            if name in wanted
        }
        # Where something other than a tensor may be saved.
        tensors = {*declaration.formulas, *declaration.outputs} - {*declaration.defaults}
        self.constant_places = [i for i, name in enumerate(self.names) if name not in tensors]
        shape_names = [f"{declaration.names[i]}_shape" for i in declaration.inputs]
        self.shapes = [number for number, name in enumerate(shape_names) if name in wanted]
        order = self.names + [shape_names[number] for number in self.shapes]
        self.run = run_all([f and with_values(f, order, False) for f in formulas])
        # The same on what is saved, if that is only tensors.
        self.run_saved: Callable[[Any, Any], Sequence[Any]] | None = None
        if not (self.shapes or self.constant_places or declaration.kind == "list"):
            self.run_saved = run_all([f and with_values(f, order, True) for f in formulas])


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    code = getattr(function, "__wrapped__", function).__code__
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
    return names


# The next two are spelled out for one and two, because a general call takes twice as long.


def with_values(
    formula: Callable[..., Any], order: list[str], from_tensors: bool
) -> Callable[[Any, Any], Any]:
    """A formula as a function of the gradient and of all values, which come in `order`.

    The values are what the formula takes, or tensors whose arrays it takes.
    """
    match [order.index(name) for name in parameters(formula)[1:]]:
        case []:
            return lambda grad, values: formula(grad)
        case [i] if from_tensors:
            return lambda grad, saved: formula(grad, saved[i]._array)
        case [i, j] if from_tensors:
            return lambda grad, saved: formula(grad, saved[i]._array, saved[j]._array)
        case places if from_tensors:
            return lambda grad, saved: formula(grad, *[saved[i]._array for i in places])
        case places:
            return lambda grad, values: formula(grad, *[values[i] for i in places])


def run_all(formulas: list[Any]) -> Callable[[Any, Any], Sequence[Any]]:
    """The gradients of all inputs; None for those that need none."""
    match formulas:
        case [f]:
            return lambda grad, values: (f(grad, values),)
        case [f, None]:
            return lambda grad, values: (f(grad, values), None)
        case [None, g]:
            return lambda grad, values: (None, g(grad, values))
        case [f, g]:
            return lambda grad, values: (f(grad, values), g(grad, values))
    return lambda grad, values: [f and f(grad, values) for f in formulas]


def record(
    declaration: Declaration,
    needs_grad: tuple[bool, ...],
    edges: tuple[Edge | None, ...],
    args: Sequence[Any],
    result: Any,
) -> OpNode:
    """Make the node of an operation that has been computed, and give its results their edges."""
    plan = declaration.plans.get(needs_grad)
    if plan is None:
        plan = declaration.plans[needs_grad] = Plan(declaration, needs_grad)
    node = new(declaration.node_class)
    node.plan, node.next_edges, node.sequence_nr, node._hooks = plan, edges, tick(), None
    if rare_modes and anomaly.enabled:
        note_origin(node)
    if type(result) is tuple:
        # Differentiable outputs come first; others, such as indices, get no edge.
        outputs = [one for one in result if one._array.dtype.kind == "f"]
        node.output_metadata = [(one._array.shape, one._array.dtype) for one in outputs]
        for number, one in enumerate(outputs):
            one._edge = (node, number, *node.output_metadata[number])
    else:
        array = result._array
        result._edge = (node, 0, array.shape, array.dtype)
    if plan.save is None:
        node.saved = ()
    elif plan.outputs or rare_modes:
        save(node, args, result if type(result) is tuple else (result,))
    else:
        node.saved = plan.save(args)
    return node


def save(node: OpNode, args: Sequence[Any], results: tuple[Tensor, ...]) -> None:
    """Save outputs without history, so that the node doesn't hold itself; or run pack hooks."""
    assert node.plan.save is not None
    aliases = [one._alias() if one._array.dtype.kind == "f" else one for one in results]
    saved = node.plan.save((*args, *aliases))
    node.saved = tuple(map(pack, saved)) if rare_modes and state.saved_hooks else saved


def no_gradient(grad: Any) -> Any:
    """The formula of an input that the result doesn't depend on smoothly: zeros."""
    zeros = np.zeros_like(to_array(grad))
    return from_array(zeros) if isinstance(grad, Tensor) else zeros


# The three ways to call an operation. One and two operands have their own, because nearly all
# calls are of these kinds and every step counts.


def unary(declaration: Declaration) -> Callable[..., Any]:
    """The function for an operation with one operand, element by element, or a view."""
    forward, differentiable = declaration.forward, bool(declaration.formulas)
    floating, view = declaration.kind == "floating", declaration.kind == "view"

    def call(input: Any) -> Any:
        if rare_modes and state.function_modes:
            return call_mode(call, (input,), {})
        if not isinstance(input, Tensor):
            if isinstance(input, ARRAYS):
                return forward(input)
            raise argument_error(call, "input", 1, input)
        array = input._array
        if floating and array.dtype.kind != "f":
            array = array.astype(dtypes.default)
        try:
            value = quiet().run(forward, array)
        except ValueError as error:
            raise torch_error(error, (array,)) from None
        result = new(Tensor)
        result._array = value if type(value) is np.ndarray else np.asarray(value)
        if view:
            result._become_view(input, call, (), None)
        if differentiable and state.enabled:
            edge = input._edge if input._edge_is_current else input._current_edge()
            if edge is not None:
                record(declaration, (True,), (edge,), (input,), result)
        return result

    return call


def binary(declaration: Declaration) -> Callable[..., Any]:
    """The function for an operation with two operands that are broadcast, or a matrix product.

    It gives NotImplemented for an operand that isn't a tensor or number, as operators do.
    """
    forward, differentiable = declaration.forward, bool(declaration.formulas)
    floating = declaration.kind == "floating"

    def call(input: Any, other: Any) -> Any:
        if rare_modes and state.function_modes:
            return call_mode(call, (input, other), {})
        if not (isinstance(input, Tensor) and isinstance(other, Tensor)):
            if isinstance(input, Tensor):
                other = operand(other, input)
            elif isinstance(other, Tensor):
                input = operand(input, other)
            elif isinstance(input, ARRAYS) or isinstance(other, ARRAYS):
                return forward(input, other)
            if input is None or other is None or not isinstance(input, Tensor):
                return NotImplemented
        a, b = input._array, other._array
        if a.dtype is not b.dtype or (floating and a.dtype.kind != "f"):
            a, b = promote(a, b, floating)
        try:
            value = quiet().run(forward, a, b)
        except ValueError as error:
            raise torch_error(error, (a, b)) from None
        result = new(Tensor)
        result._array = value if type(value) is np.ndarray else np.asarray(value)
        if differentiable and state.enabled:
            left = input._edge if input._edge_is_current else input._current_edge()
            right = other._edge if other._edge_is_current else other._current_edge()
            if left is not None or right is not None:
                needs_grad = (left is not None, right is not None)
                record(declaration, needs_grad, (left, right), (input, other), result)
        return result

    return call


def checked(operator: Callable[..., Any]) -> Callable[..., Any]:
    """The function behind an operator: TypeError where the operator gives NotImplemented."""

    def call(input: Any, other: Any) -> Any:
        result = operator(input, other)
        if result is NotImplemented:
            raise argument_error(operator, "other", 2, other)
        return result

    return call


def general(declaration: Declaration) -> Callable[..., Any]:
    """The function for an operation with any arguments."""
    forward, arity = declaration.forward, len(declaration.names)
    view, is_list = declaration.kind == "view", declaration.kind == "list"
    single = declaration.inputs == [0] and not is_list

    def call(*args: Any, **kwargs: Any) -> Any:
        if rare_modes and state.function_modes:
            return call_mode(call, args, kwargs)
        if kwargs or len(args) != arity:
            args = declaration.bind(args, kwargs)
        if is_list:
            args = (tensor_tuple(call, args[0]), *args[1:])
        first = args[0][0] if is_list and args[0] else args[0]
        if isinstance(first, ARRAYS):
            return forward(*args)
        if not isinstance(first, Tensor) and not is_list:
            raise argument_error(call, "input", 1, first)
        arrays = to_arrays(args)
        try:
            value = quiet().run(forward, *arrays)
        except ValueError as error:
            raise torch_error(error, arrays[0] if is_list else arrays) from None
        result: Any
        if type(value) is tuple:
            result = tuple([from_array(np.asarray(one)) for one in value])
        else:
            result = new(Tensor)
            result._array = value if type(value) is np.ndarray else np.asarray(value)
        if view:
            for number, one in enumerate(result) if type(value) is tuple else [(None, result)]:
                one._become_view(args[0], call, args[1:], number)
        if state.enabled:
            if single:  # the same as record_general, faster
                edge = first._edge if first._edge_is_current else first._current_edge()
                if edge is not None:
                    record(declaration, (True,), (edge,), args, result)
            else:
                record_general(declaration, args, result)
        return result

    return call


def record_general(declaration: Declaration, args: tuple[Any, ...], result: Any) -> None:
    """Record an operation if an input needs a gradient. Of a list, each tensor is an input."""
    is_list = declaration.kind == "list"
    inputs = args[0] if is_list else [args[place] for place in declaration.inputs]
    edges = tuple([one._current_edge() if isinstance(one, Tensor) else None for one in inputs])
    needs_grad = tuple([edge is not None for edge in edges])
    if True in needs_grad:
        node = record(declaration, (True,) if is_list else needs_grad, edges, args, result)
        if isinstance(node, ListNode):
            node.shapes = tuple([one._array.shape for one in inputs])


# Declaring


def op(
    name: str,
    node_name: str,
    forward: Callable[..., Any] | None = None,
    /,
    *,
    kind: str = "general",
    outputs: str = "result",
    variants: str = "function method",
    operators: str = "",
    **formulas: Callable[..., Any],
) -> Callable[..., Any]:
    """Declare an operation: a function on Tensors, and on arrays where a formula uses it.

    `name` has the public names ("neg negative"), or none for a helper. `kind` is one of
    - "pointwise": one or two operands, brought to a common dtype
    - "floating": the same, and made floating point
    - "view": the result shares the memory of the input
    - "list": the first argument is a tuple of tensors
    - "general": anything else

    `variants` says in which forms it exists: "function", "method", "inplace". `operators` lists the
    methods behind its operators ("__mul__ __rmul__"). Without `forward`, this is a decorator.
    """
    if forward is None:
        options = {"kind": kind, "outputs": outputs, "variants": variants, "operators": operators}
        return partial(op, name, node_name, **options, **formulas)  # type: ignore[arg-type]
    declaration = Declaration(name or node_name, node_name, forward, kind, outputs, formulas)
    if declaration.pointwise and len(declaration.names) == 2:
        operator = binary(declaration)
        describe(operator, declaration)
        for method in operators.split():
            setattr(Tensor, method, operator)
        call = checked(operator)
    elif declaration.pointwise:
        call = unary(declaration)
    else:
        call = general(declaration)
    describe(call, declaration)
    publish(call, name, variants)
    return call


def describe(call: Callable[..., Any], declaration: Declaration) -> None:
    """Give a function the name, signature and docstring of its declaration."""
    # A helper is called like its node, since users meet the name in errors: sum, not SumBackward0.
    forward, name = declaration.forward, declaration.name.split()[0].partition("Backward")[0]
    name = re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()
    call.declaration = declaration  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = name
    if isinstance(forward, np.ufunc):
        call.__doc__ = forward.__doc__ and forward.__doc__.split("\n\n")[1]
    else:
        call.__doc__, call.__module__ = forward.__doc__, forward.__module__
        if not declaration.pointwise:
            call.__wrapped__ = forward  # type: ignore[attr-defined]
            forward.__qualname__ = name  # Python's TypeErrors name the function by it
