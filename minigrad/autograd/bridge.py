"""What the engine needs of Tensor, handed to it by the modules above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


class TensorBridge:
    """The class Tensor, and what the engine does with tensors."""

    type: Any
    # Makes a tensor of an array.
    wrap: Callable[[Any], Any]
    # Sums a gradient, array or Tensor, down to a shape and casts it to a dtype.
    fit: Callable[[Any, tuple[int, ...], np.dtype[Any]], Any]
    # Joins Tensors along a new first dimension, and records it.
    stack: Callable[[Sequence[Any]], Any]


tensors = TensorBridge()
