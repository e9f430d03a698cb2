"""What users may know of the autograd graph.

PyTorch has it in the namespace ``torch.autograd.graph``.
"""

from minigrad.autograd.node import Node as Node
