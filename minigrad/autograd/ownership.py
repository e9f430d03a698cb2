"""Whether anybody but the backward pass has a gradient: if not, a leaf keeps its memory.

As in PyTorch references tell: large gradients need not be copied. What is counted besides those of
others is a list, of what arrived at the leaf, and the arguments of calls that hand the gradient on.
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Any

import numpy as np


def kept(array: Any) -> Any:
    """Return an array to be kept as a gradient: itself if only a backward pass has it, or a copy.

    `Tensor._accumulate_grad` asks, called by `AccumulateGrad.add`.
    """
    alone = getrefcount(array) <= REFERENCES and array.base is None and array.flags.writeable
    return array if alone else array.copy()


def run(arrived: Sequence[Any]) -> int:
    """Call as a leaf's node does, and return how many references there are in the end."""
    return add(arrived[0])


def add(array: Any) -> int:
    return accumulate(array)


def accumulate(array: Any) -> int:
    return asked(array)


def asked(array: Any) -> int:
    return getrefcount(array)


REFERENCES = min(run([np.zeros(1)]), 5)  # 5 before Python 3.14; a debugger has more
