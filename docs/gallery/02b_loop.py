"""A loop leaves no trace

The graph records what ran. All that remains of the `while` is its multiplications.

Lesson: 02_recording_the_graph, after "The graph is what ran"
"""

import minigrad as torch
from minigrad.viz import draw

a = torch.tensor(2.0, requires_grad=True)
b = a
while b < 20:
    b = b * a

drawing = draw(b)
