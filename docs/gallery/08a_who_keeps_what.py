"""Who keeps what

`exp` keeps its result, a product keeps its factors, and a sum keeps nothing.

Lesson: 08_saved_and_freed, after "Which rule saves what?"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([0.0, 1.0], requires_grad=True)
scaled = x * 2
grown = scaled.exp()
total = grown.sum()

drawing = draw(total)
