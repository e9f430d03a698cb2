"""The notebook that the program runs in, if it does."""

import sys
from typing import Any


def running_shell() -> Any:
    """IPython's shell, which runs the cells; None in a program of its own."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()
