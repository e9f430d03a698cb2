"""Functions as users call them: by numpy's names too, with `out`, and with PyTorch's refusals.

What users call is compiled when they first do: there are five hundred functions, and importing
them has to be quick.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from typing import Any, NamedTuple

from minigrad.autograd.grad_mode import no_grad, state
from minigrad.ops.define import result_type
from minigrad.ops.first_call import on_first_call
from minigrad.ops.in_place import check_cast
from minigrad.ops.promotion import not_a_tensor
from minigrad.ops.registry import Operation
from minigrad.ops.rule import compiled, listed
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


NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}  # which PyTorch takes as well
NOTHING: Any = object()

# Whether arguments are tensors is asked only where something that a tensor has was missing.
CALL = """
def call({signature}):
    {if_missed}
    {if_out}
    try:
        return function({given})
    except (AttributeError, TypeError):
        refuse(function, ({arguments}), {first})
        raise
"""
IF_OUT = """if out is not None:
        return written(name, out, lambda: function({given}), ({arguments}))"""
# Whoever left out any of the needed arguments left out the last of them.
IF_MISSED = """if {last} is NOTHING or rest:
        refuse_count(name, {needed}, ({values}), {most}, rest)"""


class Parameters(NamedTuple):
    """What a function takes, and for what may be left out (`known`) its default."""

    positional: tuple[str, ...]
    star: tuple[str, ...]
    keywords: tuple[str, ...]
    known: dict[str, Any]

    @property
    def numpy_names(self) -> dict[str, str]:
        """By which other names it is to take some of them: none if something comes after dim."""
        names = [*self.positional, *self.keywords]
        taken = {own: name for name, own in NUMPY_NAMES.items() if own in names}
        places = self.positional
        after = places[places.index("dim") + 1 :] if "dim" in places else ()
        needed = [one for one in after if one not in self.known]
        return {} if self.star or needed or not NUMPY_NAMES.keys().isdisjoint(names) else taken


def has_numpy_names(function: Operation) -> bool:
    """Return whether numpy has another name for one of the function's parameters."""
    code = getattr(function, "forward", function).__code__
    return "dim" in code.co_varnames or "keepdim" in code.co_varnames


def needs_more(function: Operation) -> bool:
    """Return whether a function has to be given something besides its first argument."""
    function = getattr(function, "forward", function)
    return function.__code__.co_argcount - len(function.__defaults__ or ()) > 1


def parameters_of(function: Operation) -> Parameters:
    """Return what a function takes, from its code: `inspect` takes too long for all of them."""
    declared = getattr(function, "forward", None)  # what `define` has made it of
    function = declared or function
    code = function.__code__
    count, only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    star = names[count + only : count + only + 1] if code.co_flags & inspect.CO_VARARGS else ()
    defaults = function.__defaults__ or ()
    known = dict(zip(names[count - len(defaults) : count], defaults, strict=True))
    known |= function.__kwdefaults__ or {}
    positional = ("input", *names[1:count]) if declared else names[:count]
    return Parameters(positional, star, names[count : count + only], known)


def as_function(name: str, function: Operation) -> Operation:
    """Return a function as users call it: with `out`, refusing what should be a tensor."""
    written = getattr(function, "forward", function)
    if written.__code__.co_flags & inspect.CO_VARKEYWORDS:  # It looks after them itself.
        return function
    return on_first_call(function, call_of, name, function, 0, name not in WITHOUT)


def as_method(name: str, function: Operation) -> Operation:
    """Return a method as users call it: by numpy's names too, refusing what should be a tensor.

    One that takes nothing needed besides its tensor has nothing to refuse.
    """
    refuses = needs_more(function) and not hasattr(function, "operator")
    if not refuses and not (has_numpy_names(function) and parameters_of(function).numpy_names):
        return function
    return on_first_call(function, call_of, name, function, 1, False)


def call_of(name: str, function: Operation, first: int, out: bool) -> Operation:
    """Compile what users call: one that takes any arguments and hands them on would be slower.

    `first` is the number of arguments that are not counted in errors: 1 of methods.
    """
    parameters = parameters_of(function)
    positional, star, keywords, known = parameters
    taken = parameters.numpy_names
    known = known | {"out": None} | dict.fromkeys(taken.values(), NOTHING)
    needed = [one for one in positional[first:] if one not in known and one not in taken]
    needed = [] if star else needed
    known |= dict.fromkeys([one for one in (*needed, *taken) if one not in known], NOTHING)
    values = {one: one for one in (*positional, *keywords)}
    for own, other in taken.items():
        given = (
            own
            if parameters.known.get(own, NOTHING) is not NOTHING
            else f"required({own}, '{own}')"
        )
        values[own] = f"{given} if {other} is NOTHING else {other}"
    starred = [f"*{one}" for one in star]
    options = [*keywords, *taken.values(), *(["out"] if out else [])]
    rest = ["*rest"] if needed else ["*"] * bool(options)
    signature = [*positional, *(starred or rest), *options]
    given = ", ".join(
        [*[values[one] for one in positional], *starred, *[f"{k}={values[k]}" for k in keywords]]
    )
    arguments = listed([*positional, *starred])
    if_missed = ""
    if needed:
        if_missed = IF_MISSED.format(
            last=needed[-1], needed=needed, values=listed(needed), most=len(positional) - first
        )
    source = CALL.format(
        signature=", ".join(
            [f"{one}=known['{one}']" if one in known else one for one in signature]
        ),
        given=given,
        arguments=arguments,
        first=first,
        if_missed=if_missed,
        if_out=IF_OUT.format(given=given, arguments=arguments) if out else "",
    )
    scope = {"function": function, "known": known, "name": name, "NOTHING": NOTHING}
    helpers = {"written": written, "refuse": refuse, "required": functools.partial(required, name)}
    return compiled(source, scope | helpers | {"refuse_count": refuse_count})


def required(function: str, value: Any, name: str) -> Any:
    """Return an argument that has to be given, by one of its two names."""
    if value is NOTHING:
        raise TypeError(f'{function}() missing 1 required positional arguments: "{name}"')
    return value


def refuse_count(
    function: str, names: list[str], values: tuple[Any, ...], most: int, rest: tuple[Any, ...]
) -> None:
    """Raise TypeError for arguments that were left out, or are too many, with PyTorch's text."""
    if rest:
        least = "" if len(names) == most else f"from {len(names)} to "
        raise TypeError(
            f"{function}() takes {least}{most} positional argument{'s' * (most > 1)} but "
            f"{most + len(rest)} were given"
        )
    missed = [name for name, one in zip(names, values, strict=True) if one is NOTHING]
    plural = "s" if len(missed) == 1 else ""  # sic
    told = ", ".join([f'"{one}"' for one in missed])
    raise TypeError(
        f"{function}() missing {len(missed)} required positional argument{plural}: {told}"
    )


def refuse(function: Operation, arguments: tuple[Any, ...], first: int) -> None:
    """Raise TypeError if an argument is none that should be a tensor, with PyTorch's text.

    The `first` arguments, a method's tensor, are not counted.
    """
    annotations = getattr(function, "forward", function).__annotations__
    names = parameters_of(function).positional
    for position, (name, value) in enumerate(zip(names, arguments, strict=False), 1 - first):
        needed = annotations.get(name) in ("Tensor", "Array")
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
    check_cast(out, result.dtype)
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
