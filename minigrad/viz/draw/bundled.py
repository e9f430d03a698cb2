"""The files that are bundled from ``frontend``."""

from functools import cache
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"


@cache
def code(name: str) -> str:
    """The text of a bundled file, such as ``live.js``."""
    return (STATIC / name).read_text(encoding="utf-8")
