"""What goes into pages: the files that are bundled from ``frontend``, and data for scripts."""

import json
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"


@cache
def code(name: str) -> str:
    """The text of a bundled file, such as ``live.js``."""
    return (STATIC / name).read_text(encoding="utf-8")


def script_data(data: object) -> str:
    """JSON for a page's script element, which no text in it can end."""
    return json.dumps(data).replace("<", "\\u003c")
