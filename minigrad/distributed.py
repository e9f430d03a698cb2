"""What programs ask before they work with other processes: minigrad computes in one."""


def is_available() -> bool:
    """Return False: minigrad computes in one process.

    >>> import minigrad as torch
    >>> torch.distributed.is_available() and torch.distributed.is_initialized()
    False
    """
    return False


def is_initialized() -> bool:
    """Return False: there are no other processes."""
    return False
