"""What else can be drawn: Cauchy's, log-normal and geometric numbers, and what is refused."""

from __future__ import annotations

import pytest

from tests.parity.transcript import agree

PROGRAMS = {
    "values": """
        torch.manual_seed(5)
        [torch.empty(size).cauchy_() for size in (0, 5, 20)]
        [torch.empty(size).log_normal_() for size in (0, 5, 20)]
        [torch.empty(size).geometric_(0.1) for size in (0, 5, 20)]
        [torch.empty(5, dtype=torch.float64).cauchy_(1, 2), torch.randn(1)]
        [torch.empty(5, dtype=torch.float64).log_normal_(0, 0.5), torch.randn(1)]
        torch.empty(2, 3, dtype=torch.float16).log_normal_(0, 1)
        torch.empty(3, 2).t().geometric_(p=0.05)
        torch.empty(5, dtype=torch.int64).geometric_(0.3)
        torch.empty(5, dtype=torch.uint8).geometric_(0.01)
        """,
    "refusals": """
        torch.empty(2).geometric_(0)
        torch.empty(2).geometric_(1.5)
        torch.empty(2).geometric_("a")
        torch.empty(2).cauchy_(0, 0)
        torch.empty(2).log_normal_(0, -1.5)
        torch.empty(2, dtype=torch.int64).cauchy_()
        torch.empty(2, dtype=torch.int64).log_normal_()
        torch.empty(2, dtype=torch.bool).geometric_(0.5)
        x.cauchy_()
        """,
    "gradients": """
        y = x * 2
        y.cauchy_().grad_fn
        (x * 2).log_normal_().grad_fn
        (x * 2).geometric_(0.5).grad_fn
        y.sum().backward()
        x.grad
        """,
}


@pytest.mark.parity
@pytest.mark.parametrize("name", PROGRAMS)
def test_distributions_are_pytorchs(name: str) -> None:
    agree(PROGRAMS[name].replace("\n        ", "\n"))
