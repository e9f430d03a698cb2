"""Presentation MathML as text; whatever comes from a program is escaped."""

from html import escape


def leaf(tag: str, text: str) -> str:
    """A token: ``mi`` (a name), ``mn`` (a number), ``mo`` (a sign) or ``mtext`` (words).

    >>> leaf("mi", "x<y")
    '<mi>x&lt;y</mi>'
    """
    return f"<{tag}>{escape(text)}</{tag}>"


def element(tag: str, *children: str) -> str:
    """An element with its parts: ``mrow``, ``mfrac``, ``msup``, ``msqrt``, ...

    >>> element("mfrac", leaf("mn", "1"), leaf("mi", "x"))
    '<mfrac><mn>1</mn><mi>x</mi></mfrac>'
    """
    return f"<{tag}>{''.join(children)}</{tag}>"
