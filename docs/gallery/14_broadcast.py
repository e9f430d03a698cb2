"""Undoing a broadcast

`offset` has one entry and is added to three. Its gradient is the sum over the three, because a
gradient has the shape of its input.

Lesson: 14_shapes, after "One entry, many uses"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
offset = torch.tensor([10.0], requires_grad=True)
total = (x + offset).sum()
total.backward()

drawing = draw(total)
