"""torch.autograd.grad_mode: the grad modes, under the name of PyTorch's module."""

from minigrad.modes import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
