"""Programs that print, run on minigrad and on PyTorch: what a user reads must be the same."""

from __future__ import annotations

import difflib
import io
import re
import warnings
from contextlib import redirect_stdout
from textwrap import dedent
from typing import Any

import minigrad

ADDRESS = re.compile(r"0x[0-9a-f]+")
TRIGGERED = re.compile(r" \(Triggered internally at .*?\)$")


def agree_in_print(program: str) -> None:
    """Assert that a program prints, warns and raises the same on both, line by line.

    It finds `torch`, `nn`, `F` and `optim`, and `attempt(lambda: ...)`, which prints what is
    returned or the error. Random numbers start from the same seed.
    """
    import torch

    torch.set_warn_always(True)
    ours, theirs = run(minigrad, program), run(torch, program)
    assert ours == theirs, "\n".join(difflib.ndiff(ours, theirs))


def run(engine: Any, program: str) -> list[str]:
    """Return what a program prints, its warnings and its error, as lines."""
    output = io.StringIO()
    names = {
        "__name__": "__main__",
        "torch": engine,
        "nn": engine.nn,
        "F": engine.nn.functional,
        "optim": engine.optim,
        "attempt": attempt,
    }
    engine.manual_seed(0)
    with warnings.catch_warnings(record=True) as caught, redirect_stdout(output):
        warnings.simplefilter("always")
        try:
            exec(compile(dedent(program), "<program>", "exec"), names)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    lines = ADDRESS.sub("0x", output.getvalue()).splitlines()
    return lines + [
        f"{one.category.__name__}: {TRIGGERED.sub('', str(one.message))}" for one in caught
    ]


def attempt(function: Any) -> None:
    """Print what a function returns, or the error that it raises."""
    try:
        print(repr(function()))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
