"""NVIDIA's graphics processors."""


def is_built() -> bool:
    """Return False: minigrad has no code for them."""
    return False
