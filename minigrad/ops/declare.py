"""From a forward function and its formulas to an operation that is recorded.

`op` is PyTorch's derivatives.yaml in Python: one formula for each differentiable input, giving the
gradient of that input (the vector-Jacobian product). The names of a formula's parameters say what
has to be saved: other arguments, an output such as ``result``, or ``self_sym_sizes`` and
``self_sym_strides``, the shape and strides of ``self``. Formulas get arrays in an ordinary backward
pass, and Tensors where the pass itself is recorded (`create_graph`), so they use only what works on
both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from minigrad import dtypes
from minigrad.autograd.grad_mode import inferring, new_counter, state
from minigrad.autograd.node import quiet_copy
from minigrad.memory import elementwise, laid_out_for
from minigrad.ops.promotion import (
    ARRAYS,
    MISSING,
    OPERANDS,
    as_operand,
    broadcasting_error,
    left_to,
    mixed,
    not_a_tensor,
    not_two_tensors,
    prepared,
    two_numbers,
)
from minigrad.ops.registry import Operation, public
from minigrad.ops.rule import (
    Formula,
    Records,
    Rule,
    new,
    own_code,
    parameter_names,
    result_of,
    view_of,
)
from minigrad.tensor import Tensor
from minigrad.views import follow_base

rules: list[Rule] = []


def op(
    name: str,
    node_name: str,
    forward: Callable[..., Any],
    *,
    variants: str = "function method",
    outputs: str = "result",
    view: bool = False,
    promote: str = "",
    numbers: bool = True,
    about: str = "",
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
        numbers: whether one of two promoted inputs may be a number.
        about: what it returns, in one line: the documentation that users see.
        formulas: the gradient of each differentiable input, by the input's name. An input called
            ``tensors`` is a list of tensors, and its formula returns a list. One formula may serve
            all inputs: it takes ``grad_input_mask``, which of them need a gradient, and returns a
            tuple.

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
    function = name or node_name.rpartition("Backward")[0].lower()
    rule = Rule(function, node_name, forward, parameters, tuple(outputs.split()), formulas)
    rules.append(rule)
    if rule.takes_one_tensor:
        operation = single(rule, promote == "float", view)
    elif promote and parameters == ("self", "other"):
        operation = binary(rule, promote == "float", numbers)
        operation.operator = binary(rule, promote == "float", numbers, operator=True)  # type: ignore[attr-defined]
    elif promote or rule.sequences:
        operation = general(rule, promote)
    else:
        operation = several(rule, view)
    rule.belongs_to(operation, bool(promote))
    operation.__doc__ = about
    if name:
        public(name, variants)(operation)
    return operation


def binary(rule: Rule, floating: bool, numbers: bool, operator: bool = False) -> Operation:
    """Return a pointwise operation on two tensors, or with `numbers` on a tensor and a number.

    As an `operator` it leaves other operands to them, as Python's operators do.
    """
    forward, differentiable = rule.forward, bool(rule.inputs)
    records: Records = {}

    def apply(input: Any = MISSING, other: Any = MISSING) -> Any:
        if type(other) is not Tensor or type(input) is not Tensor:
            if not numbers and isinstance(input, Tensor) is not isinstance(other, Tensor):
                raise not_two_tensors(rule.function, input, other)
            if isinstance(input, Tensor):
                if operator and not isinstance(other, OPERANDS):
                    return left_to(operation, input, other)
                other = as_operand(other, input, rule.function)
            elif isinstance(other, Tensor):
                input = as_operand(input, other, rule.function)
            elif isinstance(input, ARRAYS) or isinstance(other, ARRAYS):
                return forward(input, other)
            else:
                input, other = two_numbers(rule.function, input, other)
        a, b = input._value, other._value
        same = a.dtype is b.dtype and (not floating or a.dtype.kind == "f")
        try:
            value = quiet_copy().run(forward, a, b) if same else mixed(rule, floating, input, other)
        except ValueError:
            raise broadcasting_error(a.shape, b.shape) from None
        if value.ndim > 1 and not (a.flags.c_contiguous and b.flags.c_contiguous):
            value = laid_out_for(value, a, b)
        result = new(Tensor)
        result._value = value
        result._counter = new_counter() if inferring else [0]
        if (input._requires_grad or other._requires_grad) and state.grad_enabled and differentiable:
            needed = input._requires_grad, other._requires_grad
            record = records.get(needed) or rule.recorder(records, needed, (input, other), result)
            record(input, other, result)
        return result

    return (operation := own_code(apply, rule.function))


def single(rule: Rule, floating: bool, view: bool) -> Operation:
    """Return an operation on one tensor, with other arguments that are none: functions, sums."""
    forward, differentiable = rule.forward, bool(rule.inputs)
    alone = len(rule.parameters) == 1
    records: Records = {}

    def apply(input: Any = MISSING, *constants: Any) -> Any:
        if constants and alone:  # numpy would write into the next argument
            count = 1 + len(constants)
            raise TypeError(f"{rule.function}() takes 1 positional argument but {count} were given")
        if not isinstance(input, Tensor):
            if not isinstance(input, ARRAYS):
                raise not_a_tensor(rule.function, "input", 1, input)
            return forward(input, *constants)
        if view:
            result = view_of(input, forward(input._array, *constants))
        else:
            value = input._value
            if floating and value.dtype.kind != "f":
                value = value.astype(dtypes.get_default_dtype().numpy_dtype)
            result = result_of(quiet_copy().run(forward, value, *constants))
        if input._requires_grad and state.grad_enabled and differentiable:
            need = (input._requires_grad,)
            record = records.get(need) or rule.recorder(records, need, (input, *constants), result)
            record(input, *constants, result)
        elif view:
            follow_base(result)
        return result

    return own_code(apply, rule.function)


def several(rule: Rule, view: bool) -> Operation:
    """Return an operation on several tensors as they are, compiled for the types it meets."""
    compiled: dict[Any, Operation] = {}
    known = rule.tensors_known

    def apply(*arguments: Any) -> Any:
        types = isinstance(arguments[0], Tensor) if known else tuple(map(type, arguments))
        operation = compiled.get(types)
        if operation is None:
            tensors = [isinstance(one, Tensor) for one in arguments]
            if not any(tensors) and not any(isinstance(one, ARRAYS) for one in arguments):
                raise not_a_tensor(rule.function, "input", 1, arguments[0])
            operation = rule.compiled(tensors, view) if any(tensors) else rule.forward
            compiled[types] = operation
        return operation(*arguments)

    return own_code(apply, rule.function)


def general(rule: Rule, promote: str) -> Operation:
    """Return an operation on any arguments: tensors and numbers beside them, or sequences."""
    forward, inputs = elementwise(rule.forward) if promote else rule.forward, rule.inputs
    records: dict[tuple[type, ...], Records] = {}  # for arguments of these types

    def apply(*arguments: Any) -> Any:
        arguments, arrays = prepared(rule, promote, arguments)
        if arguments is arrays:
            return forward(*arrays)
        result = result_of(quiet_copy().run(forward, *arrays))
        if inputs and state.grad_enabled:
            needed = rule.needs(arguments)
            if any(needed):
                known = records.setdefault(tuple(map(type, arguments)), {})
                record = known.get(needed) or rule.recorder(known, needed, arguments, result)
                record(*arguments, result)
        return result

    return own_code(apply, rule.function)
