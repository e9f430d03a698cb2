"""Fifty layers, folded

Layers that repeat become one box. Open it to see all of them, and close it with *Fold again*.

Lesson: 16_vanish_explode_nan, after "Twenty layers"
"""

import minigrad as torch
from minigrad import nn
from minigrad.viz import draw

torch.manual_seed(0)
layers = [part for _ in range(50) for part in (nn.Linear(3, 3), nn.Sigmoid())]
model = nn.Sequential(*layers, nn.Linear(3, 1))
loss = model(torch.ones(2, 3)).sum()
loss.backward()

drawing = draw(loss)
