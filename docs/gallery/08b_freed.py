"""Kept, then freed

The pills with dashed edges have given up what they kept. A second walk would need it, and raises.

Lesson: 08_saved_and_freed, after "Freed"
"""

import minigrad as torch
from minigrad.viz import diff, draw

x = torch.tensor([0.0, 1.0], requires_grad=True)
total = (x * 2).exp().sum()
before = draw(total)
total.backward()

drawing = diff(before, draw(total))
