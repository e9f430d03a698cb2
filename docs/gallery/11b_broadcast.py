"""A broadcast, undone

`offset` has one entry and is added to three. Its gradient is the sum over the three: shapes of
gradients are those of inputs.

Lesson: 13_write_your_own_op, after "Undoing a broadcast"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
offset = torch.tensor([10.0], requires_grad=True)
total = (x + offset).sum()
total.backward()

drawing = draw(total)
