"""Frozen, and passed through

`first` is frozen: it's data to the graph, and gets no gradient. `x` still gets one, because
gradients flow through the multiplication.

Lesson: 12_optimizers, after "Freezing a trained weight"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor(2.0, requires_grad=True)
first = torch.tensor(3.0)
second = torch.tensor(-1.0, requires_grad=True)
loss = (x * first * second - 6) ** 2
loss.backward()

drawing = draw(loss)
