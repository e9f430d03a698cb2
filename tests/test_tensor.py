"""The Tensor: flags, gradient, memory, versions, conversions."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("torch.arange(3).requires_grad_()", "only Tensors of floating point dtype can require"),
        ("setattr(y, 'requires_grad', False)", "you can only change requires_grad flags of leaf"),
        ("torch.ones(2).retain_grad()", "can't retain_grad on Tensor that has requires_grad=False"),
        ("torch.ones(2).register_hook(print)", "cannot register a hook on a tensor that doesn't"),
        ("y.register_post_accumulate_grad_hook(print)", "post accumulate grad hooks cannot be"),
        ("setattr(x, 'grad', torch.ones(3))", "attempting to assign a gradient of size '[3]'"),
        ("setattr(x, 'grad', torch.ones(2).double())", "attempting to assign a gradient with dtyp"),
        ("setattr(x, 'grad', x)", "can't assign Variable as its own grad"),
        ("x.numpy()", "Can't call numpy() on Tensor that requires grad."),
        ("y.item()", "a Tensor with 2 elements cannot be converted to Scalar"),
        ("bool(y)", "Boolean value of Tensor with more than one value is ambiguous"),
        ("(x * 1)[:1].detach_()", "Can't detach views in-place."),
        ("copy.deepcopy(y)", "Only Tensors created explicitly by the user"),
        ("delattr(x, 'data')", "Deleting tensor data is not allowed. Delete tensor instead!"),
        ("delattr(y, '_grad_fn')", "Deletion of _grad_fn not allowed. Detach tensor instead!"),
        ("delattr(x, '_backward_hooks')", "Deletion of _backwards_hooks not allowed!"),
        ("delattr(x, 'requires_grad')", "requires_grad must be a bool"),
    ],
)
def test_refusals_change_nothing(torch: Any, program: str, text: str) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    with pytest.raises(RuntimeError) as error:
        eval(program, {"torch": torch, "x": x, "y": y, "copy": copy})
    assert str(error.value).startswith(text)
    assert (x.grad, x.requires_grad, y.requires_grad) == (None, True, True)
    assert (x._version, y._version) == (0, 0)


def test_a_non_leaf_has_no_grad_and_says_so(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.sum().backward()
    with pytest.warns(UserWarning, match="is not a leaf Tensor is being accessed"):
        assert y.grad is None


def test_detach_shares_memory_and_version(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    d = x.detach()
    d[0] = 5.0
    assert x.tolist() == [5, 1]
    assert (x._version, d.requires_grad, d.grad_fn) == (1, False, None)


def test_data_shares_memory_but_not_the_version(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    x.data[0] = 5.0
    assert x.tolist() == [5, 1]
    assert x._version == 0


def test_data_can_be_replaced(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    x.data = torch.zeros(3)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_numpy_shares_memory(torch: Any) -> None:
    x = torch.zeros(2)
    x.numpy()[0] = 7
    np.asarray(x)[1] = 8
    assert x.tolist() == [7, 8]
    assert np.asarray(x, np.float64).dtype == np.float64


def test_float_of_a_tensor_that_requires_grad_warns(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    with pytest.warns(UserWarning, match="Converting a tensor with requires_grad=True to a scalar"):
        assert float(x) == 2.0


def test_python_protocols(torch: Any) -> None:
    x = torch.tensor([[1, 2], [3, 4]])
    assert len(x) == 2
    assert [row.tolist() for row in x] == [[1, 2], [3, 4]]
    assert 3 in x
    assert 9 not in x
    assert [10, 20, 30][torch.tensor(1)] == 20
    assert f"{torch.tensor(1.23456):.2f}" == "1.23"
    assert {x: "hashable"}[x] == "hashable"
    for kind in (len, iter):
        with pytest.raises(TypeError, match="0-d tensor"):
            kind(torch.tensor(1))
    for kind in (int, float):
        with pytest.raises(ValueError, match="only one element tensors can be converted to Python"):
            kind(x)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.stride(2)


def test_del_removes_the_gradient(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    x.sum().backward()
    del x.grad
    assert x.grad is None


def test_size_is_a_tuple_that_prints_its_name(torch: Any) -> None:
    size = torch.ones(2, 3).shape
    assert repr(size) == "torch.Size([2, 3])"
    assert repr(size[:1] + (4,)) == "torch.Size([2, 4])"  # noqa: RUF005
    assert (size == (2, 3), size.numel()) == (True, 6)
    assert pickle.loads(pickle.dumps(size)) == size


def test_copies_are_leaves_with_their_gradient(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    twin = copy.deepcopy({"a": x, "b": x})
    assert twin["a"] is twin["b"]
    assert (twin["a"].grad.tolist(), twin["a"].requires_grad) == ([3, 3], True)
    twin["a"].data[0] = 9
    assert x.tolist() == [1, 1]
    assert pickle.loads(pickle.dumps(x)).tolist() == [1, 1]


def test_warnings_point_at_the_users_line() -> None:
    import minigrad as torch

    y = torch.ones(2, requires_grad=True) * 2
    with pytest.warns(UserWarning, match="not a leaf") as caught:
        y.grad  # noqa: B018
    assert caught[0].filename == __file__
