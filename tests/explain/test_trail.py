"""Recording changes nothing, keeps nothing alive, and forgets what is old."""

import gc
import warnings
import weakref
from typing import Any

import pytest

from minigrad.explain.trail import Trail


def test_what_the_program_frees_is_freed(torch: Any) -> None:
    with Trail():
        x = torch.ones(3, requires_grad=True)
        freed = [weakref.ref(x * 2), weakref.ref((x * x).sum())]
        gc.collect()
        assert [reference() for reference in freed] == [None, None]


def test_a_trail_does_not_grow(torch: Any) -> None:
    with Trail() as trail:
        x = torch.ones(1)
        for _ in range(10_100):
            x.add_(1)
    assert len(trail.calls) == 10_000


def test_a_warning_is_one_of_the_users_line(torch: Any) -> None:
    y = torch.ones(1, requires_grad=True) * 2
    with Trail(), warnings.catch_warnings(record=True) as plain:
        warnings.simplefilter("always")
        y.grad  # noqa: B018
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with Trail():
            y.grad  # noqa: B018
    assert [warning.filename for warning in caught] == [__file__]
    assert len(plain) == 1


def test_an_error_goes_through_as_it_is(torch: Any) -> None:
    with Trail() as trail, pytest.raises(RuntimeError, match="must match the size"):
        torch.ones(3) + torch.ones(4)
    assert trail.failure is not None
    assert [argument.shape for argument in trail.failure.arguments] == [(3,), (4,)]
