"""Where the graph ends

A comparison has no gradient, and nothing computed from its result has one. The picture says so,
because the program was recorded.

Lesson: 02_recording_the_graph, after "Where the graph ends"
"""

import minigrad as torch
from minigrad.viz import draw, record

x = torch.tensor([1.0, -1.0, 3.0], requires_grad=True)
with record():
    positive = x > 0
    total = (x * positive).sum()

drawing = draw(total)
