"""A tensor's numbers as text, shortened, and the same on every engine."""

import math
from dataclasses import dataclass

from minigrad.viz.read.protocol import TensorLike

SHORTENED = "…"
_MOST_ITEMS = 1000
_FEW_SHADES, _FEW_ROWS, _MOST_SHADES = 8, 4, 16  # entries, rows, entries along a dimension

Items = str | tuple["Items", ...]


@dataclass(frozen=True)
class Value:
    """What a tensor held: dtype, shape, and its numbers as text, nested as the tensor is.

    A dimension longer than six shows its first and last three items around ``…``. ``items`` is
    None where there is too much to show or where the tensor holds no readable numbers. ``shades``
    are the entries of a small matrix as whole numbers from -8 to 8: 8 for the largest.
    """

    dtype: str
    shape: tuple[int, ...]
    items: Items | None
    shades: tuple[tuple[int, ...], ...] = ()

    @property
    def kind(self) -> str:
        """dtype and shape, as in ``float32 [2, 3]``."""
        return f"{self.dtype} {list(self.shape)}"

    @property
    def text(self) -> str:
        """The numbers in one line, as in ``[[1, 2], [3, 4]]``."""
        return "not shown" if self.items is None else _nested(self.items)

    @property
    def rows(self) -> list[list[str]]:
        """The numbers as rows of a table: one row for each innermost list."""
        return [["not shown"]] if self.items is None else _rows(self.items)


def read_value(tensor: TensorLike) -> Value:
    """Read the numbers of ``tensor`` without recording, changing or warning of anything."""
    shape = tuple(int(size) for size in tensor.shape)
    dtype = str(tensor.dtype).rpartition(".")[2]
    return Value(dtype, shape, _read_items(tensor, shape), _read_shades(tensor, shape))


def _read_shades(tensor: TensorLike, shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """A vector is one row; what has few or many entries, or other than numbers, has no shades."""
    many = math.prod(shape) > _FEW_SHADES or (len(shape) == 2 and shape[0] > _FEW_ROWS)
    if len(shape) not in (1, 2) or not many or max(shape) > _MOST_SHADES or not min(shape):
        return ()
    try:
        entries = tensor.detach().tolist()
    except (RuntimeError, NotImplementedError):
        return ()
    rows = entries if len(shape) == 2 else [entries]
    if not all(
        isinstance(entry, int | float) and math.isfinite(entry) for row in rows for entry in row
    ):
        return ()
    largest = max(abs(entry) for row in rows for entry in row) or 1
    return tuple(tuple(round(8 * entry / largest) for entry in row) for row in rows)


def format_number(number: complex | bool) -> str:
    """At most four decimals, as PyTorch prints by default; an exponent for the rest.

    >>> format_number(4.5), format_number(0.25000001), format_number(-1e-7), format_number(True)
    ('4.5', '0.25', '-1e-07', 'True')
    """
    if isinstance(number, bool | int):
        return str(number)
    if isinstance(number, complex):
        sign = "-" if math.copysign(1, number.imag) < 0 else "+"
        return f"{format_number(number.real)}{sign}{format_number(abs(number.imag))}j"
    if not math.isfinite(number):
        return str(number)
    if number == 0 or 1e-4 <= abs(number) < 1e6:
        return f"{number:.4f}".rstrip("0").rstrip(".")
    mantissa, exponent = f"{number:.4e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{exponent}"


def _read_items(tensor: TensorLike, shape: tuple[int, ...]) -> Items | None:
    edge = 3 if _count(shape, 3) <= _MOST_ITEMS else 1
    if _count(shape, edge) > _MOST_ITEMS:
        return None
    corners = tensor.detach()
    ends = [*range(edge), *range(-edge, 0)]
    for dimension, size in enumerate(shape):
        if size > 2 * edge:
            corners = corners[(*[slice(None)] * dimension, ends)]
    try:
        numbers = corners.tolist()
    except (RuntimeError, NotImplementedError):  # meta, sparse, ... tensors have no such list
        return None
    return _shorten(numbers, shape, edge)


def _count(shape: tuple[int, ...], edge: int) -> int:
    return math.prod(min(size, 2 * edge) for size in shape)


def _shorten(numbers: object, shape: tuple[int, ...], edge: int) -> Items:
    if not isinstance(numbers, list):
        assert isinstance(numbers, complex | float | int)
        return format_number(numbers)
    items = [_shorten(part, shape[1:], edge) for part in numbers]
    if shape[0] > 2 * edge:
        items.insert(edge, SHORTENED)
    return tuple(items)


def _nested(items: Items) -> str:
    return items if isinstance(items, str) else f"[{', '.join(map(_nested, items))}]"


def _rows(items: Items) -> list[list[str]]:
    if isinstance(items, str):
        return [[items]]
    if all(isinstance(item, str) for item in items):
        return [[str(item) for item in items] or ["no items"]]
    return [row for item in items for row in _rows(item)]
