"""Gives Tensor its methods, in-place methods and operators, and collects the functions.

The one place where the registry of `minigrad.ops.declare` becomes what users see.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.tensor_hooks import TensorHooks
from minigrad.c_code import ReadOnly
from minigrad.memory import Memory
from minigrad.ops import (  # all that declare: importing them fills the registry
    activation,
    assignment,  # noqa: F401
    by_hand,  # noqa: F401
    determinants,  # noqa: F401
    distances,  # noqa: F401
    einsum,  # noqa: F401
    equations,  # noqa: F401
    extremes,  # noqa: F401
    factorizations,  # noqa: F401
    filling,  # noqa: F401
    gathering,  # noqa: F401
    indexing,  # noqa: F401
    linalg,
    loss,  # noqa: F401
    matrices,  # noqa: F401
    ordering,  # noqa: F401
    piecewise,  # noqa: F401
    pointwise,
    queries,  # noqa: F401
    reduction,  # noqa: F401
    scattering,  # noqa: F401
    shape,  # noqa: F401
    softmax,  # noqa: F401
    special,
    stacking,  # noqa: F401
    statistics,  # noqa: F401
    view_in_place,  # noqa: F401
)
from minigrad.ops.calls import as_function, as_method, called
from minigrad.ops.check import check, check_receiver
from minigrad.ops.in_place import in_place
from minigrad.ops.promotion import NUMBERS, OPERANDS, left_to
from minigrad.ops.registry import Operation, registry
from minigrad.tensor import Tensor
from minigrad.views import View


def binary_operator(function: Operation) -> Operation:
    """Return an operator method: for operands that it does not know, Python asks the other one."""
    if hasattr(function, "operator"):
        operator: Operation = function.operator
        return operator

    def method(self: Tensor, other: Any) -> Any:
        if isinstance(other, OPERANDS):
            return function(self, dtypes.python_number(other))
        return left_to(method, self, other)

    return method


def reflected(name: str, function: Operation) -> Operation:
    """Return the method of an operator whose left operand is a number, or did not know ours."""
    in_c = name in ("add", "mul", "and", "or", "xor")

    def method(self: Tensor, other: Any) -> Any:
        if not isinstance(self, Tensor):
            if in_c:
                check_receiver(f"__r{name}__", self)
            if not isinstance(other, Tensor):
                return NotImplemented
        if isinstance(other, (*NUMBERS, complex, Tensor)):
            return function(self, dtypes.python_number(other))
        return left_to(method, self, other)

    return method


OPERATORS: dict[str, Operation] = {
    "add": pointwise.add_tensors,
    "sub": pointwise.sub,
    "mul": pointwise.mul,
    "truediv": pointwise.div_tensors,
    "floordiv": pointwise.floor_divide,
    "mod": pointwise.remainder,
    "pow": pointwise.pow,
    "and": pointwise.bitwise_and,
    "or": pointwise.bitwise_or,
    "xor": pointwise.bitwise_xor,
    "lshift": special.bitwise_left_shift,
    "rshift": special.bitwise_right_shift,
}
COMPARISONS: dict[str, Operation] = {
    "eq": pointwise.eq,
    "ne": pointwise.ne,
    "lt": pointwise.lt,
    "le": pointwise.le,
    "gt": pointwise.gt,
    "ge": pointwise.ge,
}
REFLECTED: dict[str, Callable[[Tensor, Any], Any]] = {
    "add": pointwise.add,
    "mul": pointwise.mul,
    "sub": pointwise.rsub,
    "floordiv": lambda self, other: pointwise.floor_divide(other, self),
    "mod": lambda self, other: pointwise.remainder(other, self),
    "pow": lambda self, other: pointwise.pow(other, self),
    "and": pointwise.bitwise_and,
    "or": pointwise.bitwise_or,
    "xor": pointwise.bitwise_xor,
    "lshift": lambda self, other: special.bitwise_left_shift(other, self),
    "rshift": lambda self, other: special.bitwise_right_shift(other, self),
}


def matrix_product(self: Tensor, other: Any) -> Any:
    """Return ``self @ other``."""
    if isinstance(other, Tensor):
        return linalg.matmul(self, other)
    return left_to(matrix_product, self, other)


def reflected_matrix_product(self: Tensor, other: Any) -> Any:
    """Return ``other @ self``."""
    if isinstance(other, Tensor):
        return linalg.matmul(other, self)
    return left_to(reflected_matrix_product, self, other)


def reflected_division(self: Tensor, other: Any) -> Any:
    """Return ``other / self``."""
    if isinstance(other, (*NUMBERS, complex, Tensor, np.ndarray)):
        return self.reciprocal() * dtypes.python_number(other)
    return left_to(reflected_division, self, other)


SPECIAL: dict[str, Operation] = {
    "rdiv": reflected_division,
    "rtruediv": reflected_division,
    "matmul": matrix_product,
    "rmatmul": reflected_matrix_product,
}


# The in-place methods that PyTorch has as functions as well.
IN_PLACE_FUNCTIONS = (
    "abs_", "acos_", "acosh_", "addmv_", "arccos_", "arccosh_", "arcsin_", "arcsinh_", "arctan_",
    "arctanh_", "asin_", "asinh_", "atan_", "atanh_", "ceil_", "clamp_", "clamp_max_",
    "clamp_min_", "clip_", "cos_", "cosh_", "deg2rad_", "detach_", "erf_", "erfc_", "exp2_",
    "exp_", "expm1_", "fill_", "fix_", "floor_", "frac_", "gcd_", "index_put_", "lcm_", "log10_",
    "log1p_", "log2_", "log_", "logit_", "nan_to_num_", "neg_", "negative_", "rad2deg_",
    "reciprocal_", "relu_", "round_", "rsqrt_", "sigmoid_", "sin_", "sinc_", "sinh_", "sqrt_",
    "square_", "tan_", "tanh_", "trunc_", "xlogy_", "zero_",
)  # fmt: skip


# What has the dtype of its first tensor. In place it is recorded whatever that is.
INTO_FIRST = {
    "diagonal_scatter", "fill", "index_fill", "masked_fill", "select_scatter", "slice_scatter",
}  # fmt: skip


def of_floats(function: Operation) -> Operation:
    """Return a function that refuses to let a gradient through integers."""

    @functools.wraps(function)
    def apply(*given: Any, **named: Any) -> Any:
        result = function(*given, **named)
        fits = not result._requires_grad or result.is_floating_point()
        check(fits, "Autograd not support dtype: {}", result.dtype.scalar_name)
        return result

    return apply


# All that Tensor has once the library is there, whatever users put in its place later.
bound: dict[str, Any] = {}


def bind() -> dict[str, Operation]:
    """Give Tensor all that was declared, and return the functions by name."""
    functions: dict[str, Operation] = {}
    for owner in (Memory, TensorHooks, View, Tensor):
        for name, member in list(vars(owner).items()):
            if inspect.isfunction(member) and not name.startswith("_"):
                setattr(owner, name, as_method(name, member))
    for name, declared, variants in registry:
        new = of_floats(declared) if name in INTO_FIRST else declared
        if "function" in variants:
            functions[name] = as_function(name, new)
        if "method" in variants:
            setattr(Tensor, name, as_method(name, new))
        if "inplace" in variants:
            setattr(Tensor, f"{name}_", as_method(f"{name}_", in_place(f"{name}_", declared)))
        if "property" in variants:
            setattr(Tensor, name, ReadOnly(as_method(name, declared), name))
    for name, function in (OPERATORS | COMPARISONS).items():
        setattr(Tensor, f"__{name}__", binary_operator(function))
    for name, function in REFLECTED.items():
        setattr(Tensor, f"__r{name}__", reflected(name, function))
    for name, function in (OPERATORS | {"floordiv": pointwise.floor_divide_in_place}).items():
        operator = binary_operator(in_place(f"__i{name}__", function))
        setattr(Tensor, f"__i{name}__", operator)
    for name, function in SPECIAL.items():
        setattr(Tensor, f"__{name}__", function)
    threshold_in_place = in_place("threshold_", activation.threshold_in_place)
    functions["threshold_"] = called("threshold_", threshold_in_place, 0, False)
    for name in IN_PLACE_FUNCTIONS:
        functions[name] = called(name, getattr(Tensor, name).__wrapped__, 0, False)
    for name, function in functions.items():
        make_public(function, name)
    for owner in (Memory, TensorHooks, View, Tensor):
        for name, member in vars(owner).items():
            if inspect.isfunction(member) and (name[0] != "_" or name[:2] == "__"):
                make_public(member, f"Tensor.{name}")
    for kind in reversed(Tensor.__mro__):
        bound.update(vars(kind))
    return functions


# As what PyTorch knows operators that it has in the place of methods.
NAMED = {
    "__abs__": "abs", "__ipow__": "pow_", "__itruediv__": "__idiv__", "__neg__": "neg",
    "__pos__": "positive", "__pow__": "pow", "__rtruediv__": "__rdiv__",
}  # fmt: skip


def make_public(function: Operation, name: str, module: str = "minigrad", called: str = "") -> None:
    """Let a function say where users find it, which is how pickle does, and what it is called."""
    last = name.rpartition(".")[2]
    function.__module__, function.__qualname__ = module, name
    function.__name__ = called or NAMED.get(last, last)


def missing(owner: str, name: str, names: Iterable[str]) -> AttributeError:
    """Return the error for a name that minigrad does not have: it says which are near."""
    import difflib  # needed once something is missing

    telling = len(name) > 3 and not name.startswith("_")
    known = [one for one in names if not one.startswith("_")]
    near = difflib.get_close_matches(name, known, n=3) if telling else []
    hint = f". Near it: {', '.join(near)}." if near else ""
    return AttributeError(f"{owner} has no attribute '{name}'{hint}")
