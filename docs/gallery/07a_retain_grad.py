"""A gradient that would be gone

Only leaves keep their gradient. `y` was asked to keep its own, so its card shows it.

Lesson: 07_leaves_and_retain_grad, after "Asking for more: `retain_grad()`"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y.retain_grad()
out = (y * y).sum()
out.backward()

drawing = draw(out)
