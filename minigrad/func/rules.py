"""What public calls give for all slices of batched tensors at once.

A rule returns NotImplemented where it does not know: then it is computed slice by slice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.autograd.grad_mode import SETTING_DATA, state
from minigrad.creation import zeros
from minigrad.dtypes import bool_
from minigrad.func.batched import ITEM, Vmap
from minigrad.func.passes import gradients, hooked
from minigrad.func.refusals import DYNAMIC
from minigrad.func.shown import text_in_transform
from minigrad.func.slices import batched_in
from minigrad.functions import matmul
from minigrad.tensor import Tensor
from minigrad.utils._pytree import tree_leaves, tree_map

Call = Callable[..., Any]

BATCH_NORM = (
    "Batch norm got a batched tensor as input while the running_mean or running_var, which will be "
    "updated in place, were not batched.\n"
    "If you are using a module and do not need eval mode, please set `track_running_stats` to be "
    "False.If you are using a prebuilt module and do not need eval mode, please see the functorch "
    "website for resources on how to patch your module to work with vmap"
)
NO_PRODUCT = (
    "Shape mismatch: Got incorrect dims for {}(a, b). a has dim {}and b has dim {}but expected "
    "them to have dim {} and dim {}"
)
NO_DOT = "Got wrong shapes for dot"
ONE_HOT = (
    "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes "
    "argument."
)
# What works on each element by itself.
POINTWISE = {
    "abs", "acos", "add", "addcdiv", "addcmul", "asin", "atan", "atan2", "ceil", "clamp",
    "clamp_max", "clamp_min", "clone", "cos", "cosh", "detach", "div", "double", "elu", "eq", "erf",
    "exp", "expm1", "float", "floor", "floor_divide", "fmod", "ge", "gelu", "gt", "isfinite",
    "isinf", "isnan", "le", "leaky_relu", "lerp", "log", "log10", "log1p", "log2", "logical_and",
    "logical_not", "logical_or", "logical_xor", "logsigmoid", "long", "lt", "maximum",
    "minimum", "mul", "ne", "neg", "pow", "reciprocal", "relu", "remainder", "rsqrt",
    "rsub", "sigmoid", "sign", "silu", "sin", "sinh", "softplus", "sqrt", "square", "sub", "tan",
    "tanh", "true_divide", "trunc", "where",
}  # fmt: skip
# What works along a dimension, which is the argument after the tensor.
ALONG = {
    "all", "amax", "amin", "any", "argmax", "argmin", "cumprod", "cumsum", "log_softmax",
    "logsumexp", "max", "mean", "min", "prod", "select", "softmax", "squeeze", "std", "sum", "var",
}  # fmt: skip
WHOLE = {"all", "any", "mean", "prod", "sum"}  # along all of them, if none is told
# What is known of the tensor that holds all slices.
OF_BATCH = {"_version"}
# The same, but only of one that the innermost transform differentiates.
OF_GRADIENT = {"grad", "grad_fn", "is_leaf", "output_nr", "requires_grad", "retains_grad"}


def changes_in_place(name: str) -> bool:
    return name == "__setitem__" or (name.endswith("_") and not name.endswith("__"))


def pointwise(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Compute with all slices: dimensions are added in front of those of fewer dimensions.

    Not if dtypes are to be promoted, which the number of dimensions may decide.
    """
    leaves = [one for one in tree_leaves((args, kwargs)) if isinstance(one, Tensor)]
    kinds = {dtype_of(vmap, one) for one in leaves}
    if "out" in kwargs or len(kinds - {bool_}) > 1 or (func.__name__ == "where" and len(args) < 2):
        return NotImplemented
    dims = max([rank(vmap, one) for one in leaves])
    changed = args[0] if changes_in_place(func.__name__) else None
    if changed is not None and (not vmap.has(changed) or rank(vmap, changed) < dims):
        return NotImplemented

    def aligned(one: Any) -> Any:
        return widened(one.batch, dims + 1) if vmap.has(one) else one

    args, kwargs = tree_map(aligned, (args, kwargs))
    result = func(*args, **kwargs)
    return vmap.of(result) if changed is None else changed


def masked(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Put one value where masks hold: if slices have each their own, they are filled one by one."""
    if vmap.has(kwargs["value"] if "value" in kwargs else args[-1]):
        return NotImplemented
    return pointwise(vmap, func, args, kwargs)


def along(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Work along dimensions, which are one further back in the tensor of all slices."""
    one, *rest = args
    alone = vmap.has(one) and not batched_in(vmap, (rest, kwargs)) and "out" not in kwargs
    dims = rank(vmap, one)
    if not alone or not dims:
        return NotImplemented
    dim = rest[0] if rest else kwargs.get("dim")
    if dim is None and func.__name__ in WHOLE and not rest and kwargs.keys() <= {"dtype"}:
        return vmap.of(func(one.batch.flatten(1), 1, **kwargs))
    several = isinstance(dim, (tuple, list))
    places = dim if several else (dim,)
    if not places or not all(type(one) is int and -dims <= one < dims for one in places):
        return NotImplemented
    shifted: Any = [place % dims + 1 for place in places]
    shifted = tuple(shifted) if several else shifted[0]
    if rest:
        result = func(one.batch, shifted, *rest[1:], **kwargs)
    else:
        result = func(one.batch, **{**kwargs, "dim": shifted})
    return tree_map(vmap.of, result)


def product(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Multiply matrices, or vectors, of all slices.

    Raises:
        RuntimeError: if they are not such as the function takes.
    """
    if kwargs or len(args) != 2:
        return NotImplemented
    ranks = tuple([rank(vmap, one) for one in args])
    name = func.__name__
    if ranks != RANKS.get(name, ranks):
        text = NO_DOT if name == "dot" else NO_PRODUCT
        raise RuntimeError(text.format(name, *ranks, *RANKS[name]))
    if 0 in ranks:
        return NotImplemented
    first, second = args
    if not vmap.has(second) and ranks[1] == 2:
        return vmap.of(matmul(first.batch, second))
    left, right = map(vmap.batch_of, args)
    left = left.unsqueeze(1) if ranks[0] == 1 else left
    right = right.unsqueeze(2) if ranks[1] == 1 else right
    dims = max(left.ndim, right.ndim)
    result = matmul(widened(left, dims), widened(right, dims))
    result = result.squeeze(-2) if ranks[0] == 1 else result
    return vmap.of(result.squeeze(-1) if ranks[1] == 1 else result)


def widened(batch: Any, dims: int) -> Any:
    """Return a tensor with so many dimensions: new ones come behind the first."""
    missing = dims - batch.ndim
    return batch.view(batch.shape[0], *[1] * missing, *batch.shape[1:]) if missing else batch


def linear(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Apply a linear layer, which may be another for each slice."""
    given = dict(zip(("input", "weight", "bias"), args, strict=False)) | kwargs
    input, weight, bias = given["input"], given["weight"], given.get("bias")
    if rank(vmap, weight) != 2:
        return NotImplemented
    turned = vmap.of(weight.batch.transpose(1, 2)) if vmap.has(weight) else weight.t()
    mapped = batched_in(vmap, (input, weight))
    result = product(vmap, matmul, (input, turned), {}) if mapped else matmul(input, turned)
    if bias is None or result is NotImplemented:
        return result
    return pointwise(vmap, Tensor.add, (result, bias), {})


def mse_loss(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Return the losses of all slices at once."""
    given = {name for name, one in kwargs.items() if one is not None}
    reduction = kwargs.get("reduction", "mean")
    if len(args) != 2 or given - {"reduction"} or reduction not in ("mean", "sum", "none"):
        return NotImplemented
    input, target = map(vmap.batch_of, args)
    if input.shape != target.shape or input.dtype is not target.dtype:
        return NotImplemented
    losses = vmap.of(func(input, target, reduction="none"))
    if reduction == "none" or not rank(vmap, losses):
        return losses
    return along(vmap, getattr(Tensor, reduction), (losses,), {})


def viewed(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Give all slices another shape."""
    one, *shape = args
    shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    plain = all(type(size) is int for size in shape) and not kwargs
    if not plain or not vmap.has(one) or not vmap.size:
        return NotImplemented
    return vmap.of(func(one.batch, (vmap.size, *shape)))


def indexed(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Return a part of each slice; what indices that are tensors tell is found slice by slice."""
    one, places = args
    places = places if isinstance(places, tuple) else (places,)
    count = sum(type(place) in (int, slice) for place in places)
    if not vmap.has(one) or count > rank(vmap, one) or not PLACES.issuperset(map(type, places)):
        return NotImplemented
    try:
        return vmap.of(func(one.batch, (slice(None), *places)))
    except IndexError:  # which is to tell the dimension of a slice
        return NotImplemented


def turned(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Exchange two dimensions of all slices."""
    one, *dims = args
    count = rank(vmap, one)
    if kwargs or len(dims) != 2 or not all(type(d) is int and -count <= d < count for d in dims):
        return NotImplemented
    return vmap.of(func(one.batch, *[dim % count + 1 for dim in dims]))


def of_batch(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Return what is known of the tensor that holds all slices."""
    result = func(args[0].batch, *args[1:], **kwargs)
    return vmap.of(result) if isinstance(result, Tensor) else result


def of_gradient(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Return what is known of that tensor, or of any other that nobody differentiates."""
    if state.scope is not None and state.scope.depth >= vmap.level:
        return of_batch(vmap, func, args, kwargs)
    return func(zeros(()), *args[1:], **kwargs)


def data(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Refuse to touch the `data` of a batched tensor, unless a transform within differentiates."""
    if state.scope is not None and state.scope.depth >= vmap.level:
        return NotImplemented
    if len(args) > 1:
        raise RuntimeError(SETTING_DATA.format("under vmap"))
    raise RuntimeError("accessing `data` under vmap transform is not allowed")


def represented(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> str:
    """Return the text of a batched tensor, with that of all slices."""
    return text_in_transform(args[0])


def formatted(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> str:
    """Return the same where no format is given.

    Raises:
        TypeError: for any other.
    """
    if args[1]:
        raise TypeError("unsupported format string passed to Tensor.__format__")
    return represented(vmap, func, args, kwargs)


def shape_of(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Return the shape of a slice, or what follows from it."""
    one = args[0]
    return func(one.batch.new_empty(()).expand(one.batch.shape[1:]), *args[1:], **kwargs)


def where(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Choose elements.

    Raises:
        RuntimeError: if asked for the places of those that are not zero.
    """
    if len(args) + len(kwargs) == 1:
        raise RuntimeError(DYNAMIC.format("where"))
    return pointwise(vmap, func, args, kwargs)


def as_tensor(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Return a tensor, in another dtype if that is given.

    Raises:
        RuntimeError: for numbers that are tensors.
    """
    if not vmap.has(args[0]):
        raise RuntimeError(ITEM)
    return pointwise(vmap, Tensor.to, args, kwargs) if kwargs or args[1:] else args[0]


def filled(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Return a tensor like another, with one number everywhere.

    Raises:
        RuntimeError: if that is another for each slice.
    """
    if batched_in(vmap, (args[1:], kwargs)):
        raise RuntimeError(ITEM)
    return NotImplemented


def one_hot(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Mark classes, whose number must be known.

    Raises:
        RuntimeError: if it is not told.
    """
    if (args[1] if len(args) > 1 else kwargs.get("num_classes", -1)) < 0:
        raise RuntimeError(ONE_HOT)
    return NotImplemented


def batch_norm(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Normalize, slice by slice.

    Raises:
        RuntimeError: if running statistics would be changed that are the same for all slices.
    """
    given = dict(zip(("input", "running_mean", "running_var"), args, strict=False)) | kwargs
    for name in ("running_mean", "running_var"):
        running = given.get(name)
        if given["training"] and running is not None and not vmap.has(running):
            raise RuntimeError(BATCH_NORM)
    return NotImplemented


def rank(vmap: Vmap, one: Any) -> int:
    """Return how many dimensions a slice has."""
    return int(one.batch.ndim - 1 if vmap.has(one) else one.ndim)


def dtype_of(vmap: Vmap, one: Any) -> Any:
    return one.batch.dtype if vmap.has(one) else one.dtype


# Of the operands of products.
RANKS = {"mm": (2, 2), "mv": (2, 1), "dot": (1, 1), "bmm": (3, 3)}
PLACES = frozenset({int, slice, type(None), type(...)})
RULES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(ALONG, along),
    **{f"{name}.__get__": of_batch for name in OF_BATCH},
    **{f"{name}.__get__": of_gradient for name in OF_GRADIENT},
    **dict.fromkeys(["matmul", "__matmul__", "mm", "mv", "dot", "bmm"], product),
    **dict.fromkeys(["view", "reshape"], viewed),
    **dict.fromkeys(["transpose", "swapaxes", "swapdims"], turned),
    **dict.fromkeys(["dim", "size", "__len__", "ndimension", "numel", "nelement"], shape_of),
    **dict.fromkeys(["is_floating_point", "is_complex", "is_signed", "element_size"], shape_of),
    **{f"{name}.__get__": shape_of for name in ("device", "dtype", "ndim", "shape")},
    "data.__get__": data,
    "data.__set__": data,
    "as_tensor": as_tensor,
    "asarray": as_tensor,
    "batch_norm": batch_norm,
    "full_like": filled,
    "masked_fill": masked,
    "masked_fill_": masked,
    "mse_loss": mse_loss,
    "new_full": filled,
    "new_tensor": filled,
    "__getitem__": indexed,
    "__format__": formatted,
    "__repr__": represented,
    "grad": gradients,
    "linear": linear,
    "register_hook": hooked,
    "requires_grad_": of_batch,
    "retain_grad": of_gradient,
    "one_hot": one_hot,
    "where": where,
}


def rule_of(name: str) -> Callable[..., Any]:
    """Return the rule for calls of that name."""
    return RULES.get(name) or (pointwise if name.removesuffix("_") in POINTWISE else unknown)


def unknown(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Leave it to the slices."""
    return NotImplemented
