"""The same for a matrix

A node is one operation, no matter how many values it works on.

Lesson: 02_recording_the_graph, after "The computation graph"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.ones(2, 2, requires_grad=True)
y = x + 2
z = y * y * 3
out = z.mean()

drawing = draw(out)
