"""All that a program tells its user, on minigrad or on PyTorch: results, warnings, errors."""

from __future__ import annotations

import contextlib
import difflib
import io
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import minigrad

ADDRESS = re.compile(r"0x[0-9a-f]+")
TRIGGERED = re.compile(r" ?\(Triggered internally at .*?\)$")


def told(torch: Any, program: Callable[[Any], Any]) -> list[str]:
    """Return what a program prints, returns or raises, and the warnings that it gives."""
    lines = []
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(io.StringIO()) as printed,
    ):
        warnings.simplefilter("always")
        try:
            lines.append(repr(program(torch)))
        except Exception as error:
            lines.append(f"{type(error).__name__}: {error}")
    lines += printed.getvalue().splitlines()
    lines += [
        f"{warning.category.__name__}: {TRIGGERED.sub('', str(warning.message))}"
        for warning in caught
    ]
    return [ADDRESS.sub("0x", line) for line in lines]


def assert_same(program: Callable[[Any], Any]) -> None:
    """Fail unless a program tells the same on both engines."""
    import torch

    torch.set_warn_always(True)
    try:
        expected = told(torch, program)
    finally:
        torch.set_warn_always(False)
    found = told(minigrad, program)
    if found != expected:
        pytest.fail("\n".join(difflib.ndiff(expected, found)), pytrace=False)
