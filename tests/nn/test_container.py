"""Modules that hold others."""

from __future__ import annotations

from collections import OrderedDict

import pytest

import minigrad as torch
from minigrad import nn


def test_sequential_is_indexed_sliced_and_changed_like_a_list() -> None:
    a, b, c = nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)
    net = nn.Sequential(a, b)
    assert net.append(c) is net
    assert list(net) == [a, b, c]
    assert (net[0], net[-1], list(net[1:])) == (a, c, [b, c])
    net.insert(1, nn.Identity())
    del net[1]
    net[1] = nn.Tanh()
    assert list(net._modules) == ["0", "1", "2"]
    x = torch.ones(2)
    assert torch.equal(net(x), c(torch.tanh(a(x))))
    with pytest.raises(IndexError, match="index 3 is out of range"):
        net[3]
    with pytest.raises(TypeError, match="int is not a Module subclass"):
        net.append(3)  # type: ignore[arg-type]


def test_sequential_takes_names_from_an_ordered_dict() -> None:
    net = nn.Sequential(OrderedDict([("hidden", nn.Linear(2, 2)), ("act", nn.ReLU())]))
    assert net.act is net[1]
    assert list(net.state_dict()) == ["hidden.weight", "hidden.bias"]


def test_module_list_shows_equal_modules_once() -> None:
    modules = nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Tanh()])
    modules += [nn.Linear(1, 1)]
    assert repr(modules) == (
        "ModuleList(\n"
        "  (0-1): 2 x ReLU()\n"
        "  (2): Tanh()\n"
        "  (3): Linear(in_features=1, out_features=1, bias=True)\n"
        ")"
    )
    assert len(list(modules.parameters())) == 2
    assert type(modules[1:]) is nn.ModuleList


def test_module_dict_is_used_like_a_dict() -> None:
    modules = nn.ModuleDict({"a": nn.Linear(1, 1)})
    modules["b"] = nn.ReLU()
    assert list(modules) == ["a", "b"]
    assert "b" in modules
    assert modules.pop("b") is not None
    assert [name for name, _ in modules.named_parameters()] == ["a.weight", "a.bias"]
    with pytest.raises(TypeError, match="should be called with an iterable of key/value pairs"):
        modules.update(3)


def test_parameter_list_makes_parameters_of_tensors() -> None:
    params = nn.ParameterList([torch.ones(2), nn.Parameter(torch.zeros(1))])
    params.append(torch.ones(2, 2))
    assert [name for name, _ in params.named_parameters()] == ["0", "1", "2"]
    assert (
        repr(params).splitlines()[1] == "    (0): Parameter containing: [torch.float32 of size 2]"
    )
    with pytest.raises(RuntimeError, match="ParameterList should not be called"):
        params()
