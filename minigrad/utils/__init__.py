"""What PyTorch has in the namespace ``torch.utils``."""

from typing import Any

from minigrad import nn, overrides  # noqa: F401  # packages before modules of theirs
from minigrad.ops.bind import missing
from minigrad.utils import _pytree as _pytree
from minigrad.utils import checkpoint as checkpoint
from minigrad.utils import data as data
from minigrad.utils import hooks as hooks


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.utils'", name, globals())
