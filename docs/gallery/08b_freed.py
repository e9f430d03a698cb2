"""Saved, then freed

Empty squares mark what the operations have freed. A second backward pass would need it, so it
raises an error.

Lesson: 08_saved_and_freed, after "Freed"
"""

import minigrad as torch
from minigrad.viz import diff, draw

x = torch.tensor([0.0, 1.0], requires_grad=True)
total = (x * 2).exp().sum()
before = draw(total, detail="saved")
total.backward()

drawing = diff(before, draw(total, detail="saved"))
