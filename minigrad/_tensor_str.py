"""How tensors are printed, by the name of PyTorch's module: options that hold for a while."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from minigrad.printing import get_printoptions as get_printoptions
from minigrad.printing import set_printoptions as set_printoptions


@contextlib.contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """Print with these options in the ``with`` block."""
    before = get_printoptions()
    set_printoptions(**options)
    try:
        yield
    finally:
        set_printoptions(**before)
