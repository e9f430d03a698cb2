"""The lost leaf

`.double()` makes a new tensor. `w` is now the name of that one, but the leaf that collects the
gradient is the tensor it was made from.

Lesson: 07_leaves_and_retain_grad, after "Small weights, no gradient"
"""

import minigrad as torch
from minigrad.viz import draw

w = torch.tensor([1.0, 2.0], requires_grad=True).double()
loss = (w * w).sum()
loss.backward()

drawing = draw(loss)
