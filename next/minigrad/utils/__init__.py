"""torch.utils"""

from minigrad.utils import data
