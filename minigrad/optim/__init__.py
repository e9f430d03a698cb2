"""torch.optim: optimizers, and schedulers of their learning rates."""

from minigrad.missing import module_hooks
from minigrad.optim import lr_scheduler
from minigrad.optim.algorithms import SGD, Adagrad, Adam, AdamW, RMSprop
from minigrad.optim.base import Optimizer

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]
__dir__, __getattr__ = module_hooks(__name__, __all__)
