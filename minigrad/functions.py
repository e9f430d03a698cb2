"""The functions that operations declare, from `abs` to `zeros_like`, by the names users see."""

# They are collected from the registry. functions.pyi beside this file lists them for type checkers;
# `python tools/generate_stubs.py` writes it.

from minigrad import creation, random  # noqa: F401  (they declare functions and methods too)
from minigrad.ops.bind import bind

_functions = bind()
__all__ = tuple(_functions)
globals().update(_functions)
