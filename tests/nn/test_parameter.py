"""What a parameter is, and what a buffer."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import minigrad as torch
from minigrad import nn


def test_a_parameter_shares_the_memory_of_its_data() -> None:
    x = torch.ones(2)
    p = nn.Parameter(x)
    x.add_(1)
    assert p.tolist() == [2.0, 2.0]
    assert p.requires_grad
    assert p.is_leaf
    assert repr(p) == "Parameter containing:\ntensor([2., 2.], requires_grad=True)"


def test_operations_on_parameters_return_tensors_and_record_them() -> None:
    p, q = nn.Parameter(torch.tensor([1.0, 2.0])), nn.Parameter(torch.tensor([3.0, 4.0]))
    product = p * q
    assert type(product) is torch.Tensor
    assert product.grad_fn._saved_self is p
    (product.sum() + (p @ q) + torch.cat([p, q]).sum()).backward()
    assert p.grad.tolist() == [7.0, 9.0]
    assert q.grad.tolist() == [3.0, 5.0]
    assert type(p.grad) is type(p.data) is type(p.detach()) is torch.Tensor


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_are_parameters_without_the_gradient(duplicate: Any) -> None:
    p = nn.Parameter(torch.ones(2))
    p.sum().backward()
    q = duplicate(p)
    assert type(q) is nn.Parameter
    assert q.grad is None
    with torch.no_grad():
        q.zero_()
    assert p.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("data", "requires_grad", "error", "message"),
    [
        ([1.0], True, AttributeError, "'list' object has no attribute 'detach'"),
        (torch.tensor([1]), True, RuntimeError, "can require gradients"),
        (torch.ones(1), 1, TypeError, "must be bool, not int"),
    ],
)
def test_what_cannot_be_a_parameter(
    data: Any, requires_grad: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        nn.Parameter(data, requires_grad)


def test_a_buffer_is_a_marked_tensor() -> None:
    buffer = nn.Buffer(torch.ones(1), persistent=False)
    assert type(buffer) is torch.Tensor
    assert isinstance(buffer, nn.Buffer)
    assert not isinstance(torch.ones(1), nn.Buffer)
    module = nn.Module()
    module.steps, module.mean = buffer, nn.Buffer(torch.zeros(1))
    assert [name for name, _ in module.named_buffers()] == ["steps", "mean"]
    assert list(module.state_dict()) == ["mean"]
