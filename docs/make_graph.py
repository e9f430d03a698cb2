"""Draw the picture in README.md: `python docs/make_graph.py` writes docs/graph.png."""

from pathlib import Path

import minigrad as torch
from minigrad.viz import draw, record

with record():
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    z = y * y * 3
    out = z.mean()
    out.backward()
draw(out).save(Path(__file__).with_name("graph.png"))
