"""A matrix product

The rule of a matrix product is two matrix products, one for each factor. Choose `MmBackward0` to
read them.

Lesson: 14_shapes, after "Only one product fits"
"""

import minigrad as torch
from minigrad.viz import draw

inputs = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
weights = torch.tensor([[0.5], [-1.0]], requires_grad=True)
outputs = inputs @ weights
outputs.sum().backward()

drawing = draw(outputs)
