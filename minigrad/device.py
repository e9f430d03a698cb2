"""Devices: all that PyTorch knows can be named; minigrad computes on the cpu."""

from __future__ import annotations

from typing import Any

TYPES = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga",
    "maia", "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)  # fmt: skip


class device:
    """A device by its type and number: ``device(type='cpu')``.

    As a context manager, in which new tensors are on it, only the cpu serves.

    Raises:
        RuntimeError: if there is no such type, or the number is none.
        TypeError: if `type` is neither text nor a device.

    Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device

    >>> import minigrad as torch
    >>> torch.device("cuda:1")
    device(type='cuda', index=1)
    """

    __slots__ = ("index", "type")
    __module__ = "torch"

    def __init__(self, type: str | device, index: int | None = None) -> None:
        if isinstance(type, int):
            if type < 0:
                raise RuntimeError("Device index must not be negative")
            raise RuntimeError("Cannot access accelerator device when none is available.")
        if not isinstance(type, (str, device)):
            raise TypeError(
                "device() received an invalid combination of arguments - got "
                f"({type.__class__.__name__}), but expected one of:\n * (torch.device device)\n"
                "      didn't match because some of the arguments have invalid types: "
                f"(!{type.__class__.__name__}!)\n * (str type, int index = -1)\n"
            )
        self.type, self.index = read(str(type))
        if index is not None:
            if self.index is not None:
                raise RuntimeError(
                    "type (string) must not include an index because index was passed explicitly: "
                    f"{type}"
                )
            if index < 0:
                raise RuntimeError("Device index must not be negative")
            self.index = index

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, device) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __enter__(self) -> device:
        check_device(self)
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing is to be put back: new tensors are on the cpu anyway."""

    def __reduce__(self) -> tuple[Any, ...]:
        # As `torch`, the module that it names, is another's, pickle is given a function.
        return _rebuilt, (self.type,) if self.index is None else (self.type, self.index)


def read(text: str) -> tuple[str, int | None]:
    """Return the type and the number that a text such as "cuda:1" names."""
    if not text:
        raise RuntimeError("Device string must not be empty")
    name, colon, number = text.partition(":")
    if name not in TYPES:
        raise RuntimeError(
            f"Expected one of {', '.join(TYPES)} device type at start of device string: {name}"
        )
    if colon and not number.isdecimal():
        raise RuntimeError(f"Invalid device string: '{text}'")
    return name, int(number) if colon else None


def check_device(value: Any) -> bool:
    """Return True for the cpu, for which None stands as well: minigrad computes on no other.

    Raises:
        AssertionError: for graphics processors, as PyTorch's that was compiled without.
        RuntimeError: for others, and what is no device.
    """
    name = "cpu" if value is None else device(value).type
    if name in ("cuda", "xpu"):
        raise AssertionError(f"Torch not compiled with {name.upper()} enabled")
    if name != "cpu":
        raise RuntimeError(f"PyTorch is not linked with support for {name} devices")
    return True


def set_default_device(device: Any) -> None:
    """Say on which device new tensors are to be: the cpu, or an error."""
    check_device(device)


def get_default_device() -> device:
    """Return the device on which new tensors are: the cpu."""
    return CPU


def _rebuilt(type: str, index: int | None = None) -> device:
    return device(type, index)


CPU = device("cpu")
