"""Numbers that are drawn for each check, so that no answer can know them by heart."""

import math
from typing import Any

import numpy as np


def drawn(random: np.random.Generator, *shape: int) -> Any:
    """A float, or lists of floats in this shape.

    At most 20, from 0.6 to 2.5 in tenths, no two of one size, each with a sign that is drawn, too.
    """
    sizes = random.permutation(np.arange(6, 26))[: math.prod(shape)]
    signs = random.choice([-1, 1], sizes.shape)
    return (sizes * signs / 10).reshape(shape).tolist()
