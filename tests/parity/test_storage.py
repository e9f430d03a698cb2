"""Storages are, print and are set on minigrad as on PyTorch."""

from __future__ import annotations

import io
import warnings
from typing import Any

import pytest

import minigrad
from tests.parity.expressions import agree_on, lines
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

PROGRAMS = lines(
    """
v.untyped_storage()
[v.untyped_storage() is v[1:].untyped_storage(), v.untyped_storage() == q.untyped_storage()]
x.detach().untyped_storage().data_ptr() == x.data_ptr()
v.untyped_storage()._cdata == v[1].untyped_storage()._cdata
[v.untyped_storage().nbytes(), v.untyped_storage().size(), len(v.untyped_storage())]
[v.untyped_storage().device, v.untyped_storage().element_size(), v.untyped_storage().is_shared()]
v.untyped_storage()[7]
v.untyped_storage()[6:8].tolist()
v.untyped_storage()[100]
v.untyped_storage()['a']
v.untyped_storage().clone().tolist()
torch.UntypedStorage(4).fill_(3).tolist()
torch.UntypedStorage(16).copy_(v.untyped_storage()).tolist()
torch.ones(0).untyped_storage()
[torch.is_storage(v.untyped_storage()), torch.is_storage(v)]
torch.empty(0).set_(v.untyped_storage())
torch.empty(0).set_(v[2:].untyped_storage()).data_ptr() == v.data_ptr()
torch.empty(0, dtype=torch.int64).set_(i.untyped_storage(), 1, (1,), (2,))
torch.empty(0, dtype=torch.int64).set_(i.untyped_storage(), 1, (2,))
torch.empty(0, requires_grad=True).set_(v.untyped_storage())
torch.empty(0).set_(3)
"""
)
DEPRECATED = lines(
    """
v.storage()
s.storage()
(v > 1).storage()
[v.storage()[1], v.storage().tolist(), len(v.storage()), v.storage().size(), v.storage().nbytes()]
[v.storage().dtype, v.storage().element_size(), v.storage().data_ptr() == v.data_ptr()]
v.storage()[1:2]
v.storage()[7]
v[1].storage().untyped() is v.untyped_storage()
torch.empty(0).set_(i.storage())
torch.empty(0, dtype=torch.int64).set_(i.storage())
[v.storage().__setitem__(1, 7), v, v._version]
"""
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_storages_are_alike(program: str) -> None:
    agree_on(program)


@pytest.mark.parametrize("expression", DEPRECATED)
def test_storages_of_a_dtype_are_alike(expression: str) -> None:
    def program(torch: Any) -> Any:
        x = torch.tensor([1.0, 2.0, 3.0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch says once that they are deprecated
            return str(eval(expression, {"torch": torch, "v": x, "s": x.sum(), "i": x.long()}))

    assert_same(program)


def test_saved_storages_are_read_by_the_other() -> None:
    import torch

    for writer, reader in ((minigrad, torch), (torch, minigrad)):
        x = writer.arange(6.0).view(2, 3).t()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for what in (x.untyped_storage(), x.storage(), [x, x.storage()]):
                file = io.BytesIO()
                writer.save(what, file)
                file.seek(0)
                read = reader.load(file)
                file.seek(0)
                assert str(read) == str(writer.load(file))
