"""Who has to wait

Gradients reach `b` from `c` and from `d`. An engine that continues before both have arrived gets
wrong numbers.

Lesson: 05_order_matters, after "A graph to measure them by"
"""

import minigrad as torch
from minigrad.viz import draw

a = torch.tensor(2.0, requires_grad=True)
b = a * a
c = b + a
d = b * c
d.backward()

drawing = draw(d)
