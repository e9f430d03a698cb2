"""What programs ask of other devices: there are none."""

from __future__ import annotations

import sys
import types
from typing import Any

from minigrad.op import functions
from minigrad.random import manual_seed


def module(name: str, **contents: Any) -> types.ModuleType:
    """A module that can be imported by its name."""
    made = types.ModuleType(f"{__package__}.{name}")
    vars(made).update(contents)
    sys.modules[made.__name__] = made
    if "." not in name:
        functions[name] = made
    return made


def no(*_: Any) -> bool:
    return False


def nothing(*_: Any, **__: Any) -> None:
    """There is nothing to do on a device that is not there."""


module(
    "cuda",
    is_available=no,
    device_count=lambda: 0,
    manual_seed=nothing,
    manual_seed_all=nothing,
    empty_cache=nothing,
    synchronize=nothing,
)
cudnn = module("backends.cudnn", deterministic=False, benchmark=False, enabled=False)
mps = module("backends.mps", is_available=no, is_built=no)
module("backends", cudnn=cudnn, mps=mps)
module("mps", is_available=no, manual_seed=manual_seed)
module("accelerator", is_available=no, current_accelerator=nothing, device_count=lambda: 0)
functions["set_default_device"] = nothing
