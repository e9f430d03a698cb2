"""Cut by accident

The penalty was detached, perhaps to print it. The loss is right, and nothing is raised; but
`w.grad` is that of the sum alone: the penalty teaches nothing.

Lesson: 19_debugging_clinic, after "When nothing is raised"
"""

import minigrad as torch
from minigrad.viz import draw, record

w = torch.tensor([0.5, -0.5], requires_grad=True)
with record():
    penalty = (w * w).sum().detach()
    loss = w.sum() + penalty
loss.backward()

drawing = draw(loss)
