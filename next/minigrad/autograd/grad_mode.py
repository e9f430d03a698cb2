"""torch.autograd.grad_mode: the grad modes, under the name of PyTorch's module."""

from minigrad.missing import module_hooks
from minigrad.modes import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
__dir__, __getattr__ = module_hooks(__name__, __all__)
