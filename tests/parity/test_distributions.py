"""What else can be drawn: Cauchy's, log-normal and geometric numbers, and what is refused."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print
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


@pytest.mark.parity
def test_poissons_gumbels_and_what_is_dropped_are_pytorchs() -> None:
    agree_in_print(
        """
        for seed in (0, 1, 42, 1000, 2**33):
            torch.manual_seed(seed)
            means = torch.tensor([0.0, 0.1, 5.0, 9.99, 10.0, 10.5, 100.0, 1e4])
            print(torch.poisson(torch.rand(6) * 60), torch.poisson(means), torch.rand(1))
            print(torch.poisson(torch.full((2, 3), 4.0, dtype=torch.double)))
            print(torch.poisson(torch.ones(3, 2).t() * 20), torch.poisson(means[:6].half()))
            print(F.gumbel_softmax(torch.ones(2, 3)), F.gumbel_softmax(torch.arange(4.0), dim=0))
            print(F.gumbel_softmax(torch.ones(2, 3), tau=0.5, hard=True))
            print(F.alpha_dropout(torch.arange(6.0), 0.4, True))
            print(nn.AlphaDropout(0.3)(torch.ones(5)))
            print(nn.init.sparse_(torch.empty(4, 3), 0.4))
            print(nn.init.sparse_(torch.empty(2, 3), 0.9, 2))
            print(torch.poisson(torch.ones(4) * 12, torch.Generator().manual_seed(seed)))
        """
    )


@pytest.mark.parity
def test_what_is_drawn_from_tensors_is_recorded_and_refused_as_by_pytorch() -> None:
    agree_in_print(
        """
        x = torch.tensor([1.0, 2.0, 30.0], requires_grad=True)
        for y in (
            torch.poisson(x), F.gumbel_softmax(x, hard=True), F.alpha_dropout(x, 0.5, True),
            F.alpha_dropout(x * 1, 0.5, True, True), F.alpha_dropout(x, 1.0, True),
        ):
            print(y, y.grad_fn, y.grad_fn.next_functions)
            (y * torch.arange(3.0)).sum().backward()
            print(x.grad)
        print(nn.AlphaDropout(), nn.AlphaDropout(0.2).eval()(x) is x)
        for call in (
            lambda: torch.poisson(torch.tensor([-1.0])), lambda: torch.poisson(torch.tensor([1])),
            lambda: torch.poisson(3), lambda: torch.poisson(), lambda: torch.poisson(x, 3),
            lambda: torch.poisson(torch.tensor([float("nan")])), lambda: torch.ones(1).poisson(),
            lambda: F.alpha_dropout(x, 2, True), lambda: F.alpha_dropout(3, 0.5, True),
            lambda: F.alpha_dropout(x, "a", True), lambda: nn.AlphaDropout(3),
            lambda: F.gumbel_softmax(x, eps=0.1).shape, lambda: F.gumbel_softmax(x.long()),
            lambda: torch.empty(2).bool().exponential_(), lambda: torch.ones(1).exponential_(0),
            lambda: nn.init.sparse_(x, 0.1),
            lambda: nn.init.sparse_(torch.empty(2, 2), 2.0),
        ):
            attempt(call)
        """
    )
