"""New tensors: from data, of a size, of regular numbers."""

from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("[1, 2]", "tensor([1, 2])"),
        ("[1, 2.5, True]", "tensor([1.0000, 2.5000, 1.0000])"),
        ("((1, 2), [3, 4])", "tensor([[1, 2],\n        [3, 4]])"),
        ("[[], []]", "tensor([], size=(2, 0))"),
        ("np.float32(2)", "tensor(2.)"),
        ("np.array([1.0])", "tensor([1.], dtype=torch.float64)"),
        ("[np.float64(1), 2.0]", "tensor([1., 2.], dtype=torch.float64)"),
        ("[np.float32(1), 2]", "tensor([1., 2.])"),
        ("[torch.tensor(1), torch.tensor([2.0])]", "tensor([1., 2.])"),
    ],
)
def test_data_decides_shape_and_dtype(torch: Any, data: str, text: str) -> None:
    assert repr(torch.tensor(eval(data))) == text


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("tensor([[1, 2], [3]])", ValueError, "expected sequence of length 2 at dim 1 (got 1)"),
        ("tensor([[[1, 2], [3]]])", ValueError, "expected sequence of length 2 at dim 2 (got 1)"),
        ("tensor('a')", TypeError, "new(): invalid data type 'str'"),
        ("tensor([ones(2), ones(2)])", ValueError, "only one element tensors can be converted to"),
        ("tensor([300], dtype=uint8)", RuntimeError, "value cannot be converted to type uint8 wi"),
        ("tensor([1.0], dtype='float32')", TypeError, "argument 'dtype' must be torch.dtype, not"),
        ("tensor([1], requires_grad=True)", RuntimeError, "Only Tensors of floating point and com"),
        ("tensor([1.0], device='cuda')", AssertionError, "Torch not compiled with CUDA enabled"),
        ("from_numpy([1])", TypeError, "expected np.ndarray (got list)"),
        ("ones(2, -3)", RuntimeError, "Trying to create tensor with negative dimension -3: [2, -3"),
        ("full((1,), 300, dtype=uint8)", RuntimeError, "value cannot be converted to type uint8_t"),
        ("arange(1, 3, 0)", RuntimeError, "step must be nonzero"),
        ("arange(3, 1)", RuntimeError, "upper bound and lower bound inconsistent with step sign"),
    ],
)
def test_what_is_refused(torch: Any, program: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        eval(program, dict(vars(torch)))
    assert text in str(caught.value)


def test_memory_is_copied_or_shared(torch: Any) -> None:
    array = np.zeros(2)
    copied, shared, same = torch.tensor(array), torch.from_numpy(array), torch.as_tensor(array)
    array[0] = 5
    assert copied[0] == 0
    assert shared[0] == same[0] == 5
    assert torch.as_tensor(shared) is shared
    assert torch.as_tensor(array, dtype=torch.float32).dtype is torch.float32


def test_a_copy_of_a_tensor_is_a_leaf_and_warns(torch: Any) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    with pytest.warns(UserWarning, match="sourceTensor.detach"):
        y = torch.tensor(x * 3, requires_grad=True)
    assert y.is_leaf
    assert y.item() == 6


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("ones((1, 2), dtype=bool)", "tensor([[True, True]])"),
        ("zeros(size=(2,))", "tensor([0., 0.])"),
        ("ones(Size([2]), requires_grad=True)", "tensor([1., 1.], requires_grad=True)"),
        ("full((1,), tensor(True))", "tensor([True])"),
        ("full((1,), tensor(3, dtype=int32))", "tensor([3])"),
        ("zeros_like(ones(2, requires_grad=True))", "tensor([0., 0.])"),
        ("ones_like(arange(2), dtype=float64)", "tensor([1., 1.], dtype=torch.float64)"),
        ("eye(1, 2)", "tensor([[1., 0.]])"),
        ("arange(1, 2, 0.25)", "tensor([1.0000, 1.2500, 1.5000, 1.7500])"),
        ("arange(end=2.0)", "tensor([0., 1.])"),
        ("arange(tensor(2))", "tensor([0, 1])"),
        ("linspace(0, 1, 3)", "tensor([0.0000, 0.5000, 1.0000])"),
        ("linspace(start=3, end=0, steps=2, dtype=int64)", "tensor([3, 0])"),
        ("FloatTensor([[1], [2]])", "tensor([[1.],\n        [2.]])"),
        ("LongTensor", "<class 'torch.LongTensor'>"),
    ],
)
def test_values(torch: Any, program: str, text: str) -> None:
    assert repr(eval(program, dict(vars(torch)))) == text


def test_constructors_take_sizes_too(torch: Any) -> None:
    assert torch.Tensor(2, 3).shape == torch.FloatTensor(2, 3).shape == (2, 3)
    assert torch.Tensor([1, 2]).dtype is torch.float32
    assert torch.Tensor(torch.Size([2, 3])).shape == (2, 3)
    assert torch.Tensor().shape == (0,)


@pytest.mark.parity
def test_regular_numbers_are_rounded_as_in_pytorch(pytorch: Any) -> None:
    import minigrad

    programs = ["arange(-2, 2, 0.2)", "arange(-3.7, 9.1, 0.013)", "linspace(-3.7, 9.1, 998)"]
    programs += [f"{one[:-1]}, dtype=float64)" for one in programs]
    programs += ["linspace(0.5, 3, 40, dtype=int64)", "arange(0.5, 9, 1.5, dtype=int32)"]
    for program in programs:
        ours, theirs = (eval(program, dict(vars(torch))) for torch in (minigrad, pytorch))
        assert ours.tolist() == theirs.tolist(), program


def test_meshgrid_gives_views(torch: Any) -> None:
    x = torch.arange(2.0, requires_grad=True)
    rows, columns = torch.meshgrid(x, torch.arange(3.0), indexing="ij")
    assert rows.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert columns.tolist() == [[0, 1, 2], [0, 1, 2]]
    rows.sum().backward()
    assert x.grad.tolist() == [3, 3]
    assert torch.meshgrid(x, torch.ones(3), indexing="xy")[0].shape == (3, 2)
