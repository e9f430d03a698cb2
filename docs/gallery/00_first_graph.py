"""A first graph

Two operations on one number. Values run to the right. After `backward()`, `x` holds the slope of
`z`.

Lesson: 00_start_here, after "The same neuron, in code"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor(3.0, requires_grad=True)
y = x * x
z = y + 1
z.backward()

drawing = draw(z)
