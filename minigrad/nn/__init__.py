"""torch.nn: modules, layers and losses, and what belongs to them."""

from minigrad.missing import module_hooks
from minigrad.nn import containers, functional, init, layers, utils
from minigrad.nn.containers import *
from minigrad.nn.layers import *
from minigrad.nn.modules import Module, Parameter

__all__ = ["Module", "Parameter", "functional", "init", "utils"]
__all__ += containers.__all__
__all__ += layers.__all__
__dir__, __getattr__ = module_hooks(__name__, __all__)
