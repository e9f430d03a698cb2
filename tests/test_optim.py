"""Optimizers: steps against their formulas and PyTorch, groups, state, refusals."""

import copy
import importlib
import random
from typing import Any

import pytest

OPTIONS: dict[str, dict[str, list[Any]]] = {
    "SGD": {
        "lr": [0.01],
        "momentum": [0, 0.9],
        "dampening": [0, 0.3],
        "weight_decay": [0, 0.1],
        "nesterov": [False, True],
    },
    "Adam": {"betas": [(0.9, 0.999), (0.0, 0.5)], "eps": [1e-8, 1e-2], "amsgrad": [False, True]},
    "AdamW": {"lr": [0.01], "weight_decay": [0.01, 0.1], "amsgrad": [False, True]},
    "RMSprop": {"alpha": [0.9, 0.99], "momentum": [0, 0.5], "centered": [False, True]},
    "Adagrad": {"lr_decay": [0, 0.1], "initial_accumulator_value": [0, 0.5], "eps": [1e-10]},
}


def run(torch: Any, name: str, options: dict[str, Any]) -> list[str]:
    """What 30 steps on a small problem print, with a state saved and loaded halfway.

    In float64, because PyTorch's last bit of a float32 depends on the processor.
    """
    w = torch.tensor([[1.0, -2.0], [0.5, 3.0]], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([0.3], dtype=torch.float64, requires_grad=True)
    optimizer = getattr(torch.optim, name)([{"params": [w]}, {"params": b, "lr": 0.05}], **options)
    printed = []
    for step in range(30):
        optimizer.zero_grad()
        loss = ((w * w).sum() + (w.sum() + b).cos().sum()) * (-0.1 if options["maximize"] else 0.1)
        loss.backward()
        optimizer.step()
        if step == 15:
            state = copy.deepcopy(optimizer.state_dict())
            optimizer = type(optimizer)([{"params": [w]}, {"params": [b]}])
            optimizer.load_state_dict(state)
            printed += [repr(optimizer), repr(state["state"])]
    return [*printed, repr(w), repr(b), f"{loss.item():.4f}"]


@pytest.mark.parity
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", OPTIONS)
def test_steps_and_states_print_as_in_pytorch(pytorch: Any, name: str, seed: int) -> None:
    draw = random.Random(seed)
    options = {option: draw.choice(values) for option, values in OPTIONS[name].items()}
    if options.get("nesterov"):
        options |= {"momentum": 0.9, "dampening": 0}
    options["maximize"] = draw.random() < 0.2
    assert run(importlib.import_module("minigrad"), name, options) == run(pytorch, name, options)


def test_sgd_follows_its_formula(torch: Any) -> None:
    w = torch.tensor([2.0], requires_grad=True)
    unused = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w, unused], lr=0.5, momentum=0.5, weight_decay=0.25)
    value, buffer = 2.0, 0.0
    for _ in range(3):
        optimizer.zero_grad()
        (3 * w).sum().backward()
        version = w._version
        assert optimizer.step() is None
        buffer = 0.5 * buffer + 3 + 0.25 * value
        value -= 0.5 * buffer
        assert w.item() == pytest.approx(value)
        assert w._version == version + 1
    assert unused.item() == 1.0
    assert list(optimizer.state) == [w]


def test_groups(torch: Any) -> None:
    net = torch.nn.Linear(2, 1)
    group = {"params": net.weight, "lr": 0.5}
    optimizer = torch.optim.SGD([group], lr=0.1)
    optimizer.add_param_group({"params": [net.bias]})
    assert optimizer.param_groups[0] is group
    assert group["params"] == [net.weight]
    assert [one["lr"] for one in optimizer.param_groups] == [0.5, 0.1]
    assert optimizer.defaults["lr"] == 0.1
    with pytest.raises(ValueError, match="some parameters appear in more than one parameter group"):
        optimizer.add_param_group({"params": [net.bias]})
    with pytest.raises(ValueError, match="has a different number of parameter groups"):
        torch.optim.SGD([net.bias]).load_state_dict(optimizer.state_dict())


def test_zero_grad_and_closure(torch: Any) -> None:
    w = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.1)

    def closure() -> Any:
        optimizer.zero_grad(set_to_none=False)
        loss = (w * w).sum()
        loss.backward()
        return loss

    with torch.no_grad():
        assert optimizer.step(closure).item() == 1.0
    grad = w.grad
    closure()
    assert w.grad is grad
    assert not grad.requires_grad
    optimizer.zero_grad()
    assert w.grad is None


def test_own_optimizer(torch: Any) -> None:
    class Half(torch.optim.Optimizer):
        def __init__(self, params: Any) -> None:
            super().__init__(params, {"lr": 0.5})

        def step(self) -> None:
            for group in self.param_groups:
                for param in group["params"]:
                    param.data.sub_(group["lr"] * param.grad)
                    self.state[param]["steps"] = 1

    w = torch.ones(1, requires_grad=True)
    w.grad = torch.ones(1)
    optimizer = Half([w])
    optimizer.step()
    assert w.item() == 0.5
    assert repr(optimizer) == "Half (\nParameter Group 0\n    lr: 0.5\n)"
    assert optimizer.state_dict() == {
        "state": {0: {"steps": 1}},
        "param_groups": [{"lr": 0.5, "params": [0]}],
    }


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        ("SGD(w, lr=0.1)", TypeError, "params argument given to the optimizer should be an iter"),
        ("SGD([])", ValueError, "optimizer got an empty parameter list"),
        ("SGD(['a'])", TypeError, "optimizer can only optimize Tensors, but one of the params is"),
        ("Adam([w * 2])", ValueError, "can't optimize a non-leaf Tensor"),
        ("SGD([w], lr=-1)", ValueError, "Invalid learning rate: -1"),
        ("SGD([w], momentum=-1)", ValueError, "Invalid momentum value: -1"),
        ("SGD([w], nesterov=True)", ValueError, "Nesterov momentum requires a momentum and zero"),
        ("Adam([w], eps=-1)", ValueError, "Invalid epsilon value: -1"),
        ("Adam([w], betas=(1.0, 0.9))", ValueError, "Invalid beta parameter at index 0: 1.0"),
        ("AdamW([w], weight_decay=-1)", ValueError, "Invalid weight_decay value: -1"),
        ("RMSprop([w], alpha=-1)", ValueError, "Invalid alpha value: -1"),
        ("Adagrad([w], lr_decay=-1)", ValueError, "Invalid lr_decay value: -1"),
        ("SGD(lr=0.1)", TypeError, "argument: 'params'"),
        ("Adam([w], beta=0)", TypeError, "got an unexpected keyword argument 'beta'"),
    ],
)
def test_refusals(torch: Any, call: str, error: type[Exception], text: str) -> None:
    w = torch.ones(1, requires_grad=True)
    with pytest.raises(error) as caught:
        eval(f"optim.{call}", {"optim": torch.optim, "w": w})
    assert text in str(caught.value)
