"""What runs in the browser, sent there once for all the graphs of a kernel."""

from hashlib import blake2b

import ipywidgets
import traitlets

from minigrad.viz.draw.bundled import code


class Bundle(ipywidgets.Widget):  # type: ignore[misc]
    """The front end as a model that every graph's model refers to.

    A page loads it once (``digest`` says which it is), and finds it again after a reload.
    """

    live = traitlets.Unicode().tag(sync=True)
    digest = traitlets.Unicode().tag(sync=True)

    def __init__(self) -> None:
        live = code("live.js")
        super().__init__(live=live, digest=blake2b(live.encode(), digest_size=16).hexdigest())


_sent: list[Bundle] = []


def bundle() -> Bundle:
    """The one bundle of this kernel; another one if that was closed."""
    if not _sent or _sent[0].comm is None:
        _sent[:] = [Bundle()]
    return _sent[0]
