"""Tensors are made of numbers, sequences and memory, or refused, as on PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.parity.expressions import lines
from tests.parity.printed import agree_in_print
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

EXPRESSIONS = lines(
    """
torch.tensor(2**64, dtype=torch.float32)
torch.tensor([2**63, -2**63 - 1], dtype=torch.bool)
torch.tensor([2**64, 1.5])
torch.tensor(2**63)
torch.tensor([True, 2**64])
torch.tensor(2**63, dtype=torch.uint8)
torch.tensor(2**2000, dtype=torch.float64)
torch.tensor(b'abc')
torch.tensor([b'abc'])
torch.tensor({1, 2})
torch.tensor(range(3))
torch.tensor(bytearray(b'ab'))
torch.empty(2**50)
torch.empty(2**62)
torch.zeros(2**40, 2**40)
torch.full((2**40, 2**40), 1.0)
torch.zeros(0, 2**61, 4)
torch.empty(3).new_zeros((2**62,))
torch.empty(3).resize_(2**40, 2**40)
torch.empty((), dtype=torch.float64).resize_([2, 4, 2**29, 2**29])
torch.asarray(np.float64(0.5))
torch.asarray(np.float64(0.5), copy=False)
torch.asarray(np.float64(0.5), copy=True)
torch.frombuffer(bytearray(10), dtype=torch.int16, offset=1)
torch.range(1, 4)
torch.range(0, -3, -1)
torch.range(1, 3.5, 0.5)
torch.range(1, 2, dtype=torch.float64, requires_grad=True)
torch.range()
torch.range(3)
torch.range(1, 4, 0)
torch.range(4, 1)
torch.range(1, float('inf'))
torch.range(1, 2, dtype=torch.bool)
torch.range(0, 3, out=torch.zeros(2, 2))
torch.arange(4, out=torch.zeros(2, 3)[:, 1:])
torch.linspace(0, 3, 4, out=torch.zeros(2, 3)[:, 1:])
torch.logspace(0, 3, 4, out=torch.zeros(2, 3)[:, 1:])
torch.arange(5, out=torch.zeros(2, 3))
torch.linspace(0, 1, 5, out=torch.zeros(2, 3))
torch.arange(4, out=torch.zeros(0))
torch.ones(2, dtype=torch.float64).new_empty_strided((2, 3), (1, 2)).stride()
torch.ones(2).new_empty_strided(size=(2,), stride=(1,), dtype=torch.int64).dtype
torch.ones(2).new(size=(2, 3)).shape
torch.FloatTensor([1, 2], device='cpu')
torch.FloatTensor(size=(2, 3)).shape
torch.LongTensor(2, device='meta')
torch.Tensor([1, 2], device='cpu')
torch.Tensor(2, 3, device='cuda')
torch.Tensor(size=(1,)).shape
torch.Tensor(data=[1, 2])
torch.set_default_tensor_type(torch.IntTensor)
torch.set_default_tensor_type(torch.float64)
torch.set_default_tensor_type('DoubleTensor')
torch.range(torch.tensor(1), 3)
torch.range(1, torch.tensor(2.0, requires_grad=True))
torch.FloatTensor(10**15)
torch.FloatTensor(2**62, 4)
torch.nn.functional.dropout(torch.ones(2), nan)
torch.nn.functional.alpha_dropout(torch.ones(2), nan, True)
torch.rand_like(torch.ones(2), dtype=torch.int64, requires_grad=True)
torch.randn(2, dtype=torch.int64, requires_grad=True)
torch.randint(3, (2,), requires_grad=True)
torch.randint(3, (2,), dtype=torch.float32, requires_grad=True)
torch.rand_like(torch.ones(2, 3).t(), requires_grad=True).stride()
torch.normal(0.0, 1.0, (2,), requires_grad=True).requires_grad
[torch.rand(2)._version, torch.randn(2, requires_grad=True)._version]
torch.empty(2).uniform_(-3e38, 3e38)
torch.empty(2).uniform_(-1e39, 1)
torch.vander(torch.tensor([1, 2]), N=-1)
torch.ones(2).roll(1, dims=None)
torch.ones(2).is_pinned('cpu')
torch.ones(2).is_pinned('nope')
torch.ones(2).pin_memory('cpu')
torch.ones(2).pin_memory(3)
"""
)

NUMBERS = lines(
    """
torch.add(2, 3)
torch.add(2.5, True)
torch.sub(2, 3)
torch.mul(True, False)
torch.div(7, 2)
torch.div(7, 2, rounding_mode='floor')
torch.true_divide(3, 2)
torch.floor_divide(7, 2)
torch.add(2, 3, alpha=2)
torch.sub(2, 3.5, alpha=2)
torch.add(1, True, alpha=True)
torch.add(2, 3, out=torch.ones(()))
torch.add(np.float64(2.0), 3)
torch.add(2**70, 3)
torch.add(2)
torch.add(2, 'a')
torch.add([1], 2)
torch.remainder(2, 3)
torch.pow(2, 3)
torch.eq(1, 2)
"""
)


@pytest.mark.parametrize("expression", [*EXPRESSIONS, *NUMBERS])
def test_expression(expression: str) -> None:
    def program(torch: Any) -> Any:
        torch.manual_seed(0)
        return eval(expression, {"torch": torch, "np": np, "nan": np.nan})

    assert_same(program)


class Sized:
    """A sequence by its methods alone."""

    def __init__(self, elements: list[Any], error: type[Exception] | None = None) -> None:
        self.elements = elements
        self.error = error

    def __len__(self) -> int:
        return len(self.elements)

    def __getitem__(self, place: int) -> Any:
        if self.error:
            raise self.error
        return self.elements[place]


@pytest.mark.parametrize(
    "data",
    [
        Sized([1.0, 2]),
        Sized([Sized([1]), Sized([2])]),
        [Sized([1, 2]), [3, 4]],
        [[3, 4], Sized([1, 2])],
        [Sized([1, 2]), Sized([3])],
        Sized([1], TypeError),
        Sized([1], KeyError),
    ],
)
def test_sequences_by_their_methods(data: Any) -> None:
    assert_same(lambda torch: torch.tensor(data))
    assert_same(lambda torch: torch.as_tensor(data, dtype=torch.float64))


@pytest.mark.parametrize("first", [[], [0], [0.5]])
def test_a_list_within_itself(first: list[Any]) -> None:
    first.append(first)
    assert_same(lambda torch: torch.tensor(first))


def test_the_default_by_an_old_type() -> None:
    def program(torch: Any) -> Any:
        torch.set_default_tensor_type(torch.DoubleTensor)
        wide = torch.ones(1)
        torch.set_default_tensor_type("torch.FloatTensor")
        return wide, torch.ones(1)

    assert_same(program)


def test_keywords_that_old_constructors_do_not_take() -> None:
    def program(torch: Any) -> Any:
        said = []
        for make in (
            lambda: torch.Tensor(3, requires_grad=True),
            lambda: torch.FloatTensor(foo=1),
            lambda: torch.FloatTensor([1], bar=2),
        ):
            with pytest.raises(TypeError) as error:
                make()
            said.append(str(error.value).split(", but expected")[0])
        return said

    assert_same(program)


def test_strides_of_added_dimensions() -> None:
    for shape, size in (((5,), (1, 1, 5)), ((3, 1), (1, 3, 1)), ((3,), (2, 1, 3)), ((), (1, 1))):
        assert_same(lambda torch, shape=shape, size=size: torch.zeros(shape).expand(size).stride())


def test_second_derivatives_of_what_is_shown_twice() -> None:
    def program(torch: Any) -> Any:
        x = torch.arange(5.0, dtype=torch.float64).requires_grad_()

        def shown(x: Any) -> Any:
            return x.expand(5, 5).as_strided((5, 5), (0, 1), 0)

        return torch.autograd.gradcheck(shown, x), torch.autograd.gradgradcheck(shown, x)

    assert_same(program)


def test_lists_of_arrays_that_differ() -> None:
    agree_in_print(
        """
        import numpy as np
        import warnings
        warnings.simplefilter("ignore")
        for other in ((3, 0), (2, 3), (3,), (3, 3)):
            attempt(lambda: torch.tensor([np.ones((3, 3)), np.zeros(other)]))
        attempt(lambda: torch.tensor([np.ones(3), np.zeros((3, 3))]))
        attempt(lambda: torch.tensor([[1.0, 2.0], np.zeros(3)]))
        attempt(lambda: torch.tensor([np.zeros(2), [1.0, 2.0, 3.0]]))
        attempt(lambda: torch.tensor([3.0, np.zeros(2)]))
        """
    )


def test_numbers_between_ends_that_require_grad() -> None:
    agree_in_print(
        """
        start, end = [torch.tensor(one, requires_grad=True) for one in (0.0, 3.0)]
        for steps in (0, 1, 4):
            print(torch.linspace(start, end, steps), torch.linspace(start, 3, steps))
            print(torch.logspace(0, end, steps))
        """
    )
