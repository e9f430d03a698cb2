"""Upstream times local

Choose a node: the panel explains its rule, in words and in mathematics. Every entry of `x` has the
gradient 4.5.

Lesson: 03_backward_on_a_scalar, after "Upstream times local"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.ones(2, 2, requires_grad=True)
y = x + 2
z = y * y * 3
out = z.mean()
out.backward()

drawing = draw(out)
