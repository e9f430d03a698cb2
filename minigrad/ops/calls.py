"""Functions as users call them: with `out`, and refusing with PyTorch's text what is no tensor."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

from minigrad.autograd.grad_mode import no_grad, state
from minigrad.ops.define import result_type
from minigrad.ops.in_place import check_cast
from minigrad.ops.promotion import not_a_tensor
from minigrad.ops.registry import Operation
from minigrad.ops.rule import compiled, listed, parameter_names
from minigrad.tensor import Tensor

# Functions that PyTorch has without `out`.
WITHOUT = {
    "adjoint", "allclose", "argwhere", "as_strided", "atleast_1d", "atleast_2d", "atleast_3d",
    "bincount", "block_diag", "broadcast_shapes", "broadcast_tensors", "broadcast_to",
    "cartesian_prod", "chunk", "clone", "combinations", "conj", "corrcoef", "count_nonzero", "cov",
    "det", "detach", "diag_embed", "diagflat", "diagonal", "dist", "dsplit", "einsum", "equal",
    "fill", "flatten", "flip", "fliplr", "flipud", "get_device", "hsplit", "index_fill",
    "index_put", "is_complex", "is_floating_point", "is_nonzero", "is_same_size", "is_signed",
    "is_tensor", "isclose", "isfinite", "isinf", "isnan", "isreal", "logdet", "masked_fill",
    "masked_scatter", "meshgrid", "moveaxis", "movedim", "narrow", "numel", "permute", "positive",
    "put", "rand_like", "randint_like", "randn_like", "ravel", "real", "relu", "repeat_interleave",
    "reshape", "resolve_conj", "resolve_neg", "result_type", "roll", "rot90", "rsub", "select",
    "split", "squeeze", "std_mean", "swapaxes", "swapdims", "t", "tensor_split", "tile", "trace",
    "transpose", "tril_indices", "triu_indices", "unbind", "unflatten", "unique",
    "unique_consecutive", "unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes", "unsqueeze",
    "vander", "var_mean", "vsplit",
}  # fmt: skip


# Compiled, since a function that takes any arguments and hands them on would be slower.
# Whether arguments are tensors is asked only where something that a tensor has was missing.
CALL = """
def call({signature}):
    {if_out}
    try:
        return function({given})
    except AttributeError:
        refuse(function, ({arguments}))
        raise
"""
IF_OUT = """if out is not None:
        return written(name, out, lambda: function({given}), ({arguments}))"""


def as_called(name: str, function: Operation) -> Operation:
    """Return a function as users call it: with `out`, and refusing what should be a tensor."""
    code, flags = function.__code__, function.__code__.co_flags
    if flags & inspect.CO_VARKEYWORDS:  # It looks after them itself.
        return function
    count, only = code.co_argcount, code.co_kwonlyargcount
    names, keywords = code.co_varnames[:count], code.co_varnames[count : count + only]
    defaults = function.__defaults__ or ()
    known = dict(zip(names[count - len(defaults) :], defaults, strict=True))
    known |= {"out": None} | (function.__kwdefaults__ or {})
    star = [f"*{code.co_varnames[count + only]}"] if flags & inspect.CO_VARARGS else []
    options = [*keywords, *([] if name in WITHOUT else ["out"])]
    given = ", ".join([*names, *star, *[f"{one}={one}" for one in keywords]])
    arguments = listed([*names, *star])
    taken = [*names, *(star or ["*"] * bool(options)), *options]
    source = CALL.format(
        signature=", ".join([f"{one}=known['{one}']" if one in known else one for one in taken]),
        given=given,
        arguments=arguments,
        if_out="" if name in WITHOUT else IF_OUT.format(given=given, arguments=arguments),
    )
    scope = {"function": function, "known": known, "name": name}
    call: Any = compiled(source, scope | {"written": written, "refuse": refuse})
    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__, call.__annotations__ = function.__doc__, function.__annotations__
    return call  # type: ignore[no-any-return]


def refuse(function: Operation, arguments: tuple[Any, ...]) -> None:
    """Raise TypeError if an argument is none that should be a tensor, with PyTorch's text."""
    names = parameter_names(function)
    for position, (name, value) in enumerate(zip(names, arguments, strict=False), 1):
        needed = function.__annotations__.get(name) == "Tensor"
        if needed and not isinstance(value, Tensor):
            raise not_a_tensor(function.__name__, name, position, value)


def written(name: str, out: Any, compute: Operation, arguments: tuple[Any, ...]) -> Any:
    """Write a result, or each of several, to the tensors that were given for it.

    Raises:
        TypeError: if `out` is no tensor.
        RuntimeError: if anything would have to be recorded, or the dtype cannot be cast.
    """
    targets = out if isinstance(out, (tuple, list)) else (out,)
    for one in targets:
        if not isinstance(one, Tensor):
            raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type(one).__name__}")
    flat = [
        one
        for given in (*targets, *arguments)
        for one in (given if isinstance(given, (tuple, list)) else (given,))
    ]
    if state.grad_enabled and any(isinstance(one, Tensor) and one._requires_grad for one in flat):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad."
        )
    with no_grad():
        results = compute()
        if isinstance(out, Tensor) and isinstance(results, Tensor):
            return put(out, results)
        if not isinstance(results, tuple) or len(results) != len(targets):
            raise not_a_tensor(name, "out", 1, out)
        fields = [one for one, it in vars(type(results)).items() if isinstance(it, property)]
        kind = result_type(f"{name}_out", " ".join(fields))
        return kind([put(*pair) for pair in zip(targets, results, strict=True)])


def put(out: Tensor, result: Tensor) -> Tensor:
    """Write a result to a tensor; one of another shape is resized, with a warning."""
    check_cast(out, result)
    if out._array.shape != result._array.shape:
        if out._array.size:
            warnings.warn(
                "An output with one or more elements was resized since it had shape "
                f"{list(out.shape)}, which does not match the required output shape "
                f"{list(result.shape)}. This behavior is deprecated, and in a future PyTorch "
                "release outputs will not be resized unless they have zero elements. You can "
                "explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
                "t.resize_(0).",
                UserWarning,
                stacklevel=4,
            )
        out._value = result._array.astype(out.dtype.numpy_dtype)
        out._counter[0] += 1
    else:
        out._modify(result._array)
    return out
