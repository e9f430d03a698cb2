"""Colours: Okabe and Ito's colour-blind-safe palette, darkened or lightened until text reads well.

Text has a contrast of at least 4.5 to 1 on what is behind it, borders and arrows 3 to 1.
"""

from dataclasses import dataclass

SANS = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
MONO = "Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"


@dataclass(frozen=True)
class Theme:
    """The colours of one picture."""

    background: str
    frame: str
    text: str
    muted: str
    arrow: str
    grad: str
    warning: str
    card: str
    leaf: str
    leaf_fill: str
    leaf_text: str
    result: str
    result_fill: str
    result_text: str
    operation: str
    operation_fill: str


THEMES = {
    "light": Theme(
        background="#ffffff",
        frame="#d8dee4",
        text="#1b1f24",
        muted="#57606a",
        arrow="#24292f",
        grad="#a84300",
        warning="#a84300",
        card="#57606a",
        leaf="#0072b2",
        leaf_fill="#e9f3fa",
        leaf_text="#005a8e",
        result="#8f3b72",
        result_fill="#f8ebf3",
        result_text="#7c2a63",
        operation="#6e7781",
        operation_fill="#f1f3f5",
    ),
    "dark": Theme(
        background="#111418",
        frame="#30363d",
        text="#e8eaed",
        muted="#a9b1ba",
        arrow="#e8eaed",
        grad="#f0a050",
        warning="#f0a050",
        card="#a9b1ba",
        leaf="#56b4e9",
        leaf_fill="#10283a",
        leaf_text="#93d0f5",
        result="#cc79a7",
        result_fill="#3a2030",
        result_text="#f0bcd8",
        operation="#8b949e",
        operation_fill="#20252b",
    ),
}
