"""NVIDIA's library for networks; its switches can be set, and nothing heeds them here."""

enabled = True
benchmark = False
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """Return False: minigrad computes on the cpu."""
    return False


def version() -> int | None:
    """Return None: there is none."""
    return None
