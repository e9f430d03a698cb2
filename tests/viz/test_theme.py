"""Text can be read and borders be seen, in both themes."""

import pytest

from minigrad.viz.draw.theme import THEMES


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_itself():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_text_has_a_contrast_of_four_and_a_half(theme):
    for part in ("background", "leaf_fill", "result_fill", "operation_fill", "data_fill"):
        fill = getattr(theme, part)
        for text in (theme.text, theme.muted, theme.grad, theme.warning):
            assert contrast(text, fill) >= 4.5, (text, fill)
    assert contrast(theme.leaf_text, theme.leaf_fill) >= 4.5
    assert contrast(theme.result_text, theme.result_fill) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_borders_and_arrows_have_a_contrast_of_three(theme):
    for line in (theme.arrow, theme.leaf, theme.result, theme.operation, theme.card, theme.data):
        assert contrast(line, theme.background) >= 3, line
