"""What every optimizer accepts, refuses, shows, saves and loads."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import minigrad as torch


def parameters(*values: float) -> list[Any]:
    """Return leaves of one element each."""
    return [torch.tensor([one], requires_grad=True) for one in values]


def test_options_of_a_group_take_precedence() -> None:
    a, b = parameters(1.0, 1.0)
    optimizer = torch.optim.SGD([{"params": a, "lr": 1.0}, {"params": [b]}], lr=0.5)
    (a + b).backward()
    optimizer.step()
    assert (a.item(), b.item()) == (0.0, 0.5)


def test_a_group_can_be_added() -> None:
    a, b = parameters(1.0, 1.0)
    optimizer = torch.optim.SGD([a], lr=0.5)
    optimizer.add_param_group({"params": b, "lr": 0.25})
    (a + b).backward()
    optimizer.step()
    assert (a.item(), b.item()) == (0.5, 0.75)


def test_parameters_without_gradient_stay() -> None:
    a, b = parameters(1.0, 2.0)
    a.sum().backward()
    torch.optim.SGD([a, b], lr=1.0).step()
    assert (a.item(), b.item()) == (0.0, 2.0)
    assert (a._version, b._version) == (1, 0)


def test_zero_grad_takes_gradients_away_or_fills_them_with_zeros() -> None:
    a, b = parameters(1.0, 2.0)
    optimizer = torch.optim.SGD([a, b])
    a.sum().backward()
    kept = a.grad
    optimizer.zero_grad(set_to_none=False)
    assert a.grad is kept
    assert kept.tolist() == [0.0]
    assert b.grad is None
    optimizer.zero_grad()
    assert a.grad is None


def test_zero_grad_detaches_a_gradient_that_was_recorded() -> None:
    (a,) = parameters(3.0)
    (a.grad,) = torch.autograd.grad(a**2, a, create_graph=True)
    torch.optim.SGD([a]).zero_grad(set_to_none=False)
    assert not a.grad.requires_grad
    assert a.grad.tolist() == [0.0]


def test_a_step_is_not_recorded_and_changes_the_parameter_in_place() -> None:
    (a,) = parameters(1.0)
    memory = a.detach()
    a.sum().backward()
    torch.optim.SGD([a], lr=0.25).step()
    assert a.is_leaf
    assert a.requires_grad
    assert memory.tolist() == [0.75]


def test_backward_after_a_step_notices_that_the_parameter_was_modified() -> None:
    (a,) = parameters(1.0)
    loss = (a * a).sum()
    a.grad = torch.ones(1)
    torch.optim.SGD([a], lr=0.25).step()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        loss.backward()


def test_closure_is_called_before_the_step_even_under_no_grad() -> None:
    (a,) = parameters(2.0)
    optimizer = torch.optim.SGD([a], lr=0.25)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (a * a).sum()
        loss.backward()
        return loss

    with torch.no_grad():
        assert optimizer.step(closure).item() == 4.0
    assert a.tolist() == [1.0]
    assert optimizer.step() is None


@pytest.mark.parametrize(
    "make",
    [
        lambda params: torch.optim.SGD(params, lr=0.1, momentum=0.9),
        lambda params: torch.optim.Adam(params, lr=0.1, amsgrad=True),
    ],
)
def test_a_loaded_state_goes_on_where_it_was_saved(make: Any) -> None:
    def step(param: Any, optimizer: Any) -> None:
        optimizer.zero_grad()
        (param**2).sum().backward()
        optimizer.step()

    (a,) = parameters(1.0)
    first = make([a])
    step(a, first)
    (b,) = parameters(a.item())
    second = make([b])
    second.load_state_dict(copy.deepcopy(first.state_dict()))
    for _ in range(3):
        step(a, first)
        step(b, second)
    assert b.tolist() == a.tolist()


def test_a_saved_state_names_parameters_by_number() -> None:
    a, b = parameters(1.0, 2.0)
    optimizer = torch.optim.SGD([{"params": [a]}, {"params": [b]}], lr=0.5, momentum=0.9)
    b.sum().backward()
    optimizer.step()
    saved = optimizer.state_dict()
    assert [group["params"] for group in saved["param_groups"]] == [[0], [1]]
    assert list(saved["state"]) == [1]
    assert saved["state"][1]["momentum_buffer"].tolist() == [1.0]


def test_a_state_that_does_not_fit_changes_nothing() -> None:
    a, b = parameters(1.0, 2.0)
    optimizer = torch.optim.SGD([a], lr=0.5)
    other = torch.optim.SGD([a, b], lr=0.25).state_dict()
    with pytest.raises(ValueError, match="doesn't match the size of optimizer's group"):
        optimizer.load_state_dict(other)
    with pytest.raises(ValueError, match="a different number of parameter groups"):
        optimizer.load_state_dict({"state": {}, "param_groups": []})
    assert optimizer.param_groups[0]["lr"] == 0.5


def test_repr() -> None:
    optimizer = torch.optim.SGD([{"params": one} for one in parameters(1.0, 2.0)], lr=0.1)
    group = [
        "    dampening: 0",
        "    differentiable: False",
        "    foreach: None",
        "    fused: None",
        "    lr: 0.1",
        "    maximize: False",
        "    momentum: 0",
        "    nesterov: False",
        "    weight_decay: 0",
    ]
    expected = ["SGD (", "Parameter Group 0", *group, "", "Parameter Group 1", *group, ")"]
    assert repr(optimizer) == "\n".join(expected)


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        (
            torch.ones(2, requires_grad=True),
            TypeError,
            "params argument given to the optimizer should be an iterable of Tensors or dicts, but "
            "got torch.FloatTensor",
        ),
        ([], ValueError, "optimizer got an empty parameter list"),
        ([torch.ones(2, requires_grad=True) * 2], ValueError, "can't optimize a non-leaf Tensor"),
        ([1.0], TypeError, "optimizer can only optimize Tensors, but one of the params is float"),
        ([{"params": {torch.ones(1)}}], TypeError, "need to be organized in ordered collections"),
        ([{"params": torch.ones(1)}, torch.ones(1)], TypeError, "param_group must be a dict, but"),
        (torch.nn.functional.relu, TypeError, "'function' object is not iterable"),
    ],
)
@pytest.mark.parametrize("optimizer", [torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW])
def test_what_cannot_be_optimized(
    optimizer: Any, params: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        optimizer(params, lr=0.1)
    assert message in str(caught.value)


def test_a_parameter_belongs_to_one_group() -> None:
    (a,) = parameters(1.0)
    optimizer = torch.optim.SGD([a])
    with pytest.raises(ValueError, match="some parameters appear in more than one parameter group"):
        optimizer.add_param_group({"params": [a]})
    assert len(optimizer.param_groups) == 1
    with pytest.warns(UserWarning, match="a parameter group with duplicate parameters"):
        torch.optim.SGD([a, a])


def test_a_retained_non_leaf_may_be_optimized() -> None:
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.sum().backward()
    torch.optim.SGD([y], lr=0.5).step()
    assert y.tolist() == [1.5]


def test_parameters_may_come_with_names() -> None:
    linear = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(linear.named_parameters())
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]
    with pytest.raises(ValueError, match="cannot add param group without names"):
        optimizer.add_param_group({"params": parameters(1.0)})
    with pytest.raises(ValueError, match="Some param names are missing"):
        torch.optim.SGD([("a", linear.weight), linear.bias])
    assert len(optimizer.param_groups) == 1


def test_a_loaded_state_takes_the_dtype_of_the_parameter() -> None:
    (a,) = parameters(1.0)
    a.sum().backward()
    first = torch.optim.Adam([a])
    first.step()
    wide = torch.ones(1, dtype=torch.float64, requires_grad=True)
    second = torch.optim.Adam([wide])
    second.load_state_dict(first.state_dict())
    assert second.state[wide]["exp_avg"].dtype is torch.float64
    assert second.state[wide]["step"].dtype is torch.float32


def test_lists_in_a_loaded_state_are_copies_in_the_dtype_of_the_parameter() -> None:
    narrow = torch.ones(2, requires_grad=True)
    first = torch.optim.LBFGS([narrow], lr=0.1, max_iter=3)

    def closure() -> Any:
        first.zero_grad()
        loss = (narrow**4).sum()
        loss.backward()
        return loss

    first.step(closure)
    wide = torch.ones(2, dtype=torch.float64, requires_grad=True)
    second = torch.optim.LBFGS([wide])
    second.load_state_dict(first.state_dict())
    mine, others = second.state[wide]["old_dirs"], first.state[narrow]["old_dirs"]
    assert mine is not others
    assert [one.dtype for one in mine] == [torch.float64] * len(others)
    assert len(others) > 0


def test_texts_in_a_loaded_state_stay() -> None:
    (a,) = parameters(1.0)
    optimizer = torch.optim.SGD([a])
    optimizer.state[a]["phase"] = "warm"
    optimizer.load_state_dict(optimizer.state_dict())
    assert optimizer.state[a] == {"phase": "warm"}


def test_a_state_that_an_older_version_saved_can_be_stepped_from() -> None:
    (a,) = parameters(1.0)
    optimizer = torch.optim.Adam([a], lr=0.5)
    a.sum().backward()
    optimizer.step()
    saved = copy.deepcopy(optimizer.state_dict())
    saved["state"][0]["step"] = 1
    del saved["param_groups"][0]["maximize"], saved["param_groups"][0]["foreach"]
    optimizer.load_state_dict(saved)
    optimizer.step()
    assert optimizer.state[a]["step"].item() == 2.0
    assert optimizer.param_groups[0]["maximize"] is False


def test_an_optimizer_is_pickled_with_its_parameters() -> None:
    (a,) = parameters(1.0)
    optimizer = pickle.loads(pickle.dumps(torch.optim.SGD([a], lr=0.5)))
    (param,) = optimizer.param_groups[0]["params"]
    param.sum().backward()
    optimizer.step()
    assert (param.item(), a.item()) == (0.5, 1.0)


@pytest.mark.parametrize("optimizer", [torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW])
@pytest.mark.parametrize("other", ["foreach", "differentiable"])
def test_ways_to_compute_that_exclude_each_other(optimizer: Any, other: str) -> None:
    with pytest.raises(RuntimeError, match="`fused`"):
        optimizer(parameters(1.0), fused=True, **{other: True})


@pytest.mark.parametrize("optimizer", [torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW])
def test_steps_are_not_recorded_on_demand(optimizer: Any) -> None:
    (leaf,) = parameters(1.0)
    inner = leaf * 2
    inner.retain_grad()
    inner.sum().backward()
    with pytest.raises(NotImplementedError, match="minigrad does not record"):
        optimizer([inner], differentiable=True).step()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        optimizer([leaf], differentiable=True).step()
    assert (leaf.item(), inner.item()) == (1.0, 2.0)
