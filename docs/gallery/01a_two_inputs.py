"""One gradient for each input

A function of several numbers has one slope for each of them. A single backward pass finds both.

Lesson: 01_slopes_by_nudging, after "One input at a time"
"""

import minigrad as torch
from minigrad.viz import draw

width = torch.tensor(2.0, requires_grad=True)
height = torch.tensor(5.0, requires_grad=True)
area = width * height
result = area + width
result.backward()

drawing = draw(result)
