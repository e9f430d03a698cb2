"""Devices: minigrad computes on the cpu, and says so to programs that ask before they begin.

`torch.cuda`, `torch.accelerator` and `torch.backends` are modules in PyTorch. Their answers are so
short here that they share this file.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from minigrad.missing import missing_name

TYPES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, "
    "mps, meta, hpu, mtia, privateuseone"
)


class device:
    """A device, by its type and index: ``device(type='cuda', index=0)``.

    Every device that PyTorch knows can be named, but only the cpu can be used.

    Raises:
        RuntimeError: if the type is unknown or the index isn't one.

    Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device

    >>> device("cuda:1")
    device(type='cuda', index=1)
    """

    def __init__(self, type: str | device, index: int | None = None) -> None:
        text = str(type) if index is None else f"{type}:{index}"
        self.type, colon, number = text.partition(":")
        if self.type not in TYPES.split(", "):
            raise RuntimeError(
                f"Expected one of {TYPES} device type at start of device string: {self.type}"
            )
        if colon and not number.isdecimal():
            raise RuntimeError(f"Invalid device string: '{text}'")
        self.index = int(number) if colon else None

    def __repr__(self) -> str:
        return f"device(type='{self.type}'{'' if self.index is None else f', index={self.index}'})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def require_cpu(where: str | device | None) -> None:
    """Refuse every device but the cpu, in the words of a PyTorch that was built without it.

    Each function with an argument `device` calls this. None stands for the default, the cpu.

    Raises:
        AssertionError: for a graphics processor of NVIDIA or Intel.
        RuntimeError: for other devices, and for what names no device.
    """
    kind = "cpu" if where is None else device(where).type
    if kind in ("cuda", "xpu"):
        raise AssertionError(f"Torch not compiled with {kind.upper()} enabled")
    if kind != "cpu":
        raise RuntimeError(f"PyTorch is not linked with support for {kind} devices")


def set_default_device(device: str | device | None) -> None:
    """Make new tensors on a device: the cpu, where they are made anyway."""
    require_cpu(device)


class DeviceModule(ModuleType):
    """A module without a file of its own, such as `torch.cuda`: what there is to say of a device.

    It can be imported like any other, since scripts begin with
    ``import torch.backends.cudnn as cudnn``.
    """

    def __init__(self, name: str, **contents: Any) -> None:
        super().__init__(f"minigrad.{name}")
        vars(self).update(contents)
        sys.modules[self.__name__] = self

    def __getattr__(self, name: str) -> Any:
        raise missing_name(f"module '{self.__name__.replace('minigrad', 'torch', 1)}'", name, self)


def is_available() -> bool:
    """Return False: there is no such device."""
    return False


def device_count() -> int:
    """Return 0: there is no such device."""
    return 0


def manual_seed(seed: int) -> None:
    """Seed the random numbers of a device. There is none, so this does nothing."""


def current_accelerator(check_available: bool = False) -> None:
    """Return None: there is no accelerator."""


def module(name: str, **contents: Any) -> DeviceModule:
    return DeviceModule(name, is_available=is_available, **contents)


seeds = {"manual_seed": manual_seed, "manual_seed_all": manual_seed}
cuda = module("cuda", device_count=device_count, **seeds)
accelerator = module("accelerator", current_accelerator=current_accelerator)
cudnn = module("backends.cudnn", enabled=True, benchmark=False, deterministic=False)
backends_mps = module("backends.mps", is_built=is_available)
backends = DeviceModule("backends", cudnn=cudnn, mps=backends_mps)
