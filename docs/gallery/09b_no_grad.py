"""Cut with no_grad

What is computed in the block is not recorded. `factor` is a number that no gradient goes back to.

Lesson: 09_cutting_the_graph, after "Tool 3: `no_grad()` stops recording for a while"
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
