"""How operations are recorded and how the graph is walked backward."""

import importlib
from typing import TYPE_CHECKING, Any

from minigrad.autograd.anomaly_mode import detect_anomaly as detect_anomaly
from minigrad.autograd.anomaly_mode import set_detect_anomaly as set_detect_anomaly
from minigrad.autograd.differentiate import backward as backward
from minigrad.autograd.differentiate import grad as grad
from minigrad.autograd.grad_mode import (
    _unsafe_preserve_version_counter as _unsafe_preserve_version_counter,
)
from minigrad.autograd.grad_mode import enable_grad as enable_grad
from minigrad.autograd.grad_mode import inference_mode as inference_mode
from minigrad.autograd.grad_mode import is_multithreading_enabled as is_multithreading_enabled
from minigrad.autograd.grad_mode import no_grad as no_grad
from minigrad.autograd.grad_mode import set_grad_enabled as set_grad_enabled
from minigrad.autograd.grad_mode import set_multithreading_enabled as set_multithreading_enabled
from minigrad.autograd.gradcheck import gradcheck as gradcheck
from minigrad.autograd.gradcheck import gradgradcheck as gradgradcheck
from minigrad.autograd.saved_tensors_hooks import SavedTensor as SavedTensor
from minigrad.autograd.variable import Variable as Variable
from minigrad.autograd.variable import variable as variable

if TYPE_CHECKING:
    from minigrad.autograd import forward_ad as forward_ad
    from minigrad.autograd import function as function
    from minigrad.autograd import functional as functional
    from minigrad.autograd import graph as graph
    from minigrad.autograd import profiler as profiler
    from minigrad.autograd.function import Function as Function

# Which many programs never use.
ON_DEMAND = ("forward_ad", "function", "functional", "graph", "profiler")


def __getattr__(name: str) -> Any:
    if name == "Function":
        return importlib.import_module("minigrad.autograd.function").Function
    if name in ON_DEMAND:
        return importlib.import_module(f"minigrad.autograd.{name}")
    raise AttributeError(f"module 'torch.autograd' has no attribute '{name}'")
