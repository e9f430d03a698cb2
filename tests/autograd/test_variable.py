"""Variable, as it was before tensors had gradients of their own."""

from __future__ import annotations

from typing import Any

import pytest


def test_a_variable_is_a_new_leaf_of_the_same_memory(torch: Any) -> None:
    x = torch.ones(2)
    variable = torch.autograd.Variable(x, requires_grad=True)
    assert variable.requires_grad
    assert not x.requires_grad
    (variable * 2).sum().backward()
    assert variable.grad.tolist() == [2.0, 2.0]
    x.mul_(5)
    assert variable.tolist() == [5.0, 5.0]


def test_every_tensor_is_a_variable(torch: Any) -> None:
    assert isinstance(torch.ones(2), torch.autograd.Variable)
    assert not isinstance(3, torch.autograd.Variable)


def test_a_variable_of_integers_has_no_gradient(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="Only Tensors of floating point"):
        torch.autograd.Variable(torch.tensor([1]), requires_grad=True)
    with pytest.raises(TypeError, match="Variable data has to be a tensor, but got int"):
        torch.autograd.Variable(3)


def test_the_function_of_that_name_is_no_more(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="is deprecated, use torch.tensor"):
        torch.autograd.variable(torch.ones(2))


def queue(torch: Any, callback: Any) -> None:
    torch.autograd.Variable._execution_engine.queue_callback(callback)


def test_callbacks_are_called_at_the_end_of_their_own_pass(torch: Any) -> None:
    x, seen = torch.ones(2, requires_grad=True), []

    def hook(gradient: Any) -> None:
        queue(torch, lambda: (seen.append(x.grad.tolist()), queue(torch, lambda: seen.append(2))))
        with torch.enable_grad():
            y = torch.ones(1, requires_grad=True)
            y.register_hook(lambda _: queue(torch, lambda: seen.append("inner")))
            y.sum().backward()
        seen.append("hook")

    x.register_hook(hook)
    (x * 3).sum().backward()
    assert seen == ["inner", "hook", [3.0, 3.0], 2]


def test_callbacks_are_not_called_after_an_error(torch: Any) -> None:
    x, seen = torch.ones(2, requires_grad=True), []

    def hook(gradient: Any) -> None:
        queue(torch, lambda: seen.append(1))
        raise ValueError("by the hook")

    x.register_hook(hook)
    with pytest.raises(ValueError, match="by the hook"):
        x.sum().backward()
    assert seen == []


def test_callbacks_need_a_backward_pass(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="can only be installed during backward pass"):
        queue(torch, print)


def test_volatile_has_no_effect_any_more(torch: Any) -> None:
    with pytest.warns(UserWarning, match="volatile was removed"):
        torch.autograd.Variable(torch.ones(1), volatile=True)
