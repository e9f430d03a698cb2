"""`torch.testing`: what `assert_close` accepts and says, what `make_tensor` draws."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity.expressions import lines
from tests.parity.printed import agree_in_print
from tests.parity.told import assert_same
from tests.parity.transcript import agree

pytestmark = pytest.mark.parity

PROGRAMS = {
    "the former comparison": """
        close = torch.testing.assert_allclose
        close(x, x * (1 + 9e-5))
        close(x, x * (1 + 2e-4))
        close(x.half(), x.half() + 0.01, msg="apart")
        close(x.double(), x)
        close(3, 3)
        close([1.0, 2.0], torch.tensor([1, 2]))
        close(torch.tensor([1, 2]), [1.5, 2])
        close(float("nan"), float("nan"))
        close(float("nan"), float("nan"), equal_nan=False)
        close(x, x + 0.1, 0, 0.2)
        close(x, x, rtol=0.1)
        close(x, torch.ones(2))
        close(x, "a")
    """,
    "tensors": """
        close = torch.testing.assert_close
        close(x, x)
        close(x, x + 1)
        close(torch.ones(2, 2), torch.zeros(2, 2))
        close(torch.ones(3), torch.ones(2))
        close(x, x.double())
        close(x, x.double(), check_dtype=False)
        close(torch.ones(0), torch.ones(0))
        close(torch.tensor(0.1), torch.tensor(0.2))
        close(torch.tensor(1), torch.tensor(2))
        close(torch.tensor(True), torch.tensor(False))
        close(torch.tensor([1, 3]), torch.tensor([1, 4]))
        close(torch.tensor([True, False]), torch.tensor([True, True]))
        close(torch.tensor([1, 3]), torch.tensor([1.0, 3.1]), check_dtype=False)
        close(torch.tensor([0.1, 0.3]).half(), torch.tensor([0.2, 0.3]).half())
        close(torch.tensor([1e20]), torch.tensor([1.0]))
        close(torch.arange(12.0).reshape(3, 4), torch.arange(12.0).reshape(3, 4).flip(0))
        close(torch.ones(2, 3).t(), torch.ones(3, 2), check_stride=True)
        close(torch.ones(2, 3).t(), torch.ones(3, 2))
        close(torch.nn.Parameter(torch.ones(2)), torch.ones(2))
        close(torch.nn.Parameter(torch.ones(2)), torch.ones(2), allow_subclasses=False)
        """,
    "values that are no numbers": """
        close = torch.testing.assert_close
        nan, inf = float("nan"), float("inf")
        close(torch.tensor([nan]), torch.tensor([nan]))
        close(torch.tensor([nan]), torch.tensor([nan]), equal_nan=True)
        close(torch.tensor([[1.0, 3, 9]]), torch.tensor([[1.0, nan, 8]]), equal_nan=True)
        close(torch.tensor([inf, 1.0]), torch.tensor([inf, 2.0]))
        close(torch.tensor([inf, 1.0]), torch.tensor([1.0, 1.0]))
        close(torch.tensor(inf), torch.tensor(-inf))
        close(nan, nan)
        close(nan, nan, equal_nan=True)
        close(inf, 1.0)
        """,
    "tolerances": """
        close = torch.testing.assert_close
        close(torch.tensor([1.0]), torch.tensor([1.1]), rtol=0.1)
        close(torch.tensor([1.0]), torch.tensor([1.1]), atol=0.1)
        close(torch.tensor([1.0]), torch.tensor([1.1]), rtol=0.01, atol=0.01)
        close(torch.tensor([1.0]), torch.tensor([1.1]), rtol=0.2, atol=0)
        close(torch.tensor([1.0]), torch.tensor([1.1]), rtol=0, atol=0)
        close(torch.tensor([1, 3]), torch.tensor([1, 4]), rtol=0.1, atol=0.1)
        close(1.0, 2.0, rtol=0.1, atol=0)
        close(0.0, 1e-8)
        """,
    "numbers and containers": """
        close = torch.testing.assert_close
        close(1.0, 2.0)
        close(1, 2)
        close(1.0, 0.0)
        close(True, False)
        close(3, 3.0)
        close(3, 3.0, check_dtype=False)
        close(1, 2.5, check_dtype=False)
        close(None, None)
        close(None, 1)
        close([1.0, 2.0], [1.0, 2.5])
        close([1.0, 2.0], (1.0, 2.0))
        close([1.0, 2.0], [1.0])
        close([[1, 2], [3]], [[1, 2], [3, 4]])
        close({"a": 1.0}, {"a": 2.0})
        close({"a": 1.0}, {"b": 2.0})
        close({"x": {"y": 1}}, {"x": {"z": 1}})
        close({"b": 1, "a": 2}, {"a": 1, "b": 3})
        close({"a": [torch.ones(2), torch.ones(1)]}, {"a": [torch.ones(2), torch.zeros(1)]})
        """,
    "what cannot be compared": """
        close = torch.testing.assert_close
        close(1.0, torch.tensor(2.0))
        close(torch.ones(2), [1.0, 1.0])
        close("a", "a")
        close([1, "a"], [2, "a"])
        close(1, [1])
        close({}, [])
        close(x, x, 1e-3)
        """,
    "messages of one's own": """
        close = torch.testing.assert_close
        close(1.0, 2.0, msg="as I said")
        close([1.0], [2.0], msg=lambda text: "so: " + text)
        """,
    "functions": """
        torch.isclose(torch.tensor([1, 2]), torch.tensor([1, 3]), rtol=-1)
        torch.isclose(torch.tensor([1, 2]), torch.tensor([1, 3]), atol=-0.5)
        torch.allclose(1, x)
        torch.allclose(x, 1)
        torch.equal(x, 1)
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_comparisons_end_as_in_pytorch(name: str) -> None:
    agree(PROGRAMS[name].replace("\n        ", "\n"))


DRAWN = lines(
    """
torch.testing.make_tensor(3, dtype=torch.float32, device='cpu')
torch.testing.make_tensor((2, 3), dtype=torch.float64, device='cpu', requires_grad=True)
torch.testing.make_tensor(2, 3, dtype=torch.uint8, device='cpu')
torch.testing.make_tensor([4], dtype=torch.bool, device='cpu')
torch.testing.make_tensor((2, 3), dtype=torch.int32, device='cpu', low=-.5, high=2.5)
torch.testing.make_tensor((2, 3), dtype=torch.int32, device='cpu', low=3, high=3)
torch.testing.make_tensor((2, 3), dtype=torch.float32, device='cpu', low=3, high=3)
torch.testing.make_tensor((2, 3), dtype=torch.float32, device='cpu', low=4, high=3)
torch.testing.make_tensor((2, 3), dtype=torch.float32, device='cpu', low=float('nan'))
torch.testing.make_tensor(2, dtype=torch.float32, device='cpu', low=-3e38, high=3e38)
torch.testing.make_tensor((2, 3), dtype=torch.float32, device='cpu', noncontiguous=True)
torch.testing.make_tensor((2, 3), dtype=torch.float32, device='cpu', noncontiguous=True).stride()
torch.testing.make_tensor(20, dtype=torch.int64, device='cpu', low=-1, high=2, exclude_zero=True)
torch.testing.make_tensor((2, 3), dtype=torch.int32, device='cpu', requires_grad=True)
torch.testing.make_tensor((2, 3), dtype=torch.uint8, device='cpu', low=300, high=400)
torch.testing.make_tensor((2, 3), dtype=torch.uint8, device='cpu', low=-3, high=400)
torch.testing.make_tensor((), dtype=torch.float32, device='cpu', noncontiguous=True)
torch.testing.make_tensor(2, dtype=torch.float16, device='cpu', noncontiguous=1, memory_format=2)
torch.testing.make_tensor((2, 3), dtype=torch.float32)
torch.testing.make_tensor((2, 0), dtype=torch.float32, device='cpu', exclude_zero=True)
"""
)


@pytest.mark.parametrize("call", DRAWN)
def test_tensors_to_test_with_are_drawn_alike(call: str) -> None:
    def program(torch: Any) -> Any:
        torch.manual_seed(3)
        return eval(call, {"torch": torch})

    assert_same(program)


@pytest.mark.parametrize(
    "call",
    lines(
        """
torch.selu_(x * 1)
torch.celu_(x * 1)
torch.prelu(x, x[0, :1])
torch.hardshrink(x, lambd=2)
torch.cosine_similarity(x, x + 1, dim=0)
torch.pairwise_distance(x, x * 2)
[torch.hardshrink is F.hardshrink, torch.prelu is F.prelu, torch.celu_ is F.celu_]
"""
    ),
)
def test_functions_of_networks_are_torchs_too(call: str) -> None:
    def program(torch: Any) -> Any:
        torch.manual_seed(3)
        x = torch.tensor([[1.0, -2.0], [3.0, 0.5]], requires_grad=True)
        return eval(call, {"torch": torch, "F": torch.nn.functional, "x": x})

    assert_same(program)


def test_what_cannot_be_compared_is_told_whatever_message_is_given() -> None:
    agree_in_print(
        """
        close, one = torch.testing.assert_close, torch.ones(1)
        attempt(lambda: close({"a": one}, {}, msg="mine"))
        attempt(lambda: close({"a": one}, {"b": one}, msg=lambda text: "mine: " + text))
        attempt(lambda: close([{"a": one}], [{"a": one, "b": one}]))
        attempt(lambda: close([one], [one, one], msg="mine"))
        attempt(lambda: close([one], [one + 1], msg="mine"))
        attempt(lambda: close([one], [one + 1], msg=lambda text: "mine: " + text))
        """
    )
