"""One layer and its loss

Two weights, four examples, one loss: the graph that each iteration of a training loop builds again.

Lesson: 11_training_by_hand, after "The loop"
"""

import minigrad as torch
from minigrad.viz import draw

inputs = torch.tensor([0.0, 1.0, 2.0, 3.0])
targets = torch.tensor([1.0, 3.0, 5.0, 7.0])
slope = torch.tensor(0.0, requires_grad=True)
offset = torch.tensor(0.0, requires_grad=True)
loss = ((slope * inputs + offset - targets) ** 2).mean()
loss.backward()

drawing = draw(loss)
