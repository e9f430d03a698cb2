"""Results that are written to tensors given for them: the argument `out` of functions."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from minigrad import dtypes
from minigrad.autograd.grad_mode import no_grad, state
from minigrad.c_code import type_name
from minigrad.ops.check import OTHER_SHAPE, RESIZED, check, check_cast
from minigrad.ops.promotion import not_a_tensor
from minigrad.ops.registry import Operation
from minigrad.ops.rule import only_inference
from minigrad.outside import warn
from minigrad.return_types import result_type
from minigrad.tensor import Tensor

# Functions that make tensors of a size.
CREATION = {
    "arange", "empty", "eye", "full", "linspace", "logspace", "normal", "ones", "rand", "randint",
    "randn", "randperm", "range", "zeros",
}  # fmt: skip
RESIZED_IN_SILENCE = CREATION | {"bernoulli", "multinomial"}
IN_A_ROW = {"arange", "linspace", "logspace", "range"}
OTHER_LENGTH = (
    "The number of elements in the out tensor of shape {0} is {1} which does not match the "
    "computed number of elements {2}. Note that this may occur as a result of rounding error. The "
    "out tensor will be resized to a tensor of shape ({2},)."
)
# What has no gradient, and so writes to its `out` whatever requires one.
NOT_RECORDED = {
    "all", "any", "argmax", "argmin", "bucketize", "eq", "ge", "greater", "greater_equal", "gt",
    "histc", "isin", "isneginf", "isposinf", "le", "less", "less_equal", "linalg_matrix_rank",
    "logical_and", "logical_not", "logical_or", "logical_xor", "lt", "multinomial", "ne",
    "nonzero", "not_equal", "searchsorted", "signbit",
}  # fmt: skip
# What PyTorch has no formula for.
WITHOUT_FORMULA = {
    "bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift",
    "bitwise_xor", "floor_divide", "gcd", "heaviside", "lcm",
}  # fmt: skip
# What gives places, as is known before any is drawn.
OF_LONG = {"multinomial"}
# What is computed in the dtype of `out`, unless another is asked for.
IN_DTYPE_OF_OUT = CREATION | {"cumprod", "cumsum", "nanmean", "nansum", "prod", "sum"}
# What functions say of an `out` of another dtype that write to their own alone: other functions
# convert. They name the dtypes of the result {0} and of `out` {1}, the function {2}, whether the
# result is int32 {3}, and C++'s type of `out` {4}. One of several results follows a dot.
OWN_DTYPE = {
    "Expected out tensor to have dtype {0.cpp_name}, but got {1.cpp_name} instead": (
        "addmm addmv aminmax argmax argmin baddbmm bmm cumprod cumsum diag gather index_add "
        "index_copy inverse matmul linalg_cholesky linalg_cross linalg_det linalg_eigh "
        "linalg_eigvalsh linalg_inv linalg_qr linalg_slogdet linalg_solve linalg_svd "
        "linalg_svdvals linalg_vector_norm log_softmax max min mm msort nanmean nansum norm prod "
        "renorm scatter scatter_add scatter_reduce slice_scatter slogdet softmax sort sum "
        "take_along_dim topk tril triu isin"
    ),
    "Found dtype {1.scalar_name} but expected {0.scalar_name}": (
        "abs absolute ceil clamp clamp_max clamp_min clip conj_physical fix floor frac neg "
        "negative round sgn sign trunc"
    ),
    "Expected the dtype for input and out to match, but got {0.scalar_name} for input's dtype and "
    "{1.scalar_name} for out's dtype.": "amax amin",
    "expected scalar_type {0.scalar_name} but found {1.scalar_name}": "cummax cummin",
    "{2} only supports bool tensor for result, got: {1.scalar_name}": "all any",
    "{2}(): self and result must have the same scalar type": "index_select masked_select",
    "{2}(): self and out expected to have the same dtype, but got self.dtype = {0.scalar_name} and "
    "out.dtype = {1.scalar_name}": "take",
    "{2} expects Long tensor out, got: {1.scalar_name}": "multinomial",
    "{2}: Expected out tensor to have scalar type Long but got scalar type{1.scalar_name}": (
        "nonzero"
    ),
    "{2} does not support non-boolean outputs.": "isneginf isposinf signbit",
    "result dtype {1.scalar_name} does not match input dtype {0.scalar_name}": "dot vdot",
    "multi_dot(): expected out tensor to have dtype {0.cpp_name} but got {1.cpp_name}": (
        "linalg_multi_dot"
    ),
    "linalg.vecdot: Expected out of dtype{0.scalar_name} but found {1.scalar_name}": (
        "linalg_vecdot"
    ),
    "{2}: Expected the output tensor to have dtype {0.scalar_name}, but got an output tensor with "
    "dtype {1.scalar_name}": "tensordot",
    "expected scalar type {0.scalar_name} but found {1.scalar_name}": "linalg_solve_triangular",
    "linalg.norm expected out tensor dtype {0.scalar_name} but got: {1.scalar_name}": "linalg_norm",
    "linalg.matrix_norm expected out tensor dtype {0.scalar_name} but got: {1.scalar_name}": (
        "linalg_matrix_norm"
    ),
    "quantile() out tensor must be same dtype as the input tensor": "quantile",
    "Expected out type to be {0.scalar_name} but got {1.scalar_name}": "where",
    "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or "
    "Long(int64) depending on whether out_int32 flag is True, but we got output tensor's dtype "
    "{1.scalar_name} and out_int32 flag is {3}": "searchsorted bucketize",
    "torch.histogram: input tensor and hist tensor should have the same dtype, but got input "
    "{0.cpp_name} and hist {1.cpp_name}": "histc histogram.hist",
    "torch.histogram: input tensor and bin_edges tensor should have the same dtype, but got input "
    "{0.cpp_name} and bin_edges {1.cpp_name} for dimension 0": "histogram.bin_edges",
    "expected scalar type '{0.scalar_name}' but got '{1.scalar_name}' for values output": (
        "mode.values"
    ),
    "expected scalar type '{0.scalar_name}' but got '{1.scalar_name}' for indices output": (
        "mode.indices"
    ),
    "output values must be of same type as input": "kthvalue.values",
    "output indices must be of scalar type Long": "kthvalue.indices",
    "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but type "
    "{4} does not equal torch.{0.scalar_name}Tensor (while checking arguments for median)": (
        "median.values nanmedian.values"
    ),
    "Expected tensor for argument #1 'indices' to have scalar type Long; but got {4} instead "
    "(while checking arguments for median)": "median.indices nanmedian.indices",
}
# What these say of an `out` whose dtype cannot hold the result, and how they call themselves.
CASTABLE = "{}: Expected result to be safely castable from {} dtype, but got result with dtype {}"
CALLED = {
    "cholesky_solve": "cholesky_solve", "linalg_cond": "linalg.cond", "linalg_pinv": "linalg.pinv",
    "linalg_matrix_rank": "torch.linalg.matrix_rank", "linalg_matrix_power": "matrix_power",
    "linalg_tensorinv": "tensorinv", "linalg_tensorsolve": "tensorsolve",
}  # fmt: skip


def written_to(name: str, out: Any, compute: Operation, arguments: tuple[Any, ...]) -> Any:
    """Write a result, or each of several, to the tensors that were given for it.

    Raises:
        TypeError: if `out` is no tensor.
        RuntimeError: if anything would have to be recorded, the dtype cannot be cast, or is not
            the result's own where it must be, or it is an inference tensor outside the mode.
    """
    targets = out if isinstance(out, (tuple, list)) else (out,)
    for one in targets:
        if not isinstance(one, Tensor):
            raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type_name(one)}")
    flat = [
        one
        for given in (*targets, *arguments)
        for one in (given if isinstance(given, (tuple, list)) else (given,))
    ]
    asked = targets if name in WITHOUT_FORMULA else flat
    requires_grad = any(isinstance(one, Tensor) and one._requires_grad for one in asked)
    recorded = name not in NOT_RECORDED and state.grad_enabled and not only_inference(flat)
    if requires_grad and recorded:
        prefix = "aten::" * (name in CREATION | WITHOUT_FORMULA)
        raise RuntimeError(
            f"{prefix}{name}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad."
        )
    for one in targets:
        one._check_in_place(False)
        one._check_apart()
        one._check_whole([other for other in flat[len(targets) :] if isinstance(other, Tensor)])
    if name in OF_LONG:
        check_own_dtype(name, targets[0].dtype, dtypes.int64)
    with nullcontext() if name in WITHOUT_FORMULA else no_grad():
        results = compute()
    with no_grad():
        made = results if isinstance(results, tuple) else (results,)
        fields = [one for one, it in vars(type(results)).items() if isinstance(it, property)]
        for place, (target, result) in enumerate(zip(targets, made, strict=False)):
            field = fields[place] if len(made) > 1 else ""
            check_own_dtype(name, target.dtype, result.dtype, field)
            read = any(one is target for one in flat[len(targets) :])
            shapes = list(target.shape), list(result.shape)
            check(not read or target.shape == result.shape, OTHER_SHAPE, *shapes)
        if isinstance(out, Tensor) and isinstance(results, Tensor):
            put(out, results, name)
            if results._edge is not None:  # to the node that refuses to be differentiated
                out._edge, out._requires_grad = results._edge, True
            return out.requires_grad_() if results.is_leaf and results._requires_grad else out
        if not isinstance(results, tuple) or len(results) != len(targets):
            raise not_a_tensor(name, "out", 1, out)
        kind = result_type(f"{name}_out", " ".join(fields))
        return kind([put(*pair) for pair in zip(targets, results, strict=True)])


def dtype_beside(name: str, out: Any, dtype: dtypes.dtype | None) -> Any:
    """Return the dtype in which something is computed that is written to a tensor."""
    if not isinstance(out, Tensor):
        return dtype
    if dtype is not None:
        check_own_dtype(name, out.dtype, dtype)
    return dtype or out.dtype


def check_own_dtype(name: str, out: dtypes.dtype, result: dtypes.dtype, field: str = "") -> None:
    """Refuse to write a result, or a `field` of several, to a dtype that is not converted to."""
    if out is not result:
        text = "dtype {} does not match dtype of out parameter ({})"
        check(name not in CREATION, text, result.scalar_name, out.scalar_name)
        if name in ("max", "min") and not field:
            return  # without indices they convert
        called = "CPUBoolType" if out is dtypes.bool_ else f"torch.{out.scalar_name}Tensor"
        for text, names in OWN_DTYPE.items():
            other = {name, f"{name}.{field}"}.isdisjoint(names.split())
            check(other, text, result, out, name, result is dtypes.int32, called)
        fits = name not in CALLED or dtypes.can_cast(result, out)
        check(fits, CASTABLE, CALLED.get(name), result.scalar_name, out.scalar_name)


def put(out: Tensor, result: Tensor, name: str = "") -> Tensor:
    """Write a result to a tensor; one of another shape is resized, with a warning.

    Numbers in a row are written in the shape that there is, if it has as many elements.
    """
    check_cast(out, result.dtype)
    if name in IN_A_ROW and out._array.size == result._array.size:
        out._modify(result._array.reshape(out._array.shape))
    elif out._array.shape != result._array.shape:
        if out._array.size and name == "arange":
            warn(OTHER_LENGTH.format(list(out.shape), out.numel(), result.numel()))
        elif out._array.size and name not in RESIZED_IN_SILENCE:
            warn(RESIZED.format(list(out.shape), list(result.shape)))
        out._value = result._array.astype(out.dtype.numpy_dtype)
        out._count_change()
    else:
        out._modify(result._array)
    return out
