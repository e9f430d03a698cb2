"""What is public, and what PyTorch calls it: what modes and types can be asked about."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from minigrad import functions
from minigrad.ops.bind import bound
from minigrad.tensor import Tensor

# Where public functions are; PyTorch has no names for those that are not told.
NAMESPACES = {
    "minigrad": "torch",
    "minigrad.nn.functional": "torch.nn.functional",
    "minigrad.nn.kernels": "torch",
    "minigrad.linalg": "torch.linalg",
    "minigrad.nn.init": "torch.nn.init",
    "minigrad.autograd.grad_mode": "torch._C",
    "minigrad.autograd": "",
}
# Which functions of a module are seen, where these are not all.
SEEN = {
    "minigrad.autograd": ("backward", "grad"),
    "minigrad.autograd.grad_mode": ("_set_grad_enabled",),
    "minigrad.nn.init": ("constant_", "kaiming_uniform_", "normal_", "uniform_"),
}
# Functions that work on no tensor.
UNSEEN = {
    "are_deterministic_algorithms_enabled", "from_numpy", "get_default_device",
    "get_default_dtype", "get_float32_matmul_precision", "get_num_threads", "get_rng_state",
    "initial_seed", "is_anomaly_check_nan_enabled", "is_anomaly_enabled",
    "is_deterministic_algorithms_warn_only_enabled", "is_grad_enabled",
    "is_inference_mode_enabled", "is_storage", "is_tensor", "is_warn_always_enabled",
    "manual_seed", "seed", "set_anomaly_enabled", "set_default_device", "set_default_tensor_type",
    "set_float32_matmul_precision", "set_num_threads", "set_printoptions", "set_rng_state",
    "set_warn_always", "typename", "use_deterministic_algorithms",
}  # fmt: skip
# What is seen, but PyTorch does not list: functions that work on no tensor need not, and some more.
IGNORED = {
    "arange", "as_strided", "as_tensor", "asarray", "can_cast", "empty", "empty_strided", "eye",
    "fill", "frombuffer", "full", "hardsigmoid", "hardswish", "linspace", "logspace", "normal",
    "ones", "promote_types", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like",
    "randperm", "range", "result_type", "scalar_tensor", "tensor", "tril_indices", "triu_indices",
    "unique", "vander", "zeros",
    *("Tensor.new", "Tensor.new_empty", "Tensor.new_empty_strided", "Tensor.new_full"),
    *("Tensor.new_ones", "Tensor.new_tensor", "Tensor.new_zeros", "Tensor.stride"),
    "Tensor.unflatten",
}  # fmt: skip
LISTED = ("torch", "torch.functional", "torch.nn.functional", "torch.linalg", "torch.Tensor")
# Functions that only call a method, which is seen.
PASSED_ON = {"torch.nn.functional.sigmoid", "torch.nn.functional.tanh"}
# As which method PyTorch shows an operator.
SHOWN_AS = {
    "__add__": "add", "__radd__": "add", "__iadd__": "add_",
    "__sub__": "sub", "__isub__": "sub_",
    "__mul__": "mul", "__rmul__": "mul", "__imul__": "mul_",
    "__truediv__": "div", "__itruediv__": "div_", "__ifloordiv__": "floor_divide_",
    "__mod__": "remainder", "__imod__": "remainder_", "__matmul__": "matmul",
    "__rand__": "bitwise_and", "__ror__": "bitwise_or", "__rxor__": "bitwise_xor",
    "__ne__": "ne", "__lt__": "lt", "__le__": "le", "__gt__": "gt", "__ge__": "ge",
    "__neg__": "neg", "__pos__": "positive", "__abs__": "abs", "nelement": "numel",
}  # fmt: skip
# Operators of two operands: if nobody answers, Python says that it does not know them together.
BINARY = {
    *(SHOWN_AS.keys() - {"__neg__", "__pos__", "__abs__", "nelement"}),
    "__pow__", "__rpow__", "__ipow__", "__rsub__", "__rtruediv__", "__floordiv__", "__rfloordiv__",
    "__rmod__", "__and__", "__or__", "__xor__", "__rlshift__", "__rrshift__", "__rmatmul__",
    "__eq__", "__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__", "__lshift__",
    "__rshift__",
}  # fmt: skip
# What else of Tensor is public though its name begins with an underscore.
PUBLIC = {
    *SHOWN_AS, *BINARY,
    "__invert__", "__getitem__", "__setitem__", "__len__", "__reversed__", "__contains__",
    "__bool__", "__float__", "__int__", "__index__", "__repr__", "__format__", "__array__",
    "__array_wrap__", "__deepcopy__", "_version", "_is_view",
}  # fmt: skip
# What PyTorch has in Python: it hands on by name what may be left out, and counts plain tensors
# among the types. Of nn.functional that is all but what is in C++.
IN_FUNCTIONAL = {
    "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors", "cartesian_prod",
    "cdist", "chain_matmul", "einsum", "meshgrid", "norm", "split", "tensordot", "unique",
    "unique_consecutive", "unravel_index",
}  # fmt: skip
IN_TENSOR = {
    "__array__", "__array_wrap__", "__contains__", "__deepcopy__", "__floordiv__", "__format__",
    "__ipow__", "__len__", "__pow__", "__repr__", "__reversed__", "__rfloordiv__",
    "__rlshift__", "__rmatmul__", "__rmod__", "__rpow__", "__rrshift__", "__rsub__",
    "__rtruediv__", "backward", "norm", "register_hook", "register_post_accumulate_grad_hook",
    "split", "storage", "unflatten", "unique", "unique_consecutive",
}  # fmt: skip
IN_CPP = {
    "celu_", "cosine_similarity", "elu_", "gelu", "hardshrink", "hardtanh_", "leaky_relu_",
    "linear", "logsigmoid", "one_hot", "pairwise_distance", "prelu", "relu_", "rrelu_",
    "scaled_dot_product_attention", "selu_", "sigmoid", "softplus", "softshrink", "tanh",
    "threshold_",
}  # fmt: skip
# Which of these are in the namespace of torch, and which have another name there.
WITHOUT_NN = {
    "celu_", "cosine_similarity", "hardshrink", "pairwise_distance", "prelu", "relu_", "rrelu_",
    "selu_", "threshold_",
}  # fmt: skip
CPP_NAMES = {"logsigmoid": "log_sigmoid"}
# What Python hands on by name, where that is not just what the function here takes.
HANDED_ON = {
    "torch.functional.tensordot": ("dims", "out"),
    "torch.functional.unravel_index": ("shape",),
    "torch.functional.norm": ("p", "dim", "keepdim", "out", "dtype"),
    "torch.nn.functional.l1_loss": ("size_average", "reduce", "reduction"),
    "torch.nn.functional.normalize": ("p", "dim", "eps", "out"),
}


def in_python(path: str) -> bool:
    """Return whether PyTorch has in Python what it has at a path."""
    owner, _, name = path.rpartition(".")
    return (
        owner in ("", "torch.functional", "torch.nn.init")
        or (owner == "torch.nn.functional" and name not in IN_CPP)
        or (owner == "torch.Tensor" and name in IN_TENSOR)
    )


def path_in_cpp(path: str) -> str:
    """Return what the C++ of PyTorch calls what it has at a path."""
    owner, _, name = path.rpartition(".")
    if owner != "torch.nn.functional":
        return path
    return f"torch.{name}" if name in WITHOUT_NN else f"torch.nn.{CPP_NAMES.get(name, name)}"


@functools.cache
def public_functions() -> list[tuple[types.ModuleType, Callable[..., Any], str]]:
    """Return all public functions: module, function, and PyTorch's path, or nothing."""
    found: dict[Callable[..., Any], tuple[types.ModuleType, Callable[..., Any], str]] = {}
    for module_name, owner in NAMESPACES.items():
        module = importlib.import_module(module_name)
        place = sys.modules["minigrad"] if owner == "torch" else module
        functional = IN_FUNCTIONAL if owner == "torch" else ()
        for name in SEEN.get(module_name) or (*module.__all__, *functional):
            # What the user has put into a module is not the library's.
            function = vars(functions).get(name) if owner == "torch" else None
            function = function or getattr(module, name)
            own = inspect.isfunction(function) and function.__module__.startswith("minigrad")
            if own and name not in UNSEEN:
                where = "torch.functional" if name in functional else owner
                found.setdefault(function, (place, function, f"{where}.{name}" if owner else ""))
    return list(found.values())


def named_functions() -> list[tuple[types.ModuleType, Callable[..., Any], str]]:
    """Return the same, but for what PyTorch itself does not tell of."""
    return [one for one in public_functions() if not one[2].startswith("torch._C.")]


@functools.cache
def public_attributes() -> dict[str, Any]:
    """Return the methods of Tensor, and its properties, that are seen."""
    return {
        name: one
        for name, one in bound.items()
        if (name in PUBLIC or (not name.startswith("_") and name != "as_subclass"))
        and (isinstance(one, property) or inspect.isfunction(one))
    }


@functools.cache
def paths() -> dict[Any, str]:
    """Return what PyTorch calls functions and methods; properties are known by their accessors."""
    found: dict[Any, str] = {function: path for _, function, path in named_functions() if path}
    for name, one in public_attributes().items():
        path = f"torch.Tensor.{name}"
        if isinstance(one, property):
            for accessor in ("__get__", "__set__", "__delete__"):
                found[getattr(one, accessor)] = f"{path}.{accessor}"
        else:
            found[one] = path
    return found


def resolve_name(f: Any) -> str | None:
    """Return the name of what a mode was called with, such as ``"torch.Tensor.add"``."""
    try:
        return paths().get(f)
    except TypeError:  # what has no hash is no function
        return None


def listed(path: str) -> bool:
    """Return whether PyTorch lists what it has at a path, and that is seen."""
    owner, _, name = path.rpartition(".")
    on_tensors = owner == "torch.Tensor"
    ignored = (f"Tensor.{name}" if on_tensors else name) in IGNORED and owner != "torch.linalg"
    in_place = name.endswith("_") and not on_tensors
    return owner in LISTED and not ignored and not in_place and path not in PASSED_ON


def overridable() -> Iterator[tuple[Any, Callable[..., Any], str]]:
    """Yield all that modes and types see, after where it is, and before its path.

    That is a module, Tensor, or of the getter of a property that property itself.
    """
    yield from named_functions()
    for name, one in public_attributes().items():
        getter = isinstance(one, property)
        yield one if getter else Tensor, one.__get__ if getter else one, f"torch.Tensor.{name}"


def unseen() -> set[Callable[..., Any]]:
    """Return the public functions that nobody sees."""
    public = importlib.import_module("minigrad")
    return {getattr(public, name) for name in UNSEEN if hasattr(public, name)}
