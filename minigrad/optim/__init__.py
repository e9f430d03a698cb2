"""Optimizers: they change parameters by what their gradients say."""

from minigrad.optim.adam import Adam as Adam
from minigrad.optim.adamw import AdamW as AdamW
from minigrad.optim.optimizer import Optimizer as Optimizer
from minigrad.optim.sgd import SGD as SGD
