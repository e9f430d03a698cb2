"""torch.autograd.anomaly_mode: anomaly mode, under the name of PyTorch's module."""

from minigrad.anomaly import detect_anomaly, set_detect_anomaly
from minigrad.missing import module_hooks

__all__ = ["detect_anomaly", "set_detect_anomaly"]
__dir__, __getattr__ = module_hooks(__name__, __all__)
