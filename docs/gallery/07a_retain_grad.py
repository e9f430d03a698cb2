"""A gradient that would be gone

Only leaves keep their gradient. `y` keeps its own because of `retain_grad()`, so its card shows it.

Lesson: 07_leaves_and_retain_grad, after "Keep it: `retain_grad()`"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y.retain_grad()
out = (y * y).sum()
out.backward()

drawing = draw(out)
