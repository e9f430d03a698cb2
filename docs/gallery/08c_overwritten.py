"""Overwritten after it was kept

`exp` kept its result, and then somebody changed it in place. The picture marks what `backward()`
will refuse.

Lesson: 08_saved_and_freed, after "Versions"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([0.0, 1.0], requires_grad=True)
y = x.exp()
y.mul_(10)

drawing = draw(y, detail="saved")
