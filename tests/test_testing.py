"""assert_close: what it accepts, and what it tells of what differs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


def test_what_is_close_passes(torch: Any) -> None:
    close = torch.testing.assert_close
    close(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0 + 1e-6]))
    close(torch.tensor([1, 2]), torch.tensor([1, 2]))
    close({"a": [1, None, True]}, {"a": (1, None, True)})
    close(np.ones(2), np.ones(2))
    close(float("nan"), float("nan"), equal_nan=True)


def test_the_greatest_differences_are_told(torch: Any) -> None:
    with pytest.raises(AssertionError) as caught:
        torch.testing.assert_close(torch.tensor([1.0, 8.0]), torch.tensor([2.0, 10.0]))
    assert str(caught.value) == (
        "Tensor-likes are not close!\n\n"
        "Mismatched elements: 2 / 2 (100.0%)\n"
        "Greatest absolute difference: 2.0 at index (1,) (up to 1e-05 allowed)\n"
        "Greatest relative difference: 0.5 at index (0,) (up to 1.3e-06 allowed)"
    )


def test_integers_have_to_be_equal(torch: Any) -> None:
    with pytest.raises(AssertionError, match="Scalars are not equal!"):
        torch.testing.assert_close(torch.tensor(1), torch.tensor(2))


def test_an_item_is_named(torch: Any) -> None:
    with pytest.raises(AssertionError, match=r"for item \['loss'\]\[1\]$"):
        torch.testing.assert_close({"loss": [1.0, 2.0]}, {"loss": [1.0, 3.0]})


def test_a_type_that_cannot_be_compared_is_told_before_a_difference(torch: Any) -> None:
    with pytest.raises(TypeError, match="No comparison pair was able to handle"):
        torch.testing.assert_close([1, "a"], [2, "a"])
