"""A vector at the start

The result has three entries, so the backward pass starts with a vector `v`: `x.grad` is the product
of `v` and the Jacobian.

Lesson: 06_non_scalar_backward, after "Only one combination"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
v = torch.tensor([1.0, 0.1, 0.01])
y = x * x
y.backward(v)

drawing = draw(y)
