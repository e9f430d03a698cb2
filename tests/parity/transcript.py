"""What a program shows while it runs line by line, on minigrad and on PyTorch.

A program is a text; `agree` asserts that both show the same.
"""

from __future__ import annotations

import ast
import math
import warnings
from typing import Any

import hypothesis
import numpy as np

import minigrad

# PyTorch looks at these before anything else.
UNUSABLE = "its base or another view of its base has been"


def agree(program: str, dtype: str = "float32") -> None:
    """Assert that minigrad shows what PyTorch does, unless that asks for a report of its fault."""
    import torch

    theirs = transcript(torch, program, dtype)
    if "INTERNAL ASSERT FAILED" in str(theirs):
        hypothesis.reject()
    with np.errstate(all="ignore"):
        ours = transcript(minigrad, program, dtype)
    for (line, found), (_, expected) in zip(ours, theirs, strict=True):
        assert same(found, expected), f"{line}: {found}\nin PyTorch: {expected}"


def same(found: Any, expected: Any) -> bool:
    """Return whether two descriptions are equal, numbers up to rounding."""
    if isinstance(found, list | tuple) and isinstance(expected, list | tuple):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(found, float) and isinstance(expected, float):
        close = math.isclose(found, expected, rel_tol=1e-4, abs_tol=1e-4)
        return close or (math.isnan(found) and math.isnan(expected))
    if isinstance(found, str) and isinstance(expected, str) and UNUSABLE in expected:
        return found == expected or "Error: " in found
    return type(found) is type(expected) and bool(found == expected)


def transcript(engine: Any, program: str, dtype: str = "float32") -> list[tuple[str, Any]]:
    """Run the lines of a program and return each with what is seen of it.

    That is the value of an expression, or the type and text of an error; after an error the
    program goes on. It knows ``torch`` and leaves: ``x`` of three elements, ``m`` of two by three.
    """
    options = {"dtype": getattr(engine, dtype), "requires_grad": True}
    names = {
        "torch": engine,
        "x": engine.tensor([1.0, 2.0, 3.0], **options),
        "m": engine.tensor([[0.5, 1.5, -1.0], [2.0, 0.25, 0.75]], **options),
    }
    seen = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for statement in ast.parse(program).body:
            line = ast.unparse(statement)
            try:
                if isinstance(statement, ast.Expr):
                    seen.append((line, described(engine, eval(line, names))))
                else:
                    exec(line, names)
            except Exception as error:
                seen.append((line, f"{type(error).__name__}: {error}"))
    return seen


def described(engine: Any, value: Any) -> Any:
    """Return what a user can see of a value, as plain data that does not depend on the engine."""
    if isinstance(value, (list, tuple)):
        return [described(engine, one) for one in value]
    if hasattr(value, "next_functions"):
        return chain(value)
    if not isinstance(value, engine.Tensor):
        return value if isinstance(value, (int, float, str, type(None))) else type(value).__name__
    try:
        history = [value.is_leaf, value.output_nr, chain(value.grad_fn)]
    except RuntimeError as error:
        history = [str(error)]
    elements = np.round(value.detach().numpy().astype(np.float64), 4).tolist()
    flags = [value.requires_grad]
    if value.requires_grad:
        # Those of gradients tell how PyTorch computed them: in place, or as a view.
        flags += [value._version, value._is_view()]
    return [str(value.dtype), tuple(value.shape), elements, *flags, *history]


def chain(node: Any, depth: int = 9) -> str:
    """Return the names of a node and of those below it, with the numbers of their outputs."""
    if node is None:
        return "None"
    # Which of the two it is depends on how sums of gradients lie in memory.
    name = node.name().removeprefix("torch::autograd::").replace("ReshapeAlias", "View")
    if not depth:
        return f"{name}(...)"
    below = [
        chain(one, depth - 1) + (f"#{number}" if number else "")
        for one, number in node.next_functions
    ]
    return f"{name}({', '.join(below)})"
