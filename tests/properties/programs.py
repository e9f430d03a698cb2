"""Random programs, and what a user sees of them on an engine.

A program is a list of statements in Python. Each statement is a template (`"$t = $x * $y"`) filled
with names, so hypothesis can leave out statements and exchange names until a failing program is
short. Statements that raise are part of a program: the error is noted, and the program goes on.
"""

from __future__ import annotations

import io
import math
import operator
import re
import string
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import Any

import hypothesis
import numpy as np
from hypothesis import strategies as st

import minigrad

Program = Sequence[str]

ADDRESS = re.compile(r"0x[0-9a-f]+")
# Which node a tensor is said to come from: PyTorch names its latest, and of some views none.
ORIGIN = re.compile(r", which is output \d+ of [\w:]+,")
# PyTorch appends where in its C++ code it was raised or warned.
C_PLACE = re.compile(r"( \(Triggered internally at .*?\)|\nException raised from .*)$", re.DOTALL)
# The errors that learners meet have PyTorch's text; of others the type is enough.
TAUGHT = re.compile(
    "leaf Variable|is a view and|A view was created|modified by an inplace|second time|implicitly"
    "|does not require grad|not have been used|must match the (size|existing)|is invalid for input"
    "|Mismatch in shape|cannot be multiplied|view size is not|retain_grad|register a hook|flags of"
    "|out of range|out of bounds for dimension . with size [1-9]|doesn't match the broadcast"
    "|can't be cast|Sizes of tensors|one element"
)
ERROR = re.compile(r"(\w+Error): .*", re.DOTALL)
# PyTorch lacks a kernel, fails itself, refuses booleans or memory that overlaps, or has changed
# something before it refuses.
LACKING = re.compile(
    "NotImplementedError|INTERNAL ASSERT|AssertionError|currently not|AttributeError: '(int|float)'"
    "|single memory location|bool (tensor|input|dtypes)|Boolean inputs|can't retain_grad"
)
# Of two faults in one statement, minigrad may name another: a forbidden change, sizes, or dtypes.
FAULTS = [
    re.compile(f"RuntimeError: .*({one})")
    for one in ("leaf Variable|modified inplace", "shape|size|multiplied", "same dtype")
]
# Warnings that minigrad doesn't give.
UNTOLD = re.compile("degrees of freedom|deprecated on 0-D|index_put_ on expanded")
NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)(?!\w)")


def templates(text: str) -> list[str]:
    """The templates in a text, on lines or between semicolons."""
    return [one.strip() for one in re.split(r"; |;?\n", text) if one.strip()]


def fill(template: str, places: dict[str, str]) -> str:
    return string.Template(template).substitute(places)


def statements(
    templates: Sequence[str], names: str, targets: str, modes: Sequence[str] = ("",)
) -> st.SearchStrategy[str]:
    """Templates filled in: `$x`, `$y`, `$z` with any of the names, `$t` with one of the targets.

    Hypothesis prefers what comes first, so templates and names begin with the simplest.
    """
    places = {one: st.sampled_from(names) for one in "xyz"} | {"t": st.sampled_from(targets)}
    filled = st.builds(fill, st.sampled_from(templates), st.fixed_dictionaries(places))
    return st.builds(operator.add, st.sampled_from(modes), filled)


def derivatives(leaves: str) -> list[str]:
    """Statements that show a result `r`, its first derivatives and their graph, and the second."""
    inputs = f"[one for one in ({', '.join(leaves)}) if one.requires_grad]"
    return [
        "show(r)",
        f"inputs = {inputs}",
        "upstream = torch.arange(1, r.numel() + 1).reshape(r.shape).to(r.dtype)",
        "show(torch.autograd.grad(r, inputs, upstream, retain_graph=True, allow_unused=True))",
        "first = torch.autograd.grad(r, inputs, upstream, create_graph=True, allow_unused=True)",
        "total = sum((one * one).sum() for one in first if one is not None)",
        "show(torch.autograd.grad(total, inputs, allow_unused=True))",
    ]


def transcript(torch: Any, program: Program, watched: str = "", *, every: bool = True) -> list[str]:
    """Run a program and return what each statement prints, warns of and raises.

    `watched` tensors are inspected after every statement, or only at the end: looking at a view
    can itself change when its `grad_fn` is made. Programs call `show` to describe any value.
    """
    names: dict[str, Any] = {"torch": torch, "show": lambda *seen: print(*map(describe, seen))}
    torch.manual_seed(0)
    lines = []
    for number, statement in enumerate(program, start=1):
        lines.append(f"{statement}  # {outcome(statement, names)}")
        if every or number == len(program):
            lines += [f"  {name} {inspect(names[name])}" for name in watched if name in names]
    names.clear()  # functions in it hold the namespace, and so everything in it
    return lines


def outcome(statement: str, names: dict[str, Any]) -> str:
    """Run a statement; return what it prints, warns of, and raises."""
    output = io.StringIO()
    minigrad.warn.warned.clear()  # PyTorch is set to repeat its warnings, too
    with warnings.catch_warnings(record=True) as caught, redirect_stdout(output):
        warnings.simplefilter("always")
        try:
            exec(statement, names)
        except Exception as error:
            print(error_text(error))
    warned = [f"{one.category.__name__}: {C_PLACE.sub('', str(one.message))}" for one in caught]
    told = [one for one in warned if not UNTOLD.search(one)]
    return "; ".join([output.getvalue().strip(), *told])


def error_text(error: Exception) -> str:
    """The type of an error and its text."""
    text = C_PLACE.sub("", ADDRESS.sub("0x", ORIGIN.sub("", str(error))))
    return f"{type(error).__name__}: {text}"


def describe(value: Any) -> str:
    """A value as text: of a tensor the elements, whether it has a history, and which."""
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(describe, value))})"
    if hasattr(type(value), "next_functions"):
        return graph(value)
    if not hasattr(type(value), "retain_grad"):
        return ADDRESS.sub("0x", repr(value))
    return attempt(lambda: f"{values(value)} {graph(value.grad_fn)}")


def inspect(tensor: Any) -> str:
    """Everything that can be seen of a tensor; what raises an error is described by its text."""
    if not hasattr(type(tensor), "retain_grad"):
        return describe(tensor)
    looks: list[Callable[[], Any]] = [
        lambda: values(tensor),
        lambda: f"is_leaf={tensor.is_leaf} is_view={tensor._is_view()}",
        lambda: f"version={tensor._version} output_nr={tensor.output_nr}",
        lambda: f"retains_grad={tensor.retains_grad}",
        lambda: graph(tensor.grad_fn),
        lambda: f"grad={values(tensor.grad)}",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about reading the `grad` of a tensor that isn't a leaf
        return " ".join(map(attempt, looks))


def values(tensor: Any) -> str:
    """The elements of a tensor, and whether it has a history."""
    if tensor is None:
        return "None"
    copy = tensor.detach().clone()  # PyTorch's gradients of zeros may have no memory
    elements = f"{tensor.dtype} {tuple(tensor.shape)} {copy.tolist()}"
    return f"{elements} requires grad" if tensor.requires_grad else elements


def attempt(look: Callable[[], Any]) -> str:
    try:
        return str(look())
    except Exception as error:
        return error_text(error)


def graph(node: Any, depth: int = 12) -> str:
    """The names of a node and of those it leads to, with the numbers of their outputs."""
    if node is None or not depth:
        return "-" if node is None else "..."
    below = ", ".join(f"{graph(one, depth - 1)}:{number}" for one, number in node.next_functions)
    # Which of the two names a reshape has depends on strides, and so on PyTorch's kernels.
    name = node.name().replace("ReshapeAlias", "View")
    return f"{name}({below})" if below else name


def assert_same(pytorch: Any, program: Program, watched: str = "", *, every: bool = True) -> None:
    """Fail where minigrad shows something else than PyTorch.

    The comparison ends where PyTorch lacks something, or asks for a report of its own fault.
    """
    theirs = transcript(pytorch, program, watched, every=every)
    ours = transcript(minigrad, program, watched, every=every)
    for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        if LACKING.search(their):
            return
        if not same_line(our, their):
            lines = "\n".join([*program, "", f"minigrad: {our}", f"PyTorch:  {their}"])
            raise AssertionError(f"difference in line {number} of the transcript of\n{lines}")


def same_line(ours: str, theirs: str) -> bool:
    """Whether two lines are equal, but for numbers' rounding and the texts of rare errors."""
    faults = [[one for one in FAULTS if one.search(line)] for line in (ours, theirs)]
    if all(faults) and faults[0] != faults[1]:
        return True
    if not TAUGHT.search(theirs):
        ours, theirs = ERROR.sub(r"\1", ours), ERROR.sub(r"\1", theirs)
    if ours == theirs:
        return True
    if NUMBER.sub("#", ours) != NUMBER.sub("#", theirs):
        return False
    a, b = (np.array([float(n) for n in NUMBER.findall(one)]) for one in (ours, theirs))
    largest = np.abs(b, where=np.isfinite(b), out=np.zeros_like(b)).max(initial=1.0)
    return bool(np.allclose(a, b, rtol=1e-4, atol=1e-5 * largest, equal_nan=True))


def run(torch: Any, program: Program) -> dict[str, Any]:
    """Run statements that don't raise, and return the names that they bind."""
    names: dict[str, Any] = {"torch": torch}
    exec("\n".join(program), names)
    return names


def moved(torch: Any, tensor: Any, time: Any) -> Any:
    """A tensor in double precision after it has moved for some time, each element at its speed.

    It starts a bit away from the numbers that programs compare with.
    """
    speed = torch.arange(1.0, tensor.numel() + 1, dtype=torch.float64).cos()
    return tensor.detach().double() + 0.0137 + time * speed.reshape(tensor.shape)


def check_derivatives(torch: Any, curve: Callable[[Any], Any]) -> None:
    """Compare the first and second derivative of a function of time with finite differences."""
    grad, step = torch.autograd.grad, 1e-5
    times = [torch.tensor(k * step, dtype=torch.float64, requires_grad=True) for k in (-1, 0, 1)]
    try:
        values = [curve(time) for time in times]
        slopes = [grad(*pair, create_graph=True)[0] for pair in zip(values, times, strict=True)]
        bend = grad(slopes[1], times[1], materialize_grads=True, retain_graph=True)[0].item()
    except (RuntimeError, TypeError, ValueError, LookupError, AttributeError):
        hypothesis.reject()  # an error, or no derivative: the comparison with PyTorch tests both
    before, value, after = (one.item() for one in values)
    left, slope, right = (one.item() for one in slopes)
    size = max(map(abs, (before, value, after, left, slope, right, bend)))
    hypothesis.assume(size < 1e5)
    hypothesis.assume(abs(right - left) < 1e-3 * (1 + size))  # not at a kink
    assert math.isclose((after - before) / (2 * step), slope, rel_tol=1e-4, abs_tol=1e-4 * size)
    assert math.isclose((right - left) / (2 * step), bend, rel_tol=1e-3, abs_tol=1e-3 * size)
    values[1].backward(retain_graph=True)
    curve(times[1]).backward()
    assert math.isclose(times[1].grad.item(), 2 * slope, abs_tol=1e-9 * size)
