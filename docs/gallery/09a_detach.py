"""Cut with detach

One of two paths from `x` to the result is cut. The picture says where, and why.

Lesson: 09_cutting_the_graph, after "A stretch of code, and one use of a value"
"""

import minigrad as torch
from minigrad.viz import draw, record

x = torch.tensor(3.0, requires_grad=True)
with record():
    square = x * x
    fixed = square.detach()
    out = square * fixed
out.backward()

drawing = draw(out)
