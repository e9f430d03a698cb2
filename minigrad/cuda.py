"""What programs ask before they choose a device: there is no GPU."""

from __future__ import annotations

from typing import Any

from minigrad.device import check_device


def is_available() -> bool:
    """Return False: minigrad computes on the cpu.

    >>> import minigrad as torch
    >>> torch.device("cuda" if torch.cuda.is_available() else "cpu")
    device(type='cpu')
    """
    return False


def is_initialized() -> bool:
    """Return False: there is nothing to begin with."""
    return False


def device_count() -> int:
    """Return 0."""
    return 0


def manual_seed(seed: int) -> None:
    """Seed a GPU's random numbers, where there is one: programs that run anywhere do."""
    int(seed)


def manual_seed_all(seed: int) -> None:
    """Seed the random numbers of all GPUs: of none."""
    manual_seed(seed)


def empty_cache() -> None:
    """Free memory of GPUs: there is none."""


def synchronize(device: Any = None) -> None:
    """Wait for a GPU.

    Raises:
        AssertionError: always, with PyTorch's text: there is none.
    """
    check_device("cuda")


def current_device() -> int:
    """Return the number of the GPU in use.

    Raises:
        AssertionError: always, with PyTorch's text: there is none.
    """
    check_device("cuda")
    return 0
