"""What an operation is to autograd: the values it saves, the node that evaluates its formulas.

`minigrad.ops.declare` makes the rules; this file says what recording by a rule leaves behind.
"""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from minigrad.autograd.grad_mode import UNTRACKED, Untracked, inferring, new_counter, state
from minigrad.autograd.hooks import Hooks
from minigrad.autograd.node import (
    LAST,
    NO_EDGE,
    Edge,
    Gradient,
    Node,
    Watcher,
    leaf_edge,
    quiet_copy,
)
from minigrad.autograd.saved import (
    FREED,
    FREED_TENSOR,
    PackedIndices,
    SavingNode,
    observe,
    observers,
)
from minigrad.ops.half import in_single
from minigrad.ops.saved_attributes import saved_attributes, tensors_of
from minigrad.outside import COMPILED as COMPILED_FILE
from minigrad.tensor import Tensor, from_array
from minigrad.views import INFERENCE, SEVERAL, follow_base

Formula = Callable[..., Any]
# For which inputs need a gradient: the function that records the operation then.
Records: TypeAlias = dict[tuple[bool, ...], Callable[..., None]]

new = object.__new__
MASK = "grad_input_mask"  # which inputs need a gradient: asked for by a formula for all of them
ARGUMENT, SHAPE, STRIDES, GEOMETRY, OUTPUT = range(5)
# How all but the last of them are written after the name of an argument.
SOURCES = ("", "._value.shape", "._value.strides", "._geometry()")


class Plan(NamedTuple):
    """What to save, and what to evaluate later, when just these inputs need a gradient.

    `names` are the saved values, tensors first, and `sources` says for each which argument,
    argument's shape or output it is. The functions are compiled for this plan, since they run for
    every operation:

    rule: the operation.
    record: makes the node from the arguments and outputs, and makes it these outputs' grad_fn.
    from_arrays, from_tensors: evaluate the formulas, one gradient for each edge; and release what
        was saved, if so.
    parts: what evaluates only some of the formulas, by which edges lead to what is asked for.
    """

    rule: Rule
    names: tuple[str, ...]
    sources: tuple[tuple[int, int], ...]
    record: Callable[..., None]
    from_arrays: Callable[[Gradient, OperationNode, bool], Sequence[Gradient]]
    from_tensors: Callable[[Gradient, Sequence[Any]], Sequence[Gradient]]
    parts: dict[tuple[bool, ...], Plan]

    def taken(self, arguments: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
        """Return what a node would save of these, for its formulas."""
        of_argument: dict[int, Callable[[Any], Any]] = {
            ARGUMENT: lambda one: one,
            SHAPE: lambda one: one._value.shape,
            STRIDES: lambda one: one._value.strides,
            GEOMETRY: lambda one: one._geometry(),
        }
        return [
            outputs[place] if kind == OUTPUT else of_argument[kind](arguments[place])
            for kind, place in self.sources
        ]


# What a plan compiles: a node is made for every operation, so nothing is looked up or called that
# can be written out. `kept` outputs are leaves: one with an edge to the node would make a circle.
RECORD = """
def record({parameters}):
    node = new(node_class)
    node.edges = {edges}
    node.hooks = None
    node.sequence_number = {sequence_number}
    node.plan = plan
    {connect}
    {keep}
    node.values = ({values})
    node.versions = ({versions})
    if observers:
        observe(node, result)
"""
CONNECT_ONE = """node.outputs = 1
    result._edge = (node, 0, result._value.shape, result._value.dtype)
    result._requires_grad = True"""
CONNECT_MANY = """node.outputs = len(result)
    give_edges(node, result)"""
EDGE = "({0}._edge or leaf_edge({0})) if {0}._base is None else {0}._gradient_edge()"
KEEP = """kept{position} = new(Tensor)
    kept{position}._value = {output}._value
    kept{position}._counter = {output}._counter"""
FROM_ARRAYS = """
def from_arrays(gradient, node, release, __tracebackhide__=True):
    values, versions = node.values, node.versions
    if {changed}:
        values = node.tensors()  # raises, unless hooks have packed them
    gradients = {gradients}
    if release:
        {release}
    return gradients
"""
# An operation on several tensors, written out for its parameters.
OPERATION = """
def operation({parameters}):
    result = {result}
    if state.grad_enabled and ({requires_grad}):
        needed = ({needed})
        record = records.get(needed) or rule.recorder(records, needed, ({parameters}), result)
        record({parameters}, result)
    {otherwise}
    return result
"""
# What PyTorch makes by writing into a new tensor.
COPIES = {"CloneBackward0", "ToCopyBackward0"}
# Parameters that are never tensors.
PLAIN = {
    "dim", "dim0", "dim1", "dim2", "dimension", "dims", "dtype", "size", "sizes", "input_sizes",
    "split_size", "split_sizes", "keepdim", "correction", "ord", "start", "end", "step",
    "repeats", "shifts", "diagonal", "offset", "exponent", "decimals", "min", "max", "k",
    "largest", "descending", "threshold", "negative_slope", "stride", "storage_offset",
    "reduction", "alpha", "beta", "memory_format",
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
        once = hasattr(forward, "in_single")
        self.forward = in_single(forward) if once else forward
        self.parameters = parameters
        self.outputs = outputs
        self.formulas = formulas
        self.inputs = tuple(map(parameters.index, formulas))
        self.variadic = parameters[0] == "tensors"
        # Whether one formula gives the gradients of all inputs.
        self.joint = self.variadic or any(MASK in parameter_names(one) for one in formulas.values())
        # Arguments that hold tensors in a list or tuple.
        self.sequences = tuple(
            [place for place, name in enumerate(parameters) if name in ("tensors", "indices")]
        )
        # Whether each edge of its nodes has a formula of its own, or knows whether it is asked for.
        self.divisible = not self.variadic and name != "NotImplemented"
        # Whether the types of the arguments do not matter: just the inputs are tensors.
        self.tensors_known = PLAIN.issuperset(set(parameters) - set(formulas))
        self.takes_one_tensor = parameters == ("self",) or (
            self.inputs == (0,) and not self.sequences and PLAIN.issuperset(parameters[1:])
        )

    def belongs_to(self, operation: Callable[..., Any], promoted: bool) -> None:
        """Know the operation, and whether it takes numbers for tensors, and let it know this."""
        self.operation, self.promoted = operation, promoted
        operation.rule = self  # type: ignore[attr-defined]

    @functools.cached_property
    def wanted(self) -> list[str]:
        """What its formulas want besides the gradient, once for each that does."""
        return [name for formula in self.formulas.values() for name in saved_names(formula)]

    @functools.cached_property
    def saved_names(self) -> tuple[str, ...]:
        """What its formulas want besides the gradient."""
        return tuple(dict.fromkeys(self.wanted))

    @functools.cached_property
    def always_saved(self) -> list[str]:
        """What PyTorch keeps whichever gradient is needed.

        That is results, sizes, numbers, and what the formulas of several inputs want.
        """
        return [
            name
            for name in self.saved_names
            if name in self.outputs
            or name.endswith("_sym_sizes")
            or (name in PLAIN and name not in self.formulas)
            or name == "value"
            or self.wanted.count(name) > 1
        ]

    @functools.cached_property
    def node_class(self) -> type[OperationNode]:
        """The class of its nodes, made when one with its name is first needed."""
        return node_class(self)

    @functools.cached_property
    def needs(self) -> Callable[[Sequence[Any]], tuple[bool, ...]]:
        """Tells which inputs among the arguments require grad."""
        if self.variadic:
            return lambda arguments: tuple([one._requires_grad for one in arguments[0]])
        flags = [f"arguments[{place}]._requires_grad" for place in self.inputs]
        needs: Callable[[Sequence[Any]], tuple[bool, ...]]
        needs = eval(f"lambda arguments: ({listed(flags)})")
        return needs

    def compiled(self, tensors: Sequence[bool], view: bool) -> Callable[..., Any]:
        """Return the operation on arguments of which just these are tensors."""
        arrays = [
            name + "._array" * is_tensor
            for name, is_tensor in zip(self.parameters, tensors, strict=True)
        ]
        flags = [
            f"{self.parameters[place]}._requires_grad" if tensors[place] else "False"
            for place in self.inputs
        ]
        result = f"result_of(quiet_copy().run(forward, {', '.join(arrays)}))"
        if view:
            result = f"view_of({self.parameters[0]}, forward({', '.join(arrays)}))"
        source = OPERATION.format(
            parameters=", ".join(self.parameters),
            result=result,
            requires_grad=" or ".join(flags) or False,
            otherwise="else: follow_base(result)" if view else "",
            needed=listed(flags),
        )
        return compiled(source, COMPILED | {"rule": self, "forward": self.forward, "records": {}})

    def recorder(
        self, records: Records, needed: tuple[bool, ...], arguments: Sequence[Any], result: Any
    ) -> Callable[..., None]:
        """Add to `records` the function for when just these inputs need a gradient; return it.

        It takes what the operation was called with, of the types of `arguments`, and the output or
        a tuple of them, as `result` is. For inference tensors alone it is one that does nothing.
        """
        if UNTRACKED in needed:
            if only_inference(arguments):
                return into_new if self.name in COPIES else leave
            needed = tuple(map(bool, needed))
            if needed in records:
                return records[needed]
        record = self.plan(needed, arguments, result).record
        records[needed] = record  # complete: other threads may call it from now on
        return record

    def plan(self, needed: tuple[bool, ...], arguments: Sequence[Any], result: Any) -> Plan:
        """Return what to save and to evaluate when just these inputs need a gradient."""
        wanted = [
            formula if need or self.variadic else None
            for formula, need in zip(self.formulas.values(), needed, strict=not self.variadic)
        ]
        # What derivatives compute themselves saves all there is, as in PyTorch.
        kept = self.formulas.values() if "BackwardBackward" in self.name else wanted
        sources = {
            name: self.source(name) for formula in kept if formula for name in saved_names(formula)
        }
        sources |= {name: self.source(name) for name in self.always_saved}
        tensors = [
            name
            for name, (kind, position) in sources.items()
            if kind == OUTPUT or (kind == ARGUMENT and isinstance(arguments[position], Tensor))
        ]
        # As PyTorch packs and unpacks them: inputs by name, then outputs, some of them given to us.
        given = {name for name in sources if "result" in name or name == "buffer"}
        tensors.sort(key=lambda name: (sources[name][0] == OUTPUT or name in given, name))
        names = (*tensors, *[name for name in sources if name not in tensors])
        source = self.recording(needed, names, sources, len(tensors), result)
        namespace = COMPILED | {"node_class": self.node_class, "needed": needed}
        record = compiled(source, namespace)
        plan = namespace["plan"] = Plan(
            self,
            names,
            tuple([sources[name] for name in names]),
            record,
            self.evaluation(wanted, names, tensors, True),
            self.evaluation(wanted, names, tensors, False),
            {},
        )
        return plan

    def part(self, plan: Plan, asked: tuple[bool, ...], tensors: int) -> Plan:
        """Add to a plan's `parts` the one with only the formulas asked for; return it.

        `tensors` says how many of the saved values are tensors.
        """
        if all(asked):
            return plan.parts.setdefault(asked, plan)
        formulas = [
            formula if one else None
            for formula, one in zip(self.formulas.values(), asked, strict=True)
        ]
        from_arrays, from_tensors = [
            self.evaluation(formulas, plan.names, plan.names[:tensors], arrays)
            for arrays in (True, False)
        ]
        part = plan._replace(from_arrays=from_arrays, from_tensors=from_tensors)
        plan.parts[asked] = part
        return part

    def recording(
        self,
        needed: Sequence[bool],
        names: Sequence[str],
        sources: Mapping[str, tuple[int, int]],
        tensors: int,
        result: Any,
    ) -> str:
        """Return the source text of a plan's `record`."""
        many, implemented = isinstance(result, tuple), self.name != "NotImplemented"
        values, keep = [], []
        for position, name in enumerate(names):
            kind, number = sources[name]
            if kind == OUTPUT:
                output = f"result[{number}]" if many else "result"
                if many and not result[number].is_floating_point():
                    values.append(output)
                    continue
                keep.append(KEEP.format(position=position, output=output))
                values.append(f"kept{position}")
            else:
                values.append(self.parameters[number] + SOURCES[kind])
        edges = [
            EDGE.format(self.parameters[place]) if need else "NO_EDGE"
            for place, need in zip(self.inputs, needed, strict=False)
            # Where PyTorch has no formulas, its node has no empty edges either.
            if need or implemented
        ]
        return RECORD.format(
            parameters=", ".join([*self.parameters, "result"]),
            edges="edges_of_all(tensors, needed)" if self.variadic else f"({listed(edges)})",
            # What refuses to be differentiated does so before anything else is.
            sequence_number="next(state.sequence_numbers)" if implemented else "LAST",
            connect=CONNECT_MANY if many else CONNECT_ONE,
            keep="\n    ".join(keep),
            values=listed(values),
            versions=listed([f"{value}._counter[0]" for value in values[:tensors]]),
        )

    def evaluation(
        self,
        formulas: Sequence[Formula | None],
        names: Sequence[str],
        tensors: Sequence[str],
        arrays: bool,
    ) -> Callable[..., Any]:
        """Compile the formulas to one function, which gives them arrays or Tensors."""
        attribute = "._value" if arrays else ""
        mask = tuple([formula is not None for formula in formulas])
        calls = []
        for number, formula in enumerate(formulas):
            taken = [
                f"values[{names.index(name)}]{attribute if name in tensors else ''}"
                if name != MASK
                else str(mask)
                for name in (parameter_names(formula)[1:] if formula else ())
            ]
            call = f"formula{number}({', '.join(['gradient', *taken])})"
            calls.append(call if formula else "None")
        if self.joint:
            calls = [next(call for call in calls if call != "None")]
        namespace: dict[str, Any] = {
            f"formula{number}": on_arrays(formula) if arrays and formula else formula
            for number, formula in enumerate(formulas)
        }
        if not arrays:
            return compiled(self.recorded(calls), namespace)
        gradients = calls[0] if self.joint else f"({listed(calls)})"
        changed = [f"values[{one}]._counter[0] != versions[{one}]" for one in range(len(tensors))]
        kept = len(tensors)
        if "indices" in names[kept:]:
            changed.append(f"type(values[{names.index('indices')}]) is PackedIndices")
        namespace["PackedIndices"] = PackedIndices
        namespace["freed"] = (FREED_TENSOR,) * kept
        release = "node.values = freed"
        if "indices" in names:
            release = "node.release()"  # which frees them as well
        elif kept < len(names):
            release += f" + node.values[{kept}:]"
        source = FROM_ARRAYS.format(
            changed=" or ".join(changed) or False,
            gradients=gradients,
            release=release,
        )
        return compiled(source, namespace)

    def recorded(self, calls: Sequence[str]) -> str:
        """Return the source of `from_tensors`, which calls formulas in the order of their names.

        So PyTorch does; the order is seen in the graph that they record.
        """
        if self.joint:
            return f"def from_tensors(gradient, values, __tracebackhide__=True): return {calls[0]}"
        names = tuple(self.formulas)
        lines = [f"{name} = {call}" for name, call in sorted(zip(names, calls, strict=True))]
        body = "\n    ".join([*lines, f"return ({listed(names)})"])
        return f"def from_tensors(gradient, values, __tracebackhide__=True):\n    {body}"

    def source(self, name: str) -> tuple[int, int]:
        """Return what a name in a formula stands for: a kind, and the position of it."""
        if name in self.outputs:
            return OUTPUT, self.outputs.index(name)
        if name.endswith("_sym_sizes"):
            return SHAPE, self.parameters.index(name.removesuffix("_sym_sizes"))
        if name.endswith("_sym_strides"):
            return STRIDES, self.parameters.index(name.removesuffix("_sym_strides"))
        if name.endswith("_geometry"):
            return GEOMETRY, self.parameters.index(name.removesuffix("_geometry"))
        return ARGUMENT, self.parameters.index(name)


def compiled(source: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    """Return the function that a source text defines."""
    name = source.split("(")[0].split()[1]
    exec(compile(source, COMPILED_FILE, "exec"), namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def on_arrays(formula: Formula) -> Formula:
    """Return a formula that is only given arrays: operations it calls are their forward functions.

    They would find out by themselves that they are given arrays, but that takes longer.
    """
    if hasattr(formula, "in_single"):
        return in_single(formula)
    known = formula.__globals__
    called = [name for name in formula.__code__.co_names if hasattr(known.get(name), "rule")]
    if not called:
        return formula
    return types.FunctionType(
        formula.__code__,
        known | {name: known[name].rule.forward for name in called},
        formula.__name__,
        formula.__defaults__,
        formula.__closure__,
    )


def only_inference(arguments: Sequence[Any]) -> bool:
    """Return whether all tensors that an operation is given are inference tensors."""
    for given in arguments:
        for one in given if isinstance(given, (list, tuple)) else (given,):
            ordinary = isinstance(one, Tensor) and not one.is_inference()
            if ordinary or isinstance(one, np.ndarray):  # an index
                return False
    return True


def leave(*arguments: Any) -> None:
    """Record nothing."""


def into_new(input: Tensor, *rest: Any) -> None:
    """Record that a copy was written into a new tensor, as PyTorch makes copies."""
    rest[-1].copy_(input)


def edges_of_all(tensors: Sequence[Tensor], needed: Sequence[bool]) -> tuple[Edge, ...]:
    """Return where the gradients of tensors go, of those that need one."""
    return tuple(
        [
            tensor._gradient_edge() if need else NO_EDGE
            for tensor, need in zip(tensors, needed, strict=True)
        ]
    )


def listed(expressions: Sequence[str]) -> str:
    """Return source text of the items of a tuple or list."""
    return "".join([f"{one}, " for one in expressions])


def parameter_names(function: Any) -> tuple[str, ...]:
    """Return the names of a Python function's positional parameters."""
    code = getattr(function, "__wrapped__", function).__code__
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
    return names


def saved_names(formula: Formula) -> tuple[str, ...]:
    """Return what a formula wants of the operation besides the gradient."""
    return tuple([name for name in parameter_names(formula)[1:] if name != MASK])


class OperationNode(SavingNode):
    """The node of a declared operation: evaluates the formulas of the inputs that need it.

    It saves values in the order of the plan's names.
    """

    __slots__ = ("plan",)
    plan: Plan

    def __new__(cls, *arguments: Any, **keywords: Any) -> OperationNode:
        raise TypeError(f"cannot create '{cls.__name__}' instances")  # They come of recording.

    def run(
        self, arrived: list[Gradient], walk: Watcher
    ) -> tuple[tuple[Edge, ...], Sequence[Gradient]]:
        __tracebackhide__ = True
        if self.hooks is not None or walk.reached is not None or walk.recorded or not arrived:
            return super().run(arrived, walk)
        # By far the commonest case, in as few calls as possible.
        gradient = arrived[0] if self.outputs == 1 else self.padded(arrived)
        try:
            return self.edges, self.plan.from_arrays(gradient, self, not walk.retain_graph)
        except ValueError as error:
            self.refuse_shapes(gradient, error)
            raise

    def apply(self, arrived: Sequence[Gradient], recorded: bool) -> Sequence[Gradient]:
        __tracebackhide__ = True
        if not arrived:
            self.tensors()  # which must be as they were all the same
            return (None,) * len(self.edges)
        gradient = arrived[0] if self.outputs == 1 else self.padded(arrived)
        walk = state.walk
        plan = self.plan if walk is None or walk.reached is None else self.asked(walk.reached)
        if plan is None:
            self.tensors()  # raises where they are freed or changed
            return (None,) * len(self.edges)
        if recorded:
            return plan.from_tensors(gradient, self.tensors())
        try:
            return plan.from_arrays(gradient, self, False)
        except ValueError as error:
            self.refuse_shapes(gradient, error)
            raise

    def asked(self, reached: set[Node]) -> Plan | None:
        """Return the plan with the formulas of the edges to what a backward pass reaches, if any.

        There are none where the pass ends, and where a hook calls a node that the pass would not.
        """
        plan = self.plan
        asked = tuple([edge[0] in reached for edge in self.edges])
        if asked in plan.parts:
            return plan.parts[asked]
        if not any(asked):
            return None
        return plan.rule.part(plan, asked, len(self.versions)) if plan.rule.divisible else plan

    def ensure_hooks(self) -> Hooks:
        hooks = super().ensure_hooks()
        # Hooks are not given a gradient of the one output that never has any.
        hooks.outputs = self.outputs - ("indices" in self.plan.rule.outputs)
        return hooks

    def refuse_shapes(self, gradient: Any, error: ValueError) -> None:
        """Raise what the formulas raise of Tensors if numpy says that shapes do not fit.

        These are another leaf's, after an assignment to its `data`, or those of what a hook has
        unpacked. Other errors are the hook's own.
        """
        if self.outputs == 1 and re.search("operands? |not aligned", str(error)):
            self.plan.from_tensors(from_array(gradient), self.tensors())

    def padded(self, arrived: Sequence[Gradient]) -> Sequence[Gradient]:
        """Return the gradients of all outputs, None where none arrived."""
        return [*arrived, *[None] * (self.outputs - len(arrived))]

    def tensors(self) -> list[Any]:
        """Return what was saved, tensors as Tensors."""
        __tracebackhide__ = True
        # `map` would take a StopIteration of an unpack hook for its end; a comprehension is a frame
        # in tracebacks.
        found = []
        for place in range(len(self.values)):
            found.append(self.saved(place))
        return found

    def output_saved(self, position: int) -> int | None:
        kind, number = self.plan.sources[position]
        return number if kind == OUTPUT else None

    def indices(self) -> PackedIndices | None:
        kept = len(self.versions)
        if "indices" not in self.plan.names[kept:]:
            return None
        place = self.plan.names.index("indices")
        places = self.values[place]
        if places is FREED_TENSOR:
            raise RuntimeError(FREED)
        if not isinstance(places, PackedIndices):
            places = PackedIndices(places, tensors_of(places))
            self.values = (*self.values[:place], places, *self.values[place + 1 :])
        return places

    def release(self) -> None:
        kept = len(self.versions)
        self.values = (FREED_TENSOR,) * kept + self.values[kept:]


def release_with_indices(node: OperationNode) -> None:
    """Let go of indices, too: they are tensors in PyTorch."""
    OperationNode.release(node)
    if "indices" in node.plan.names:
        place = node.plan.names.index("indices")
        node.values = (*node.values[:place], FREED_TENSOR, *node.values[place + 1 :])


node_classes: dict[str, type[OperationNode]] = {}


def node_class(rule: Rule) -> type[OperationNode]:
    """Return the class of the nodes of a declared operation, with its ``_saved_...`` attributes."""
    made = node_classes.get(rule.name)
    if made is None:
        # PyTorch's nodes are built in: print says <AddBackward0 object at 0x...> without a module.
        # Code of their own, which the interpreter specialises to this class (PEP 659).
        members = {"__slots__": (), "__module__": "builtins", "run": own_code(OperationNode.run)}
        members["gives_all"] = rule.variadic
        if "indices" in rule.parameters:
            members["release"] = release_with_indices
        made = node_classes[rule.name] = type(rule.name, (OperationNode,), members)
    for name, attribute in saved_attributes(rule).items():
        setattr(made, name, attribute)
    return made


def result_of(value: Any) -> Any:
    """Return a new array as a tensor; a tuple of them as a tuple of tensors."""
    if type(value) is tuple:
        return tuple([None if one is None else from_array(one) for one in value])
    result = new(Tensor)
    result._value = value
    result._counter = new_counter() if inferring else [0]
    return result


def view_of(base: Tensor, value: Any) -> Any:
    """Return a view of a tensor, or several, whose memory `value` is."""
    if type(value) is tuple:
        views = tuple([view_of(base, one) for one in value])
        for view in views:
            if view._forbidden != INFERENCE:
                view._forbidden = SEVERAL
        return views
    view = new(Tensor)
    view._value = value
    counter = view._counter = base._counter
    if isinstance(counter, Untracked):
        view._counter = Untracked((0,))
        return view  # Autograd does not care whose memory it shares.
    view._edge_version = counter[0]
    if base._base is None:
        view._base = base
    else:
        view._base = base._base
        if base._forbidden:
            view._forbidden = base._forbidden
    return view


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
    copy.__qualname__ = copy.__name__ if name else function.__qualname__
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__doc__ = function.__doc__
    return copy


def give_edges(node: Node, outputs: Sequence[Tensor]) -> None:
    """Make the node the grad_fn of those of several outputs that can have a gradient."""
    for number, output in enumerate(outputs):
        value = None if output is None else output._value
        if value is not None and value.dtype.kind == "f":
            output._edge = (node, number, value.shape, value.dtype)
            output._requires_grad = True


# What the compiled texts refer to.
COMPILED = {
    "Tensor": Tensor,
    "new": new,
    "state": state,
    "LAST": LAST,
    "NO_EDGE": NO_EDGE,
    "leaf_edge": leaf_edge,
    "edges_of_all": edges_of_all,
    "give_edges": give_edges,
    "quiet_copy": quiet_copy,
    "result_of": result_of,
    "view_of": view_of,
    "follow_base": follow_base,
    "observe": observe,
    "observers": observers,
}
