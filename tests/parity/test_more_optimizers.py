"""The rarer optimizers step as PyTorch's do, say the same of themselves, and refuse the same."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from tests.parity.expressions import lines
from tests.parity.printed import agree_in_print
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

OPTIMIZERS = lines(
    """
Adadelta(p)
Adadelta(p, lr=torch.tensor(0.5), rho=0.5, eps=1e-3, weight_decay=0.1, maximize=True)
Adamax(p, lr=0.1)
Adamax(p, lr=torch.tensor(0.1), betas=(0.5, 0.9), eps=1e-3, weight_decay=0.1, maximize=True)
ASGD(p, lr=0.1)
ASGD(p, lr=torch.tensor(0.1), lambd=0.1, alpha=0.5, t0=1, weight_decay=0.1, maximize=True)
NAdam(p, lr=0.1)
NAdam(p, lr=torch.tensor(0.1), betas=(0.5, 0.9), eps=1e-3, weight_decay=0.1, maximize=True)
NAdam(p, weight_decay=0.1, decoupled_weight_decay=True, momentum_decay=0.1)
RAdam(p, lr=0.1)
RAdam(p, lr=torch.tensor(0.1), betas=(0.5, 0.9), eps=1e-3, weight_decay=0.1, maximize=True)
RAdam(p, lr=0.1, betas=(0.5, 0.5), weight_decay=0.1, decoupled_weight_decay=True)
Rprop(p)
Rprop(p, lr=torch.tensor(0.1), etas=(0.1, 2), step_sizes=(0.01, 0.15), maximize=True)
RMSprop(p, lr=0.1)
Adagrad(p, lr=0.1)
LBFGS(p, max_iter=5)
LBFGS(p, lr=torch.tensor([0.1]), max_iter=4)
LBFGS(p, lr=0.5, max_iter=7, max_eval=5, history_size=2)
LBFGS(p, max_iter=3, line_search_fn='strong_wolfe')
LBFGS(p, lr=0.01, max_iter=30, line_search_fn='strong_wolfe', tolerance_grad=1e-2)
LBFGS(p, lr=3, max_iter=9, max_eval=50, line_search_fn='strong_wolfe', tolerance_change=1e-3)
"""
)


# LBFGS goes on until only rounding is left.
TRAININGS = [
    (one, dtype)
    for one in OPTIMIZERS
    for dtype in ("float32", "float64")
    if dtype == "float64" or not one.startswith("LBFGS")
]


@pytest.mark.parametrize(("optimizer", "dtype"), TRAININGS)
def test_a_training(optimizer: str, dtype: str) -> None:
    agree_in_print(
        f"""
        torch.set_default_dtype(torch.{dtype})
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        p = list(net.parameters())
        o = optim.{optimizer}
        print(o)
        x, y = torch.randn(8, 3), torch.randn(8, 1)
        losses = []

        def closure():
            o.zero_grad()
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            losses.append(loss.item())
            return loss

        for _ in range(4):
            print(o.step(closure))
        print(torch.tensor(losses), p, p[0]._version)
        saved = o.state_dict()
        exactly = (int, torch.Tensor) if "{dtype}" == "float64" else int
        print({{k: v if isinstance(v, exactly) else type(v) for k, v in saved['state'][0].items()}})
        p = [one.detach().clone().requires_grad_() for one in p]
        for one in p:
            one.grad = torch.ones_like(one)
        again = optim.{optimizer}
        again.load_state_dict(saved)
        again.step(lambda: p[0].sum())
        print(p, list(again.state_dict()['state'][0]))
        torch.set_default_dtype(torch.float32)
        """
    )


REFUSED = lines(
    """
Adadelta([p], lr=-1)
Adadelta([p], lr=torch.ones(2))
Adadelta([p], rho=2)
Adadelta([p], eps=-1)
Adadelta([p], weight_decay=-1)
Adadelta([p], lr=float('nan'))
Adamax([p], lr=-1)
Adamax([p], betas=(1, 0.9))
Adamax([p], betas=(0.9, 1))
Adamax([p], eps=-1)
Adamax([p], weight_decay=-1)
ASGD([p], lr=-1)
ASGD([p], weight_decay=-1)
ASGD([p], foo=1)
NAdam([p], lr=-1)
NAdam([p], betas=(1, 0.9))
NAdam([p], eps=-1)
NAdam([p], weight_decay=-1)
NAdam([p], momentum_decay=-1)
RAdam([p], lr=-1)
RAdam([p], betas=(0.9, -1))
RAdam([p], eps=-1)
RAdam([p], weight_decay=-1)
Rprop([p], lr=-1)
Rprop([p], etas=(1, 2))
Rprop([p], etas=(0.5, 1))
LBFGS([p], lr=-1)
LBFGS([p], lr=torch.ones(2))
LBFGS([{'params': p}, {'params': torch.ones(1)}])
LBFGS([p]).step()
LBFGS([p]).step(lambda: 3.0)
LBFGS([p], line_search_fn='armijo').step(lambda: p.sum())
LBFGS([]).step(lambda: 3.0)
"""
)
NAMES = ("Adadelta", "Adamax", "ASGD", "NAdam", "RAdam", "Rprop")
WAYS = [
    f"{name}([p], foreach={foreach}, capturable={capturable}, differentiable={differentiable})"
    for name in NAMES
    for foreach in (None, True)
    for capturable in (False, True)
    for differentiable in (False, True)
]


@pytest.mark.parametrize("made", REFUSED + [f"{one}.step(lambda: 0)" for one in WAYS])
def test_what_is_refused(made: str) -> None:
    def program(torch: Any) -> Any:
        p = torch.ones(2, requires_grad=True)
        p.grad = torch.ones(2)
        try:
            return eval(f"torch.optim.{made}", {"torch": torch, "p": p})
        finally:
            print(p)

    assert_same(program)


def test_an_option_may_be_required() -> None:
    def program(torch: Any) -> Any:
        required = importlib.import_module(f"{torch.__name__}.optim.optimizer").required
        print(required)
        w = torch.ones(1, requires_grad=True)
        torch.optim.Optimizer([{"params": [w], "lr": 1}], {"lr": required})
        return torch.optim.Optimizer([w], {"lr": required})

    assert_same(program)


def test_numbers_of_what_requires_grad_are_warned_of_where_it_is_recorded() -> None:
    def program(torch: Any) -> Any:
        x = torch.ones(1, requires_grad=True)
        for mode in (torch.enable_grad, torch.no_grad, torch.inference_mode):
            with mode():
                print(mode.__name__, float(x), int(x), torch.tensor([x, x]))

    assert_same(program)
