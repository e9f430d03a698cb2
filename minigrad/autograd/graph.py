"""What users may know of the autograd graph.

PyTorch has it in the namespace ``torch.autograd.graph``.
"""

from minigrad.autograd.gradient_edge import GradientEdge as GradientEdge
from minigrad.autograd.gradient_edge import get_gradient_edge as get_gradient_edge
from minigrad.autograd.gradient_edge import register_multi_grad_hook as register_multi_grad_hook
from minigrad.autograd.node import Node as Node
