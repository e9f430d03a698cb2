"""Anomaly mode: errors of the backward pass tell where in the program they come from."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def anomaly(torch: Any) -> Iterator[None]:
    """Switch anomaly mode on for one test."""
    with torch.autograd.set_detect_anomaly(True):
        yield


def test_it_warns_that_it_is_slow(torch: Any) -> None:
    with pytest.warns(UserWarning, match="This mode will increase the runtime") as caught:
        torch.autograd.detect_anomaly()
    assert caught[0].filename == __file__


def test_it_shows_the_line_behind_a_nan(torch: Any, anomaly: None) -> None:
    x = torch.zeros(2, requires_grad=True)
    line = inspect.currentframe().f_lineno + 1  # type: ignore[union-attr]
    y = x.sqrt()
    with (
        pytest.warns(UserWarning, match="Error detected in SqrtBackward0") as caught,
        pytest.raises(RuntimeError, match="'SqrtBackward0' returned nan values in its 0th output"),
    ):
        (y * 0).sum().backward()
    told = str(caught[0].message)
    where = f'  File "{__file__}", line {line}, in test_it_shows_the_line_behind_a_nan\n'
    assert f"{where}    y = x.sqrt()\n" in told
    assert x.grad is None


def test_it_finds_a_nan_for_an_input_that_needs_no_gradient(torch: Any, anomaly: None) -> None:
    class Odd(torch.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a * b

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient, gradient * float("nan")

    y = Odd.apply(torch.ones(1, requires_grad=True), torch.ones(1))
    with (
        pytest.warns(UserWarning, match="Error detected in OddBackward"),
        pytest.raises(RuntimeError, match="'OddBackward' returned nan values in its 1th output"),
    ):
        y.backward()


def test_a_gradient_that_is_right_is_left_alone(torch: Any, anomaly: None) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_hooks_on_several_tensors_know_which_will_get_a_gradient(torch: Any, anomaly: None) -> None:
    seen: list[Any] = []
    a, b = (torch.ones(1, requires_grad=True) for _ in range(2))
    torch.autograd.graph.register_multi_grad_hook((a, b), seen.append)
    (a * 2).backward()
    assert seen == [[torch.tensor([2.0]), None]]


def test_nodes_keep_their_traceback(torch: Any, anomaly: None) -> None:
    node = (torch.ones(2, requires_grad=True) * 2).grad_fn
    assert "test_nodes_keep_their_traceback" in node.metadata["traceback_"][-1]


def test_without_it_nodes_keep_nothing(torch: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly():
            pass
    assert not torch.is_anomaly_enabled()
    assert (torch.ones(2, requires_grad=True) * 2).grad_fn.metadata == {}


def test_where_warnings_are_errors_the_error_of_the_backward_pass_is_raised(
    torch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    x = torch.zeros(1, requires_grad=True)
    with warnings.catch_warnings(), torch.autograd.set_detect_anomaly(True):
        warnings.simplefilter("error")
        y = x.sqrt() * 0
        with pytest.raises(RuntimeError, match="^Function 'SqrtBackward0' returned nan values"):
            y.backward()
    told = capsys.readouterr().err
    assert told.startswith("UserWarning: Error detected in SqrtBackward0. Traceback of forward")
    assert "y = x.sqrt() * 0" in told
