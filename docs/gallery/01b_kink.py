"""At a corner

`abs` has no slope at 0. PyTorch takes 0 there, and so does minigrad: look at the middle entry of
the gradient.

Lesson: 01_slopes_by_nudging, after "Integers, steps and corners"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([-2.0, 0.0, 2.0], requires_grad=True)
distance = x.abs().sum()
distance.backward()

drawing = draw(distance)
