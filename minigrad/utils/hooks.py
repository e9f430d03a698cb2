"""Handles of hooks, as PyTorch has them in the namespace ``torch.utils.hooks``."""

from minigrad.autograd.hooks import RemovableHandle as RemovableHandle
