"""What operations do with their arguments: numbers become tensors, dtypes become one."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.bridge import tensors as engine_tensors
from minigrad.autograd.node import Array, quiet_copy
from minigrad.c_code import has_answer
from minigrad.ops.half import HALF, SINGLE, once
from minigrad.ops.rule import Rule
from minigrad.tensor import Tensor, from_array

# Functions that PyTorch lets take numbers alone.
OF_NUMBERS = {"add", "sub", "mul", "true_divide", "floor_divide"}
# What may stand beside a tensor: numpy arrays are taken for tensors of the same memory.
NUMBERS = (int, float, np.number, np.bool_)
OPERANDS = (Tensor, *NUMBERS, complex)
# What operations work on without recording: what formulas get in an ordinary backward pass.
ARRAYS = (np.ndarray, np.generic)

# In place of a tensor that was not given.
MISSING: Any = type("Missing", (), {"__repr__": lambda self: "MISSING"})()


# What is made of anything, also of such as answer calls.
MADE_OF_ANYTHING = {"tensor", "as_tensor", "asarray", "Tensor.new_tensor"}


def is_foreign(one: Any) -> bool:
    """Return whether something is no tensor and is to answer calls."""
    if one.__class__ is Tensor or isinstance(one, Tensor):
        return False
    if not has_answer(one):
        return False
    return bool(importlib.import_module("minigrad.overrides").types_answer())


def foreign(*given: Any) -> bool:
    """Return whether one is so, or what is in a list among them."""
    for one in given:
        if isinstance(one, (tuple, list)):
            if any(map(is_foreign, one)):
                return True
        elif is_foreign(one):
            return True
    return False


def answer(function: Any, places: tuple[Any, ...], named: dict[str, Any] | None = None) -> Any:
    """Return what the types of the arguments answer to a call of a public function."""
    overrides = importlib.import_module("minigrad.overrides")
    return overrides.answer_of_types(function, places, named or {})


engine_tensors.foreign, engine_tensors.answer = foreign, answer


def left_to(operator: Any, tensor: Any, other: Any) -> Any:
    """Return what the type of an operator's other operand answers, or leave it to that operand.

    For ``==``, and for it alone, an array is a tensor.
    """
    if is_foreign(other):
        return answer(operator, (tensor, other))
    if not isinstance(other, np.ndarray) or operator.__name__ != "__eq__":
        return NotImplemented
    try:
        dtypes.of_numpy(other.dtype)
    except (TypeError, NotImplementedError):
        return NotImplemented
    return operator(tensor, from_array(other))


def has_tensor(argument: Any) -> bool:
    """Return whether an argument is a tensor or a list of tensors."""
    if isinstance(argument, (list, tuple)):
        return any(isinstance(one, Tensor) for one in argument)
    return isinstance(argument, Tensor)


def array_of(argument: Any) -> Any:
    """Return what a forward function gets for an argument: arrays in place of tensors."""
    if isinstance(argument, Tensor):
        return argument._array
    if isinstance(argument, (list, tuple)):
        return type(argument)([array_of(one) for one in argument])
    return argument


def as_operand(value: Any, like: Tensor, function: str = "") -> Tensor:
    """Return a number as a tensor that stands for it beside the tensor `like`.

    Raises:
        TypeError, NotImplementedError: if it is no number, or complex.
    """
    if type(value) is float or type(value) is int:
        like_value = like._value
        # 0.0 and -0.0 are equal, so they cannot be told apart in the cache.
        if value and like_value.dtype.kind == "f" and -(2**63) <= value < 2**63:
            return number_operand(value, like_value.dtype, like_value.ndim == 0)
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        like.numpy()  # Python then asks the array, which asks for this.
        return from_array(value)
    value = dtypes.python_number(value)
    if not isinstance(value, NUMBERS):
        raise not_a_tensor(function, "other", 2, value)
    check_integer(value)
    dtype = like._value.dtype
    if dtype.kind != "f":
        dtype = dtypes.common(like._value, value).numpy_dtype
    return number_operand.__wrapped__(value, dtype, like._value.ndim == 0)


def check_integer(value: Any) -> None:
    """Refuse integers that neither int64 nor uint64 can hold, in Python's words."""
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        negative = "can't convert negative int to unsigned"
        raise OverflowError("int too big to convert" if value > 0 else negative)


@functools.lru_cache(maxsize=256, typed=True)
def number_operand(value: Any, dtype: np.dtype[Any], scalar: bool) -> Tensor:
    """Return a 0-d tensor that stands for a number; remembered, as programs repeat them.

    Beside float16 it is float32.

    numpy is fastest with a scalar beside scalars, and with a 0-d array beside arrays.
    """
    dtype = SINGLE if dtype is HALF else dtype
    # By way of an array of its own dtype, as integers that do not fit wrap around.
    array = quiet_copy().run(np.array, value, dtype if dtype.kind == "f" else None).astype(dtype)
    tensor = from_array(array[()] if scalar else array)
    tensor._number = value
    tensor._counter = [0]  # also if it is first needed in inference mode
    return tensor


def not_a_tensor(function: str, name: str, position: int, value: Any) -> TypeError:
    """Return PyTorch's error for an argument that should have been a tensor, or given at all."""
    if value is MISSING:
        return TypeError(f'{function}() missing 1 required positional arguments: "{name}"')
    return TypeError(
        f"{function}(): argument '{name}' (position {position}) must be Tensor, "
        f"not {type(value).__name__}"
    )


def check_tensor(function: str, value: Any) -> None:
    """Refuse what should be a function's first tensor, and is none."""
    if not isinstance(value, Tensor):
        raise not_a_tensor(function, "input", 1, value)


def not_two_tensors(function: str, first: Any, second: Any) -> TypeError:
    """Return PyTorch's error for two arguments that are not both tensors."""
    if first is MISSING and second is MISSING:
        return TypeError(f'{function}() missing 2 required positional argument: "input", "other"')
    if isinstance(first, Tensor):
        return not_a_tensor(function, "other", 2, second)
    return not_a_tensor(function, "input", 1, first)


def two_numbers(function: str, input: Any, other: Any) -> tuple[Tensor, Tensor]:
    """Return two numbers as 0-d tensors, for the functions that PyTorch lets take them.

    Raises:
        TypeError: for other functions, and what are no numbers.
        OverflowError: for integers that int64 cannot hold.
    """
    given = dtypes.python_number(input), dtypes.python_number(other)
    if function not in OF_NUMBERS or not all(isinstance(one, NUMBERS) for one in given):
        raise not_two_tensors(function, input, other)
    for one in given:
        check_integer(one)
    first, second = [from_array(np.array(one, dtypes.common(one).numpy_dtype)[()]) for one in given]
    return first, second


def with_tensors(arguments: Sequence[Any], inputs: Sequence[int]) -> tuple[Any, ...]:
    """Return the arguments with a tensor in place of each number among the inputs."""
    if all(isinstance(arguments[position], Tensor) for position in inputs):
        return tuple(arguments)
    like = next(one for one in arguments if isinstance(one, Tensor))
    return tuple(
        as_operand(one, like) if position in inputs else one
        for position, one in enumerate(arguments)
    )


def common_arrays(operands: Sequence[Tensor], floating: bool) -> list[Array]:
    """Return the arrays of the operands in their common dtype."""
    first = operands[0]._value.dtype
    if first.kind == "f" and all(one._value.dtype is first for one in operands):
        return [one._array for one in operands]
    dtype = dtypes.common(*[one._array if one._number is None else one._number for one in operands])
    if floating and not dtype.is_floating_point:
        dtype = dtypes.get_default_dtype()
    return [quiet_copy().run(converted, one, dtype.numpy_dtype) for one in operands]


# What computes with a single number beside float16 as it is; others round that first.
WITH_EXACT_NUMBERS = {"MulBackward0", "DivBackward0", "DivBackward2"}


def mixed(rule: Rule, floating: bool, *operands: Tensor) -> Any:
    """Return what an operation computes of two operands of different dtypes."""
    first, second = common_arrays(operands, floating)
    if first.dtype is HALF and not second.ndim and rule.name in WITH_EXACT_NUMBERS:
        exact = quiet_copy().run(converted, operands[1], SINGLE)
        return quiet_copy().run(once, rule.forward, first, exact)
    return quiet_copy().run(rule.forward, first, second)


def converted(operand: Tensor, dtype: np.dtype[Any]) -> Array:
    """Return the elements of an operand in a dtype; a number goes there by itself."""
    if operand._number is None:
        return operand._array.astype(dtype, copy=False)
    return np.array(operand._number).astype(dtype)


def broadcasting_error(a: tuple[int, ...], b: tuple[int, ...]) -> RuntimeError:
    """Return PyTorch's error for two shapes that cannot be broadcast to one."""
    ndim = max(len(a), len(b))
    for back in range(1, min(len(a), len(b)) + 1):
        if a[-back] != b[-back] and 1 not in (a[-back], b[-back]):
            return RuntimeError(
                f"The size of tensor a ({a[-back]}) must match the size of "
                f"tensor b ({b[-back]}) at "
                f"non-singleton dimension {ndim - back}"
            )
    raise ValueError(f"shapes {a} and {b} can be broadcast")


def check_broadcast(shapes: Sequence[tuple[int, ...]]) -> None:
    """Refuse shapes that cannot be broadcast to one."""
    first, *others = dict.fromkeys(shapes)
    for other in others:
        try:
            first = np.broadcast_shapes(first, other)
        except ValueError:
            raise broadcasting_error(first, other) from None


def prepared(
    rule: Rule, promote: str, arguments: tuple[Any, ...]
) -> tuple[tuple[Any, ...], Sequence[Any]]:
    """Return the arguments with tensors for numbers, and the arrays to compute with.

    Both are the arguments themselves if these hold arrays, and no tensors.

    Raises:
        TypeError: if they hold neither.
    """
    if not (isinstance(arguments[0], Tensor) or any(map(has_tensor, arguments))):
        if not rule.sequences and not any(isinstance(one, ARRAYS) for one in arguments):
            raise not_a_tensor(rule.function, "input", 1, arguments[0])
        return arguments, arguments
    if promote:
        arguments = with_tensors(arguments, rule.inputs)
    arrays = [one._array if isinstance(one, Tensor) else one for one in arguments]
    for place in rule.sequences:
        arrays[place] = array_of(arguments[place])
    if promote:
        common = common_arrays([arguments[one] for one in rule.inputs], promote == "float")
        check_broadcast([array.shape for array in common])
        for place, array in zip(rule.inputs, common, strict=True):
            arrays[place] = array
    return arguments, arrays
