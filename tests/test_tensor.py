"""What a tensor is: its flags, its gradient, its memory and version, and ways out of tensors."""

from __future__ import annotations

import copy
import importlib
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

SHAPES = st.lists(st.integers(0, 4), max_size=4)

# Shapes


@given(shape=SHAPES)
def test_shape_and_its_relatives(torch: Any, shape: list[int]) -> None:
    x = torch.zeros(shape)
    assert x.shape == x.size() == tuple(shape)
    assert type(x.shape) is torch.Size
    assert str(x.shape) == f"torch.Size({shape})"
    assert x.dim() == x.ndim == x.ndimension() == len(shape)
    assert x.numel() == x.nelement() == torch.numel(x) == x.shape.numel() == int(np.prod(shape))
    assert [x.size(dim) for dim in range(x.dim())] == shape
    assert x.nbytes == x.numel() * 4


@given(left=SHAPES, right=SHAPES, cut=st.slices(4), times=st.integers(0, 3))
def test_what_is_made_of_sizes_is_a_size(
    torch: Any, left: list[int], right: list[int], cut: slice, times: int
) -> None:
    size = torch.Size(left)
    made = [size + tuple(right), tuple(right) + size, size[cut], size * times, times * size]
    plain = [left + right, right + left, left[cut], left * times, left * times]
    assert [list(one) for one in made] == plain
    assert {type(one) for one in made} == {torch.Size}
    assert hash(size) == hash(tuple(left))
    assert size == tuple(left)


def test_a_size_holds_integers(torch: Any) -> None:
    assert torch.Size([2, 3])[1] == 3
    assert torch.Size() == ()
    for wrong in ([2.5], "ab", [None]):
        with pytest.raises(TypeError):
            torch.Size(wrong)
    with pytest.raises(TypeError):
        torch.Size(5)


def test_strides_and_contiguity(torch: Any) -> None:
    x = torch.zeros(2, 3, 4)
    assert x.stride() == (12, 4, 1)
    assert (x.stride(0), x.stride(-1)) == (12, 1)
    assert x.transpose(0, 2).stride() == (1, 4, 12)
    assert x.is_contiguous()
    assert not x.transpose(0, 2).is_contiguous()
    assert torch.zeros(3).expand(2, 3).stride() == (0, 1)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.size(3)


def test_what_cannot_be_set(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    for name in ("shape", "dtype", "grad_fn", "is_leaf", "_version", "output_nr", "device"):
        with pytest.raises(AttributeError, match=f"attribute '{name}' of 'torch._C.TensorBase' ob"):
            setattr(x, name, None)
    x.comment = "mine"
    assert x.comment == "mine"


# requires_grad and leaves


def test_is_leaf(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    assert x.is_leaf
    assert torch.ones(2).is_leaf
    assert (torch.ones(2) * 2).is_leaf
    assert not (x * 2).is_leaf
    assert (x * 2).detach().is_leaf
    assert (x * 2).detach().requires_grad_().is_leaf


def test_requires_grad_is_switched_on_a_leaf(torch: Any) -> None:
    x = torch.ones(2)
    assert x.requires_grad_() is x
    assert x.requires_grad
    assert not x.requires_grad_(False).requires_grad
    x.requires_grad = True
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_requires_grad_of_a_result_is_not_switched_off(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    with pytest.raises(RuntimeError, match="^you can only change requires_grad flags of leaf"):
        y.requires_grad_(False)
    with pytest.raises(RuntimeError, match="^you can only change requires_grad flags of leaf"):
        y.requires_grad = False
    assert y.requires_grad_() is y
    assert y.grad_fn is not None


@pytest.mark.parametrize("dtype", ["int64", "int32", "int16", "int8", "uint8", "bool"])
def test_only_floating_point_requires_grad(torch: Any, dtype: str) -> None:
    x = torch.ones(2, dtype=getattr(torch, dtype))
    with pytest.raises(RuntimeError, match="only Tensors of floating point"):
        x.requires_grad_()
    with pytest.raises(RuntimeError, match="only Tensors of floating point"):
        x.requires_grad = True
    assert not x.requires_grad
    x.requires_grad_(False)


@pytest.mark.parametrize("flag", [1, 0, None, "yes"])
def test_requires_grad_is_a_bool(torch: Any, flag: Any) -> None:
    x = torch.ones(2)
    with pytest.raises(TypeError):
        x.requires_grad_(flag)
    with pytest.raises(RuntimeError, match="^requires_grad must be a bool$"):
        x.requires_grad = flag
    assert x.requires_grad is False


def test_a_leaf_frozen_after_recording_gets_no_gradient(torch: Any) -> None:
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    z = (x * y).sum()
    x.requires_grad_(False)
    z.backward()
    assert x.grad is None
    assert y.grad.tolist() == [1.0, 1.0]


def test_a_leaf_that_requires_grad_after_recording_gets_no_gradient(torch: Any) -> None:
    x, y = torch.ones(2), torch.ones(2, requires_grad=True)
    z = (x * y).sum()
    x.requires_grad_()
    z.backward()
    assert x.grad is None
    assert y.grad.tolist() == [1.0, 1.0]


# .grad


def test_grad_is_none_until_there_is_one(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    assert x.grad is None
    x.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    x.grad = None
    assert x.grad is None
    x.sum().backward()
    del x.grad
    assert x.grad is None


def test_looking_for_the_grad_of_a_result_warns(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) * 2
    with pytest.warns(UserWarning, match="^The .grad attribute of a Tensor that is not a leaf"):
        assert y.grad is None
    y.retain_grad()
    assert y.grad is None
    with pytest.raises(AttributeError):
        torch.ones(2).grad.zero_()


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda torch, x: x, RuntimeError),
        (lambda torch, x: torch.ones(3), RuntimeError),
        (lambda torch, x: torch.ones(2, 1), RuntimeError),
        (lambda torch, x: torch.ones(2, dtype=torch.float64), RuntimeError),
        (lambda torch, x: torch.ones(2, dtype=torch.int64), RuntimeError),
        (lambda torch, x: 1.0, TypeError),
        (lambda torch, x: np.ones(2), TypeError),
    ],
)
def test_a_grad_that_does_not_fit_is_refused(
    torch: Any, wrong: Callable[..., Any], error: type[Exception]
) -> None:
    x = torch.ones(2, requires_grad=True)
    kept = x.grad = torch.tensor([5.0, 6.0])
    with pytest.raises(error):
        x.grad = wrong(torch, x)
    assert x.grad is kept


def test_any_leaf_may_hold_a_grad(torch: Any) -> None:
    x = torch.ones(2)
    x.grad = torch.tensor([5.0, 6.0])
    assert x.grad.tolist() == [5.0, 6.0]


# Memory and versions


def test_writing_raises_the_version_reading_does_not(torch: Any) -> None:
    x = torch.ones(2)
    for version, write in enumerate(
        (
            lambda: x.add_(1),
            lambda: x.zero_(),
            lambda: x.__setitem__(0, 3.0),
            lambda: x.copy_(torch.ones(2)),
            lambda: x.__imul__(2),
        ),
        start=1,
    ):
        x + 1, x.sum().item(), repr(x), x.tolist(), x.clone()
        write()
        assert x._version == version


def test_views_and_detach_share_memory_and_version(torch: Any) -> None:
    x = torch.arange(6.0)
    others = [x.view(2, 3), x[1:3], x.view(2, 3).t(), x.detach(), x.unsqueeze(0), x.detach()[2:]]
    x.add_(1)
    assert [one._version for one in others] == [1] * 6
    others[1].mul_(10)
    assert x.tolist() == [1.0, 20.0, 30.0, 4.0, 5.0, 6.0]
    assert others[3].tolist() == x.tolist()
    assert others[5].tolist() == [30.0, 4.0, 5.0, 6.0]
    assert x._version == others[4]._version == 2


def test_data_shares_memory_and_counts_by_itself(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    data = x.data
    assert (data.requires_grad, data.is_leaf, data._is_view()) == (False, True, False)
    data.add_(1)
    assert x.tolist() == [2.0, 2.0]
    assert (x._version, data._version) == (0, 1)


def test_clone_and_results_share_nothing(torch: Any) -> None:
    x = torch.ones(2)
    for other in (x.clone(), x + 0, x * 1, torch.tensor(x.tolist()), x.abs(), x.clamp(0, 5)):
        other.add_(5)
    assert x.tolist() == [1.0, 1.0]
    assert x._version == 0


def test_a_0d_tensor_shares_its_memory_too(torch: Any) -> None:
    for x in (torch.tensor(1.0), torch.ones(3).sum(), torch.ones(3)[0].exp()):
        start = x.item()
        detached, view, data, array = x.detach(), x.view(1), x.data, x.numpy()
        x.add_(1)
        assert detached.item() == view.item() == data.item() == array.item() == start + 1
        array[()] = 9.0
        assert x.item() == 9


def test_detach_is_cut_off(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    cut = y.detach()
    assert (cut.requires_grad, cut.grad_fn, cut.is_leaf) == (False, None, True)
    (y * cut).sum().backward()
    assert x.grad.tolist() == [4.0, 4.0]
    assert y.detach_() is y
    assert (y.grad_fn, y.requires_grad, y.is_leaf) == (None, False, True)


def test_data_is_replaced(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    x.data = torch.tensor([5.0, 6.0])
    assert x.tolist() == [5.0, 6.0]
    assert (x.requires_grad, x.is_leaf, x._version) == (True, True, 0)
    (x * x).sum().backward()
    assert x.grad.tolist() == [10.0, 12.0]


def test_data_of_another_kind_is_refused(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(TypeError, match="^Variable data has to be a tensor, but got int"):
        x.data = 3
    with pytest.raises(RuntimeError, match="^data set to a tensor that requires gradients must be"):
        x.data = torch.tensor([1, 2])
    assert x.tolist() == [1.0, 1.0]


def test_a_view_knows_its_base(torch: Any) -> None:
    x = torch.ones(2, 3)
    view = x.view(3, 2)[1:]
    assert view._is_view()
    assert view._base is x
    assert not x._is_view()
    assert x._base is None
    assert not x.clone()._is_view()
    assert not x.detach()._is_view()


def test_addresses_tell_what_shares_memory(torch: Any) -> None:
    x = torch.zeros(4)
    assert x.detach().data_ptr() == x.view(2, 2).data_ptr() == x.data_ptr()
    assert x[1:].data_ptr() == x.data_ptr() + 4
    assert x.clone().data_ptr() != x.data_ptr()


# Out of tensors


@given(
    values=st.recursive(st.floats(-1e3, 1e3, width=32), lambda inner: st.lists(inner, max_size=1))
)
def test_item_is_the_only_number(torch: Any, values: Any) -> None:
    x = torch.tensor(values)
    if x.numel() == 1:
        number = x.item()
        assert type(number) is float
        assert [number] == x.reshape(1).tolist()
    else:
        with pytest.raises(RuntimeError, match="a Tensor with 0 elements cannot be converted"):
            x.item()


def test_items_have_pythons_types(torch: Any) -> None:
    assert type(torch.tensor(1).item()) is int
    assert type(torch.tensor(True).item()) is bool
    assert type(torch.tensor(1.5, dtype=torch.float16).item()) is float
    assert type(torch.tensor([1, 2]).sum().item()) is int
    with pytest.raises(RuntimeError, match="a Tensor with 2 elements cannot be converted"):
        torch.ones(2).item()


@pytest.mark.parametrize("shape", [(), (0,), (2,), (2, 0), (2, 1, 3)])
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_tolist_nests_as_the_shape_does(torch: Any, shape: tuple[int, ...], dtype: str) -> None:
    x = torch.ones(shape, dtype=getattr(torch, dtype))
    assert x.tolist() == np.ones(shape, dtype).tolist()
    assert torch.tensor(x.tolist(), dtype=x.dtype).tolist() == x.tolist()


def test_numpy_shares_memory_and_autograd_does_not_see_it(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0])
    array = x.numpy()
    array[0] = 9
    assert x.tolist() == [9.0, 2.0]
    assert x._version == 0
    x.add_(1)
    assert array.tolist() == [10.0, 3.0]


@pytest.mark.filterwarnings("ignore:__array__ implementation doesn:DeprecationWarning")
def test_numpy_of_what_requires_grad_is_refused(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for read in (lambda: x.numpy(), lambda: (x * 2).numpy(), lambda: np.array(x)):
        with pytest.raises(RuntimeError, match="^Can't call numpy.. on Tensor that requires grad"):
            read()
    assert x.detach().numpy().tolist() == x.numpy(force=True).tolist() == [1.0, 2.0]
    with torch.no_grad():
        assert x.numpy().tolist() == (x * 1).numpy().tolist() == np.array(x).tolist() == [1.0, 2.0]


@pytest.mark.filterwarnings("ignore:__array_wrap__ must accept:DeprecationWarning")
def test_functions_of_numpy_return_tensors(torch: Any) -> None:
    roots = np.sqrt(torch.tensor([1.0, 4.0]))
    assert isinstance(roots, torch.Tensor)
    assert roots.tolist() == [1.0, 2.0]
    assert np.greater(roots, 1).dtype is torch.uint8


@pytest.mark.filterwarnings("ignore:__array__ implementation doesn:DeprecationWarning")
def test_numpy_takes_tensors(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0])
    assert np.array(x).tolist() == [1.0, 2.0]
    assert np.array(x).dtype == np.float32
    assert np.asarray(x, dtype=np.float64).dtype == np.float64
    assert np.stack([x.numpy(), x.numpy()]).shape == (2, 2)


def test_numbers_of_numpy_leave_the_operation_to_the_tensor(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for number in (np.float32(3), np.float64(3), np.int64(3)):
        for result in (number * x, x * number, number + x - number - x + x * number):
            assert isinstance(result, torch.Tensor)
            assert result.dtype is torch.float32
            assert result.tolist() == [3.0, 6.0]
            assert result.requires_grad


def test_conversions_to_numbers(torch: Any) -> None:
    x = torch.tensor([[2.75]])
    assert (float(x), int(x), bool(x)) == (2.75, 2, True)
    assert bool(torch.tensor(0.0)) is False
    assert [10, 20, 30][torch.tensor(1)] == 20
    assert list(range(torch.tensor(3))) == [0, 1, 2]
    with pytest.raises(TypeError, match="only integer tensors of a single element can be"):
        [10, 20][torch.tensor(1.0)]
    with pytest.raises(ValueError, match="only one element tensors can be converted"):
        float(torch.ones(2))
    for ambiguous in (torch.ones(2), torch.ones(0)):
        with pytest.raises(RuntimeError, match="^Boolean value of Tensor with (no|more than one)"):
            bool(ambiguous)
    with pytest.warns(UserWarning, match="^Converting a tensor with requires_grad=True to a sca"):
        float(torch.ones(1, requires_grad=True))


def test_a_tensor_is_iterated_along_its_first_dimension(torch: Any) -> None:
    x = torch.arange(6.0).reshape(3, 2).requires_grad_()
    assert len(x) == 3
    assert [row.tolist() for row in x] == x.tolist()
    first, _, third = x
    (first * third).sum().backward()
    assert x.grad.tolist() == [[4.0, 5.0], [0.0, 0.0], [0.0, 1.0]]
    assert list(torch.ones(0, 2)) == []
    for refused, what in ((len, "len.."), (iter, "iteration over"), (list, "iteration over")):
        with pytest.raises(TypeError, match=f"^{what} of a 0-d|^{what} a 0-d tensor$"):
            refused(torch.tensor(1.0))


def test_in_looks_for_an_element(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0])
    assert 2 in x
    assert 3.0 not in x
    assert torch.tensor(1.0) in x
    for wrong in ("a", None):
        with pytest.raises(RuntimeError, match="^Tensor.__contains__ only supports Tensor or scal"):
            assert wrong in x


def test_tensors_are_keys_by_identity(torch: Any) -> None:
    x, y = torch.ones(2), torch.ones(2)
    found = {x: "x", y: "y"}
    assert (found[x], found[y], len({x, y, x})) == ("x", "y", 2)
    assert weakref.ref(x)() is x


# Copies


def test_a_deep_copy_is_a_leaf_of_its_own(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad = torch.tensor([3.0, 4.0])
    one, same = copy.deepcopy([x, x])
    assert one is same
    assert (one.requires_grad, one.is_leaf) == (True, True)
    one.data.add_(10)
    one.grad.add_(10)
    assert (x.tolist(), x.grad.tolist()) == ([1.0, 2.0], [3.0, 4.0])
    with pytest.raises(RuntimeError, match="^Only Tensors created explicitly by the user"):
        copy.deepcopy(x * 2)


def test_copies_keep_attributes_strides_and_shared_memory(torch: Any) -> None:
    base = torch.arange(6.0)
    base.note = ["mine"]
    part, turned = base[1:4], base.reshape(2, 3).t()
    copied, of_part, of_turned = copy.deepcopy([base, part, turned])
    copied[1] = 99
    assert of_part.tolist() == [99.0, 2.0, 3.0]
    assert of_turned.tolist() == [[0.0, 3.0], [99.0, 4.0], [2.0, 5.0]]
    assert of_turned.stride() == turned.stride() == (1, 3)
    assert (of_part.storage_offset(), of_part._base) == (1, None)
    assert base.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert copied.note == ["mine"]
    assert copied.note is not base.note
    assert copy.deepcopy(torch.ones(3, 1).expand(3, 4)).stride() == (1, 0)


def test_a_shallow_copy_shares_memory_and_attributes(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.note = ["mine"]
    same = copy.copy(x)
    assert same is not x
    assert (same.requires_grad, same.data_ptr()) == (True, x.data_ptr())
    assert same.note is x.note


def test_devices_and_turned_tensors_are_pickled(torch: Any) -> None:
    for place in (torch.device("cpu"), torch.device("cpu", 0)):
        assert pickle.loads(pickle.dumps(place)) == place
    x = torch.arange(6.0).reshape(1, 2, 3).permute(2, 0, 1)
    x.note = "mine"
    back = pickle.loads(pickle.dumps(x))
    assert (back.tolist(), back.stride(), back.note) == (x.tolist(), x.stride(), "mine")


def test_reversed_flips_the_first_dimension(torch: Any) -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    assert reversed(x).tolist() == [[3.0, 4.0], [1.0, 2.0]]
    reversed(x)[0, 0].backward()
    assert x.grad.tolist() == [[0.0, 0.0], [1.0, 0.0]]


def test_numbers_are_copied_to_all_elements(torch: Any) -> None:
    x = torch.zeros(2, requires_grad=True)
    (x * 1).copy_(3).sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]
    assert torch.zeros(2).copy_(True).tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="'other' .position 1. must be Tensor, not list"):
        torch.zeros(2).copy_([1, 2])


def test_in_place_methods_are_functions_too(torch: Any) -> None:
    x = torch.tensor([-1.0, 4.0])
    assert torch.relu_(x) is x
    assert torch.sqrt_(x).tolist() == [0.0, 2.0]
    with pytest.raises(TypeError, match="^exp_.*'input' .position 1. must be Tensor, not int"):
        torch.exp_(3)


@pytest.mark.parametrize("loss", [lambda x: (x * x).sum(), lambda x: x.exp() @ x])
def test_a_new_shape_of_a_leaf_is_refused_by_the_backward_pass(
    torch: Any, loss: Callable[[Any], Any]
) -> None:
    x = torch.ones(2, requires_grad=True)
    y = loss(x)
    x.data = torch.zeros(3)
    with pytest.raises(RuntimeError):
        y.backward()
    x = torch.ones(2, requires_grad=True)
    x.sum().backward()
    x.data = torch.zeros(3)
    with pytest.raises(RuntimeError, match="must match the size of tensor b .3."):
        x.sum().backward()


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("torch.exp()", 'exp.. missing 1 required positional arguments: "input"'),
        ("torch.mul(x)", 'mul.. missing 1 required positional arguments: "other"'),
        ("x.register_hook()", "^Tensor.register_hook.. missing 1 required positional argument"),
        ("x.dim(1)", r"^TensorBase.dim\(\) takes"),
        ("x.sum(0, 1)", "'keepdim' .position 2. must be bool, not int"),
        ("x.argmax(0.5)", "'dim' .position 1. must be int, not float"),
        ("x.squeeze('a')", "invalid combination of arguments - got .str."),
        ("torch.zeros(2, requires_grad=1)", "'requires_grad' must be bool, not int"),
        ("x.sum().backward(retain_graph='a')", "'str' object cannot be interpreted as an integer"),
        ("torch.autograd.grad(x.sum(), x, create_graph='a')", "cannot be interpreted as an int"),
    ],
)
def test_refusals_name_what_the_user_called(torch: Any, program: str, text: str) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(TypeError, match=text):
        eval(program, {"torch": torch, "x": x})
    assert x.grad is None


def test_layouts_and_memory_formats_have_names(torch: Any) -> None:
    assert torch.ones(2).layout is torch.strided
    assert repr([torch.strided, torch.preserve_format]) == "[torch.strided, torch.preserve_format]"
    assert isinstance(torch.contiguous_format, torch.memory_format)
    assert torch.ones(2)[:, torch.newaxis].shape == (2, 1)


def test_data_and_requires_grad_cannot_be_deleted(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="Deleting tensor data is not allowed"):
        del x.data
    with pytest.raises(RuntimeError, match="requires_grad must be a bool"):
        del x.requires_grad


@given(
    values=st.lists(st.floats(-10, 10, width=32), max_size=5),
    dtype=st.sampled_from(["float32", "float64", "int64", "bool"]),
)
def test_a_pickled_tensor_comes_back(torch: Any, values: list[float], dtype: str) -> None:
    x = torch.tensor(values).to(getattr(torch, dtype))
    back = pickle.loads(pickle.dumps(x))
    assert back.dtype is x.dtype
    assert back.tolist() == x.tolist()
    assert not back.requires_grad
    back.zero_()
    assert x.tolist() == torch.tensor(values).to(x.dtype).tolist()


def test_a_pickled_leaf_still_requires_grad(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    assert pickle.loads(pickle.dumps(x)).requires_grad
    assert pickle.loads(pickle.dumps(x.shape)) == (2,)


def test_what_was_pickled_is_computed_with_as_before(torch: Any) -> None:
    x = pickle.loads(pickle.dumps(torch.tensor([1.0, 2.0], requires_grad=True)))
    x.register_hook(lambda gradient: gradient * 2)
    (slope,) = torch.autograd.grad((x * x + torch.ones(2)).sum(), x, create_graph=True)
    assert slope.tolist() == [4.0, 8.0]
    (slope.sum() * x.exp().sum()).backward()
    assert x.grad.dtype is torch.float32
    assert torch.cat([x, torch.ones(1)]).dtype is torch.float32


# What failed operations leave

REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "broadcast": lambda torch, x: x + torch.ones(4),
    "matmul": lambda torch, x: x @ torch.ones(4),
    "view": lambda torch, x: x.view(5),
    "index": lambda torch, x: x[7],
    "dim": lambda torch, x: x.sum(3),
    "cat": lambda torch, x: torch.cat([x, torch.ones(2, 2)]),
    "operand": lambda torch, x: x * "a",
    "in place on a leaf": lambda torch, x: x.add_(1),
    "in place on a view of a leaf": lambda torch, x: x.view(3).mul_(2),
    "set an item of a leaf": lambda torch, x: x.__setitem__(0, 1.0),
    "set too many": lambda torch, x: x.detach().__setitem__(0, torch.ones(2)),
    "in place, another shape": lambda torch, x: x.detach().add_(torch.ones(2, 3)),
    "in place, not broadcast": lambda torch, x: x.detach().add_(torch.ones(2)),
    "in place, another dtype": lambda torch, x: torch.tensor([1, 2]).mul_(x[:2]),
    "copy": lambda torch, x: x.detach().copy_(torch.ones(2)),
    "backward": lambda torch, x: (x * 2).backward(),
    "grad": lambda torch, x: torch.autograd.grad((x * x).sum(), torch.ones(2)),
    "item": lambda torch, x: x.item(),
    "expand": lambda torch, x: x.expand(2, 4),
    "loss": lambda torch, x: torch.nn.functional.nll_loss(x, torch.tensor(9)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_operation_changes_nothing(torch: Any, name: str) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    x.grad = torch.tensor([4.0, 5.0, 6.0])
    kept = x.grad
    with pytest.raises((RuntimeError, TypeError, IndexError, ValueError)):
        REFUSED[name](torch, x)
    assert (x.tolist(), x._version, x.requires_grad, x.is_leaf) == ([1.0, 2.0, 3.0], 0, True, True)
    assert x.grad is kept
    assert (kept.tolist(), kept._version) == ([4.0, 5.0, 6.0], 0)
    assert torch.is_grad_enabled()
    (x * x).sum().backward()
    assert kept.tolist() == [6.0, 9.0, 12.0]


def test_a_refused_change_of_a_result_leaves_its_history(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    node, values = y.grad_fn, y.tolist()
    for refused in (
        lambda: y.add_(torch.ones(3, 2)),
        lambda: y.mul_(torch.ones(3)),
        lambda: y.add_("a"),
        lambda: y.detach().mul_(torch.ones(3)),
    ):
        with pytest.raises((RuntimeError, TypeError)):
            refused()
    assert y.grad_fn is node
    assert (y.tolist(), y._version) == (values, 0)
    y.sum().backward()
    assert x.grad.tolist() == values


def test_what_cannot_be_set_cannot_be_deleted(torch: Any) -> None:
    y = torch.ones(2, 2, requires_grad=True) * 1
    for name in ("grad_fn", "is_leaf", "_version", "shape", "T", "mT"):
        with pytest.raises(AttributeError, match=f"'{name}' of '.*TensorBase' objects is not writ"):
            setattr(y, name, 1)
        with pytest.raises(AttributeError, match=f"'{name}' of '.*TensorBase' objects is not writ"):
            delattr(y, name)


def test_hooks_are_not_pickled_and_that_is_said(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda gradient: gradient)
    with pytest.warns(UserWarning, match="backward hook <function .* will not be serialized"):
        pickle.dumps(x)
    y = torch.ones(2, requires_grad=True)
    unserializable = importlib.import_module(f"{torch.__name__}.utils.hooks").unserializable_hook
    y.register_hook(unserializable(lambda gradient: gradient))
    pickle.dumps(y)  # no warning
