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
