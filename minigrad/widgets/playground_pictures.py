"""The playground's own pictures: points on a colored plane, weights as heat maps, and bars."""

import base64
import math
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from minigrad.widgets.plot import LINE, MUTED, STYLES, TEXT, picture, text

_SIDE = 260
_LEGEND = 40  # below the plane
_REACH = 1.1
_BAR_WIDTH, _BAR_HEIGHT = 420, 22
_BAR_LEFT, _BAR_ROOM = 58, 280
_POWERS = (-8, 0)  # of ten: where each bar begins, and its full length
# The lessons' colors: class 0 has blue crosses, class 1 orange circles. The surer the network, the
# denser the color. In heat maps, weights above 0 are blue, and those below are orange.
_BLUE, _ORANGE = (0, 114, 178), (213, 94, 0)


def boundary(title: str, outputs: np.ndarray, places: np.ndarray, kinds: np.ndarray) -> str:
    """Points of two classes, circles and crosses, on what a network predicts for each place."""
    plane = _image(_pixels(outputs, _ORANGE, _BLUE, 0.12), 0, 0, _SIDE, _SIDE)
    return picture(title, _SIDE, _SIDE + _LEGEND, [plane, *_points(places, kinds), *_legend()])


def _legend() -> Iterator[str]:
    for kind, x in ((0, 8), (1, _SIDE / 2)):
        yield _point(kind, x, _SIDE + 12)
        yield text(x + 10, _SIDE + 16, f"class {kind}")
    yield text(4, _SIDE + 33, "background color: the predicted class", fill=MUTED)


def network(title: str, weights: Sequence[np.ndarray], activation: str) -> str:
    """A heat map of each layer's weights: a row for each unit, a column for each of its inputs."""
    cell = 3 if max(max(w.shape) for w in weights) > 16 else 7
    tallest = max(len(w) for w in weights) * cell
    most = max(np.abs(w[np.isfinite(w)]).max(initial=0) for w in weights) or 1
    parts, x, middle = [], 0.0, 22 + tallest / 2
    for number, layer in enumerate(weights, 1):
        height, width = layer.shape[0] * cell, layer.shape[1] * cell
        top = middle - height / 2
        parts.append(text(x, 13, f"layer {number}", fill=MUTED))
        parts.append(_image(_pixels(layer / most * 4, _BLUE, _ORANGE, 0), x, top, width, height))
        parts.append(_frame(x, top, width, height))
        x += max(width, 46) + 10
        if number < len(weights):
            parts.append(text(x, middle + 4, f"→ {activation} →", fill=MUTED))
            x += 28 + 7 * len(activation) + 10
    scale = f"weights from −{most:.2g} (orange) to {most:.2g} (blue)"
    parts.append(text(0, 22 + tallest + 17, scale, fill=MUTED))
    return picture(title, max(x, 8 * len(scale)), 22 + tallest + 24, parts)


def _frame(x: float, y: float, width: float, height: float) -> str:
    return f'<rect {_box(x, y, width, height)} fill="none" stroke="{LINE}"/>'


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'


def _pixels(
    numbers: np.ndarray, above: tuple[int, ...], below: tuple[int, ...], least: float
) -> np.ndarray:
    """A color for each number, by its sign; least: the opacity of 0."""
    pixels = np.empty((*numbers.shape, 4), np.uint8)
    pixels[..., :3] = np.where(numbers[..., None] > 0, above, below)
    dense = np.abs(np.tanh(np.nan_to_num(numbers) / 2))
    pixels[..., 3] = 255 * np.clip(least + (0.4 if least else 1) * dense, 0, 1)
    return pixels


def _image(pixels: np.ndarray, x: float, y: float, width: float, height: float) -> str:
    data = base64.b64encode(_png(pixels)).decode()
    sharp = "" if width == _SIDE else ' style="image-rendering: pixelated"'
    href = f'href="data:image/png;base64,{data}"'
    return f'<image {_box(x, y, width, height)} preserveAspectRatio="none"{sharp} {href}/>'


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
    if kind:
        circle = f'cx="{x:.4g}" cy="{y:.4g}" r="3.5"'
        return f'<circle {circle} fill="rgb{_ORANGE}" stroke="{TEXT}" stroke-width="0.6"/>'
    cross = f"M{x - 3:.4g} {y - 3:.4g}l6 6m0 -6l-6 6"
    return f'<path d="{cross}" stroke="{STYLES[0][0]}" stroke-width="1.8" fill="none"/>'


def bars(title: str, sizes: Mapping[str, float]) -> str:
    """A bar for each size on a scale that stays: one step for each power of ten."""
    bottom = 24 + len(sizes) * _BAR_HEIGHT
    least, most = _POWERS
    parts = [text(0, 13, title, fill=MUTED)]
    for power in range(least, most + 1, 2):
        x = _BAR_LEFT + (power - least) / (most - least) * _BAR_ROOM
        parts.append(f'<path d="M{x:g} 20V{bottom}" stroke="{LINE}"/>')
        parts.append(text(x, bottom + 14, f"1e{power}" if power else "1", "middle", fill=MUTED))
    for number, (name, size) in enumerate(sizes.items()):
        y = 22 + number * _BAR_HEIGHT
        known = math.isfinite(size) and size > 0
        share = (math.log10(size) - least) / (most - least) if known else 0
        length = min(max(share, 0), 1) * _BAR_ROOM
        parts.append(text(0, y + 14, name))
        parts.append(f'<rect x="{_BAR_LEFT}" y="{y + 3}" width="{length:.4g}" height="14"')
        parts.append(f' rx="2" fill="{STYLES[0][0]}"/>')
        parts.append(text(_BAR_LEFT + 6 + length, y + 14, f"{size:.1e}"))
    return picture(title, _BAR_WIDTH, bottom + 22, parts)
