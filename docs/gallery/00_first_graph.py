"""A first graph

Two operations on one number. Values go to the right; after `backward()`, `x` holds the slope of
`z`.

Lesson: 00_start_here, after "A first graph"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor(3.0, requires_grad=True)
y = x * x
z = y + 1
z.backward()

drawing = draw(z)
