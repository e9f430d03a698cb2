"""Who saves what

`tanh` saves its result, a product with 2 saves the 2, and a sum saves nothing.

Lesson: 08_saved_and_freed, after "What a rule needs"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([0.0, 1.0], requires_grad=True)
scaled = x * 2
bent = scaled.tanh()
total = bent.sum()

drawing = draw(total, detail="saved")
