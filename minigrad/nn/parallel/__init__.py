"""Networks on several devices by name alone: minigrad computes on one."""

from minigrad.nn.modules.by_name import ByName
from minigrad.nn.modules.by_name import DataParallel as DataParallel
from minigrad.nn.parallel import scatter_gather as scatter_gather


class DistributedDataParallel(ByName):
    """A network in several processes, which cannot be made."""
