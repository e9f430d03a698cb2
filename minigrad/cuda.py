"""What programs ask before they choose a device: there is no GPU."""

from __future__ import annotations


def is_available() -> bool:
    """Return False: minigrad computes on the cpu.

    >>> import minigrad as torch
    >>> torch.device("cuda" if torch.cuda.is_available() else "cpu")
    device(type='cpu')
    """
    return False


def device_count() -> int:
    """Return 0."""
    return 0
