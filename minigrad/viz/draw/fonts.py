"""How wide text is: the picture's boxes are measured before any font is at hand.

The widths are those of Helvetica, in thousandths of the size; Arial and Liberation Sans have the
same. A monospaced letter is 0.6 wide.
"""

from typing import NamedTuple

# From " " to "~", by code.
_WIDTHS = """
    278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556
    556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667
    611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667
    667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500
    222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584
"""
_WIDTH = dict(zip(map(chr, range(32, 127)), map(int, _WIDTHS.split()), strict=True))
_WIDTH |= {"−": 584, "×": 584, "÷": 584, "…": 1000, "·": 278}
_OTHER = 667  # any other letter


class Style(NamedTuple):
    """A way to write: size in pixels, weight, and face."""

    size: float
    weight: int = 400
    mono: bool = False
    italic: bool = False


STYLES = {
    "title": Style(16, 700),
    "sign": Style(17, 600),
    "word": Style(14, 600),
    "number": Style(14),
    "grad": Style(14, 600),
    "edge": Style(13),
    "name": Style(13, italic=True),
    "slope": Style(13, 600),
    "label": Style(12),
    "reason": Style(12),
    "small": Style(11),
    "node": Style(10.5, mono=True),
}


def width_of(text: str, style: str) -> float:
    """The width of one line of text, in pixels."""
    size, weight, mono, _ = STYLES[style]
    if mono:
        return 0.602 * size * len(text)
    wider = 1.07 if weight > 500 else 1
    return wider * size * sum(_WIDTH.get(letter, _OTHER) for letter in text) / 1000
