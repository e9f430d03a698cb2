"""What backward changes

Two drawings, before and after `backward()`: a gradient is stored, and the values saved for it are
freed. No value has changed.

Lesson: 03_backward_on_a_scalar, after "What backward does not do"
"""

import minigrad as torch
from minigrad.viz import diff, draw

w = torch.tensor([1.0, -2.0], requires_grad=True)
loss = (w * w).sum()
before = draw(loss)
loss.backward()

drawing = diff(before, draw(loss))
