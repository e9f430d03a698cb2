"""Optimizers are PyTorch's: their steps, state, printed form, warnings and errors."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

import minigrad
from tests.parity.expressions import lines
from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

OPTIMIZERS = """
SGD(params, lr=0.1)
SGD(params, lr=torch.tensor(0.1))
SGD(params, lr=0.1, momentum=0.9)
SGD(params, lr=0.1, momentum=0.9, nesterov=True)
SGD(params, 0.1, 0.9, 0.3, 0.01)
SGD(params, lr=0.01, maximize=True, weight_decay=0.1)
SGD([{"params": params[:1], "lr": 0.5}, {"params": params[1:]}], lr=0.01, momentum=0.5)
Adam(params, lr=0.1)
Adam(params, lr=0.1, amsgrad=True, weight_decay=0.1)
Adam(params, lr=0.1, maximize=True, betas=(0.5, 0.9), eps=1e-3)
AdamW(params, lr=0.1, weight_decay=0.3)
"""

# What is asked of an optimizer of w, a leaf, and b, another.
QUESTIONS = """
SGD(w, lr=0.1)
SGD([], lr=0.1)
SGD([w * 2], lr=0.1)
SGD([1], lr=0.1)
SGD([[w]])
SGD([None])
SGD("ab")
SGD(5)
SGD(lambda: 1)
SGD([w, w], lr=0.1)
SGD([w, {"params": b}])
SGD([{"params": b}, w])
SGD([{"params": w}, {"params": w}], lr=0.1)
SGD([{"params": {w}}], lr=0.1)
SGD([{"lr": 1}])
SGD(iter([w, b]))
SGD({"a": w}.values())
SGD({"a": w})
SGD([torch.tensor([1])], lr=0.1)
SGD([w], lr=-1)
SGD([w], lr="a")
SGD([w], lr=torch.tensor([1.0, 2.0]))
SGD([w], momentum=-1)
SGD([w], weight_decay=-1)
SGD([w], nesterov=True)
SGD([w], nesterov=True, momentum=0.9, dampening=0.1)
SGD([w], bad=1)
SGD([w], foreach=True)
SGD([w]).defaults
SGD([w]).state
SGD([w]).state_dict()
SGD([w]).step()
SGD([w]).step(3)
SGD([w]).zero_grad()
SGD([w]).add_param_group([b])
SGD([w]).add_param_group({"params": w})
SGD([w]).add_param_group({"params": w * 1})
SGD([w]).load_state_dict({"state": {}, "param_groups": []})
SGD([w]).load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]})
Adam(w)
Adam([w])
Adam([w], lr=-1)
Adam([w], eps=-1)
Adam([w], betas=(1.0, 0.9))
Adam([w], betas=(0.9, -1))
Adam([w], weight_decay=-1)
Adam([w], amsgrad=True).state_dict()
AdamW([w])
AdamW([w], lr=-1)
"""

# What is asked of an optimizer of parameters, as programs.
PROGRAMS = {
    "refused": """
        w = nn.Parameter(torch.ones(2))
        class Odd:
            pass
        for make in (
            lambda: optim.SGD([w], fused=True, foreach=True), lambda: optim.SGD([w], lr=None),
            lambda: optim.SGD([w], fused=True, differentiable=True), lambda: optim.SGD([Odd()]),
            lambda: optim.SGD([w], 0.1, fused=True), lambda: optim.SGD([("w", w)]),
            lambda: optim.SGD([("w", w), torch.ones(1)]), lambda: optim.SGD(nn.Linear(1, 1)),
            lambda: optim.SGD([nn.Linear(1, 1)]), lambda: optim.SGD(nn.Linear(1, 1).parameters),
            lambda: optim.SGD(nn.Linear(1, 1).named_parameters()), lambda: optim.SGD(),
            lambda: optim.SGD([{"params": [w], "momentum": 0.9, "other": 3}], 0.1),
            lambda: optim.SGD([{"params": []}]), lambda: optim.SGD([{"params": [w], "lr": -1}]),
            lambda: optim.SGD([w], lr=torch.tensor(-1.0)), lambda: optim.SGD([w], dampening=-1),
            lambda: optim.SGD([w], nesterov=True, momentum=-1),
            lambda: optim.SGD([w], lr=float("nan")), lambda: optim.Adam([w], lr=float("nan")),
            lambda: optim.Adam([w], betas=(0.9,)), lambda: optim.Adam([w], betas=0.9),
            lambda: optim.Adam([w], lr=torch.tensor(0.1)), lambda: optim.Adam([w], lr="a"),
            lambda: optim.Adam([w], lr=torch.tensor([0.1, 0.2])),
            lambda: optim.Adam([w], lr=torch.tensor(0.1), foreach=True),
            lambda: optim.Adam([w], betas=(torch.tensor(0.9), 0.9)),
            lambda: optim.Adam([w], betas=(torch.tensor(0.9), torch.tensor(0.9))),
            lambda: optim.Adam([w], betas=(1, 0.9)), lambda: optim.Adam([w], betas=(0, 0)),
            lambda: optim.Adam([w], fused=True, foreach=True), lambda: optim.AdamW([w], bad=3),
            lambda: optim.Adam([w], fused=True, differentiable=True),
            lambda: optim.Adam([w], 0.1, (0.9, 0.99), 1e-8, 0, True, 3),
            lambda: optim.AdamW([w], maximize=True, amsgrad=True, capturable=True),
            lambda: optim.AdamW([w], decoupled_weight_decay=True), lambda: optim.Adam([w * 1]),
            lambda: optim.Adam([w], decoupled_weight_decay=True), lambda: optim.Adam([]),
            lambda: optim.Adam([w], weight_decay="a"), lambda: optim.Adam([w], eps=None),
            lambda: optim.Adam([w * 1], differentiable=True),
            lambda: optim.Optimizer([w], {}), lambda: optim.Optimizer([w], {"lr": 1}).step(),
            lambda: optim.Optimizer(w, {}), lambda: optim.SGD([w, w * 2]),
            lambda: optim.RMSprop([w], eps=-1, momentum=-1), lambda: optim.Adagrad([w], lr=-1),
            lambda: optim.RMSprop([w], alpha=-1, weight_decay=-1),
            lambda: optim.RMSprop([w], lr=float("nan")), lambda: optim.Adagrad([w], lr_decay=-1),
            lambda: optim.Adagrad([w], weight_decay=-1, eps=-1),
            lambda: optim.Adagrad([w], initial_accumulator_value=-1, eps=-1),
        ):
            attempt(make)
        print(optim.SGD, optim.Adam, optim.AdamW, optim.Optimizer)
        """,
    "refused steps": """
        for make in (optim.SGD, optim.Adam, optim.AdamW, optim.RMSprop, optim.Adagrad):
            for options in (
                {"differentiable": True}, {"differentiable": True, "foreach": True},
                {"capturable": True}, {"capturable": True, "foreach": True},
                {"capturable": True, "fused": True}, {"capturable": True, "differentiable": True},
                {"capturable": True, "differentiable": True, "foreach": True},
            ):
                w = nn.Parameter(torch.ones(2))
                def train():
                    o = make([w], **options)
                    print(o.step())
                    w.sum().backward()
                    print(o.step())
                attempt(train)
                print(w)
        """,
    "groups": """
        net = nn.Sequential(nn.Linear(1, 2), nn.Linear(2, 1))
        o = optim.SGD([{"params": net[0].parameters(), "lr": 1.0}, {"params": net[1].weight}],
                      lr=0.1, momentum=0.5)
        print(o, o.param_groups)
        o.add_param_group({"params": net[1].bias, "name": "x"})
        print(o.state_dict())
        for bad in ({"params": net[1].bias}, {"lr": 3}, [1], {"params": 3}, {"params": [3]},
                    {"params": {net[1].bias}}, {"params": net}, {"params": net[1].bias * 2}):
            attempt(lambda: o.add_param_group(bad))
        print(len(o.param_groups))
        o = optim.SGD(net.named_parameters(), lr=0.1)
        print(o, o.param_groups[0]["param_names"], o.state_dict())
        attempt(lambda: o.add_param_group({"params": [torch.ones(1)]}))
        attempt(lambda: optim.SGD([("a", net[0].weight), net[0].bias]))
        o.add_param_group({"params": [("other", torch.ones(1, requires_grad=True))], "lr": 3})
        for group in o.param_groups:
            group["lr"] *= 0.1
        print(o)
        o.load_state_dict(optim.SGD([{"params": net.parameters()}, {"params": [torch.ones(1)]}],
                                    lr=0.5).state_dict())
        print(o)
        group = {"params": (net[0].weight,)}
        print(optim.SGD([group], lr=0.1).param_groups[0] is group, group)
        """,
    "states": """
        import copy, pickle
        def run(make):
            net = nn.Linear(2, 1)
            o = make(net.parameters())
            for _ in range(3):
                o.zero_grad()
                net(torch.ones(3, 2)).pow(2).sum().backward()
                print(o.step())
            state = o.state_dict()
            print(state, o.state.keys(), type(o.state))
            again = make(net.parameters())
            print(again.load_state_dict(copy.deepcopy(state)), again.state_dict())
            other = pickle.loads(pickle.dumps(o))
            print(other, other.state_dict())
            twin = copy.deepcopy(o)
            print(twin.param_groups[0]["params"][0] is net.weight, twin.state_dict())
            net(torch.ones(3, 2)).sum().backward()
            again.step()
            print(net.weight, again.state_dict()["state"])
            for bad in ({}, {"state": {}, "param_groups": []}, 3, None, {"param_groups": []},
                        {"state": {}, "param_groups": [{"params": [0]}]},
                        {"param_groups": [{"params": [0, 1]}]}):
                attempt(lambda: again.load_state_dict(bad))
            state["state"][7] = 3
            again.load_state_dict(state)
            print(again.state_dict())
            for part in state["state"].get(0, {}).values():
                print(any(part is one for one in again.state[net.weight].values()))
        run(lambda params: optim.SGD(params, lr=0.1, momentum=0.9, nesterov=True))
        run(lambda params: optim.SGD(params, lr=0.1))
        run(lambda params: optim.Adam(params, lr=0.1, amsgrad=True))
        run(lambda params: optim.AdamW(params, lr=0.1, maximize=True))
        """,
    "a state in another dtype": """
        w, v = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2).double())
        first, second = optim.Adam([w]), optim.Adam([v])
        w.grad = torch.ones(2)
        first.step()
        second.load_state_dict(first.state_dict())
        print(second.state_dict())
        """,
    "steps": """
        for make in (
            lambda params: optim.SGD(params, torch.tensor(0.01)),
            lambda params: optim.SGD(params, torch.tensor([0.01]), momentum=0.9),
            lambda params: optim.Adam(params, torch.tensor(0.01)),
            lambda params: optim.Adam(params, 0.01, (0.5, 0.6), 1e-3, 0.1, True),
            lambda params: optim.AdamW(params, 0.01, weight_decay=0.5, amsgrad=True),
            lambda params: optim.Adam(params, 0.01, maximize=True, foreach=True),
            lambda params: optim.SGD(params, 0.01, foreach=False),
            lambda params: optim.Adam(params, foreach=False),
        ):
            w, d = nn.Parameter(torch.tensor([1.0, -2.0])), nn.Parameter(torch.ones(2, 2).double())
            unused = nn.Parameter(torch.ones(1))
            o = make([w, d, unused])
            for step in range(4):
                o.zero_grad()
                ((w * w).sum() + d.sum() * d.prod() * w.sum()).backward()
                o.step()
                print(w, d, w._version, w.is_leaf, unused._version)
            print(o.state_dict())
            o.zero_grad(set_to_none=False)
            print(w.grad, unused.grad)
        """,
    "states of older versions": """
        import copy
        # What the first versions of the classes knew.
        known = ("params lr betas eps weight_decay momentum dampening lambd alpha t0 rho etas "
                 "step_sizes lr_decay initial_accumulator_value momentum_decay").split()
        for name in ("Adadelta Adagrad Adam Adamax AdamW ASGD NAdam RAdam RMSprop Rprop SGD"
                     ).split():
            w = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
            w.grad = torch.ones_like(w)
            o = getattr(optim, name)([w], lr=0.1)
            o.step()
            saved = copy.deepcopy(o.state_dict())
            for key, value in saved["state"].get(0, {}).items():
                if value.ndim == 0:
                    saved["state"][0][key] = value.item()
            (group,) = saved["param_groups"]
            saved["param_groups"] = [{key: group[key] for key in group if key in known}]
            for switched in (o, getattr(optim, name)([w], lr=0.2)):
                switched.load_state_dict(saved)
                print(name, switched.state_dict())
            switched.step()
            print(w, saved)
            o.__setstate__({"state": {}, "param_groups": [{"params": [w]}]})
            print(o.param_groups, o.state, o.defaults)
        """,
    "loading by a class of one's own": """
        class Own(optim.SGD):
            def __setstate__(self, state):
                print(sorted(state))
                super().__setstate__(state)
                for group in self.param_groups:
                    group.setdefault("own", 1)
        w = torch.ones(1, dtype=torch.float64, requires_grad=True)
        o = Own([w])
        o.state[w] = {"list": [torch.ones(1), {"of": torch.ones(2)}], "none": None, "number": 3,
                      "pair": (1, torch.ones(1)), "step": torch.ones(1), "dict": {"step": 2.0}}
        saved = o.state_dict()
        o.load_state_dict(saved)
        print(o, o.state[w], saved)
        saved["state"][0]["list"].append(1)
        print(len(o.state[w]["list"]))
        """,
    "betas that are tensors": """
        w = torch.ones(2, requires_grad=True)
        half, wrong = torch.tensor(0.5), torch.tensor(1.5)
        for betas in ((half, half), (half.view(1), half), (0.5, half), (half, 0.5), (wrong, half),
                      (half, wrong), (half, torch.ones(2)), (0, 0.5), [0.5, 0.9]):
            for options in ({}, {"foreach": True}, {"foreach": True, "capturable": True}):
                attempt(lambda: optim.Adam([w], betas=betas, **options))
                attempt(lambda: optim.AdamW([w], betas=betas, **options).defaults)
        import numpy as np
        print(optim.Adam([w], betas=tuple(np.array([0.5, 0.25]))).defaults["betas"] == (0.5, 0.25))
        """,
    "schedulers": """
        import copy, pickle
        w, v = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
        schedulers = optim.lr_scheduler
        for make in (
            lambda o: schedulers.StepLR(o, 2), lambda o: schedulers.StepLR(o, 3, gamma=0.5),
            lambda o: schedulers.ExponentialLR(o, 0.9),
            lambda o: schedulers.LambdaLR(o, lambda epoch: 1 / (epoch + 1)),
            lambda o: schedulers.LambdaLR(o, [lambda epoch: 0.5**epoch, lambda epoch: epoch]),
        ):
            o = optim.SGD([{"params": [w], "lr": 0.3}, {"params": [v]}], lr=0.1)
            s = make(o)
            print(type(s), s.get_last_lr(), o.state_dict()["param_groups"])
            for epoch in range(5):
                o.step()
                print(s.step(), s.get_last_lr(), [group["lr"] for group in o.param_groups])
            state = s.state_dict()
            print(state, s.base_lrs, s.last_epoch)
            again = make(optim.SGD([{"params": [w], "lr": 0.3}, {"params": [v]}], lr=0.1))
            again.load_state_dict(state)
            print(again.last_epoch, again.get_last_lr(), o)
            print(pickle.loads(pickle.dumps(o)), copy.deepcopy(o).state_dict())
            s.get_lr()
        o = optim.SGD([w], 0.1)
        s = schedulers.StepLR(o, 1)
        s.step()
        attempt(lambda: schedulers.StepLR(3, 1))
        attempt(lambda: schedulers.StepLR(optim.SGD([w], 0.1), 1, last_epoch=3))
        attempt(lambda: schedulers.LambdaLR(o, [1, 2]))
        attempt(lambda: schedulers.LRScheduler(o))
        """,
}


def named(engine: Any) -> dict[str, Any]:
    """Return what the expressions may use."""
    optim = engine.optim
    return {"torch": engine, "SGD": optim.SGD, "Adam": optim.Adam, "AdamW": optim.AdamW}


def after_steps(engine: Any, expression: str) -> list[Any]:
    """Return parameters, their versions and the optimizer's state after each of a few steps."""
    w = engine.tensor([1.0, -2.0, 0.5], requires_grad=True)
    s = engine.tensor(0.3, dtype=engine.float64, requires_grad=True)
    unused = engine.tensor([1.0], requires_grad=True)
    optimizer = eval(expression, named(engine) | {"params": [w, s, unused]})
    seen: list[Any] = []
    for step in range(5):
        optimizer.zero_grad()
        ((w * w).sum() * s.float() + (w * step).sum()).backward()
        optimizer.step()
        seen += [w.tolist(), s.item(), w._version, s._version, unused._version]
        for state in optimizer.state_dict()["state"].values():
            seen += [[name, value.tolist(), str(value.dtype)] for name, value in state.items()]
    seen.append(repr(optimizer))
    return seen


def answer(engine: Any, question: str) -> tuple[Any, list[str]]:
    """Return what is printed, or the error, and the warnings."""
    w = engine.tensor([1.0, 2.0], requires_grad=True)
    b = engine.tensor([0.0], requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            shown: Any = repr(eval(question, named(engine) | {"w": w, "b": b}))
        except Exception as error:
            shown = (type(error).__name__, str(error))
    return re.sub("0x[0-9a-f]+", "0x", str(shown)), [str(one.message) for one in caught]


def assert_close(ours: Any, theirs: Any) -> None:
    """Compare nested lists, numbers up to the rounding of float32."""
    if isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            assert_close(a, b)
    elif isinstance(theirs, float):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
    else:
        assert ours == theirs


@pytest.mark.parametrize("expression", lines(OPTIMIZERS))
def test_steps(expression: str) -> None:
    import torch

    assert_close(after_steps(minigrad, expression), after_steps(torch, expression))


@pytest.mark.parametrize("question", lines(QUESTIONS))
def test_what_is_shown_and_refused(question: str) -> None:
    import torch

    assert answer(minigrad, question) == answer(torch, question)


@pytest.mark.parametrize("name", PROGRAMS)
def test_optimizers_of_parameters(name: str) -> None:
    agree_in_print(PROGRAMS[name])


def test_a_step_of_sgd_is_rounded_once() -> None:
    import torch

    def stepped(torch: Any) -> str:
        x = torch.tensor([0.5], requires_grad=True)
        optimizer = torch.optim.SGD([x], lr=0.1)
        (x * 5).sum().backward()
        optimizer.step()
        return repr(x)

    assert stepped(minigrad) == stepped(torch) == "tensor([-7.4506e-09], requires_grad=True)"


@pytest.mark.parametrize(
    "options",
    [{}, {"momentum": 0.9}, {"momentum": 0.9, "nesterov": True, "weight_decay": 0.01}],
)
def test_training_by_sgd_is_equal_to_the_last_bit(options: dict[str, Any]) -> None:
    import torch

    def trained(torch: Any) -> Any:
        torch.manual_seed(0)
        x, scale = torch.rand(900, requires_grad=True), torch.rand(900)
        optimizer = torch.optim.SGD([x], lr=0.03, **options)
        for _ in range(20):
            optimizer.zero_grad()
            (x * x * scale).sum().backward()
            optimizer.step()
        return x.tolist()

    assert trained(minigrad) == trained(torch)
