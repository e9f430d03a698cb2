"""Optimizers and schedulers of the everyday kind step as PyTorch's do, and refuse the same."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_rmsprop_and_adagrad() -> None:
    agree_in_print(
        """
        for make in (
            lambda p: optim.RMSprop(p, lr=0.1),
            lambda p: optim.RMSprop(p, lr=0.1, momentum=0.9, centered=True, weight_decay=0.1),
            lambda p: optim.RMSprop(p, maximize=True, alpha=0.5),
            lambda p: optim.Adagrad(p, lr=0.1),
            lambda p: optim.Adagrad(
                p, lr=0.1, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.5
            ),
            lambda p: optim.Adagrad(p, maximize=True),
        ):
            torch.manual_seed(0)
            w = torch.randn(3, 2, requires_grad=True)
            b = torch.zeros(2, requires_grad=True)
            o = make([w, b])
            print(o)
            for _ in range(4):
                o.zero_grad()
                loss = ((torch.ones(4, 3) @ w + b).tanh() - 0.3).pow(2).sum()
                loss.backward()
                o.step()
            print(w, b, w._version)
            print(o.state_dict())
            w2 = w.detach().clone().requires_grad_()
            b2 = b.detach().clone().requires_grad_()
            o2 = make([w2, b2])
            o2.load_state_dict(o.state_dict())
            w2.grad = torch.ones(3, 2)
            o2.step()
            print(w2)
        p = [torch.ones(1, requires_grad=True)]
        for f in (
            lambda: optim.RMSprop(p, lr=-1),
            lambda: optim.RMSprop(p, alpha=-1),
            lambda: optim.RMSprop(p, eps=-1),
            lambda: optim.RMSprop(p, momentum=-1),
            lambda: optim.RMSprop(p, weight_decay=-1),
            lambda: optim.Adagrad(p, lr=-1),
            lambda: optim.Adagrad(p, lr_decay=-1),
            lambda: optim.Adagrad(p, weight_decay=-1),
            lambda: optim.Adagrad(p, initial_accumulator_value=-1),
            lambda: optim.Adagrad(p, eps=-1),
            lambda: optim.RMSprop([]),
        ):
            attempt(f)
        """
    )


def test_learning_rates_follow_their_schedules() -> None:
    agree_in_print(
        """
        S = optim.lr_scheduler
        def go(make, steps=8, **k):
            p = [torch.ones(1, requires_grad=True)]
            q = [torch.ones(1, requires_grad=True)]
            o = optim.SGD([{"params": p}, {"params": q, "lr": 0.5}], lr=1.0)
            s = make(o)
            out = [s.get_last_lr()]
            for _ in range(steps):
                o.step()
                s.step(**k)
                out.append(s.get_last_lr())
            print(type(s).__name__, out)
            return s
        go(lambda o: S.MultiStepLR(o, [2, 4, 4], gamma=0.5))
        go(lambda o: S.ConstantLR(o, 0.5, 3))
        go(lambda o: S.LinearLR(o, 0.25, total_iters=4))
        go(lambda o: S.LinearLR(o, 1.0, 0.1, 3))
        go(lambda o: S.CosineAnnealingLR(o, 3))
        go(lambda o: S.CosineAnnealingLR(o, 5, 0.1), 14)
        go(lambda o: S.CosineAnnealingWarmRestarts(o, 3))
        go(lambda o: S.CosineAnnealingWarmRestarts(o, 2, 2, 0.1), 14)
        print(go(lambda o: S.CosineAnnealingWarmRestarts(o, 2)).state_dict())
        go(lambda o: S.MultiplicativeLR(o, lambda e: 0.9))
        go(lambda o: S.MultiplicativeLR(o, [lambda e: 0.9, lambda e: 1 / e]))
        print(sorted(go(lambda o: S.MultiStepLR(o, [2, 4])).state_dict()))
        print(sorted(go(lambda o: S.CosineAnnealingLR(o, 3)).state_dict()))
        for factor in (1, 2):
            o = optim.SGD([torch.ones(1, requires_grad=True)], 1.0)
            s = S.CosineAnnealingWarmRestarts(o, 3, factor, 0.1)
            for epoch in (0, 2.5, 7, 30, None, 1):
                o.step()
                s.step(epoch)
                print(s.get_last_lr(), s.T_cur, s.T_i, s.last_epoch)
        for k in (
            {},
            {"mode": "max"},
            {"patience": 1},
            {"patience": 1, "cooldown": 2, "min_lr": 0.2},
            {"threshold_mode": "abs", "threshold": 0.5, "patience": 0},
            {"min_lr": [0.1, 0.01], "patience": 0},
        ):
            p = [torch.ones(1, requires_grad=True)]
            q = [torch.ones(1, requires_grad=True)]
            o = optim.SGD([{"params": p}, {"params": q, "lr": 0.5}], lr=1.0)
            s = S.ReduceLROnPlateau(o, **k)
            for m in (5, 4, 4, 4.2, 3, 3, 3, 3, 2.9, 2.9, 2.9, 2.9):
                o.step()
                s.step(m)
            print(s.get_last_lr(), s.best, s.num_bad_epochs, s.last_epoch)
            s.step(torch.tensor(1.0))
            print(s.best)
        o = optim.SGD(p, lr=1.0)
        for f in (
            lambda: S.ConstantLR(o, 2),
            lambda: S.LinearLR(o, 0),
            lambda: S.LinearLR(o, 0.5, 2),
            lambda: S.ReduceLROnPlateau(o, mode="x"),
            lambda: S.ReduceLROnPlateau(o, factor=1.0),
            lambda: S.ReduceLROnPlateau(o, threshold_mode="x"),
            lambda: S.ReduceLROnPlateau(o, min_lr=[1, 2, 3]),
            lambda: S.MultiStepLR(3, [1]),
            lambda: S.ReduceLROnPlateau(3),
            lambda: S.CosineAnnealingLR(o, 3).get_lr(),
            lambda: S.CosineAnnealingWarmRestarts(o, 0),
            lambda: S.CosineAnnealingWarmRestarts(o, 2.5),
            lambda: S.CosineAnnealingWarmRestarts(o, 2, 0),
            lambda: S.CosineAnnealingWarmRestarts(o, 2, eta_min="a"),
            lambda: S.CosineAnnealingWarmRestarts(o, 2).step(-1),
        ):
            attempt(lambda: type(f()).__name__)
        """
    )


MAKE = """
L = optim.lr_scheduler
def made():
    groups = [{"params": [nn.Parameter(torch.ones(1))], "lr": rate} for rate in (0.1, 1.0)]
    return optim.SGD(groups)
def run(scheduler, epochs=7):
    for epoch in range(epochs):
        scheduler.optimizer.step()
        scheduler.step()
        print([round(group["lr"], 6) for group in scheduler.optimizer.param_groups])
    print(scheduler.get_last_lr(), scheduler.state_dict())
"""


def test_powers_of_what_is_left() -> None:
    agree_in_print(
        MAKE
        + """
for power in (1.0, 2.0, 0.5):
    run(L.PolynomialLR(made(), 4, power))
scheduler = L.PolynomialLR(made())
scheduler.optimizer.step()
scheduler.step(3)
print(scheduler.get_last_lr())
attempt(lambda: L.PolynomialLR(3))
"""
    )


def test_schedulers_one_after_the_other_and_together() -> None:
    agree_in_print(
        MAKE
        + """
def three(o):
    parts = [L.LinearLR(o, 0.1, total_iters=3), L.CosineAnnealingLR(o, 4), L.StepLR(o, 2, 0.5)]
    return L.SequentialLR(o, parts, milestones=[3, 5])
first, second = three(made()), three(made())
run(first, 10)
second.load_state_dict(first.state_dict())
print(second.state_dict() == first.state_dict(), second.last_epoch)
o = made()
run(L.ChainedScheduler([L.ConstantLR(o, total_iters=2), L.ExponentialLR(o, 0.9)]))
o = made()
run(L.ChainedScheduler([L.PolynomialLR(o), L.StepLR(o, 2)], optimizer=o))
o, q = made(), made()
for call in (
    lambda: L.SequentialLR(o, [], []), lambda: L.SequentialLR(o, [L.StepLR(o, 1)], [1]),
    lambda: L.SequentialLR(o, [L.StepLR(o, 1), L.StepLR(q, 1)], [1]),
    lambda: L.SequentialLR(o, [L.StepLR(o, 1), L.ReduceLROnPlateau(o)], [1]),
    lambda: L.SequentialLR(o, [3], []), lambda: L.ChainedScheduler([]),
    lambda: L.ChainedScheduler([L.StepLR(o, 1), L.StepLR(q, 1)]),
    lambda: L.ChainedScheduler([L.ReduceLROnPlateau(o)]), lambda: L.ChainedScheduler([3], o),
):
    attempt(call)
"""
    )


def test_the_state_of_a_scheduler_that_waits_for_improvement() -> None:
    agree_in_print(
        MAKE
        + """
scheduler = L.ReduceLROnPlateau(made(), patience=0)
print(scheduler.state_dict())
scheduler.step(1.0)
scheduler.step(2.0)
print(scheduler.get_last_lr(), scheduler.state_dict())
scheduler = L.ReduceLROnPlateau(made(), "max", min_lr=[0.05, 0.1])
print(scheduler.default_min_lr, scheduler.mode_worse, scheduler.min_lrs)
"""
    )


def test_cycles_of_learning_rate_and_momentum() -> None:
    agree_in_print(
        MAKE
        + """
def adam():
    return optim.Adam([nn.Parameter(torch.ones(1))], lr=0.1)
for options in (
    {"max_lr": 1.0, "total_steps": 8},
    {"max_lr": [1.0, 2.0], "epochs": 2, "steps_per_epoch": 4, "anneal_strategy": "linear"},
    {"max_lr": 1.0, "total_steps": 10, "three_phase": True, "max_momentum": [0.9, 0.8]},
    {"max_lr": 1.0, "total_steps": 8, "cycle_momentum": False, "final_div_factor": 10},
    {"max_lr": 1.0, "total_steps": 8, "pct_start": 0.0},
):
    scheduler = L.OneCycleLR(made(), **options)
    run(scheduler)
    print(scheduler.optimizer)
for options in (
    {"step_size_up": 3},
    {"step_size_up": 2, "step_size_down": 1, "mode": "triangular2"},
    {"step_size_up": 2, "mode": "exp_range", "gamma": 0.9},
    {"step_size_up": 2, "scale_fn": lambda x: 1 / x, "base_momentum": [0.1, 0.2]},
    {"step_size_up": 2, "scale_fn": lambda x: 0.5, "scale_mode": "iterations"},
):
    scheduler = L.CyclicLR(made(), 0.01, [0.1, 1.0], **options)
    run(scheduler)
    scheduler.load_state_dict(scheduler.state_dict())
    print(scheduler.optimizer)
for scheduler in (L.OneCycleLR(adam(), 1.0, 4), L.CyclicLR(adam(), 0.1, 1.0, 2)):
    run(scheduler, 4)
    print(scheduler.optimizer.param_groups[0]["betas"], issubclass(L._LRScheduler, L.LRScheduler))
    attempt(lambda: [scheduler.step() for _ in range(2)])
for cls, options in (
    (L.OneCycleLR, {}),
    (L.OneCycleLR, {"total_steps": 0}),
    (L.OneCycleLR, {"epochs": 2.0, "steps_per_epoch": 3}),
    (L.OneCycleLR, {"epochs": 2, "steps_per_epoch": -3}),
    (L.OneCycleLR, {"total_steps": 5, "pct_start": 2}),
    (L.OneCycleLR, {"total_steps": 5, "anneal_strategy": "x"}),
    (L.OneCycleLR, {"total_steps": 5, "max_momentum": [1]}),
    (L.CyclicLR, {"base_lr": [1]}),
    (L.CyclicLR, {"base_lr": 1, "mode": "x"}),
):
    attempt(lambda: cls(made(), max_lr=1.0, **options))
attempt(lambda: L.OneCycleLR(optim.Adagrad(made().param_groups), 1.0, 5))
attempt(lambda: L.CyclicLR(optim.Adagrad(made().param_groups), 0.1, 1.0))
attempt(lambda: L.CyclicLR(3, 0.1, 1.0))
class Warmup(L._LRScheduler):
    def get_lr(self):
        return [rate * (self.last_epoch + 1) / 4 for rate in self.base_lrs]
run(Warmup(made()))
"""
    )


def test_a_learning_rate_that_is_a_tensor_stays_the_same_tensor() -> None:
    agree_in_print(
        """
        S = optim.lr_scheduler
        makers = [
            lambda o: S.StepLR(o, 2), lambda o: S.MultiStepLR(o, [1, 3], 0.5),
            lambda o: S.ConstantLR(o, 0.5, 2), lambda o: S.LinearLR(o, 0.5, 1.0, 3),
            lambda o: S.ExponentialLR(o, 0.9), lambda o: S.PolynomialLR(o, 4, 2.0),
            lambda o: S.CosineAnnealingLR(o, 3), lambda o: S.CosineAnnealingWarmRestarts(o, 2),
            lambda o: S.LambdaLR(o, lambda e: 0.9**e),
            lambda o: S.MultiplicativeLR(o, lambda e: 0.9),
            lambda o: S.ReduceLROnPlateau(o, patience=0),
            lambda o: S.CyclicLR(o, 0.1, 0.5, step_size_up=2),
            lambda o: S.CyclicLR(o, torch.tensor(0.1), torch.tensor(0.5), step_size_up=2),
            lambda o: S.OneCycleLR(o, 0.5, total_steps=5),
            lambda o: S.OneCycleLR(o, torch.tensor(0.5), total_steps=5, three_phase=True),
            lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.5, 1), S.ExponentialLR(o, 0.9)], [2]),
            lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.5, 1), S.ExponentialLR(o, 0.9)]),
        ]
        for make in makers:
            for rate in (0.1, torch.tensor(0.1), torch.tensor([0.1], dtype=torch.float64)):
                groups = [{"params": [nn.Parameter(torch.ones(2))]}, {"params": [], "lr": 0.5}]
                optimizer = optim.SGD(groups, lr=rate, momentum=0.9)
                scheduler = make(optimizer)
                print(type(scheduler).__name__, optimizer.param_groups[0]["lr"] is rate)
                for _ in range(4):
                    optimizer.step()
                    if isinstance(scheduler, S.ReduceLROnPlateau):
                        scheduler.step(1.0)
                    else:
                        scheduler.step()
                    now = optimizer.param_groups[0]["lr"]
                    print(rate, now, now is rate, scheduler.get_last_lr()[0] is now)
                    for group in optimizer.param_groups:
                        print({name: value for name, value in group.items() if "lr" in name})
                print(getattr(scheduler, "base_lrs", None), getattr(scheduler, "max_lrs", None))
            leaf = torch.tensor(0.1, requires_grad=True)
            attempt(lambda: make(optim.SGD([torch.ones(1, requires_grad=True)], leaf, 0.9)) and 1)
        """
    )


def test_groups_that_were_added_are_lowered_too() -> None:
    agree_in_print(
        """
        S = optim.lr_scheduler
        for least in (0.01, [0.01]):
            optimizer = optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1)
            scheduler = S.ReduceLROnPlateau(optimizer, patience=0, min_lr=least)
            optimizer.add_param_group({"params": [torch.ones(1, requires_grad=True)], "lr": 1.0})
            attempt(lambda: [scheduler.step(1.0) for _ in range(3)])
            print([group["lr"] for group in optimizer.param_groups])
        """
    )


def test_a_step_that_was_put_in_the_place_of_an_optimizers() -> None:
    agree_in_print(
        """
        import copy, types
        S = optim.lr_scheduler
        def replaced(how):
            optimizer = optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1)
            before, step = how.startswith("before"), optimizer.step
            def other(self=None):
                print("other")
                step()
            method = other if how.endswith("function") else types.MethodType(other, optimizer)
            if before:
                optimizer.step = method
            scheduler = S.StepLR(optimizer, 1)
            if how == "copied":
                scheduler = copy.deepcopy(scheduler)
            elif not before:
                optimizer.step = method
            scheduler.optimizer.step()
            scheduler.step()
            print(scheduler.get_last_lr(), hasattr(optimizer.step, "_wrapped_by_lr_sched"))
            S.StepLR(optimizer, 1).step()
        for how in ("method", "function", "before: method", "before: function", "copied"):
            attempt(lambda: replaced(how))
        print(S.EPOCH_DEPRECATION_WARNING)
        """
    )
