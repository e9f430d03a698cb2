"""Programs that note what they see: on minigrad and on PyTorch the notes must be the same.

Where `tests.parity.compare` looks at results, these look at what happens on the way: which hook is
called when and with what, what is raised, and how things are afterwards.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import minigrad

Log = list[Any]
Program = Callable[[Any, Log], None]

ADDRESS = re.compile(r"0x[0-9a-f]+")
LAST_DIGITS = re.compile(r"(\.\d{9})\d+")  # in which the two may differ
TRIGGERED = re.compile(r" \(Triggered internally at .*?\)$")


def text(seen: Any) -> str:
    """Return something as text, tensors with four digits and a star if they require grad."""
    if isinstance(seen, (tuple, list)):
        return f"({', '.join(map(text, seen))})"
    if isinstance(seen, dict):
        return f"{{{', '.join(f'{key}: {text(one)}' for key, one in seen.items())}}}"
    if isinstance(seen, float):
        return f"{seen:.4g}"
    if hasattr(seen, "tolist"):
        return f"{text(seen.tolist())}{'*' if seen.requires_grad else ''}"
    return ADDRESS.sub("0x", str(seen))


def attempt(log: Log, action: Callable[[], Any]) -> None:
    """Note what an action returns, or what it raises."""
    try:
        log.append(text(action()))
    except Exception as error:
        raised = ADDRESS.sub("0x", f"{type(error).__name__}: {error}")
        log.append(LAST_DIGITS.sub(r"\1", raised))


def notes(engine: Any, program: Program) -> list[str]:
    """Return what a program notes on one engine, then what it warned of."""
    log: Log = []
    engine.manual_seed(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        program(engine, log)
    warned = [f"{one.category.__name__}: {one.message}" for one in caught]
    return [*map(text, log), *[TRIGGERED.sub("", one) for one in warned]]


def same_notes(program: Program) -> None:
    """Assert that a program notes the same on both, and something at all."""
    import torch

    torch.set_warn_always(True)
    ours, theirs = notes(minigrad, program), notes(torch, program)
    different = [pair for pair in zip_longest(ours, theirs) if pair[0] != pair[1]]
    assert not different, different[:3]
    assert ours
