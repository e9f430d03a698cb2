"""One tensor, used twice

Both inputs of the multiplication are `x`: there are two arrows, and `x.grad` adds up what both
bring back.

Lesson: 04_gradients_add_up, after "What if an engine forgot to add?"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor(3.0, requires_grad=True)
y = x * x
y.backward()

drawing = draw(y)
