"""`vmap` under its first name, by which libraries such as pytorch-minimize still import it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.func import vmap


def _vmap(func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0) -> Callable[..., Any]:
    """Do what `torch.vmap` does.

    >>> import minigrad as torch
    >>> _vmap(torch.dot)(torch.ones(2, 3), torch.ones(2, 3))
    tensor([3., 3.])
    """
    return vmap(func, in_dims, out_dims)
