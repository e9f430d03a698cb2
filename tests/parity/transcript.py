"""What a program shows while it runs line by line, on minigrad and on PyTorch."""

from __future__ import annotations

import ast
import warnings
from typing import Any

import numpy as np

Seen = list[Any]


def transcript(engine: Any, program: str) -> list[tuple[str, Any]]:
    """Run the lines of a program and return each with what is seen of it.

    That is the value of an expression, or the type and text of an error; after an error the
    program goes on. It knows ``torch`` and ``x``, a leaf of three elements.
    """
    names = {"torch": engine, "x": engine.tensor([1.0, 2.0, 3.0], requires_grad=True)}
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
    # Versions of gradients tell where PyTorch added in place, which is no more than its speed.
    version = value._version if value.requires_grad else "?"
    flags = [value.requires_grad, version, value._is_view()]
    return [str(value.dtype), tuple(value.shape), elements, *flags, *history]


def chain(node: Any, depth: int = 9) -> str:
    """Return the names of a node and of those below it, with the numbers of their outputs."""
    if node is None:
        return "None"
    name = node.name().removeprefix("torch::autograd::")
    if not depth:
        return f"{name}(...)"
    below = [
        chain(one, depth - 1) + (f"#{number}" if number else "")
        for one, number in node.next_functions
    ]
    return f"{name}({', '.join(below)})"
