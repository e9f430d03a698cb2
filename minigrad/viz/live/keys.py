"""The keyboard of what stands in a notebook: keys pressed in it are not meant for the notebook."""

import anywidget

from minigrad.viz.draw.bundled import STATIC


class Keys(anywidget.AnyWidget):
    """Shows nothing. On its page, controls of ours keep the plain keys that are pressed in them.

    Without it JupyterLab takes an arrow in a drop-down list as the way to the next cell, and the
    letter a as the wish for a new one.
    """

    _esm = STATIC / "keys.js"


_sent: list[Keys] = []


def keep_keys() -> None:
    """Let the notebook's page know of this, once for each kernel."""
    if not _sent or _sent[0].comm is None:
        _sent[:] = [Keys()]
