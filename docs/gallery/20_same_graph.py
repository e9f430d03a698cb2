"""Two edges between two nodes

`b = a + a; c = b + b`: each sum has two arrows from the same place. An engine that visits a node
on each arrival, or stores with `=`, gets this one wrong. The slope is 4.

Lesson: 20_build_your_own_engine, after "Part 3: an order, and sums"
"""

import minigrad as torch
from minigrad.viz import draw

a = torch.tensor(3.0, requires_grad=True)
b = a + a
c = b + b
c.backward()

drawing = draw(c)
