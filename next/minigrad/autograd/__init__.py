"""torch.autograd"""

import sys as _sys

from minigrad.engine import backward, grad
from minigrad.tensor import Tensor as Variable
from minigrad.autograd import function
from minigrad.autograd import functional
from minigrad.autograd import graph
from minigrad import modes as grad_mode
from minigrad.autograd import gradcheck as _gradcheck_module
from minigrad.autograd.function import Function
from minigrad.autograd.gradcheck import gradcheck, gradgradcheck
from minigrad.modes import detect_anomaly, enable_grad, inference_mode, is_grad_enabled, no_grad
from minigrad.modes import set_detect_anomaly, set_grad_enabled

__all__ = [
    "Function",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_grad_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]
torch = _sys.modules[__package__.rpartition(".")[0]]
GradcheckError = _gradcheck_module.GradcheckError
