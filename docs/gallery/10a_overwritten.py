"""Overwritten after it was saved

`exp` saved its result, and then the result was changed in place. The picture marks the saved tensor
that `backward()` will refuse.

Lesson: 10_in_place, after "A counter in every tensor"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([0.0, 1.0], requires_grad=True)
y = x.exp()
y.mul_(10)

drawing = draw(y, detail="saved")
