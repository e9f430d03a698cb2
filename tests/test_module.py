"""Module, Parameter and the containers: attributes, members, state, hooks, printing."""

import copy
import pickle
from collections import OrderedDict
from typing import Any

import pytest


@pytest.fixture
def net(torch: Any) -> Any:
    """Two layers, a shared one, a parameter of its own, and a buffer."""

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = torch.nn.Linear(2, 3)
            self.last = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.Linear(3, 1))
            self.again = self.first
            self.scale = torch.nn.Parameter(torch.tensor(2.0))
            self.register_buffer("mean", torch.zeros(3))

        def forward(self, x: Any) -> Any:
            return self.last(self.first(x) - self.mean) * self.scale

    return Net()


OWN = ["scale", "first.weight", "first.bias", "last.1.weight", "last.1.bias"]


def test_members_are_found_by_name_each_once(net: Any) -> None:
    assert [name for name, _ in net.named_parameters()] == OWN
    assert [name for name, _ in net.named_parameters("net", recurse=False)] == ["net.scale"]
    assert [name for name, _ in net.named_children()] == ["first", "last"]
    assert [name for name, _ in net.named_modules()] == ["", "first", "last", "last.0", "last.1"]
    assert len(list(net.children())) == 2
    assert {"weight", "bias", "training"} <= set(dir(net.first))


@pytest.mark.parametrize(
    ("statement", "error", "text"),
    [
        ("net.scale = 3", TypeError, "cannot assign 'int' as parameter 'scale' (torch.nn.Para"),
        ("net.scale = ones", TypeError, "cannot assign 'torch.FloatTensor' as parameter 'scale' ("),
        ("net.first = 3", TypeError, "cannot assign 'int' as child module 'first' (torch.nn.Modul"),
        ("net.mean = 3", TypeError, "cannot assign 'int' as buffer 'mean' (torch.nn.Buffer, tor"),
        ("net.register_parameter('a', 3)", TypeError, "cannot assign 'int' "),
        ("net.register_buffer('a', 3)", TypeError, "cannot assign 'int' "),
        ("net.add_module('a', 3)", TypeError, "int is not a Module subclass"),
        ("net.add_module('a.b', act)", KeyError, ""),
        ("net.add_module('', act)", KeyError, ""),
        ("net.add_module('scale', act)", KeyError, "\"attribute 'scale' already exists\""),
    ],
)
def test_refusals(torch: Any, net: Any, statement: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        exec(statement, {"net": net, "ones": torch.ones(1), "act": torch.nn.ReLU()})
    assert str(caught.value).startswith(text)
    assert [name for name, _ in net.named_parameters()] == OWN


def test_an_attribute_is_of_one_kind(torch: Any, net: Any) -> None:
    net.mean = torch.nn.Parameter(torch.ones(3))
    assert "mean" in dict(net.named_parameters())
    assert [name for name, _ in net.named_parameters()][:2] == ["scale", "mean"]
    net.scale = None
    del net.mean
    assert [name for name, _ in net.named_parameters()] == OWN[1:]
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'mean'"):
        _ = net.mean


def test_before_init(torch: Any) -> None:
    class Early(torch.nn.Module):
        def __init__(self, value: Any) -> None:
            self.value = value

    assert Early(3).value == 3
    with pytest.raises(AttributeError, match=r"cannot assign module before Module\.__init__\(\)"):
        Early(torch.nn.ReLU())
    with pytest.raises(AttributeError, match=r"cannot assign parameters before Module\.__init__"):
        Early(torch.nn.Parameter(torch.ones(1)))
    with pytest.raises(AttributeError, match="'Early' object has no attribute '_"):
        Early(3)(torch.ones(1))
    with pytest.raises(NotImplementedError) as error:
        torch.nn.Module()(torch.ones(1))
    assert str(error.value) == 'Module [Module] is missing the required "forward" function'


def test_modes_and_gradients_reach_all_members(torch: Any, net: Any) -> None:
    net(torch.ones(4, 2)).sum().backward()
    grad = net.scale.grad
    net.zero_grad(set_to_none=False)
    assert net.scale.grad is grad
    assert grad.item() == 0.0
    net.zero_grad()
    assert all(param.grad is None for param in net.parameters())
    assert net.eval() is net
    assert not any(module.training for module in net.modules())
    assert not net.requires_grad_(False)(torch.ones(2)).requires_grad
    with pytest.raises(ValueError, match="training mode is expected to be boolean"):
        net.train(1)
    order: list[str] = []
    net.apply(lambda module: order.append(type(module).__name__))
    assert order == ["Linear", "Tanh", "Linear", "Sequential", "Net"]


def test_conversion_keeps_the_parameters(torch: Any, net: Any) -> None:
    weight = net.first.weight
    net.register_buffer("count", torch.tensor(3))
    net(torch.ones(2)).sum().backward()
    assert net.double() is net
    assert net.first.weight is weight
    assert {weight.dtype, weight.grad.dtype, net.mean.dtype} == {torch.float64}
    assert net.count.dtype is torch.int64
    net(torch.ones(2).double()).sum().backward()
    assert net.to(torch.float32).float().cpu().scale.dtype is torch.float32


def test_state_goes_from_one_network_to_another(torch: Any, net: Any) -> None:
    state = net.state_dict()
    assert type(state) is OrderedDict
    names = ["scale", "mean", "first.weight", "first.bias", "last.1.weight", "last.1.bias"]
    assert list(state) == [*names, "again.weight", "again.bias"]
    assert not state["scale"].requires_grad
    other = copy.deepcopy(net)
    with torch.no_grad():
        net.scale.add_(1)
    assert state["scale"] == 3
    assert other.scale == 2
    assert repr(other.load_state_dict(state)) == "<All keys matched successfully>"
    assert other.scale == 3
    assert other.scale.requires_grad
    assert list(torch.nn.BatchNorm1d(2).state_dict(prefix="a."))[2] == "a.running_mean"


def test_state_that_does_not_fit(torch: Any, net: Any) -> None:
    state = net.state_dict()
    state["other"] = state.pop("scale")
    state["first.weight"] = torch.ones(5, 5)
    with pytest.raises(RuntimeError) as error:
        net.load_state_dict(state)
    assert str(error.value).split("\n\t") == [
        "Error(s) in loading state_dict for Net:",
        'Missing key(s) in state_dict: "scale". ',
        'Unexpected key(s) in state_dict: "other". ',
        "size mismatch for first.weight: copying a param with shape torch.Size([5, 5]) from "
        "checkpoint, the shape in current model is torch.Size([3, 2]).",
    ]
    del state["first.weight"]
    keys = net.load_state_dict(state, strict=False)
    assert keys.missing_keys == ["scale", "first.weight"]
    assert keys.unexpected_keys == ["other"]
    with pytest.raises(TypeError, match="Expected state_dict to be dict-like, got <class 'int'>"):
        net.load_state_dict(3)


def test_a_state_of_arrays_is_refused(torch: Any) -> None:
    linear = torch.nn.Linear(1, 1)
    with pytest.raises(RuntimeError, match="expected torch.Tensor or Tensor-like object"):
        linear.load_state_dict({"weight": torch.ones(1, 1), "bias": [1.0]})


def test_a_refused_state_changes_nothing() -> None:
    from minigrad import nn, ones  # PyTorch copies what fits before it raises the error

    linear = nn.Linear(2, 2)
    before = linear.bias.tolist()
    with pytest.raises(RuntimeError):
        linear.load_state_dict({"bias": ones(2), "weight": ones(3)})
    assert linear.bias.tolist() == before


def test_forward_hooks_see_and_replace(torch: Any) -> None:
    linear, seen = torch.nn.Linear(1, 1), []
    handle = linear.register_forward_hook(lambda module, args, output: seen.append((module, args)))
    linear(torch.zeros(1))
    assert seen[0][0] is linear
    assert seen[0][1][0].tolist() == [0.0]
    handle.remove()
    linear.register_forward_hook(lambda module, args, output: output * 0)
    assert linear(torch.ones(1)).tolist() == [0.0]
    assert len(seen) == 1


def test_parameter(torch: Any) -> None:
    data = torch.ones(2)
    param = torch.nn.Parameter(data)
    data[0] = 3
    assert repr(param) == "Parameter containing:\ntensor([3., 1.], requires_grad=True)"
    assert str(type(param)) == "<class 'torch.nn.parameter.Parameter'>"
    assert type(param * 1) is type(param.detach()) is torch.Tensor
    assert param.is_leaf
    assert not torch.nn.Parameter(data, requires_grad=False).requires_grad
    param.grad = torch.ones(2)
    copied = copy.deepcopy(param)
    assert type(copied) is type(param)
    assert copied.grad is None
    assert torch.equal(pickle.loads(pickle.dumps(param)), param)
    with pytest.raises(RuntimeError, match="Only Tensors of floating point and complex dtype"):
        torch.nn.Parameter(torch.tensor([1]))


def test_printing(torch: Any) -> None:
    nn = torch.nn
    parts = nn.ModuleDict({"act": nn.ReLU(), "list": nn.ModuleList([nn.Tanh(), nn.Tanh()])})
    net = nn.Sequential(OrderedDict(first=nn.Linear(2, 3), rest=parts))
    assert (
        repr(net)
        == """Sequential(
  (first): Linear(in_features=2, out_features=3, bias=True)
  (rest): ModuleDict(
    (act): ReLU()
    (list): ModuleList(
      (0-1): 2 x Tanh()
    )
  )
)"""
    )

    class Own(nn.Module):
        def extra_repr(self) -> str:
            return "a=1\nb=2"

    assert repr(Own()) == "Own(\n  a=1\n  b=2\n)"
    assert repr(nn.ModuleList()) == "ModuleList()"


def test_sequential_is_indexed_and_changed_like_a_list(torch: Any) -> None:
    nn = torch.nn
    net = nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Linear(2, 1))
    assert net[-1] is net[2]
    assert len(net) == 3
    assert list(net[1:].state_dict()) == ["2.weight", "2.bias"]
    net[1] = nn.Tanh()
    assert net.append(nn.Sigmoid()) is net
    assert [type(module).__name__ for module in net] == ["Linear", "Tanh", "Linear", "Sigmoid"]
    with pytest.raises(IndexError, match="index 5 is out of range"):
        net[5]
    with pytest.raises(TypeError, match="int is not a Module subclass"):
        nn.Sequential(3)
    assert nn.Sequential()(3) == 3


def test_lists_and_dicts_of_modules(torch: Any) -> None:
    nn = torch.nn
    layers = nn.ModuleList([nn.Linear(1, 1)])
    layers.extend([nn.ReLU(), nn.Tanh()])
    assert len(layers) == 3
    assert type(layers[:2]) is nn.ModuleList
    with pytest.raises(NotImplementedError, match="missing the required"):
        layers(torch.ones(1))
    parts = nn.ModuleDict([("a", nn.Linear(1, 1))])
    parts["b"] = nn.ReLU()
    assert list(parts) == list(parts.keys()) == [name for name, _ in parts.items()] == ["a", "b"]
    assert "b" in parts
    assert parts["b"] is list(parts.values())[1]
    assert len(list(parts.parameters())) == 2
