"""What PyTorch has in the namespace ``torch.utils``."""

from minigrad.utils import _pytree as _pytree
from minigrad.utils import checkpoint as checkpoint
from minigrad.utils import data as data
from minigrad.utils import hooks as hooks
