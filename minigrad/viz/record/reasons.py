"""Why the result of a call has no edge to what went in, in words."""

from typing import NamedTuple

from minigrad.viz.read.notes import NO_GRADIENT

NO_INPUT = "no input requires grad"
_COMPARISONS = {"eq", "ne", "lt", "le", "gt", "ge", "isclose", "not_equal", "less", "less_equal"}
_COMPARISONS |= {"greater", "greater_equal"}
_DETACHING = {"detach", "detach_", "data", "_make_subclass"}
_NUMBERS_ONLY = {"tensor", "new_tensor", "from_numpy", "numpy", "__array__"}
# What reads the shape and dtype of a tensor, but none of its numbers.
_NEW = {"full", "empty", "zeros", "ones"}
_LEAVING = {
    "item": ".item() gives a number",
    "tolist": ".tolist() gives numbers",
    "numpy": ".numpy() gives an array",
    "__float__": "float() gives a number",
    "__int__": "int() gives a number",
    "__complex__": "complex() gives a number",
}


class Call(NamedTuple):
    """A public call, and how gradients were switched while it ran."""

    name: str
    grad_enabled: bool
    inference: bool


def why_no_edge(call: Call, dtype: str) -> str:
    """Why a result of ``dtype`` has no edge to an input that requires a gradient."""
    if call.name in _DETACHING:
        return "detached"
    if call.name in ("requires_grad_", "requires_grad"):
        return "requires_grad was switched off"
    if call.name in _NUMBERS_ONLY:
        return f"{call.name}() copies numbers, not the graph"
    if call.name in _COMPARISONS or call.name.strip("_") in _COMPARISONS:
        return "a comparison has no gradient"
    if _is_counted(dtype):
        return why_without_gradient(dtype)
    if call.inference:
        return "made in inference_mode"
    if not call.grad_enabled:
        return "made under no_grad"
    if call.name == "grad":
        return "grad() without create_graph=True"
    return f"{call.name} has no gradient"


def why_without_gradient(dtype: object) -> str:
    """Why a tensor of ``dtype`` that requires no gradient gives none."""
    if not _is_counted(str(dtype)):
        return NO_GRADIENT
    whole = "True and False have" if str(dtype).endswith("bool") else "integers have"
    return f"{whole} no gradient"


def _is_counted(dtype: str) -> bool:
    return dtype.rpartition(".")[2].startswith(("bool", "int", "uint"))


def reads_no_numbers(name: str) -> bool:
    """Whether a call asks a tensor for its shape and dtype alone: then there is no edge to miss."""
    new = name in _NEW or name.startswith("new_") or name.endswith("_like")
    return new and name not in _NUMBERS_ONLY


def leaves_by(name: str) -> str | None:
    """What a call hands to Python, where no graph is; None if it does not."""
    given = _LEAVING.get(name)
    return None if given is None else f"{given} without a graph"
