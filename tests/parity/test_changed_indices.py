"""Index tensors that were changed in place after they were used: the gradient is refused."""

from __future__ import annotations

import pytest

from tests.parity.transcript import agree

PROGRAM = """
def put(y, i, v): y[i] = v; return y
i = torch.tensor({})
y = {}
i.zero_()
y.sum().backward()
x.grad
"""


@pytest.mark.parity
@pytest.mark.parametrize(
    "use",
    [
        "x[i]",
        "x.expand(2, 3)[:, i]",
        "put(x * 1, i, 0.0)",
        "put(x * 1, i, x[0])",
        "x.index_put((i,), x[:1])",
        "(x * 1).index_put_((i,), torch.tensor(1.0))",
        "x.index_put((i,), x[:1], accumulate=True)",
        "x.masked_fill(i > 0, 1.0)",
        "x[i.tolist()]",
    ],
)
@pytest.mark.parametrize("given", ["[0, 1]", "[True, False, True]"])
def test_indices_that_were_changed_since_are_refused(given: str, use: str) -> None:
    agree(PROGRAM.format(given, use))


@pytest.mark.parity
@pytest.mark.parametrize(
    "use",
    ["torch.where(i, x, x * 2)", "x.masked_fill(i, 0)", "torch.masked_select(x, i)"],
)
def test_masks_that_were_changed_since_are_refused(use: str) -> None:
    agree(PROGRAM.format("[True, False, True]", use))


@pytest.mark.parity
@pytest.mark.parametrize("use", ["x.sort()", "x.max(0)", "x.topk(2)"])
def test_places_that_were_changed_since_are_refused(use: str) -> None:
    agree(f"y, i = {use}\ni.fill_(1)\ny.sum().backward()\nx.grad")
