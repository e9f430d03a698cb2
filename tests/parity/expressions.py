"""Expressions, as text, that have to mean the same on minigrad and on PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.parity.compare import Constant, agree


def floats(values: Any, dtype: type = np.float32) -> np.ndarray[Any, Any]:
    """Return an array that becomes a leaf."""
    return np.array(values, dtype)


# What the names in an expression stand for: leaves that require grad, and, below, tensors that do
# not.
INPUTS: dict[str, Any] = {
    "x": floats([0.3, 0.5, -0.7]),
    "y": floats([0.2, 0.7, 1.5]),
    "z": floats([0.1, 0.9, 0.4]),
    "n": floats([0.3, 0.3, -0.7]),
    "p": floats([0.2, 0.9, 0.5]),
    "w": floats([1.0, -1.0, np.inf]),
    "s": floats(0.8),
    "d": floats([0.3, 0.5, -0.7], np.float64),
    "h": floats([0.25, 0.5, -0.75], np.float16),
    "M": floats([[0.1, 0.2, -0.3], [0.4, -0.5, 0.6]]),
    "c": floats([[1.5], [-2.0]]),
    "X": floats([[0.1, 0.2, -0.3, 0.5], [0.4, -0.5, 0.6, 0.1], [1.0, 2.0, 3.0, -1.0]]),
    "i": np.array([1, 2, -3]),
    "j": np.array([2, 3, 2]),
    "t": np.array([0, 3, 1]),
    "k": np.array([1, 2, -3], np.int32),
    "u": np.array([1, 2, 3], np.uint8),
    "b": np.array([True, False, True]),
    "q": Constant(floats([0.0, 1.0, 0.3])),
    "e": Constant(floats([0.0, 1.0, np.nan])),
    "v": Constant(floats([1.0, 2.0, 3.0, 4.0])),
}


def lines(text: str) -> list[str]:
    """Return the expressions of a text, one on each line."""
    return [line.strip() for line in text.strip().splitlines()]


def agree_on(expression: str, **options: Any) -> None:
    """Assert that both engines make the same of an expression of `INPUTS`, torch and F."""
    code = compile(expression, expression, "eval")
    names = [name for name in code.co_names if name in INPUTS]

    def program(torch: Any, *tensors: Any) -> Any:
        known = {"torch": torch, "F": torch.nn.functional, "inf": np.inf, "nan": np.nan}
        return eval(code, known | dict(zip(names, tensors, strict=True)))

    agree(program, *[INPUTS[name] for name in names], **options)
