"""torch.nn: modules, layers and losses, and what belongs to them."""

from minigrad.nn import functional

from minigrad.nn import init

from minigrad.nn import utils
from minigrad.nn.layers import *
from minigrad.nn.layers import BatchNorm1d, Embedding, Identity, Linear
from minigrad.nn.module import Module, ModuleDict, ModuleList, Parameter, Sequential
