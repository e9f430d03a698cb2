"""Cut with no_grad

Nothing in the block is recorded. `factor` is a number that gets no gradient.

Lesson: 09_cutting_the_graph, after "A stretch of code, and one use of a value"
"""

import minigrad as torch
from minigrad.viz import draw, record

x = torch.tensor(3.0, requires_grad=True)
with record():
    with torch.no_grad():
        factor = x * 5
    out = x * factor
out.backward()

drawing = draw(out)
