"""Storages: what tensors that share memory have in common."""

from __future__ import annotations

import copy
import gc
import pickle
import warnings
from typing import Any

import pytest

import minigrad
from minigrad.storage import _storages


def test_tensors_of_one_memory_have_one_storage(torch: Any) -> None:
    x = torch.arange(6.0)
    storage = x.untyped_storage()
    more = x.unfold(0, 2, 1), x.as_strided((2,), (2,)), x.view(2, 3).expand(2, 2, 3)
    for other in (x[2:], x.view(2, 3).t(), x.detach(), x.data, *more):
        assert other.untyped_storage() is storage
        assert other.untyped_storage().data_ptr() == x.data_ptr()
    assert x.clone().untyped_storage() != storage
    assert torch.is_storage(storage)
    assert not torch.is_storage(x)
    assert type(storage) is torch.UntypedStorage


def test_a_storage_is_larger_than_what_a_view_shows(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    storage = x[1:2].untyped_storage()
    assert (len(storage), storage.size(), storage.nbytes()) == (24, 24, 24)
    assert storage.tolist()[:8] == [0, 0, 0, 0, 0, 0, 240, 63]
    assert storage[7] == 63
    assert torch.ones(2).expand(3, 2).untyped_storage().nbytes() == 8
    assert torch.zeros(0).untyped_storage().data_ptr() == 0
    assert storage.device == torch.device("cpu")


def test_elements_may_be_read_and_written(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        typed = x[1:].storage()
    assert (list(typed), len(typed), typed.nbytes()) == ([1.0, 2.0], 2, 8)
    assert typed.dtype is torch.float32
    assert typed.untyped() is x.untyped_storage()
    typed[0] = 5.0
    assert x.tolist() == [5.0, 2.0]
    x.untyped_storage().fill_(0)
    assert x.tolist() == [0.0, 0.0]
    with pytest.raises(RuntimeError, match="slices are only supported in UntypedStorage"):
        typed[0:1]


def test_storages_are_printed_by_their_elements(torch: Any) -> None:
    x = torch.tensor([1, 2], dtype=torch.int8)
    lines = " 1\n 2\n[torch.storage."
    assert repr(x.untyped_storage()) == f"{lines}UntypedStorage(device=cpu) of size 2]"
    typed = x._typed_storage()
    assert repr(typed) == f"{lines}TypedStorage(dtype=torch.int8, device=cpu) of size 2]"


def test_a_tensor_may_be_set_to_a_storage(torch: Any) -> None:
    x = torch.arange(4.0)
    y = torch.zeros(1).set_(x[1:].untyped_storage())
    assert y.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert y.is_set_to(x)
    z = torch.zeros(1).set_(x.untyped_storage(), 2, (2,), (1,))
    z.add_(1)
    assert x.tolist() == [0.0, 1.0, 3.0, 4.0]
    assert not z.is_set_to(x)
    assert not x.view(2, 2).is_set_to(x)


def test_storages_and_memory_go_when_nobody_holds_them() -> None:
    gc.collect()
    before = len(_storages)
    x = minigrad.ones(3)
    storage = x.untyped_storage()
    assert len(_storages) == before + 1
    del x, storage
    assert len(_storages) == before


def test_storages_of_elements_are_deprecated() -> None:
    with pytest.warns(UserWarning, match="TypedStorage is deprecated. It will be removed"):
        minigrad.ones(1).storage()  # PyTorch says it once


def test_what_was_set_to_nothing_first_is_set_to_a_leaf_as_well(torch: Any) -> None:
    (torch.ones(1, requires_grad=True) * 1).set_()
    x, leaf = torch.ones(3), torch.ones(3, requires_grad=True)
    assert x.set_(leaf).requires_grad


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_copies_of_storages_share_what_copied_tensors_share(torch: Any) -> None:
    x = torch.arange(3.0)
    storage, elements = x.untyped_storage(), x.storage()
    for one in (storage, elements):
        for again in (copy.copy(one), copy.deepcopy(one), one.clone()):
            assert again.tolist() == one.tolist()
            assert again.data_ptr() != x.data_ptr()
    again = copy.deepcopy([storage, x[1:], elements])
    again[0].fill_(0)
    assert again[1].tolist() == [0.0, 0.0]
    assert again[2].tolist() == [0.0, 0.0, 0.0]
    assert x.tolist() == [0.0, 1.0, 2.0]


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_storages_are_pickled(torch: Any) -> None:
    elements = torch.arange(3.0).storage()
    again = pickle.loads(pickle.dumps(elements))
    assert (again.dtype, again.tolist()) == (torch.float32, [0.0, 1.0, 2.0])


def test_bytes_are_pickled_too() -> None:  # PyTorch writes them, and cannot read them
    storage = minigrad.arange(3.0).untyped_storage()
    assert pickle.loads(pickle.dumps(storage)).tolist() == storage.tolist()
