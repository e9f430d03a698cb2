"""What small networks are made of: modules, parameters, functions, and how weights begin."""

from typing import Any

from minigrad.nn import functional as functional
from minigrad.nn import init as init
from minigrad.nn import modules as modules
from minigrad.nn import parallel as parallel
from minigrad.nn import parameter as parameter
from minigrad.nn import utils as utils
from minigrad.nn.modules import *
from minigrad.nn.modules import by_name
from minigrad.nn.parameter import Buffer as Buffer
from minigrad.nn.parameter import Parameter as Parameter
from minigrad.ops.bind import missing


def __getattr__(name: str) -> Any:
    if name in by_name.NAMES:
        return getattr(by_name, name)
    raise missing("module 'torch.nn'", name, globals())
