"""torch.save and torch.load."""

from __future__ import annotations

import pickle
from typing import Any

from minigrad.op import functions


def save(obj: Any, f: Any) -> None:
    """Write an object to a file, given its path or the file itself."""
    if hasattr(f, "write"):
        pickle.dump(obj, f)
    else:
        with open(f, "wb") as file:
            pickle.dump(obj, file)


def load(f: Any, map_location: Any = None, *, weights_only: bool = True) -> Any:
    """Read what was saved. It may run code of whoever wrote it: load only what you trust."""
    if hasattr(f, "read"):
        return pickle.load(f)
    with open(f, "rb") as file:
        return pickle.load(file)


functions.update(save=save, load=load)
