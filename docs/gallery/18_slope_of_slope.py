"""The graph of a slope

`create_graph=True` records the backward pass of `y = x * x`: two products, one for each factor,
and the sum of both. Its own backward pass then finds the second derivative.

Lesson: 18_slopes_of_slopes, after "What a recorded backward pass looks like"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor(3.0, requires_grad=True)
y = x * x
(slope,) = torch.autograd.grad(y, x, create_graph=True)
slope.backward()

drawing = draw(slope)
