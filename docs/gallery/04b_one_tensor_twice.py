"""One tensor, used twice

Both inputs of the multiplication are `x`. Two arrows leave it, and `x.grad` is the sum of what both
bring back.

Lesson: 04_gradients_add_up, after "What adding is good for"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor(3.0, requires_grad=True)
y = x * x
y.backward()

drawing = draw(y)
