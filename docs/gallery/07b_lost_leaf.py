"""The lost leaf

`.double()` makes a new tensor. `w` is its name, but the leaf that gathers the gradient is the
tensor before it.

Lesson: 07_leaves_and_retain_grad, after "The lost leaf"
"""

import minigrad as torch
from minigrad.viz import draw

w = torch.tensor([1.0, 2.0], requires_grad=True).double()
loss = (w * w).sum()
loss.backward()

drawing = draw(loss)
