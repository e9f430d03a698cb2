"""draw(): a picture of the graph behind tensors."""

import sys
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from minigrad.viz.draw import svg
from minigrad.viz.draw.browser_state import standalone_page
from minigrad.viz.draw.dot import dot_source
from minigrad.viz.draw.folding import fold
from minigrad.viz.draw.marks import NO_MARKS, Marks
from minigrad.viz.draw.outline import describe_node, describe_tensor, outline
from minigrad.viz.draw.render import RenderError, render
from minigrad.viz.draw.text import Words
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
        theme: str = "light",
        marks: Marks = NO_MARKS,
        folded: bool = True,
    ):
        self.snapshot = snapshot
        self.view = fold(snapshot, marks=marks) if folded else snapshot
        self.marks = marks
        self._direction = direction
        self._theme = THEMES[theme]

    @property
    def outline(self) -> str:
        """The graph as text, one fact to a line."""
        return outline(self.view, self.marks)

    @property
    def dot(self) -> str:
        """The picture as Graphviz source."""
        return dot_source(self.view, self._theme, self._direction, self.marks)

    def svg(self) -> str:
        """The picture as SVG; without a Graphviz to draw it, the outline as SVG."""
        try:
            picture = render(self.dot, "svg")
        except RenderError as error:
            return svg.of_text(self.outline, str(error), self._theme)
        words = Words(self.view)
        about = {node.id: "\n".join(describe_node(words, node)) for node in self.view.nodes}
        about |= {tensor.id: describe_tensor(words, tensor) for tensor in self.view.tensors}
        title = self.marks.title or words.summary
        return svg.finish(picture, self._theme, title, self.outline, about)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to ``path``; its ending says how: .svg, .png, .pdf, .html or .json.

        The page is the live graph's picture, with its panel and keys; it needs no network. In a
        frame of another page, ``graph.html#dark`` is dark whatever the system says, and so with
        ``#light``; the page around it is told how high it is (``minigradHeight`` in a message).

        The same drawing gives the same bytes each time. ValueError for another ending; RenderError
        for .png and .pdf where there is no Graphviz, and then nothing is written.
        """
        ending = Path(path).suffix.lower()
        if ending == ".svg":
            content = self.svg().encode()
        elif ending == ".html":
            content = standalone_page(self.snapshot, self.marks, self._direction).encode()
        elif ending == ".json":
            content = self.snapshot.to_json().encode()
        elif ending in (".png", ".pdf"):
            content = render(self.dot, ending[1:])
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
    theme: str = "light",
    fold: bool = True,
) -> Drawing:
    """Draw the autograd graph behind ``tensors``, of minigrad or of PyTorch, as it is now.

    names: what to call tensors, ``{"x": x}``; by default the variables that the caller sees.
    limit: how many nodes to draw, those nearest to ``tensors``; the picture says if there are more.
    direction: ``"LR"`` (left to right) or ``"TB"`` (top to bottom); by default left to right where
    that fits 750 pixels. theme: ``"light"`` or ``"dark"``.
    fold: whether to draw repeated structure, and the parameters of each module, as one box where
    the graph has more than 60 nodes.

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
    if theme not in THEMES:
        raise ValueError(f"theme must be 'light' or 'dark', but got {theme!r}")
    if limit < 1:
        raise ValueError(f"limit must be at least 1, but got {limit}")
    named = names_in_frame(sys._getframe(1)) if names is None else given_names(names)
    return Drawing(take_snapshot(tensors, named, limit), direction, theme, folded=fold)
