"""At a kink

`abs` has no slope at 0. PyTorch, and so minigrad, takes 0 there: see the gradient of the middle
entry.

Lesson: 01_slopes_by_nudging, after "A kink"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([-2.0, 0.0, 2.0], requires_grad=True)
distance = x.abs().sum()
distance.backward()

drawing = draw(distance)
