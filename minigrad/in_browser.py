"""Where Python runs in a browser: numpy comes over the network there, and may not have come."""

from importlib.util import find_spec

import pyodide_js


class NumpyNotFetched(ImportError):
    """What minigrad computes with is not there; the message says from where it should have come."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]  # what IPython shows: no traceback helps here


def require_numpy() -> None:
    """NumpyNotFetched, which says what to do, where numpy could not be loaded."""
    if find_spec("numpy") is not None:
        return
    raise NumpyNotFetched(
        "minigrad computes with numpy, and numpy could not be fetched from\n"
        f"    {_address()}\n"
        "Is the network there, and does its filter let this address through? Then reload the\n"
        "page, and run the cells again: what you have written is kept in this browser. Where the\n"
        "address cannot be reached at all, ask whoever put these lessons on the web for a site\n"
        "that brings numpy with it (make lite WHEELS=FOLDER; docs/hosting.md says how).",
        name="numpy",
    )


def _address() -> str:
    return str(pyodide_js.lockfile.packages.numpy.file_name)
