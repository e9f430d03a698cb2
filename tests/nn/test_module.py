"""What modules register, walk, save, load, convert, show and refuse."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import pytest

import minigrad as torch
from minigrad import nn


class Net(nn.Module):
    """Two layers, a parameter of its own and a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.last = nn.Sequential(nn.Tanh(), nn.Linear(3, 1))
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x: Any) -> Any:
        return self.last(self.first(x) - self.mean) * self.scale


def test_parameters_are_found_by_name_each_once() -> None:
    net = Net()
    net.again = net.first
    names = [name for name, _ in net.named_parameters()]
    assert names == [
        "scale", "first.weight", "first.bias", "last.1.weight", "last.1.bias"
    ]  # fmt: skip
    assert len(list(net.modules())) == 5
    assert net.get_parameter("last.1.bias") is net.last[1].bias
    assert net.get_submodule("last.0") is net.last[0]
    assert [name for name, _ in net.named_buffers()] == ["mean"]
    assert [name for name, _ in net.named_children()] == ["first", "last"]


def test_an_attribute_is_of_one_kind() -> None:
    net = Net()
    net.scale = None
    assert list(net._parameters) == ["scale"]
    with pytest.raises(TypeError, match="cannot assign 'int' as parameter 'scale'"):
        net.scale = 3
    with pytest.raises(
        TypeError, match="cannot assign 'torch.FloatTensor' as child module 'first'"
    ):
        net.first = torch.ones(1)
    net.mean = nn.Parameter(torch.ones(3))
    assert not list(net.buffers())
    del net.mean
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'mean'"):
        _ = net.mean


def test_attributes_before_init() -> None:
    class Late(nn.Module):
        def __init__(self, value: Any) -> None:
            self.value = value

    assert Late(3).value == 3
    with pytest.raises(AttributeError, match="cannot assign module before Module.__init__"):
        Late(nn.ReLU())
    with pytest.raises(AttributeError, match="cannot assign parameters before Module.__init__"):
        Late(nn.Parameter(torch.ones(1)))


@pytest.mark.parametrize("register", ["register_parameter", "register_buffer", "add_module"])
@pytest.mark.parametrize(
    ("name", "error"), [("", KeyError), ("a.b", KeyError), ("first", KeyError), (3, TypeError)]
)
def test_names_that_are_refused(register: str, name: Any, error: type[Exception]) -> None:
    net = Net()
    before = (*net._parameters, *net._buffers, *net._modules)
    if (register, name) != ("add_module", "first"):
        with pytest.raises(error):
            getattr(net, register)(name, None)
    assert (*net._parameters, *net._buffers, *net._modules) == before


def test_modes_reach_all_modules() -> None:
    net = Net()
    assert net.eval() is net
    assert not any(module.training for module in net.modules())
    net.requires_grad_(False)
    assert not net(torch.ones(2)).requires_grad
    with pytest.raises(ValueError, match="training mode is expected to be boolean"):
        net.train(1)  # type: ignore[arg-type]


def test_gradients_are_taken_away_or_filled_with_zeros() -> None:
    net = Net()
    net(torch.ones(4, 2)).sum().backward()
    kept = net.scale.grad
    net.zero_grad(set_to_none=False)
    assert net.scale.grad is kept
    assert kept.item() == 0.0
    net.zero_grad()
    assert all(param.grad is None for param in net.parameters())


def test_conversion_keeps_the_parameters_themselves() -> None:
    net = Net()
    weight = net.first.weight
    net.register_buffer("count", torch.tensor(3))
    assert net.double().first.weight is weight
    assert weight.dtype is net.mean.dtype is torch.float64
    assert net.count.dtype is torch.int64
    assert net(torch.ones(2, dtype=torch.float64)).dtype is torch.float64
    with pytest.raises(TypeError, match="only accepts floating point or complex dtypes"):
        net.to(torch.int64)


def test_a_state_goes_from_one_network_to_another() -> None:
    net, other = Net(), Net()
    assert repr(other.load_state_dict(net.state_dict())) == "<All keys matched successfully>"
    x = torch.randn(4, 2)
    assert torch.equal(net(x), other(x))
    assert other.scale.requires_grad


def test_a_state_that_does_not_fit() -> None:
    net = Net()
    state = net.state_dict()
    state["other"] = state.pop("scale")
    state["first.weight"] = torch.ones(5, 5)
    with pytest.raises(RuntimeError) as caught:
        net.load_state_dict(state)
    assert str(caught.value).split("\n\t") == [
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


def test_hooks_see_and_replace_what_goes_in_and_comes_out() -> None:
    linear = nn.Linear(1, 1)
    seen: list[Any] = []
    before = linear.register_forward_pre_hook(lambda module, args: (args[0] * 0,))
    after = linear.register_forward_hook(lambda module, args, output: seen.append(args))
    assert torch.equal(linear(torch.ones(1)), linear.bias)
    assert seen[0][0].tolist() == [0.0]
    linear.register_forward_hook(lambda *args: args[2] * 0, prepend=True)
    before.remove()
    after.remove()
    assert linear(torch.ones(1)).tolist() == [0.0]
    assert len(seen) == 1


def test_a_hook_may_be_called_though_forward_failed() -> None:
    linear, seen = nn.Linear(2, 1), []
    linear.register_forward_hook(lambda *args: seen.append("ordinary"))
    linear.register_forward_hook(
        lambda module, args, kwargs, output: seen.append((kwargs, output)),
        with_kwargs=True,
        always_call=True,
    )
    with pytest.raises(RuntimeError):
        linear(input=torch.ones(3))
    ((keywords, output),) = seen
    assert list(keywords) == ["input"]
    assert output is None


def test_full_backward_hooks_see_the_gradients_of_inputs_and_outputs() -> None:
    linear, seen = nn.Linear(2, 1), []
    handle = linear.register_full_backward_hook(lambda *args: seen.append(args))
    x = torch.ones(3, 2, requires_grad=True)
    (linear(x).sum() * 2).backward()
    ((module, (grad_input,), (grad_output,)),) = seen
    assert module is linear
    assert torch.equal(grad_input, x.grad)
    assert grad_output.tolist() == [[2.0]] * 3
    handle.remove()
    linear(x).sum().backward()
    assert len(seen) == 1


def test_full_backward_hooks_replace_gradients() -> None:
    tanh = nn.Tanh()
    tanh.register_full_backward_pre_hook(lambda module, grads: (grads[0] * 0 + 1,))
    tanh.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_output[0] * 5,))
    x = torch.zeros(2, requires_grad=True)
    (tanh(x) * 7).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]


def test_full_backward_hooks_run_though_no_input_has_a_gradient() -> None:
    linear, seen = nn.Linear(1, 1), []
    linear.register_full_backward_hook(lambda module, *args: seen.append(args))
    with pytest.warns(UserWarning, match="since no inputs require gradients"):
        linear(torch.ones(1)).backward()
    assert seen == [((None,), (torch.ones(1),))]


def test_a_backward_hook_returns_as_many_gradients_as_there_are() -> None:
    tanh = nn.Tanh()
    tanh.register_full_backward_hook(lambda module, grad_input, grad_output: ())
    with pytest.raises(RuntimeError, match="invalid number of grad_input, got 0, but expected 1"):
        tanh(torch.zeros(1, requires_grad=True)).backward()


def test_forward_has_to_be_written() -> None:
    with pytest.raises(NotImplementedError, match='Module .Module. is missing the required "forw'):
        nn.Module()(1)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_compute_the_same_and_share_nothing(duplicate: Any) -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.Dropout(0.5), nn.Linear(3, 1)).eval()
    twin = duplicate(net)
    x = torch.randn(5, 2)
    assert torch.equal(net(x), twin(x))
    assert type(twin[1]) is nn.Dropout
    with torch.no_grad():
        twin[0].weight.zero_()
    assert not torch.equal(net(x), twin(x))


def test_repr() -> None:
    assert repr(Net()) == (
        "Net(\n"
        "  (first): Linear(in_features=2, out_features=3, bias=True)\n"
        "  (last): Sequential(\n"
        "    (0): Tanh()\n"
        "    (1): Linear(in_features=3, out_features=1, bias=True)\n"
        "  )\n"
        ")"
    )
    assert str(type(nn.ReLU())) == "<class 'torch.nn.modules.activation.ReLU'>"


def test_a_call_with_hooks_leaves_nothing_behind() -> None:
    linear, alive = nn.Linear(2, 1), []
    linear.register_full_backward_hook(lambda *args: None)
    linear.register_forward_hook(lambda *args: None)
    gc.disable()
    try:
        for walked in (True, False):
            x = torch.ones(3, 2, requires_grad=True)
            y = linear(x)
            alive += [weakref.ref(x), weakref.ref(y), weakref.ref(y.grad_fn)]
            if walked:
                y.sum().backward()
            del x, y
        alive.append(weakref.ref(linear))
        del linear
        assert [one() for one in alive] == [None] * 7
    finally:
        gc.enable()


def test_a_module_takes_the_place_of_another_by_name(torch: Any) -> None:
    nn = torch.nn
    net = nn.Sequential(nn.Sequential(nn.Linear(2, 2), nn.ReLU()), nn.Tanh())
    net.set_submodule("0.1", nn.Sigmoid())
    net.set_submodule("0.2", nn.Tanh())
    assert [type(one).__name__ for one in net[0]] == ["Linear", "Sigmoid", "Tanh"]
    for name, module, error, text in (
        ("", nn.ReLU(), ValueError, "Cannot set the submodule without a target name!"),
        ("0", 3, ValueError, "`module` is not an nn.Module, found <class 'int'>"),
        ("5.0", nn.ReLU(), AttributeError, "Sequential has no attribute `5`"),
        ("training", nn.ReLU(), AttributeError, "`training` is not an nn.Module"),
    ):
        with pytest.raises(error, match=text):
            net.set_submodule(name, module)
    with pytest.raises(AttributeError, match="Sequential has no attribute `7`"):
        net.set_submodule("7", nn.ReLU(), strict=True)


def test_hooks_with_an_underscore_may_replace_a_state_and_do_without_the_module(torch: Any) -> None:
    net = torch.nn.Sequential(torch.nn.Linear(1, 1))
    seen: list[Any] = []
    net._register_state_dict_hook(lambda module, state, prefix, metadata: {**state, "more": 1})
    assert list(net.state_dict()) == ["0.weight", "0.bias", "more"]
    net._register_load_state_dict_pre_hook(lambda state, prefix, *_: seen.append(sorted(state)))
    net._register_load_state_dict_pre_hook(lambda module, *_: seen.append(module), with_module=True)
    net.load_state_dict(torch.nn.Sequential(torch.nn.Linear(1, 1)).state_dict())
    assert seen == [["0.bias", "0.weight"], net]


def test_hooks_of_all_modules_run_before_a_modules_own(torch: Any) -> None:
    every, seen = torch.nn.modules.module, []
    inner = torch.nn.Identity()
    net = torch.nn.Sequential(inner)
    inner.register_forward_hook(lambda *given: seen.append("own"))
    with every.register_module_forward_hook(lambda module, args, out: seen.append(module)):
        net(torch.ones(1))
    net(torch.ones(1))
    assert seen == [inner, "own", net, "own"]


def test_a_hook_may_replace_what_becomes_part_of_a_module(torch: Any) -> None:
    every, net = torch.nn.modules.module, torch.nn.Module()
    other = torch.nn.Identity()
    with every.register_module_module_registration_hook(lambda module, name, value: other):
        net.part = torch.nn.Tanh()
    assert net.part is other


def test_what_cannot_be_copied_into_a_module_is_told_of_all_at_once(torch: Any) -> None:
    with torch.inference_mode():
        layer = torch.nn.Linear(2, 1)
    with pytest.raises(RuntimeError, match=r"(?s)While copying.*weight.*While copying.*bias"):
        layer.load_state_dict(layer.state_dict())
