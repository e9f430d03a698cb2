"""finfo and iinfo: the limits of a dtype."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from minigrad import dtypes
from minigrad.c_code import type_name

NOTHING: Any = object()
WITHOUT_NUMPY = {
    dtypes.bfloat16: (2.0**-7, (2 - 2.0**-7) * 2.0**127, 2.0**-126, 1e-2),
    dtypes.float8_e4m3fn: (2.0**-3, 448.0, 2.0**-6, 1.0),
    dtypes.float8_e5m2: (2.0**-2, 57344.0, 2.0**-14, 1.0),
}


class Limits:
    """What finfo and iinfo are: equal for equal dtypes, and not to be changed."""

    __module__ = "torch"
    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("_known",)
    _known: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        if name in self._known:
            return self._known[name]
        raise AttributeError(f"'torch.{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        getattr(self, name)
        raise AttributeError(
            f"attribute '{name}' of 'torch.{type(self).__name__}' objects is not writable"
        )

    def __eq__(self, other: object) -> Any:
        return self._known == other._known if type(other) is type(self) else NotImplemented

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._known]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (type(self).__name__, self.dtype))


def checked_type(function: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Return the dtype that finfo or iinfo was called with; NOTHING without arguments.

    Raises:
        TypeError: if there are others, with PyTorch's texts.
    """
    if len(arguments) + len(keywords) > 1:
        kinds = [type_name(one) for one in arguments]
        kinds += [f"{key}={type_name(one)}" for key, one in keywords.items()]
        forms = " * (torch.dtype type)\n * ()\n" if function == "finfo" else ""
        raise TypeError(
            f"{function}() received an invalid combination of arguments - got "
            f"({', '.join(kinds)}), but expected one of:\n{forms}"
        )
    if not arguments and "type" not in keywords:
        if keywords or function == "iinfo":
            raise TypeError(f'{function}() missing 1 required positional arguments: "type"')
        return NOTHING
    given = arguments[0] if arguments else keywords["type"]
    wanted = dtypes.of_python(given)
    if wanted is None:
        where = " (position 1)" if arguments else ""
        kind = type(given).__name__
        raise TypeError(f"{function}(): argument 'type'{where} must be torch.dtype, not {kind}")
    return wanted


def floating(dtype: dtypes.dtype) -> tuple[float, float, float, float]:
    """Return what is added to 1 at least, the largest and smallest normal number, and what prints.

    Those which numpy does not have are given.
    """
    if dtype in WITHOUT_NUMPY:
        return WITHOUT_NUMPY[dtype]
    limits = np.finfo(dtype.numpy_dtype)
    numbers = (limits.eps, limits.max, limits.smallest_normal)
    return (*map(float, numbers), 10.0**-limits.precision)  # type: ignore[return-value]


class finfo(Limits):
    """The limits of a floating point dtype, by default of the default dtype.

    Raises:
        TypeError: if it is not floating point.
    """

    __module__ = "torch"
    __slots__ = ()

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        dtype = checked_type("finfo", arguments, keywords)
        dtype = dtypes.get_default_dtype() if dtype is NOTHING else dtype
        if not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                "'torch.finfo'"
            )
        dtype = dtype.to_real()
        eps, largest, tiny, resolution = floating(dtype)
        known: dict[str, Any] = {"eps": eps, "max": largest, "min": -largest, "tiny": tiny}
        known |= {"smallest_normal": tiny, "resolution": resolution}
        known |= {"bits": 8 * dtype.itemsize, "dtype": dtype.name}
        object.__setattr__(self, "_known", known)

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        limits = ", ".join(f"{name}={self._known[name]:g}" for name in names)
        return f"finfo({limits}, dtype={self.dtype})"


class iinfo(Limits):
    """The limits of an integer dtype.

    Raises:
        TypeError: if it is none.
    """

    __module__ = "torch"
    __slots__ = ()

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        dtype = checked_type("iinfo", arguments, keywords)
        if dtype is dtypes.bool_:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if dtype.is_floating_point or dtype.is_complex:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle "
                "'torch.iinfo'"
            )
        if dtype.kind == "q":
            raise NotImplementedError(f"\"dtype\" not implemented for '{dtype.scalar_name}'")
        limits = np.iinfo(dtype.name)
        known = {"bits": limits.bits, "max": int(limits.max), "min": int(limits.min)}
        object.__setattr__(self, "_known", known | {"dtype": dtype.name})

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def _rebuilt(kind: str, name: str) -> Limits:
    return {"finfo": finfo, "iinfo": iinfo}[kind](dtypes.named(name))
