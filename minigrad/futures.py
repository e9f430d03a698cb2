"""Futures by name: minigrad computes everything at once, so that nothing is waited for."""

from __future__ import annotations

from types import GenericAlias
from typing import Any, NoReturn


class Future:
    """What a value to come would be: programs ask whether a value is one, and none is.

    Raises:
        NotImplementedError: if one is made.
    """

    __class_getitem__ = classmethod(GenericAlias)  # type: ignore[var-annotated]

    def __init__(self, *, devices: Any = None) -> NoReturn:
        raise NotImplementedError("minigrad has no futures: it computes everything at once")


def collect_all(futures: Any) -> NoReturn:
    """Wait for futures.

    Raises:
        NotImplementedError: always: there are none.
    """
    Future()
