"""How inputs would come to several devices."""

from typing import Any, NoReturn


def scatter(inputs: Any, target_gpus: Any, dim: int = 0) -> NoReturn:
    """Spread inputs over devices.

    Raises:
        NotImplementedError: always: there is one.
    """
    raise NotImplementedError("minigrad computes on one device")
