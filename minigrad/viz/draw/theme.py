"""Colors: Okabe and Ito's colorblind-safe palette, darkened or lightened until text reads well.

Text has a contrast of at least 4.5 to 1 on what is behind it, borders and arrows 3 to 1.
"""

from dataclasses import dataclass

SANS = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
MONO = "Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"


@dataclass(frozen=True)
class Theme:
    """The colors of one picture."""

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
    data: str
    data_fill: str
    cut: str


THEMES = {
    "light": Theme(
        background="#ffffff",
        frame="#d4d8de",
        text="#1b1f24",
        muted="#596170",
        arrow="#3b424c",
        grad="#ab4600",
        warning="#6b4e00",
        card="#596170",
        leaf="#0072b2",
        leaf_fill="#e9f4fb",
        leaf_text="#005a8e",
        result="#96397a",
        result_fill="#faecf5",
        result_text="#7c2a63",
        operation="#5f6772",
        operation_fill="#f3f4f6",
        data="#8a9099",
        data_fill="#f2f2f0",
        cut="#767e8a",
    ),
    "dark": Theme(
        background="#12161b",
        frame="#343b45",
        text="#e9ecef",
        muted="#a5adb8",
        arrow="#c4cad2",
        grad="#f5a550",
        warning="#f3dd8b",
        card="#a5adb8",
        leaf="#56b4e9",
        leaf_fill="#0f2a3d",
        leaf_text="#93d0f5",
        result="#d88fb9",
        result_fill="#351c2d",
        result_text="#f0bcd8",
        operation="#8e97a3",
        operation_fill="#20262e",
        data="#727b87",
        data_fill="#1d2126",
        cut="#8b94a0",
    ),
}
