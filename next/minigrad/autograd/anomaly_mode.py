"""torch.autograd.anomaly_mode: anomaly mode, under the name of PyTorch's module."""

from minigrad.anomaly import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
