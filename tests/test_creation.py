"""Functions that make tensors: of given numbers, of equal ones, of regular ones."""

from __future__ import annotations

import math
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

SHAPES = st.lists(st.integers(0, 4), max_size=4).map(tuple)
DTYPES = [
    "float16",
    "float32",
    "float64",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "bool",
]

# Of given numbers


@given(
    array=arrays.arrays(
        st.sampled_from([np.float32, np.float64, np.int64, np.int32, np.uint8, np.bool_]),
        SHAPES,
    )
)
def test_tensor_copies_an_array(torch: Any, array: Any) -> None:
    x = torch.tensor(array)
    assert x.shape == array.shape
    assert str(x.dtype) == f"torch.{array.dtype}"
    np.testing.assert_array_equal(x.numpy(), array)
    if array.size:
        before = array.copy()
        x.zero_()
        np.testing.assert_array_equal(array, before)


@given(shape=SHAPES, number=st.sampled_from([1, 1.5, True]))
def test_tensor_takes_nested_sequences(torch: Any, shape: tuple[int, ...], number: Any) -> None:
    nested = np.full(shape, number).tolist()
    x = torch.tensor(nested)
    # An empty list hides the lengths of the dimensions behind it.
    visible = shape[: shape.index(0) + 1] if 0 in shape else shape
    assert x.shape == visible
    assert x.tolist() == torch.tensor(np.full(visible, number)).tolist()
    assert (x.requires_grad, x.is_leaf, x.grad_fn) == (False, True, None)
    assert torch.tensor(tuple(nested) if shape else nested).tolist() == x.tolist()


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        (1, "int64"),
        (1.0, "float32"),
        (True, "bool"),
        ([], "float32"),
        ([[]], "float32"),
        ([1, 2.5], "float32"),
        ([True, 2], "int64"),
        ([True, 2.5], "float32"),
        ([True, False], "bool"),
        (np.float64(1), "float64"),
        (np.int32(1), "int32"),
        ([np.float64(1)], "float64"),
        ([np.float32(1), 2.5], "float32"),
        (range(3), "int64"),
        (np.arange(3, dtype=np.int16), "int16"),
    ],
)
def test_the_dtype_is_what_holds_all_of_the_data(torch: Any, data: Any, dtype: str) -> None:
    assert torch.tensor(data).dtype is getattr(torch, dtype)


def test_floats_become_the_default_dtype(torch: Any) -> None:
    torch.set_default_dtype(torch.float64)
    try:
        made = [torch.tensor(1.5), torch.ones(2), torch.linspace(0, 1, 2), torch.arange(1.0)]
        made += [torch.full((2,), 1.5), torch.tensor([1, 2]) / 2, torch.tensor([1]) * 1.5]
        assert {one.dtype for one in made} == {torch.float64}
        assert torch.FloatTensor([1]).dtype is torch.float32
    finally:
        torch.set_default_dtype(torch.float32)
    assert torch.tensor(1.5).dtype is torch.float32


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_dtype_is_asked_for(torch: Any, dtype: str) -> None:
    wanted = getattr(torch, dtype)
    for made in (
        torch.tensor([1, 0], dtype=wanted),
        torch.tensor(np.array([1.0, 0.0]), dtype=wanted),
        torch.tensor([True, False], dtype=wanted),
        torch.ones(2, dtype=wanted) * torch.tensor([1, 0], dtype=wanted),
        torch.zeros(2, dtype=wanted),
        torch.full((2,), 1, dtype=wanted),
        torch.ones_like(torch.zeros(2), dtype=wanted),
        torch.eye(2, dtype=wanted),
    ):
        assert made.dtype is wanted
    assert torch.tensor([1, 0], dtype=wanted).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("given_type", "dtype"), [(float, "float64"), (int, "int64"), (bool, "bool")]
)
def test_pythons_types_stand_for_dtypes(torch: Any, given_type: type, dtype: str) -> None:
    assert torch.zeros(2, dtype=given_type).dtype is getattr(torch, dtype)


@pytest.mark.parametrize("dtype", ["float32", 3, np.float32])
def test_other_dtypes_are_refused(torch: Any, dtype: Any) -> None:
    for make in (torch.zeros, torch.arange, lambda n, dtype: torch.tensor([n], dtype=dtype)):
        with pytest.raises(TypeError, match=r"torch\.dtype"):
            make(2, dtype=dtype)


def test_numbers_are_cut_towards_0(torch: Any) -> None:
    assert torch.tensor([1.7, -1.7], dtype=torch.int64).tolist() == [1, -1]
    assert torch.tensor([0.0, 0.5, -1.0], dtype=torch.bool).tolist() == [False, True, True]
    assert torch.tensor([1.5, 2.5]).long().tolist() == [1, 2]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ([[1, 2], [3]], ValueError),
        ([1, [2]], TypeError),
        ([[1], 2], TypeError),
        ("abc", TypeError),
        (["a"], ValueError),
        (b"abc", TypeError),
        (None, RuntimeError),
        ([None], RuntimeError),
        ({1, 2}, RuntimeError),
        ({"a": 1}, RuntimeError),
        (object(), RuntimeError),
        (2**63, ValueError),
        (np.array(["a"]), TypeError),
    ],
)
def test_data_that_are_no_numbers_are_refused(
    torch: Any, data: Any, error: type[Exception]
) -> None:
    with pytest.raises((TypeError, ValueError, RuntimeError)) as refused:
        torch.tensor(data)
    assert refused.type in (error, TypeError)


@pytest.mark.parametrize(
    ("make", "dtype"),
    [
        (lambda torch, dtype: torch.tensor(300, dtype=dtype), "int8"),
        (lambda torch, dtype: torch.tensor([300], dtype=dtype), "uint8"),
        (lambda torch, dtype: torch.tensor(math.nan, dtype=dtype), "int64"),
        (lambda torch, dtype: torch.full((2,), 300, dtype=dtype), "int8"),
        (lambda torch, dtype: torch.full((2,), 1e300, dtype=dtype), "float32"),
        (lambda torch, dtype: torch.full_like(torch.ones(2), 1e300, dtype=dtype), "float32"),
        (lambda torch, dtype: torch.zeros(2, dtype=dtype).fill_(1e300), "float32"),
        (lambda torch, dtype: torch.scalar_tensor(1e300, dtype=dtype), "float32"),
    ],
)
def test_a_number_that_does_not_fit_is_refused(
    torch: Any, make: Callable[..., Any], dtype: str
) -> None:
    with pytest.raises(RuntimeError, match="^value cannot be converted to type .* without over"):
        make(torch, getattr(torch, dtype))


def test_numbers_that_become_infinite_do_so_in_silence(torch: Any) -> None:
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        made = [
            torch.tensor(1e300),
            torch.tensor([1e300, -1e300]),
            torch.tensor([1e6], dtype=torch.float16),
            torch.FloatTensor([1e300]),
            torch.tensor(np.array([1e300]), dtype=torch.float32),
            torch.arange(5e38, 1e39, 5e38),
            torch.logspace(300, 400, 2),
        ]
    assert all(torch.isinf(one).all() for one in made)


def test_a_copy_of_a_tensor_warns_and_is_cut_off(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with pytest.warns(UserWarning, match="^To copy construct from a tensor, it is recommended"):
        copied = torch.tensor(x)
    assert (copied.requires_grad, copied.grad_fn) == (False, None)
    copied.zero_()
    assert x.tolist() == [1.0, 2.0]


def test_tensors_in_a_list(torch: Any) -> None:
    assert torch.tensor([torch.tensor(1), torch.tensor(2)]).tolist() == [1, 2]
    assert torch.tensor([torch.tensor(1.5), 2]).tolist() == [1.5, 2.0]
    with pytest.raises(ValueError, match="only one element tensors can be converted"):
        torch.tensor([torch.ones(2), torch.ones(2)])


@pytest.mark.parametrize(
    "make",
    [
        lambda torch, **options: torch.tensor([1, 2], **options),
        lambda torch, **options: torch.ones(2, dtype=torch.int64, **options),
        lambda torch, **options: torch.arange(2, **options),
        lambda torch, **options: torch.full((2,), 1, **options),
        lambda torch, **options: torch.tensor(True, **options),
    ],
)
def test_integers_cannot_require_grad(torch: Any, make: Callable[..., Any]) -> None:
    make(torch, requires_grad=False)
    with pytest.raises(RuntimeError, match="^Only Tensors of floating point and complex dtype"):
        make(torch, requires_grad=True)


def test_as_tensor_copies_only_if_it_has_to(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    assert torch.as_tensor(x) is x
    assert torch.as_tensor(x, dtype=torch.float32) is x
    assert torch.as_tensor(x, dtype=torch.float64).grad_fn.name() == "ToCopyBackward0"
    array = np.array([1.0, 2.0])
    torch.as_tensor(array)[0] = 9.0
    torch.as_tensor(array, dtype=torch.float64)[1] = 8.0
    assert array.tolist() == [9.0, 8.0]
    torch.as_tensor(array, dtype=torch.float32)[0] = 0.0
    assert array.tolist() == [9.0, 8.0]
    assert torch.as_tensor([1, 2]).tolist() == [1, 2]


def test_from_numpy_shares_memory(torch: Any) -> None:
    array = np.arange(6.0).reshape(2, 3)
    x = torch.from_numpy(array)
    column = torch.from_numpy(array[:, 1])
    x.mul_(10)
    assert array[1].tolist() == [30.0, 40.0, 50.0]
    assert column.tolist() == [10.0, 40.0]
    array[0, 1] = -1
    assert x[0, 1].item() == column[0].item() == -1
    for wrong in ([1.0], 3.0, np.float32(3), np.array(["a"])):
        with pytest.raises(TypeError):
            torch.from_numpy(wrong)


class Lent:
    """Memory of which numpy knows only the part that is shown."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array
        self.__array_interface__ = array.__array_interface__


def test_views_of_lent_memory_share_it(torch: Any) -> None:
    table = np.arange(24.0).reshape(4, 6)
    x = torch.from_numpy(np.asarray(Lent(table[::2, ::3])))
    shown = [x.expand(3, 2, 2), x.as_strided((2,), (12,)), x.t()[1:], x.untyped_storage()]
    table += 100
    assert x.tolist() == [[100.0, 103.0], [112.0, 115.0]]
    assert shown[0].tolist() == [x.tolist()] * 3
    assert (shown[1].tolist(), shown[2].tolist()) == ([100.0, 112.0], [[103.0, 115.0]])
    assert len(shown[3]) == 8 * 16


def test_an_array_that_runs_backwards_is_refused(torch: Any) -> None:
    array = np.arange(3.0)[::-1]
    for make in (torch.from_numpy, torch.as_tensor):
        with pytest.raises(ValueError, match="^At least one stride in the given numpy array is"):
            make(array)
    assert torch.from_numpy(array.copy()).tolist() == [2.0, 1.0, 0.0]


def test_an_array_of_another_byte_order_is_refused(torch: Any) -> None:
    foreign = np.array([1.0, 2.0]).astype(np.dtype("f4").newbyteorder())
    for make in (torch.from_numpy, torch.tensor, torch.as_tensor):
        with pytest.raises(ValueError, match="^given numpy array has byte order different from"):
            make(foreign)


# Of equal numbers


@given(shape=SHAPES)
def test_a_size_is_integers_or_one_sequence(torch: Any, shape: tuple[int, ...]) -> None:
    made = [torch.zeros(shape), torch.zeros(list(shape)), torch.zeros(torch.Size(shape))]
    made += [torch.zeros(*shape)] if shape else []
    made += [torch.ones(shape) - 1, torch.full(shape, 0.0), torch.empty(shape).zero_()]
    made += [torch.zeros_like(made[0]), torch.ones_like(made[0]) * 0, torch.full_like(made[0], 0)]
    made += [made[0].new_zeros(shape), made[0].new_full(shape, 0), made[0].new_ones(shape) * 0]
    for one in made:
        assert one.shape == shape
        assert one.dtype is torch.float32
        assert one.tolist() == np.zeros(shape).tolist()


def test_sizes_that_are_none(torch: Any) -> None:
    for make in (torch.zeros, torch.ones, torch.empty):
        with pytest.raises(TypeError):
            make(2.5)
        with pytest.raises(TypeError):
            make("a")
        with pytest.raises(TypeError):
            make()
        with pytest.raises(TypeError):
            make((2, 3), (1,))
        with pytest.raises(RuntimeError):
            make(2, -1)
    with pytest.raises(TypeError):
        torch.full(2, 3)
    with pytest.raises(RuntimeError):
        torch.eye(-1)
    with pytest.raises(RuntimeError):
        torch.eye(2, -1)


def test_full_has_the_dtype_of_its_number(torch: Any) -> None:
    assert torch.full((2,), 1).dtype is torch.int64
    assert torch.full((2,), True).dtype is torch.bool
    assert torch.full((2,), 1.5).tolist() == [1.5, 1.5]
    assert torch.full((2,), torch.tensor(2.5)).tolist() == [2.5, 2.5]
    assert torch.full_like(torch.tensor([1, 2]), 2.5).tolist() == [2, 2]


def test_like_takes_shape_and_dtype_not_history(torch: Any) -> None:
    x = (torch.ones(2, 3, dtype=torch.float64, requires_grad=True) * 2).t()
    for make in (torch.zeros_like, torch.ones_like, torch.empty_like):
        like = make(x)
        assert (like.shape, like.dtype) == ((3, 2), torch.float64)
        assert (like.requires_grad, like.grad_fn) == (False, None)
        assert make(x, requires_grad=True).requires_grad
        with pytest.raises(TypeError, match="must be Tensor, not list"):
            make([1.0])


def test_two_tensors_of_equal_numbers_do_not_share_memory(torch: Any) -> None:
    x = torch.zeros(3)
    same = torch.zeros_like(x)
    torch.zeros(3).add_(1)
    x.add_(1)
    assert same.tolist() == torch.zeros(3).tolist() == [0.0, 0.0, 0.0]


def test_new_takes_the_dtype_of_the_tensor(torch: Any) -> None:
    integers = torch.tensor([1, 2])
    assert integers.new_zeros(2).dtype is torch.int64
    assert integers.new_ones((1, 2)).tolist() == [[1, 1]]
    assert integers.new_full((2,), 2.5, dtype=torch.float64).tolist() == [2.5, 2.5]
    assert integers.new_tensor([1.5]).tolist() == [1]
    assert torch.ones(2).new_tensor([1, 2], requires_grad=True).requires_grad
    assert integers.new_empty(0).shape == (0,)
    assert (integers.new([3]).tolist(), integers.new(2, 3).shape) == ([3], (2, 3))


# Of regular numbers


@given(start=st.integers(-20, 20), length=st.integers(0, 20), step=st.sampled_from([1, 2, 3, 7]))
def test_arange_counts_as_range_does(torch: Any, start: int, length: int, step: int) -> None:
    up, down = torch.arange(start, start + length, step), torch.arange(start, start - length, -step)
    assert up.dtype is torch.int64
    assert up.tolist() == list(range(start, start + length, step))
    assert down.tolist() == list(range(start, start - length, -step))


def test_arange_of_floats(torch: Any) -> None:
    assert torch.arange(0, 1, 0.25).tolist() == [0.0, 0.25, 0.5, 0.75]
    assert torch.arange(2.0).dtype is torch.float32
    assert torch.arange(3, dtype=torch.float64).tolist() == [0.0, 1.0, 2.0]
    assert len(torch.arange(0, 1, 0.1)) == 10
    assert torch.arange(torch.tensor(3)).dtype is torch.int64
    assert torch.arange(2.0, requires_grad=True).requires_grad
    with pytest.raises(RuntimeError, match="^step must be nonzero"):
        torch.arange(0, 1, 0)
    with pytest.raises(RuntimeError, match="^upper bound and lower bound inconsistent with step"):
        torch.arange(1, 0)


@given(start=st.integers(-10, 10), end=st.integers(-10, 10), steps=st.integers(2, 50))
def test_linspace_meets_both_ends(torch: Any, start: int, end: int, steps: int) -> None:
    x = torch.linspace(start, end, steps)
    assert (x.dtype, x.shape) == (torch.float32, (steps,))
    assert (x[0].item(), x[-1].item()) == (start, end)
    np.testing.assert_allclose(x.numpy(), np.linspace(start, end, steps), atol=2e-6)


def test_linspace_rounds_a_product_and_a_sum_once(torch: Any) -> None:
    assert str(torch.linspace(-10, 10, 7)[2:5]) == "tensor([-3.3333e+00,  2.3842e-07,  3.3333e+00])"
    assert torch.linspace(0.1, 0.9, 5)[2].item() == 0.5


def test_linspace_of_few(torch: Any) -> None:
    assert torch.linspace(0, 1, 0).tolist() == []
    assert torch.linspace(3, 9, 1).tolist() == [3.0]
    assert torch.linspace(0, 10, 5, dtype=torch.int64).tolist() == [0, 2, 5, 7, 10]
    assert torch.logspace(0, 2, 3).tolist() == [1.0, 10.0, 100.0]
    for make in (torch.linspace, torch.logspace):
        with pytest.raises(RuntimeError, match="^number of steps must be non-negative"):
            make(0, 1, -1)


def test_eye_is_the_identity(torch: Any) -> None:
    assert torch.eye(2).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert torch.eye(1, 3).tolist() == [[1.0, 0.0, 0.0]]
    assert torch.eye(0).shape == (0, 0)
    x = torch.rand(3, 3)
    assert (torch.eye(3) @ x).tolist() == x.tolist()


# The old constructors


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("FloatTensor", "float32"),
        ("DoubleTensor", "float64"),
        ("HalfTensor", "float16"),
        ("ByteTensor", "uint8"),
        ("CharTensor", "int8"),
        ("ShortTensor", "int16"),
        ("IntTensor", "int32"),
        ("LongTensor", "int64"),
        ("BoolTensor", "bool"),
        ("Tensor", "float32"),
    ],
)
def test_old_constructors_make_one_dtype(torch: Any, name: str, dtype: str) -> None:
    make = getattr(torch, name)
    wanted = getattr(torch, dtype)
    for x in (make([1, 0]), make((1.0, 0.0)), make(np.array([1.0, 0.0]))):
        assert x.dtype is wanted
        assert x.tolist() == [1, 0]
        assert isinstance(x, make)
    assert make(2, 3).shape == (2, 3)
    assert make(torch.Size([2, 0])).shape == (2, 0)
    assert make().shape == (0,)
    assert make([[1, 0], [1, 1]]).shape == (2, 2)
    other = torch.zeros(1, dtype=torch.float64 if dtype == "float32" else torch.float32)
    assert isinstance(other, make) is (name == "Tensor")


def test_old_constructors_refuse_what_they_cannot_take(torch: Any) -> None:
    for make in (torch.FloatTensor, torch.Tensor):
        for wrong in (1.5, "a", {}, None):
            with pytest.raises(TypeError):
                make(wrong)
        with pytest.raises(TypeError):
            make([1], [2])
        with pytest.raises(TypeError):
            make(2, "a")
        with pytest.raises(ValueError, match="^expected sequence of length 2 at dim 1"):
            make([[1, 2], [3]])
        with pytest.raises(RuntimeError, match="^Trying to create tensor with negative dimension"):
            make(-1)
    with pytest.raises(TypeError):
        torch.FloatTensor(torch.tensor([1, 2]))


def test_only_the_cpu_is_there(torch: Any) -> None:
    for device in ("cpu", torch.device("cpu")):
        assert torch.zeros(2, device=device).device == torch.device("cpu")
    with pytest.raises((RuntimeError, AssertionError)):
        torch.zeros(2, device="cuda")


@pytest.mark.parametrize("make", ["from_numpy", "tensor", "as_tensor"])
def test_an_unpickled_array_computes_like_any_other(torch: Any, make: str) -> None:
    unpickled = pickle.loads(pickle.dumps(np.ones((2, 2), np.float32)))
    assert (getattr(torch, make)(unpickled) @ torch.ones(2, 2)).tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_an_unpickled_tensor_computes_like_any_other(torch: Any) -> None:
    unpickled = pickle.loads(pickle.dumps(torch.ones(2, 2, requires_grad=True)))
    (unpickled @ torch.ones(2, 2)).sum().backward()
    assert unpickled.grad.tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_a_tensor_of_one_stands_for_its_number_in_a_list(torch: Any) -> None:
    losses = [torch.ones(1), torch.tensor(2.0), torch.ones(1, 1)]
    assert torch.tensor(losses).tolist() == [1.0, 2.0, 1.0]


def test_a_list_of_tensors_that_require_grad_is_warned_of(torch: Any) -> None:
    x = torch.ones(1, requires_grad=True)
    with pytest.warns(UserWarning, match="^Converting a tensor with requires_grad=True"):
        assert torch.tensor([x * 2, x]).tolist() == [2.0, 1.0]


def test_the_old_constructor_takes_the_default_dtype(torch: Any) -> None:
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.Tensor([1]).dtype is torch.Tensor(2).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
