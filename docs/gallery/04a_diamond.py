"""A diamond: paths add

Two paths lead from `a` to `d`. Each brings a gradient, and `a.grad` is their sum.

Lesson: 04_gradients_add_up, after "Within one call"
"""

import minigrad as torch
from minigrad.viz import draw

a = torch.tensor(5.0, requires_grad=True)
b = a * 2
c = a * a
d = b + c
d.backward()

drawing = draw(d)
