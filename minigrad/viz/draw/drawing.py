"""draw(): a picture of the graph behind tensors."""

import sys
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from minigrad.viz.draw.browser_state import standalone_page
from minigrad.viz.draw.marks import NO_MARKS, Marks
from minigrad.viz.draw.picture import Picture
from minigrad.viz.draw.render import RenderError, convert
from minigrad.viz.draw.scene import check_detail
from minigrad.viz.draw.svg import colored, of_text
from minigrad.viz.draw.theme import THEMES
from minigrad.viz.read.names import given_names, names_in_frame
from minigrad.viz.read.protocol import TensorLike, is_tensor
from minigrad.viz.read.snapshot import DEFAULT_LIMIT, Snapshot, take_snapshot

_DIRECTIONS = ("LR", "TB")
_ENDINGS = ".svg, .png, .pdf, .html or .json"


class Drawing:
    """A picture of a graph as it was when ``draw`` was called.

    A notebook shows it as a picture; ``repr`` is its outline.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        direction: str | None = None,
        theme: str | None = None,
        marks: Marks = NO_MARKS,
        folded: bool = True,
        detail: str = "values",
    ):
        self.snapshot = snapshot
        self.marks = marks
        self.detail = detail
        self._theme = theme
        self._picture = Picture(snapshot, marks, direction, detail, frozenset() if folded else None)

    @property
    def outline(self) -> str:
        """The graph as text, one fact to a line."""
        return self._picture.outline

    @property
    def dot(self) -> str:
        """The layout as Graphviz source: the boxes, and the rooms for labels."""
        return self._picture.layout.source

    def svg(self) -> str:
        """The picture as SVG; without a Graphviz to lay it out, the outline as SVG."""
        try:
            return colored(self._picture.svg, self._theme)
        except RenderError as error:
            return of_text(self.outline, str(error), THEMES[self._theme or "light"])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to ``path``; its ending says how: .svg, .png, .pdf, .html or .json.

        The page is the live graph's picture, with its panel and keys; it needs no network. In a
        frame of another page, ``graph.html#dark`` is dark whatever the system says, and so with
        ``#light``; the page around it is told how high it is (``minigradHeight`` in a message).

        The same drawing gives the same bytes each time. ValueError for another ending; RenderError
        where there is no Graphviz, or no CairoSVG for .png and .pdf, and then nothing is written.
        """
        ending = Path(path).suffix.lower()
        if ending == ".svg":
            content = self.svg().encode()
        elif ending == ".html":
            content = standalone_page(self._picture).encode()
        elif ending == ".json":
            content = self.snapshot.to_json().encode()
        elif ending in (".png", ".pdf"):
            content = convert(colored(self._picture.svg, self._theme or "light"), ending[1:])
        else:
            raise ValueError(f"can save as {_ENDINGS}, but not as {str(path)!r}")
        Path(path).write_bytes(content)

    def __repr__(self) -> str:
        return self.outline

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": self.outline, "image/svg+xml": self.svg()}


def draw(
    *tensors: TensorLike,
    names: Mapping[str, TensorLike] | None = None,
    limit: int = DEFAULT_LIMIT,
    direction: str | None = None,
    theme: str | None = None,
    fold: bool = True,
    detail: str = "values",
) -> Drawing:
    """Draw the autograd graph behind ``tensors``, of minigrad or of PyTorch, as it is now.

    names: what to call tensors, ``{"x": x}``; by default the variables that the caller sees.
    limit: how many nodes to draw, those nearest to ``tensors``; the picture says if there are more.
    direction: ``"LR"`` (left to right) or ``"TB"`` (top to bottom); by default left to right where
    that fits 820 pixels. theme: ``"light"`` or ``"dark"``; by default that of the page.
    fold: whether to draw modules as one box where the graph is too wide for a notebook, and
    repeated structure where it has more than 60 nodes.
    detail: ``"values"``, ``"saved"`` for what operations keep for backward as well, or ``"all"``
    for dtypes, versions and the numbers of nodes, too.

    TypeError for anything but tensors, ValueError for an unknown direction, theme or limit. Nothing
    of the program is changed: no gradient, no flag, no hook, and no warning is caused.

    >>> import minigrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> out = x * x
    >>> out.backward()
    >>> draw(out)
    Graph of out: 1 leaf, 1 operation
    x: leaf, float32 [] = 2, grad 4
    n0 AccumulateGrad: adds to x.grad
    n1 MulBackward0(x, x)
      freed self, other
      gives out: result, float32 [] = 4
    >>> draw(out).save("graph.txt")
    Traceback (most recent call last):
    ValueError: can save as .svg, .png, .pdf, .html or .json, but not as 'graph.txt'
    """
    if not tensors:
        raise TypeError("draw() takes one or more tensors, but got none")
    for tensor in tensors:
        if not is_tensor(tensor):
            raise TypeError(f"draw() takes tensors, but got {type(tensor).__name__}")
    if direction is not None and direction not in _DIRECTIONS:
        raise ValueError(f"direction must be 'LR' or 'TB', but got {direction!r}")
    if theme not in (None, *THEMES):
        raise ValueError(f"theme must be 'light' or 'dark', but got {theme!r}")
    if limit < 1:
        raise ValueError(f"limit must be at least 1, but got {limit}")
    check_detail(detail)
    named = names_in_frame(sys._getframe(1)) if names is None else given_names(names)
    return Drawing(take_snapshot(tensors, named, limit), direction, theme, NO_MARKS, fold, detail)
