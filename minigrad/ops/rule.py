"""What an operation is to autograd: the values it saves, the node that evaluates its formulas.

`minigrad.ops.declare` makes the rules; this file says what recording by a rule leaves behind.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from minigrad.autograd.grad_mode import state
from minigrad.autograd.hooks import Hooks
from minigrad.autograd.node import FREED, NO_EDGE, Edge, Gradient, Node, leaf_edge, quiet_copy
from minigrad.tensor import Tensor, from_array

Formula = Callable[..., Any]

new = object.__new__
ARGUMENT, SHAPE, STRIDES, OUTPUT = range(4)


class Plan(NamedTuple):
    """What to save, and what to evaluate later, when just these inputs need a gradient.

    `names` are the saved values, tensors first, and `sources` says for each which argument,
    argument's shape or output it is; `tensors` counts the tensors among them. The functions are
    compiled for this plan, since they run for every operation:

    edges: collects where the gradients of the inputs go, from the arguments.
    save: collects the values, and the versions of the tensors, from the arguments and outputs.
    from_arrays, from_tensors: evaluate the formulas, one gradient for each edge. With arrays, the
        result is None if a saved tensor is not at its version any more.
    """

    names: tuple[str, ...]
    sources: tuple[tuple[int, int], ...]
    tensors: int
    edges: Callable[[Sequence[Any]], tuple[Edge, ...]]
    save: Callable[[Sequence[Any], Sequence[Tensor]], tuple[tuple[Any, ...], tuple[int, ...]]]
    from_arrays: Callable[[Gradient, Sequence[Any], Sequence[int]], list[Gradient] | None]
    from_tensors: Callable[[Gradient, Sequence[Any]], list[Gradient]]


SOURCES = (
    "arguments[{}]",
    "arguments[{}]._value.shape",
    "arguments[{}]._value.strides",
    "kept(outputs[{}])",
)


# Parameters that are never tensors.
PLAIN = {
    "dim", "dim0", "dim1", "dim2", "dimension", "dims", "dtype", "size", "sizes", "input_sizes",
    "split_size", "split_sizes", "keepdim", "correction", "ord", "start", "end", "step",
    "repeats", "shifts", "diagonal", "offset", "exponent", "decimals", "min", "max", "k",
    "largest", "descending", "threshold", "negative_slope",
}  # fmt: skip


class Rule:
    """A declared operation: what users call it, its node's name, forward function and formulas."""

    def __init__(
        self,
        function: str,
        name: str,
        forward: Callable[..., Any],
        parameters: tuple[str, ...],
        outputs: tuple[str, ...],
        formulas: dict[str, Formula],
    ) -> None:
        self.function = function
        self.name = name
        self.forward = forward
        self.parameters = parameters
        self.outputs = outputs
        self.formulas = formulas
        self.inputs = tuple(map(parameters.index, formulas))
        self.variadic = parameters[0] == "tensors"
        self.saved_names = tuple(
            dict.fromkeys(name for formula in formulas.values() for name in saved_names(formula))
        )
        # Arguments that hold tensors in a list or tuple.
        self.sequences = tuple(
            place for place, name in enumerate(parameters) if name in ("tensors", "indices")
        )
        self.takes_one_tensor = (
            self.inputs == (0,) and not self.sequences and PLAIN.issuperset(parameters[1:])
        )

    @functools.cached_property
    def record(self) -> Callable[..., None]:
        """Makes a node, of a class that is made when it is first needed; see `recorder`."""
        return recorder(self, node_class(self))

    @functools.cached_property
    def needs(self) -> Callable[[Sequence[Any]], tuple[bool, ...]]:
        """Tells which inputs among the arguments require grad."""
        if self.variadic:
            return lambda arguments: tuple([one._requires_grad for one in arguments[0]])
        flags = [f"arguments[{place}]._requires_grad" for place in self.inputs]
        needs: Callable[[Sequence[Any]], tuple[bool, ...]]
        needs = eval(f"lambda arguments: ({listed(flags)})")
        return needs

    def make_plan(self, needed: tuple[bool, ...], arguments: Sequence[Any]) -> Plan:
        """Work out the plan: which formulas run, and so which values they need."""
        wanted = [
            formula if need or self.variadic else None
            for formula, need in zip(self.formulas.values(), needed, strict=not self.variadic)
        ]
        sources = {
            name: self.source(name)
            for formula in wanted
            if formula
            for name in saved_names(formula)
        }
        tensors = [
            name
            for name, (kind, position) in sources.items()
            if kind == OUTPUT or (kind == ARGUMENT and isinstance(arguments[position], Tensor))
        ]
        names = (*tensors, *[name for name in sources if name not in tensors])
        values = [
            f"(value{place} := {SOURCES[sources[name][0]].format(sources[name][1])})"
            for place, name in enumerate(names)
        ]
        versions = [f"value{place}._counter[0]" for place in range(len(tensors))]
        return Plan(
            names,
            tuple([sources[name] for name in names]),
            len(tensors),
            self.edges(needed),
            eval(
                f"lambda arguments, outputs: (({listed(values)}), ({listed(versions)}))",
                {"kept": kept},
            ),
            self.evaluation(wanted, names, tensors, True),
            self.evaluation(wanted, names, tensors, False),
        )

    def edges(self, needed: Sequence[bool]) -> Callable[[Sequence[Any]], tuple[Edge, ...]]:
        """Compile the function that collects the edges."""
        if self.variadic:
            return lambda arguments: tuple(
                [
                    (tensor._edge or leaf_edge(tensor)) if need else NO_EDGE
                    for tensor, need in zip(arguments[0], needed, strict=True)
                ]
            )
        edge = (
            "(arguments[{0}]._edge or leaf_edge(arguments[{0}])) "
            "if arguments[{0}]._base is None else edge_of_view(arguments[{0}])"
        )
        edges = [
            edge.format(place) if need else "NO_EDGE"
            for place, need in zip(self.inputs, needed, strict=True)
        ]
        collect: Callable[[Sequence[Any]], tuple[Edge, ...]]
        collect = eval(f"lambda arguments: ({listed(edges)})", globals())
        return collect

    def evaluation(
        self,
        formulas: Sequence[Formula | None],
        names: Sequence[str],
        tensors: Sequence[str],
        arrays: bool,
    ) -> Callable[..., Any]:
        """Compile the formulas to one function, which gives them arrays or Tensors."""
        attribute = "._value" if arrays else ""
        calls = []
        for number, formula in enumerate(formulas):
            taken = [
                f", values[{names.index(name)}]{attribute if name in tensors else ''}"
                for name in (saved_names(formula) if formula else ())
            ]
            calls.append(f"formulas[{number}](gradient{''.join(taken)})" if formula else "None")
        body = calls[0] if self.variadic else f"[{listed(calls)}]"
        names_in_body = {"formulas": tuple(formulas)}
        if not arrays:
            recorded: Callable[..., Any] = eval(f"lambda gradient, values: {body}", names_in_body)
            return recorded
        unchanged = [f"values[{one}]._counter[0] == versions[{one}]" for one in range(len(tensors))]
        body = f"{body} if {' and '.join(unchanged) or True} else None"
        plain: Callable[..., Any] = eval(
            f"lambda gradient, values, versions: {body}", names_in_body
        )
        return plain

    def source(self, name: str) -> tuple[int, int]:
        """Return what a name in a formula stands for: a kind, and the position of it."""
        if name in self.outputs:
            return OUTPUT, self.outputs.index(name)
        if name.endswith("_sym_sizes"):
            return SHAPE, self.parameters.index(name.removesuffix("_sym_sizes"))
        if name.endswith("_sym_strides"):
            return STRIDES, self.parameters.index(name.removesuffix("_sym_strides"))
        return ARGUMENT, self.parameters.index(name)


def kept(output: Tensor) -> Tensor:
    """Return what to save of an output: one that holds the node would make a circle with it."""
    return output._alias() if output._value.dtype.kind == "f" else output


def listed(expressions: Sequence[str]) -> str:
    """Return source text of the items of a tuple or list."""
    return "".join([f"{one}, " for one in expressions])


def parameter_names(function: Any) -> tuple[str, ...]:
    """Return the names of a Python function's positional parameters."""
    code = function.__code__
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
    return names


def saved_names(formula: Formula) -> tuple[str, ...]:
    """Return what a formula wants besides the gradient."""
    return parameter_names(formula)[1:]


class Freed:
    """What is left of a saved tensor once it is freed: whoever checks its version is told so."""

    @property
    def _counter(self) -> list[int]:
        raise RuntimeError(FREED)


class OperationNode(Node):
    """The node of a declared operation: evaluates the formulas of the inputs that need it."""

    __slots__ = ("plan", "values", "versions")
    rule: Rule
    plan: Plan
    # Saved values in the order of the plan's names, and the versions of those that are tensors.
    values: tuple[Any, ...]
    versions: tuple[int, ...]

    def apply(self, arrived: dict[int, Gradient], recorded: bool) -> Sequence[Gradient]:
        if not arrived:
            return [None] * len(self.edges)
        gradient = arrived[0] if self.outputs == 1 else self.gradient(arrived)
        plan, values = self.plan, self.values
        if recorded:
            return plan.from_tensors(gradient, self.tensors())
        results = quiet_copy().run(plan.from_arrays, gradient, values, self.versions)
        return results or self.tensors()

    def ensure_hooks(self) -> Hooks:
        hooks = super().ensure_hooks()
        # Hooks are not given a gradient of the one output that never has any.
        hooks.outputs = self.outputs - ("indices" in self.rule.outputs)
        return hooks

    def gradient(self, arrived: dict[int, Gradient]) -> list[Gradient]:
        """Return the gradients of several outputs, None where none arrived."""
        return [arrived.get(number) for number in range(self.outputs)]

    def tensors(self) -> list[Any]:
        """Return what was saved, tensors as Tensors."""
        return [self.saved(position) for position in range(len(self.values))]

    def saved(self, position: int) -> Any:
        """Return a saved value; an output as it was, with this node as its grad_fn.

        Raises:
            RuntimeError: if it was freed, or is a tensor that was modified in place since.
        """
        value = self.values[position]
        if position < len(self.versions):
            if value._counter[0] != self.versions[position]:
                raise RuntimeError(self.modified(position))
            kind, number = self.plan.sources[position]
            if kind == OUTPUT and value._value.dtype.kind == "f":
                value = value._alias()
                value._edge = (self, number, value._value.shape, value._value.dtype)
                value._requires_grad = True
        return value

    def modified(self, position: int) -> str:
        """Return PyTorch's message for a saved tensor that was modified in place."""
        tensor: Tensor = self.values[position]
        kind, number = self.plan.sources[position]
        node, output, *_ = tensor._edge or NO_EDGE
        if kind == OUTPUT:
            node, output = self, number
        producer = ""
        if node is not None:
            name = node.name().rstrip("0123456789").removesuffix("Backward")
            producer = f", which is output {output} of {name},"
        return (
            "one of the variables needed for gradient computation has been modified by an inplace "
            f"operation: [{tensor.type()} {list(tensor.shape)}]{producer} is at version "
            f"{tensor._version}; expected version {self.versions[position]} instead. Hint: enable "
            "anomaly detection to find the operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True, check_nan=False)."
        )

    def release(self) -> None:
        kept = len(self.versions)
        if kept:
            self.values = (FREED_TENSOR,) * kept + self.values[kept:]


FREED_TENSOR = Freed()


def node_class(rule: Rule) -> type[OperationNode]:
    """Make the class of the nodes of a declared operation, with its ``_saved_...`` attributes."""

    def saved(name: str) -> property:
        def get(node: OperationNode) -> Any:
            if name not in node.plan.names:
                return None
            value = node.saved(node.plan.names.index(name))
            if name == "indices" and isinstance(value, tuple):
                return tuple([None if one is None else from_array(one) for one in value])
            number = getattr(value, "_number", None)
            return value if number is None else number_tensor(number)

        return property(get)

    members: dict[str, Any] = {f"_saved_{name}": saved(name) for name in rule.saved_names}
    # PyTorch's nodes are built in: print says <AddBackward0 object at 0x...> without a module.
    members |= {"__slots__": (), "__module__": "builtins", "rule": rule}
    # Code of their own, which the interpreter specialises to this class (PEP 659).
    members |= {"run": own_code(Node.run), "apply": own_code(OperationNode.apply)}
    return type(rule.name, (OperationNode,), members)


def number_tensor(number: Any) -> Tensor:
    """Return a number as PyTorch keeps it: a 0-d tensor of float64, int64 or bool."""
    return from_array(np.array(number))


def edge_of_view(view: Tensor) -> Edge:
    """Return where the gradient of a view goes.

    Raises:
        NotImplementedError: if its base was changed in place, and that was recorded, since the view
            was made: the view would have to be recorded anew, from the base as it is now.
    """
    if view._base is not None and view._base._edge is not view._base_edge:
        raise NotImplementedError("views of what was changed in place are not recorded anew yet")
    return view._edge or leaf_edge(view)


def own_code(function: Callable[..., Any], name: str = "") -> Callable[..., Any]:
    """Return the same function with a copy of its code, and another name if one is given.

    The interpreter (PEP 659) specialises code for the classes it meets there. Code that serves the
    nodes of all operations meets too many; a copy for each operation runs a third faster.
    """
    copy = types.FunctionType(
        function.__code__.replace(),
        function.__globals__,
        name or function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__doc__ = function.__doc__
    return copy


def recorder(rule: Rule, node_class: type[OperationNode]) -> Callable[..., None]:
    """Return the function that makes a node of an operation, and makes it the outputs' grad_fn.

    It is called when at least one input requires grad, with which of them do, all arguments, the
    outputs, and the plans made so far for arguments of such types.
    """

    def record(
        needed: tuple[bool, ...],
        arguments: Sequence[Any],
        outputs: Sequence[Tensor],
        plans: dict[tuple[bool, ...], Plan],
    ) -> None:
        plan = plans.get(needed)
        if plan is None:
            plan = plans[needed] = rule.make_plan(needed, arguments)
        node: OperationNode = new(node_class)
        node.edges = plan.edges(arguments)
        node.hooks = None
        node.sequence_number = next(state.sequence_numbers)
        node.plan = plan
        node.outputs = len(outputs)
        if len(outputs) == 1:
            (output,) = outputs
            value = output._value
            output._edge = (node, 0, value.shape, value.dtype)
            output._requires_grad = True
        else:
            give_edges(node, outputs)
        node.values, node.versions = plan.save(arguments, outputs)

    return own_code(record)


def give_edges(node: Node, outputs: Sequence[Tensor]) -> None:
    """Make the node the grad_fn of those of several outputs that can have a gradient."""
    for number, output in enumerate(outputs):
        value = output._value
        if value.dtype.kind == "f":
            output._edge = (node, number, value.shape, value.dtype)
            output._requires_grad = True
