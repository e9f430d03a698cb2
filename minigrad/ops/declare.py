"""From a forward function and its formulas to an operation that is recorded.

`op` is PyTorch's derivatives.yaml in Python: one formula for each differentiable input, giving the
gradient of that input (the vector-Jacobian product). The names of a formula's parameters say what
has to be saved: other arguments, an output such as ``result``, or ``self_sym_sizes``, the shape of
``self``. Formulas get arrays in an ordinary backward pass, and Tensors where the pass itself is
recorded (`create_graph`), so they use only what works on both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np

from minigrad import dtypes
from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import quiet_copy
from minigrad.ops.promotion import (
    OPERANDS,
    array_of,
    as_operand,
    broadcasting_error,
    common_arrays,
    has_tensor,
    with_tensors,
)
from minigrad.ops.rule import Formula, Rule, own_code, parameter_names, recorder
from minigrad.tensor import Tensor

Operation = Callable[..., Any]

_new = object.__new__


class Public(NamedTuple):
    """A name that users see, and in which forms: "function", "method", "inplace"."""

    name: str
    function: Operation
    variants: frozenset[str]


registry: list[Public] = []
rules: list[Rule] = []


def public(name: str, variants: str = "function method") -> Callable[[Operation], Operation]:
    """Declare a Python function, composed of operations, to be one that users see.

    `variants` says as what: "function" (torch.NAME), "method" (Tensor.NAME), "inplace"
    (Tensor.NAME_), divided by blanks.
    """

    def register(function: Operation) -> Operation:
        registry.append(Public(name, function, frozenset(variants.split())))
        return function

    return register


def op(
    name: str,
    node_name: str,
    forward: Callable[..., Any],
    *,
    variants: str = "function method",
    outputs: str = "result",
    view: bool = False,
    promote: str = "",
    **formulas: Formula,
) -> Operation:
    """Declare an operation and return it: a function of Tensors, and of arrays.

    Args:
        name: by which users see it, in the forms that `variants` lists; empty if they do not.
        node_name: of its node, with the number that PyTorch gives it: ``"MulBackward0"``.
        forward: computes an array, or a tuple of them, from arrays and other arguments.
        variants: as in `public`.
        outputs: names of the outputs, divided by blanks.
        view: whether the result shares memory with the first argument.
        promote: ``"common"`` brings the inputs to their common dtype first, ``"float"`` makes
            integers floating point as well; empty leaves them alone.
        formulas: the gradient of each differentiable input, by the input's name. An input called
            ``tensors`` is a list of tensors, and its formula returns a list.

    >>> import minigrad as torch
    >>> cube = op("", "CubeBackward0", lambda self: self**3,
    ...           self=lambda grad, self: grad * (self * self * 3))
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> cube(x)
    tensor([1., 8.], grad_fn=<CubeBackward0>)
    >>> cube(x).sum().backward()
    >>> x.grad
    tensor([ 3., 12.])
    """
    if hasattr(forward, "__code__"):
        parameters = parameter_names(forward)
    else:
        parameters = tuple(formulas) or ("self", "other")[: cast(np.ufunc, forward).nin]
    rule = Rule(node_name, forward, parameters, tuple(outputs.split()), formulas)
    rules.append(rule)
    if promote and parameters == ("self",):
        operation = unary(rule, promote == "float")
    elif promote and parameters == ("self", "other"):
        operation = binary(rule, promote == "float")
        operation.operator = binary(rule, promote == "float", operator=True)  # type: ignore[attr-defined]
    elif not promote and rule.inputs == (0,) and not rule.variadic and not rule.optional:
        operation = single(rule, view)
    else:
        operation = general(rule, promote, view)
    operation.rule = rule  # type: ignore[attr-defined]
    operation.__name__ = operation.__qualname__ = name or node_name
    if name:
        public(name, variants)(operation)
    return operation


def unary(rule: Rule, floating: bool) -> Operation:
    """Return a pointwise operation on one tensor."""
    forward, differentiable, record = rule.forward, bool(rule.inputs), recorder(rule)

    def apply(self: Any) -> Any:
        if not isinstance(self, Tensor):
            return forward(self)
        value = self._value
        if floating and value.dtype.kind != "f":
            value = value.astype(dtypes.get_default_dtype().numpy_dtype)
        result = _new(Tensor)
        result._value = quiet_copy().run(forward, value)
        result._counter = [0]
        if self._requires_grad and state.grad_enabled and differentiable:
            inputs = (self,)
            record(inputs, inputs, (result,))
        return result

    return own_code(apply)


def binary(rule: Rule, floating: bool, operator: bool = False) -> Operation:
    """Return a pointwise operation on two tensors, or on a tensor and a number.

    As an `operator` it leaves other operands to them, as Python's operators do.
    """
    forward, differentiable, record = rule.forward, bool(rule.inputs), recorder(rule)

    def apply(self: Any, other: Any) -> Any:
        if type(other) is not Tensor or type(self) is not Tensor:
            if isinstance(self, Tensor):
                if operator and not isinstance(other, OPERANDS):
                    return NotImplemented
                other = as_operand(other, self)
            elif isinstance(other, Tensor):
                self = as_operand(self, other)
            else:
                return forward(self, other)
        a, b = self._value, other._value
        if a.dtype is not b.dtype or (floating and a.dtype.kind != "f"):
            a, b = common_arrays((self, other), floating)
        try:
            value = quiet_copy().run(forward, a, b)
        except ValueError:
            raise broadcasting_error(a.shape, b.shape) from None
        result = _new(Tensor)
        result._value = value
        result._counter = [0]
        if (self._requires_grad or other._requires_grad) and state.grad_enabled and differentiable:
            inputs = (self, other)
            record(inputs, inputs, (result,))
        return result

    return own_code(apply)


def single(rule: Rule, view: bool) -> Operation:
    """Return an operation on one tensor and arguments that are none: reductions, shapes."""
    forward, record = rule.forward, recorder(rule)

    def apply(self: Any, *constants: Any) -> Any:
        if not isinstance(self, Tensor):
            return forward(self, *constants)
        value = quiet_copy().run(forward, self._array, *constants)
        several = type(value) is tuple
        outputs = tuple(map(new_tensor, value)) if several else (new_tensor(value),)
        if view:
            for output in outputs:
                output._become_view(self)
        if self._requires_grad and state.grad_enabled:
            record((self,), (self, *constants), outputs)
        return outputs if several else outputs[0]

    return own_code(apply)


def general(rule: Rule, promote: str, view: bool) -> Operation:
    """Return an operation on any arguments: tensors, a list of them, and others."""
    forward, inputs, record = rule.forward, rule.inputs, recorder(rule)
    variadic = rule.variadic

    def apply(*arguments: Any) -> Any:
        if not any(map(has_tensor, arguments)):
            return forward(*arguments)
        if promote:
            arguments = with_tensors(arguments, inputs)
        arrays = [array_of(one) for one in arguments]
        if promote:
            promoted = common_arrays([arguments[one] for one in inputs], promote == "float")
            for position, array in zip(inputs, promoted, strict=True):
                arrays[position] = array
        value = quiet_copy().run(forward, *arrays)
        several = type(value) is tuple
        outputs = tuple(map(new_tensor, value)) if several else (new_tensor(value),)
        if view:
            for output in outputs:
                output._become_view(arguments[0])
        if inputs and state.grad_enabled:
            tensors = arguments[0] if variadic else [arguments[position] for position in inputs]
            if any([tensor._requires_grad for tensor in tensors]):
                record(tensors, arguments, outputs)
        return outputs if several else outputs[0]

    return own_code(apply)


def new_tensor(value: Any) -> Tensor:
    """Return a new tensor of what numpy returned: an array, or a scalar for a 0-d result."""
    tensor: Tensor = _new(Tensor)
    tensor._value = value
    tensor._counter = [0]
    return tensor
