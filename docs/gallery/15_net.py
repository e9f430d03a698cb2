"""A small net

Two layers with `tanh` between them. Each parameter is a leaf, with its name from
`named_parameters()`.

Lesson: 15_train_a_small_net, after "One tanh"
"""

import minigrad as torch
from minigrad import nn
from minigrad.viz import draw

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
points = torch.tensor([[0.5, -1.0], [1.5, 2.0]])
inside = torch.tensor([[1.0], [0.0]])
loss = nn.functional.binary_cross_entropy_with_logits(model(points), inside)
loss.backward()

drawing = draw(loss)
