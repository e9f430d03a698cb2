"""A loop leaves no trace

What is recorded is what ran. Of the `while` nothing is to be seen but the multiplications that it
made.

Lesson: 02_recording_the_graph, after "The record is what ran"
"""

import minigrad as torch
from minigrad.viz import draw

a = torch.tensor(2.0, requires_grad=True)
b = a
while b < 20:
    b = b * a

drawing = draw(b)
