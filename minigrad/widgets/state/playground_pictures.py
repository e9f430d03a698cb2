"""The playground's own pictures: points on a coloured plane, and bars."""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Iterator, Mapping

import numpy as np

from minigrad.widgets.state.plot import MUTED, STYLES, TEXT, marker, picture, text

_SIDE = 260
_LEGEND = 40  # below the plane
_REACH = 1.1
_BAR_WIDTH, _BAR_HEIGHT = 420, 22
# Okabe and Ito's blue and orange; how sure the network is is how dense they are.
_SECOND, _FIRST = (0, 114, 178), (230, 159, 0)


def boundary(title: str, thinks: np.ndarray, places: np.ndarray, kinds: np.ndarray) -> str:
    """Points of two kinds, circles and squares, over what a network thinks of each place."""
    parts = [_plane(thinks), *_points(places, kinds), *_legend()]
    return picture(title, _SIDE, _SIDE + _LEGEND, parts)


def _legend() -> Iterator[str]:
    for kind, x in ((1, 8), (0, _SIDE / 2)):
        yield _point(kind, x, _SIDE + 12)
        yield text(x + 10, _SIDE + 16, f"class {kind}")
    yield text(4, _SIDE + 33, "the ground: what the network takes it for", fill=MUTED)


def _plane(thinks: np.ndarray) -> str:
    sure = np.abs(np.tanh(thinks / 2))
    pixels = np.empty((*thinks.shape, 4), np.uint8)
    pixels[..., :3] = np.where(thinks[..., None] > 0, _SECOND, _FIRST)
    pixels[..., 3] = 20 + 130 * sure
    data = base64.b64encode(_png(pixels)).decode()
    size = f'width="{_SIDE}" height="{_SIDE}"'
    return f'<image {size} preserveAspectRatio="none" href="data:image/png;base64,{data}"/>'


def _png(pixels: np.ndarray) -> bytes:
    """RGBA pixels as a PNG file."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    written = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


def _points(places: np.ndarray, kinds: np.ndarray) -> Iterator[str]:
    for (x, y), kind in zip(places.tolist(), kinds.tolist(), strict=True):
        across, down = (x / _REACH + 1) / 2 * _SIDE, (1 - y / _REACH) / 2 * _SIDE
        yield _point(kind, across, down)


def _point(kind: int, x: float, y: float) -> str:
    fill = STYLES[0 if kind else 1][0]
    shape = "circle" if kind else "square"
    return marker(shape, x, y, 3.5, f'fill="{fill}" stroke="{TEXT}" stroke-width="0.6"')


def bars(title: str, sizes: Mapping[str, float]) -> str:
    """A bar for each size, its length logarithmic: one step for each power of ten."""
    known = [size for size in sizes.values() if size > 0 and math.isfinite(size)]
    most = math.ceil(math.log10(max(known, default=1)) + 1e-9)
    least = min(math.floor(math.log10(min(known, default=0.1))), most - 1)
    room = _BAR_WIDTH - 150
    parts = [
        text(0, 13, f"{title} (each bar from 1e{least}, to 1e{most} at full length)", fill=MUTED)
    ]
    for number, (name, size) in enumerate(sizes.items()):
        y = 22 + number * _BAR_HEIGHT
        share = (math.log10(size) - least) / (most - least) if size in known else 0
        colour = STYLES[0][0]
        parts.append(text(0, y + 14, name))
        parts.append(f'<rect x="58" y="{y + 3}" width="{max(share, 0) * room:.4g}" height="14"')
        parts.append(f' rx="2" fill="{colour}"/>')
        parts.append(text(64 + max(share, 0) * room, y + 14, f"{size:.1e}"))
    return picture(title, _BAR_WIDTH, 28 + len(sizes) * _BAR_HEIGHT, parts)
