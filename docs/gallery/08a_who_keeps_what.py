"""Who keeps what

`tanh` keeps its result, a product with 2 keeps the 2, and a sum keeps nothing.

Lesson: 08_saved_and_freed, after "Which rule saves what?"
"""

import minigrad as torch
from minigrad.viz import draw

x = torch.tensor([0.0, 1.0], requires_grad=True)
scaled = x * 2
bent = scaled.tanh()
total = bent.sum()

drawing = draw(total, detail="saved")
