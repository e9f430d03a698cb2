"""torch.utils.data: data sets, the order in which they are read, and batches of them.

Source: https://docs.pytorch.org/docs/stable/data.html
"""

from minigrad.missing import module_hooks
from minigrad.utils.data import dataloader, dataset, sampler
from minigrad.utils.data.dataloader import *
from minigrad.utils.data.dataset import *
from minigrad.utils.data.sampler import *

__all__ = ["dataloader", "dataset", "sampler"]
__all__ += dataloader.__all__
__all__ += dataset.__all__
__all__ += sampler.__all__
__dir__, __getattr__ = module_hooks(__name__, __all__)
