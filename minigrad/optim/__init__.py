"""Optimizers: they change parameters by what their gradients say."""

from typing import Any

from minigrad.ops.bind import missing
from minigrad.optim import lr_scheduler as lr_scheduler
from minigrad.optim.adadelta import Adadelta as Adadelta
from minigrad.optim.adagrad import Adagrad as Adagrad
from minigrad.optim.adam import Adam as Adam
from minigrad.optim.adamax import Adamax as Adamax
from minigrad.optim.adamw import AdamW as AdamW
from minigrad.optim.asgd import ASGD as ASGD
from minigrad.optim.lbfgs import LBFGS as LBFGS
from minigrad.optim.nadam import NAdam as NAdam
from minigrad.optim.optimizer import Optimizer as Optimizer
from minigrad.optim.radam import RAdam as RAdam
from minigrad.optim.rmsprop import RMSprop as RMSprop
from minigrad.optim.rprop import Rprop as Rprop
from minigrad.optim.sgd import SGD as SGD


def __getattr__(name: str) -> Any:
    if name == "swa_utils":  # later, as it imports all of `minigrad.nn`
        import minigrad.optim.swa_utils as swa_utils

        return swa_utils
    raise missing("module 'torch.optim'", name, globals())
