"""Cut by accident

The penalty was detached, perhaps to print it. The loss is right, and there is no error, but
`w.grad` is the gradient of the sum alone: the penalty trains nothing.

Lesson: 19_debugging_clinic, after "When there's no error"
"""

import minigrad as torch
from minigrad.viz import draw, record

w = torch.tensor([0.5, -0.5], requires_grad=True)
with record():
    penalty = (w * w).sum().detach()
    loss = w.sum() + penalty
loss.backward()

drawing = draw(loss)
