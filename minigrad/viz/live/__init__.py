"""live(): the graph of the notebook's own tensors, redrawn after each cell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from minigrad.viz.draw.scene import check_detail
from minigrad.viz.read.protocol import TensorLike, is_tensor
from minigrad.viz.read.snapshot import DEFAULT_LIMIT
from minigrad.viz.record.lines import running_shell
from minigrad.viz.record.recording import Recording

if TYPE_CHECKING:
    from minigrad.viz.live.live_graph import LiveGraph

INSTALL = 'live() needs anywidget: pip install "minigrad-lessons[lab]"'


def live(
    *tensors: TensorLike,
    limit: int = DEFAULT_LIMIT,
    record: bool = False,
    detail: str = "values",
) -> LiveGraph:
    """The living graph behind ``tensors``, of minigrad or of PyTorch: it changes with the notebook.

    After each cell it shows what the caller's variables hold now: operations appear, gradients are
    stored, saved values are freed, names move to other tensors. Without tensors it shows all those
    among the caller's global variables that a gradient can reach. A tensor is followed by its name;
    one without a name is kept, and its graph with it, until ``close()``.

    limit: how many nodes to draw at most; the picture says if there are more. record: watch the
    cells that follow, as ``minigrad.viz.record`` does, so that the picture says why an edge is
    missing, and which line made what. detail: how much the picture tells, as for ``draw``.

    After a cell that called ``backward()`` the gradients run back along the edges.

    TypeError for anything but tensors, ValueError for a limit below 1 and an unknown detail,
    ImportError with what to install where anywidget is missing, RuntimeError for ``record`` outside
    of a notebook. Like ``draw``, it changes nothing of the program.

    >>> import minigrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = x * x
    >>> graph = live(y)
    >>> graph
    <LiveGraph of y: 1 leaf, 1 operation>
    >>> y.backward()
    >>> graph.refresh()
    >>> graph.news
    '1 operation freed what was kept. x.grad is now 4'
    >>> graph.close()
    """
    for tensor in tensors:
        if not is_tensor(tensor):
            raise TypeError(f"live() takes tensors, but got {type(tensor).__name__}")
    if limit < 1:
        raise ValueError(f"limit must be at least 1, but got {limit}")
    check_detail(detail)
    try:
        from minigrad.viz.live.live_graph import LiveGraph
    except ModuleNotFoundError as error:
        if error.name != "anywidget":
            raise
        raise ImportError(INSTALL, name="anywidget") from error
    in_notebook = running_shell() is not None
    recording = Recording(gradients_only=not record).start() if record or in_notebook else None
    return LiveGraph(tensors, sys._getframe(1).f_globals, limit, recording, detail)
