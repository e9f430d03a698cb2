"""Modules by name alone: packages ask whether a module is one of them, and none is."""

from __future__ import annotations

from typing import Any, NoReturn

from minigrad.nn.modules.module import Module

NAMES = (
    "AdaptiveAvgPool2d", "AvgPool2d", "BatchNorm2d", "BatchNorm3d", "Conv1d", "Conv2d", "Conv3d",
    "DataParallel", "GRU", "LSTM", "MaxPool1d", "MaxPool2d", "MaxPool3d",
    "MultiheadAttention", "RNN", "RNNBase", "SyncBatchNorm",
)  # fmt: skip


class ByName(Module):
    """A module that cannot be made.

    Raises:
        NotImplementedError: always.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(f"minigrad has no torch.nn.{type(self).__name__}")


def __getattr__(name: str) -> type[ByName]:
    if name not in NAMES:
        raise AttributeError(f"module 'torch.nn.modules' has no attribute '{name}'")
    made = globals()[name] = type(name, (ByName,), {"__module__": __name__})
    return made
