"""The tempting repair

After `w = w - 0.1 * w.grad`, the name `w` belongs to a result. It is no longer a leaf, and its
gradient will be None.

Lesson: 11_training_by_hand, after "Move the leaf itself"
"""

import minigrad as torch
from minigrad.viz import draw

w = torch.tensor(1.0, requires_grad=True)
loss = (w * 3 - 6) ** 2
loss.backward()
w = w - 0.1 * w.grad
loss = (w * 3 - 6) ** 2
loss.backward()

drawing = draw(loss)
