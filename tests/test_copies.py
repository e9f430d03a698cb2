"""Copies that rearrange or convert, and those written into a tensor."""

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("program", "values"),
    [
        ("torch.flip(x, dims=(0, 1))", [[3, 2], [1, 0]]),
        ("x.roll((1, -1), (0, 1))", [[3, 2], [1, 0]]),
        ("x.tril()", [[0, 0], [2, 3]]),
        ("torch.triu(x, diagonal=1)", [[0, 1], [0, 0]]),
        ("x.repeat(1, 2)", [[0, 1, 0, 1], [2, 3, 2, 3]]),
        ("x[0].repeat((2, 1))", [[0, 1], [0, 1]]),
        ("torch.nn.functional.pad(x, (1, 0, -1, 1), value=7)", [[7, 2, 3], [7, 7, 7]]),
    ],
)
def test_values(torch: Any, program: str, values: list[Any]) -> None:
    assert eval(program, {"torch": torch, "x": torch.arange(4.0).view(2, 2)}).tolist() == values


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("x.long()", "tensor([ 1, -2])"),
        ("x.double()", "tensor([ 1.5000, -2.5000], dtype=torch.float64)"),
        ("x.to('cpu', torch.int16)", "tensor([ 1, -2], dtype=torch.int16)"),
        ("x.to(torch.arange(1))", "tensor([ 1, -2])"),
        ("x.type_as(torch.arange(1))", "tensor([ 1, -2])"),
        ("x.type(torch.LongTensor)", "tensor([ 1, -2])"),
        ("x.type('torch.LongTensor')", "tensor([ 1, -2])"),
        ("x.type()", "'torch.FloatTensor'"),
    ],
)
def test_conversions(torch: Any, program: str, text: str) -> None:
    assert repr(eval(program, {"torch": torch, "x": torch.tensor([1.5, -2.5])})) == text


def test_a_conversion_to_the_same_dtype_is_the_tensor_itself(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    assert all(one is x for one in (x.float(), x.to("cpu"), x.cpu(), x.to(x), x.type_as(x)))
    copy = x.to(torch.float32, copy=True)
    assert copy.grad_fn.name() == "ToCopyBackward0"
    copy.double().sum().backward()
    assert x.grad.dtype is torch.float32
    assert x.long().grad_fn is None
    for call in (x.cuda, lambda: x.to("cuda")):
        with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
            call()


def test_copy_fill_and_zero(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    y = torch.zeros(2, 3, dtype=torch.float64)
    assert y.copy_(x * 2) is y
    assert y.grad_fn.name() == "torch::autograd::CopyBackwards"
    y.sum().backward()
    assert x.grad.tolist() == [4, 4, 4]
    z = (x * 3).fill_(x.sum())
    assert (z.tolist(), z.grad_fn.name()) == ([3, 3, 3], "FillBackward3")
    (slope,) = torch.autograd.grad(z.sum(), x)
    assert slope.tolist() == [3, 3, 3]
    assert (x * 3).fill_(2).grad_fn.name() == "FillBackward2"
    assert (x * 3).zero_().tolist() == [0, 0, 0]
    assert torch.zeros(2, dtype=torch.int64).copy_(torch.tensor(1.7)).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("x.copy_(torch.ones(2))", "The size of tensor a (3) must match the size of tensor b (2)"),
        ("x.copy_(torch.ones(2, 3))", "output with shape [3] doesn't match the broadcast shape"),
        ("x.byte().fill_(300)", "value cannot be converted to type uint8_t without overflow"),
        ("x.tril()", "tril: input tensor must have at least 2 dimensions"),
        ("torch.ones(2, 3).repeat(2)", "Number of dimensions of repeat dims can not be smaller"),
    ],
)
def test_what_is_refused(torch: Any, program: str, text: str) -> None:
    x = torch.ones(3)
    with pytest.raises(RuntimeError) as caught:
        eval(program)
    assert text in str(caught.value)
    assert (x.tolist(), x._version) == ([1, 1, 1], 0)
