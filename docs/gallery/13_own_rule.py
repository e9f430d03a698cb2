"""A rule of your own

A class with `forward` and `backward` becomes a node like any other, under its own name.

Lesson: 13_write_your_own_op, after "Two functions"
"""

import minigrad as torch
from minigrad.viz import draw


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x * x


x = torch.tensor(2.0, requires_grad=True)
y = Cube.apply(x)
y.backward()

drawing = draw(y)
