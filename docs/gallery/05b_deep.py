"""A deep graph, folded

A thousand multiplications in a row. Repeated structure is drawn as one box. Choose it to open it.

Lesson: 05_order_matters, after "A topological order"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor(1.001, requires_grad=True)
y = x
for _ in range(1000):
    y = y * x

drawing = draw(y, limit=2000)
