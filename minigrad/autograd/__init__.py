"""torch.autograd: derivatives of what operations have computed.

`backward` and `grad` are in `minigrad.engine`, grad modes in `minigrad.modes`, anomaly mode in
`minigrad.anomaly`.
"""

from minigrad.anomaly import detect_anomaly, set_detect_anomaly
from minigrad.autograd import function, functional, graph
from minigrad.autograd.function import Function
from minigrad.autograd.gradcheck import gradcheck, gradgradcheck
from minigrad.autograd.legacy import Variable
from minigrad.engine import backward, grad
from minigrad.missing import module_hooks as _module_hooks
from minigrad.modes import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = [name for name in globals() if name[0] != "_" and name != "legacy"]
__dir__, __getattr__ = _module_hooks(__name__, __all__)
