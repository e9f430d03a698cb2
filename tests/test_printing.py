"""The text of tensors; tests/properties/test_printing.py compares random ones with PyTorch's."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _default_options(torch: Any) -> Iterator[None]:
    yield
    torch.set_printoptions(profile="default")


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("tensor(2.5)", "tensor(2.5000)"),
        ("tensor([1.0, 2.0])", "tensor([1., 2.])"),
        ("tensor([1.0, 0.12345])", "tensor([1.0000, 0.1235])"),
        ("tensor([1.0, 1e-6])", "tensor([1.0000e+00, 1.0000e-06])"),
        ("tensor([1.0, inf, nan])", "tensor([1., inf, nan])"),
        ("tensor([0.5, -inf])", "tensor([0.5000,   -inf])"),
        ("tensor([True, False])", "tensor([ True, False])"),
        ("tensor([[1, -20], [300, 4]])", "tensor([[  1, -20],\n        [300,   4]])"),
        ("tensor([])", "tensor([])"),
        ("zeros(0, 3)", "tensor([], size=(0, 3))"),
        ("zeros(2, 0, dtype=int64)", "tensor([], size=(2, 0), dtype=torch.int64)"),
        ("tensor([1], dtype=int32)", "tensor([1], dtype=torch.int32)"),
        ("tensor([1.0], requires_grad=True)", "tensor([1.], requires_grad=True)"),
        ("tensor([1.0], requires_grad=True) * 2", "tensor([2.], grad_fn=<MulBackward0>)"),
        ("ones(1, 2, 2)", "tensor([[[1., 1.],\n         [1., 1.]]])"),
        ("arange(1001)", "tensor([   0,    1,    2,  ...,  998,  999, 1000])"),
        (
            "zeros(9, dtype=float64, requires_grad=True) + 1.5",
            "tensor([1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000],\n"
            "       dtype=torch.float64, grad_fn=<AddBackward0>)",
        ),
    ],
)
def test_text(torch: Any, program: str, text: str) -> None:
    assert repr(eval(program, dict(vars(torch)))) == text


def test_large_tensors_are_summarized_in_every_dimension(torch: Any) -> None:
    assert repr(torch.arange(2000).view(2, 10, 100)[:, :, :50]).count("...") == 0
    lines = repr(torch.arange(10000).view(100, 100)).splitlines()
    assert lines[0] == "tensor([[   0,    1,    2,  ...,   97,   98,   99],"
    assert lines[3] == "        ...,"
    assert len(lines) == 7


def test_options(torch: Any) -> None:
    x = torch.tensor([1.23456, 100.0, 0.0, 1.0])
    torch.set_printoptions(precision=2, linewidth=30)
    assert repr(x) == "tensor([  1.23, 100.00,\n          0.00,   1.00])"
    torch.set_printoptions(profile="default", sci_mode=True)
    assert repr(x[:1]) == "tensor([1.2346e+00])"
    torch.set_printoptions(threshold=3, edgeitems=1)  # sci_mode is back at None
    assert repr(x) == "tensor([1.2346,  ..., 1.0000])"
