"""One input, three outputs

Reverse mode needs one backward pass for each of the three results. Forward mode needs a single
pass, because there is one input.

Lesson: 17_forward_mode, after "Count the passes"
"""

import minigrad as torch
from minigrad.viz import draw

t = torch.tensor(0.5, requires_grad=True)
position = t * t * 4
speed = t * 8
height = (speed + 1).tanh()

drawing = draw(position, speed, height)
