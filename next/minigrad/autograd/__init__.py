"""torch.autograd: derivatives of what operations have computed.

`backward` and `grad` are in `minigrad.engine`, grad modes and anomaly mode in `minigrad.modes`.
"""

from minigrad.autograd import anomaly_mode, function, functional, grad_mode, graph, variable
from minigrad.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from minigrad.autograd.function import Function
from minigrad.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from minigrad.autograd.gradcheck import gradcheck, gradgradcheck
from minigrad.autograd.variable import Variable
from minigrad.engine import backward, grad
from minigrad.missing import module_hooks

__all__ = [
    "Function",
    "Variable",
    "anomaly_mode",
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
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "variable",
]
__dir__, __getattr__ = module_hooks(__name__, __all__)
