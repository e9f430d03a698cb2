"""Storages: the memory behind tensors."""

from __future__ import annotations

import gc

import pytest

import minigrad as torch
from minigrad.storage import _storages


def test_a_storage_shows_and_changes_what_its_tensors_show() -> None:
    x = torch.zeros(2, dtype=torch.uint8)
    storage = x.untyped_storage()
    storage[1] = 5
    assert x.tolist() == [0, 5]
    x.fill_(7)
    assert storage.tolist() == [7, 7]


def test_a_storage_of_a_dtype_is_deprecated() -> None:
    with pytest.warns(UserWarning, match="TypedStorage is deprecated"):
        assert torch.ones(2).storage().tolist() == [1.0, 1.0]


def test_storages_and_memory_go_when_nobody_holds_them() -> None:
    gc.collect()
    before = len(_storages)
    x = torch.ones(3)
    storage = x.untyped_storage()
    assert len(_storages) == before + 1
    del x, storage
    assert len(_storages) == before
