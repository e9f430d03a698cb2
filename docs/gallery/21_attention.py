"""Attention

Three letters look at each other: the products of queries and keys, turned into weights by a
softmax, mix the values.

Lesson: 21_tiny_language_model, after "Letters that look at letters"
"""

import minigrad as torch
from minigrad.viz import draw

torch.manual_seed(0)
queries, keys, values = (torch.randn(3, 2, requires_grad=True) for _ in range(3))
scores = queries @ keys.t()
weights = torch.softmax(scores, dim=1)
mixed = weights @ values
mixed.sum().backward()

drawing = draw(mixed)
