"""torch.utils: what programs use beside tensors and modules."""

from minigrad.missing import module_hooks
from minigrad.utils import data

__all__ = ["data"]
__dir__, __getattr__ = module_hooks(__name__, __all__)
