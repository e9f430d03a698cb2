"""A page that steps through a backward pass without a kernel and without a network."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template

from minigrad.viz.backward.steps import Steps
from minigrad.viz.draw.bundled import script_data
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.theme import THEMES

_HERE = Path(__file__).parent
_MOST_STEPS = 200


def page_of(steps: Steps, detail: str) -> str:
    """The page as HTML; it shows a picture, a sentence and an outline for each step.

    ValueError for more than 200 steps.
    """
    if steps.last > _MOST_STEPS:
        raise ValueError(
            f"a page holds at most {_MOST_STEPS} steps, but this pass has {steps.last}: "
            "watch fewer nodes, as in step(loss, limit=50)"
        )
    position, asking, steps.asking = steps.position, steps.asking, False
    frames = []
    for step in range(steps.last + 1):
        steps.go(step)
        drawings = {
            theme: Drawing(steps.snapshot, theme=theme, marks=steps.marks, detail=detail)
            for theme in THEMES
        }
        pictures = {theme: drawing.svg() for theme, drawing in drawings.items()}
        frames.append({**pictures, "text": steps.text, "outline": drawings["light"].outline})
    steps.position, steps.asking = position, asking
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    return Template((_HERE / "page.html").read_text(encoding="utf-8")).substitute(
        script=script,
        # Nothing may be fetched, and only this script may run.
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        text=escape("\n\n".join(frame["text"] for frame in frames)),
        frames=script_data(frames),
    )
