"""Apple's graphics processors."""


def is_available() -> bool:
    """Return False: minigrad computes on the cpu."""
    return False


def is_built() -> bool:
    """Return False: minigrad has no code for them."""
    return False
