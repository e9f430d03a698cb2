"""From a declaration to an operation: computed by numpy, and recorded.

A declaration is PyTorch's derivatives.yaml in Python: the node's name, the forward function on
arrays, and one formula for each differentiable input. The names of a formula's parameters say what
has to be saved: other arguments, outputs (`result`), or `self_shape`, the shape of an input.
Formulas get arrays in an ordinary backward pass and Tensors where that is recorded itself
(`create_graph`), so they use what works on both: operators, methods, and operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.engine import note_origin
from minigrad.graph import Node, state, tick
from minigrad.tensor import Packed, Tensor, from_array, pack

ARRAYS = (np.ndarray, np.generic)
NUMBERS = (int, float, np.number, np.bool_)
ALIASES = {"axis": "dim", "keepdims": "keepdim", "input": "self", "size": "shape"}
SECOND_TIME = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)
DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_(). This is "
    "not supported, please use out-of-place `.detach()` instead"
)
new, array_of = object.__new__, attrgetter("_array")
functions: dict[str, Callable[..., Any]] = {}


class OpNode(Node):
    """A recorded operation that was declared."""

    __slots__ = ("metas", "plan", "saved")
    rule: Rule
    plan: Plan

    def apply(self, grads: list[Any], taped: bool) -> Sequence[Any]:
        plan, saved, (grad,) = self.plan, self.saved, grads
        if grad is None:
            return [None] * len(self.edges)
        if plan.save is not None:
            if saved is None or taped or state.changed > self.sequence or not plan.simple:
                saved = self.unpack(taped)
            else:
                saved = list(map(array_of, saved))
        if plan.shapes:
            saved = [*saved, *[self.edges[i][2] for i in plan.shapes]]
        return plan.run(grad, saved)

    def unpack(self, taped: bool) -> list[Any]:
        """What is saved, as arrays or as Tensors with their history."""
        if self.saved is None:
            raise RuntimeError(SECOND_TIME)
        if state.changed > self.sequence:
            self.check_unchanged()
        if not taped:
            return [s._array if isinstance(s, Tensor) else unpacked(s, False) for s in self.saved]
        saved = [s if isinstance(s, Tensor) else unpacked(s, True) for s in self.saved]
        for place, number in self.plan.outputs:
            array = saved[place]._array
            saved[place] = result = from_array(array)
            if self.differentiable(number):
                result._edge = (self, number, array.shape, array.dtype)
        return saved

    def differentiable(self, number: int) -> bool:
        return not hasattr(self, "metas") or self.metas[number][1].kind == "f"

    def filled(self, grads: list[Any], taped: bool) -> list[Any]:
        """The gradients of several outputs, with zeros for those that did not get one."""
        zeros = [np.zeros(*meta) if g is None else g for g, meta in zip(grads, self.metas)]
        return [from_array(z) if taped and not isinstance(z, Tensor) else z for z in zeros]

    def check_unchanged(self) -> None:
        for s in self.saved:
            if not isinstance(s, Tensor):
                continue
            if s._edge is None and self.lost_history(s):
                raise RuntimeError(DETACHED)
            if s._changes and s._changes[-1] > self.sequence:
                expected = sum(time < self.sequence for time in s._changes)
                raise RuntimeError(changed_text(s, expected, len(s._changes), self.saved_as(s)))

    def lost_history(self, saved: Tensor) -> bool:
        """Whether an input has been detached since it was saved."""
        for place, edge in zip(self.rule.inputs, self.edges):
            name = self.rule.names[place]
            if edge is not None and name in self.plan.names:
                if self.saved[self.plan.names.index(name)] is saved:
                    return True
        return False

    def saved_as(self, tensor: Tensor) -> str:
        for place, number in self.plan.outputs:
            if self.saved[place] is tensor:
                return f", which is output {number} of {self.operation()},"
        if (edge := tensor._edge) is not None and tensor.grad_fn is not None:
            return f", which is output {edge[1]} of {edge[0].operation()},"
        return ""

    def release(self) -> None:
        if self.saved and (self.plan.simple or any(map(holds_memory, self.saved))):
            self.saved = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_") and name[7:] in self.rule.all_names:
            names = self.plan.names
            if name[7:] not in names:
                return None
            return self.unpack(True)[names.index(name[7:])]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *[f"_saved_{name}" for name in self.plan.names]]


class SeveralNode(OpNode):
    """A recorded operation with several outputs."""

    __slots__ = ()
    outputs = property(lambda self: len(self.metas))

    def apply(self, grads: list[Any], taped: bool) -> Sequence[Any]:
        return super().apply([self.filled(grads, taped)], taped)


def holds_memory(saved: Any) -> bool:
    """Whether it is more than a number or a name: a tensor, or indices."""
    return (
        isinstance(saved, (Tensor, np.ndarray))
        or type(saved) is tuple
        and any(isinstance(one, np.ndarray) for one in saved)
    )


def unpacked(saved: Any, as_tensor: bool) -> Any:
    if type(saved) is Packed:
        tensor = saved.unpack()
        return tensor if as_tensor else tensor._array
    return saved


def changed_text(tensor: Tensor, expected: int, version: int, origin: str) -> str:
    title, shape = dtypes.TITLES[tensor._array.dtype], list(tensor._array.shape)
    return (
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [torch.{title}Tensor {shape}]{origin} is at version {version}; expected "
        f"version {expected} instead. Hint: "
        + (
            "the backtrace further above shows the operation that failed to compute its gradient. "
            "The variable in question was changed in there or anywhere later. Good luck!"
            if state.anomaly
            else "enable anomaly detection to find the operation that failed to compute its "
            "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
        )
    )


class Rule:
    """A declaration, and the plans made of it: one for each choice of inputs that need a gradient."""

    def __init__(
        self, node_name: str, forward: Callable, formulas: dict[str, Callable], outputs: str
    ) -> None:
        self.forward, self.formulas, self.outputs = forward, formulas, tuple(outputs.split())
        if isinstance(forward, np.ufunc):
            self.names, self.defaults = ("self", "other")[: forward.nin], {}
        else:
            self.names = parameters(forward)
            given = forward.__defaults__ or ()
            self.defaults = dict(zip(self.names[len(self.names) - len(given) :], given))
        self.inputs = [self.names.index(name) for name in formulas]
        self.all_names = self.names + self.outputs
        self.pointwise = False
        self.plans: dict[Any, Plan] = {}
        kind = OpNode if len(self.outputs) == 1 else SeveralNode
        about = {"__slots__": (), "__module__": "builtins", "rule": self}
        self.node_class = type(node_name, (kind,), about)

    def bind(self, args: tuple, kwargs: dict[str, Any]) -> list[Any]:
        """The arguments in the order of the declaration."""
        kwargs = {ALIASES.get(k, k) if k not in self.names else k: v for k, v in kwargs.items()}
        if len(args) > len(self.names):
            raise TypeError(f"expected at most {len(self.names)} arguments, got {len(args)}")
        bound = list(args)
        for name in self.names[len(args) :]:
            if name not in kwargs and name not in self.defaults:
                raise TypeError(f"missing argument '{name}'")
            bound.append(kwargs.pop(name) if name in kwargs else self.defaults[name])
        if kwargs:
            raise TypeError(f"got an unexpected keyword argument '{next(iter(kwargs))}'")
        return bound


class Plan:
    """What is saved, and which formulas are called with it, for one choice of inputs."""

    def __init__(self, rule: Rule, mask: tuple[bool, ...]) -> None:
        formulas = [f if needed else None for f, needed in zip(rule.formulas.values(), mask)]
        wanted = {name for f in formulas if f for name in parameters(f)[1:]}
        places = [i for i, name in enumerate(rule.all_names) if name in wanted]
        self.names = [rule.all_names[i] for i in places]
        self.save = itemgetter(*places) if len(places) > 1 else None
        if len(places) == 1:
            self.save = lambda everything, place=places[0]: (everything[place],)
        self.outputs = [
            (self.names.index(name), number)
            for number, name in enumerate(rule.outputs)
            if name in wanted
        ]
        shaped = [f"{rule.names[i]}_shape" for i in rule.inputs]
        self.shapes = [i for i, name in enumerate(shaped) if name in wanted]
        known = self.names + [shaped[i] for i in self.shapes]
        self.run = together(
            [f and caller(f, [known.index(name) for name in parameters(f)[1:]]) for f in formulas]
        )
        self.simple = rule.pointwise  # all that is saved are tensors


def parameters(function: Callable) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


def caller(formula: Callable, places: list[int]) -> Callable[[Any, Any], Any]:
    """The formula as a function of the gradient and of everything saved."""
    match places:
        case []:
            return lambda grad, saved: formula(grad)
        case [i]:
            return lambda grad, saved: formula(grad, saved[i])
        case [i, j]:
            return lambda grad, saved: formula(grad, saved[i], saved[j])
    return lambda grad, saved: formula(grad, *[saved[i] for i in places])


def together(calls: list[Callable | None]) -> Callable[[Any, Any], Sequence[Any]]:
    """The gradients of all inputs: None for those that need none."""
    match calls:
        case [f]:
            return lambda grad, saved: (f(grad, saved),)
        case [f, None]:
            return lambda grad, saved: (f(grad, saved), None)
        case [None, f]:
            return lambda grad, saved: (None, f(grad, saved))
        case [f, g]:
            return lambda grad, saved: (f(grad, saved), g(grad, saved))
    return lambda grad, saved: [f and f(grad, saved) for f in calls]


def record(rule: Rule, mask: tuple, edges: tuple, args: Sequence[Any], result: Any) -> None:
    """Make the node of an operation that has just been computed."""
    plan = rule.plans.get(mask)
    if plan is None:
        plan = rule.plans[mask] = Plan(rule, mask)
    node = new(rule.node_class)
    node.plan, node.edges, node.sequence, node._hooks = plan, edges, tick(), None
    if state.anomaly:
        note_origin(node)
    if plan.save is None:
        node.saved = ()
    elif plan.outputs or state.hooks:
        keep_saved(node, args, result if type(result) is tuple else (result,))
    else:
        node.saved = plan.save((*args, result))
    if type(result) is tuple:
        node.metas = [(one._array.shape, one._array.dtype) for one in result]
        for number, one in enumerate(result):
            if one._array.dtype.kind == "f":
                one._edge = (node, number, *node.metas[number])
    else:
        array = result._array
        result._edge = (node, 0, array.shape, array.dtype)


def keep_saved(node: OpNode, args: Sequence[Any], results: tuple[Tensor, ...]) -> None:
    """Save what the plan says: outputs without their history, lest they hold themselves."""
    saved = list(node.plan.save((*args, *results)))
    for place, _ in node.plan.outputs:
        saved[place] = saved[place]._alias()
    node.saved = tuple([pack(s) for s in saved]) if state.hooks else tuple(saved)


def no_gradient(grad: Any) -> Any:
    """Zeros: what does not depend on an input says so with them."""
    if isinstance(grad, Tensor):
        return from_array(np.zeros_like(grad._array))
    return np.zeros_like(grad)


# Operands


@lru_cache(1000)
def cached_number(number: Any, dtype: np.dtype) -> Tensor:
    tensor = from_array(np.array(number, dtype))
    tensor._is_number = True
    return tensor


def operand(number: Any, like: Tensor) -> Tensor:
    """The other operand as a tensor: a number takes the tensor's dtype if that is of its kind."""
    dtype = like._array.dtype
    if type(number) in (float, int) and number and dtype.kind == "f":
        return cached_number(number, dtype)
    if isinstance(number, NUMBERS):
        kind = dtypes.of_number(number)
        if dtypes.CATEGORY[kind.kind] <= dtypes.CATEGORY[dtype.kind]:
            kind = dtype
        return from_array(np.array(number, kind))
    if isinstance(number, np.ndarray):
        return from_array(number)
    name = type(number).__name__
    raise TypeError(f"unsupported operand type(s) for +: 'Tensor' and '{name}'")


def meet(a: Any, b: Any, floating: bool) -> tuple[Any, Any]:
    """Two arrays in their common dtype, made floating point if it has to be."""
    dtype = dtypes.common(a, b)
    if floating and dtype.kind != "f":
        dtype = dtypes.default
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False)


def mismatch(a: tuple[int, ...], b: tuple[int, ...]) -> RuntimeError:
    width = max(len(a), len(b))
    x, y = (1,) * (width - len(a)) + a, (1,) * (width - len(b)) + b
    place = max(i for i in range(width) if x[i] != y[i] and 1 not in (x[i], y[i]))
    return RuntimeError(
        f"The size of tensor a ({x[place]}) must match the size of tensor b ({y[place]}) at "
        f"non-singleton dimension {place}"
    )


# The three ways of calling an operation


def binary(rule: Rule, floating: bool) -> Callable[..., Any]:
    """An operation on two tensors, or a tensor and a number, element by element."""
    forward, differentiable = rule.forward, bool(rule.inputs)

    def call(input: Any, other: Any, *, out: Any = None) -> Any:
        if not (isinstance(input, Tensor) and isinstance(other, Tensor)):
            if isinstance(input, Tensor):
                other = operand(other, input)
            elif isinstance(other, Tensor):
                input = operand(input, other)
            else:
                return forward(input, other)
        a, b = input._array, other._array
        if a.dtype is not b.dtype or floating and a.dtype.kind != "f":
            a, b = meet(a, b, floating)
        try:
            value = forward(a, b)
        except ValueError:
            raise mismatch(a.shape, b.shape) from None
        result = new(Tensor)
        result._array = value if type(value) is np.ndarray else np.asarray(value)
        if differentiable and state.enabled:
            left = input._edge if input._base is None else input._fresh_edge()
            right = other._edge if other._base is None else other._fresh_edge()
            if left is not None or right is not None:
                mask = (left is not None, right is not None)
                record(rule, mask, (left, right), (input, other), result)
        return result if out is None else write_to(out, result, call)

    return call


def unary(rule: Rule, floating: bool) -> Callable[..., Any]:
    """An operation on one tensor, element by element."""
    forward, differentiable = rule.forward, bool(rule.inputs)

    def call(input: Any, *, out: Any = None) -> Any:
        if not isinstance(input, Tensor):
            return forward(input)
        a = input._array
        if floating and a.dtype.kind != "f":
            a = a.astype(dtypes.default)
        value = forward(a)
        result = new(Tensor)
        result._array = value if type(value) is np.ndarray else np.asarray(value)
        if differentiable and state.enabled:
            edge = input._edge if input._base is None else input._fresh_edge()
            if edge is not None:
                record(rule, (True,), (edge,), (input,), result)
        return result if out is None else write_to(out, result, call)

    return call


def general(rule: Rule, floating: bool, view: bool) -> Callable[..., Any]:
    """An operation on any arguments."""
    forward, inputs, arity = rule.forward, rule.inputs, len(rule.names)

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != arity:
            args = tuple(rule.bind(args, kwargs))
        if isinstance(args[0], ARRAYS):
            return forward(*args)
        arrays = [a._array if isinstance(a, Tensor) else a for a in args]
        if floating and arrays[0].dtype.kind != "f":
            arrays[0] = arrays[0].astype(dtypes.default)
        value = forward(*arrays)
        if type(value) is tuple:
            result: Any = tuple([from_array(np.asarray(one)) for one in value])
        else:
            result = from_array(value if type(value) is np.ndarray else np.asarray(value))
        if view:
            if type(value) is tuple:
                for number, one in enumerate(result):
                    one._view_of(args[0], call, args[1:], number)
            else:
                result._view_of(args[0], call, args[1:])
        if inputs and state.enabled:
            edges = tuple(
                [args[i]._fresh_edge() if isinstance(args[i], Tensor) else None for i in inputs]
            )
            mask = tuple([edge is not None for edge in edges])
            if True in mask:
                record(rule, mask, edges, args, result)
        return result

    return call


def write_to(out: Tensor, result: Tensor, call: Callable) -> Tensor:
    """Put a result in the place that was given for it."""
    if state.enabled and (out.requires_grad or result.requires_grad):
        raise RuntimeError(
            f"{call.__name__}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad."
        )
    if out._array.shape != result._array.shape:
        out._array = np.empty(result._array.shape, out._array.dtype)
    np.copyto(out._array, result._array, casting="same_kind")
    out._stamp()
    return out


def op(
    name: str,
    node_name: str,
    forward: Callable[..., Any],
    /,
    *,
    kind: str = "general",
    outputs: str = "result",
    variants: str = "function method",
    **formulas: Callable[..., Any],
) -> Callable[..., Any]:
    """Declare an operation and return it: a function of Tensors, or of arrays in a formula.

    `kind` is "pointwise" (one or two operands, brought to a common dtype), "floating" (which is
    made floating point too), "scores" (floating point, and other arguments), "view" (the result
    shares memory with the input) or "general".
    """
    rule = Rule(node_name, forward, formulas, outputs)
    if kind in ("pointwise", "floating") and len(rule.names) <= 2 and not rule.defaults:
        rule.pointwise = True
        call = (unary, binary)[len(rule.names) - 1](rule, kind == "floating")
    else:
        call = general(rule, kind == "scores", kind == "view")
    call.__name__ = call.__qualname__ = name or node_name
    if name:
        public(call, name, variants)
    return call


def public(call: Callable, names: str, variants: str = "function method") -> Callable:
    """Make an operation known: as a function, a method, or a method in place."""
    for name in names.split():
        if "function" in variants:
            functions[name] = call
        if "method" in variants:
            setattr(Tensor, name, call)
        if "inplace" in variants:
            method = in_place(call)
            method.__name__ = name + "_"
            setattr(Tensor, name + "_", method)
            if "function" in variants:
                functions[name + "_"] = method
    return call


def in_place(call: Callable) -> Callable:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return self._overwrite(call(self, *args, **kwargs))

    return method
