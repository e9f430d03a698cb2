"""What is saved comes back, and nothing else is loaded."""

from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

import minigrad


def reloaded(torch: Any, obj: Any) -> Any:
    """An object that was written to a file and read again."""
    file = io.BytesIO()
    torch.save(obj, file)
    file.seek(0)
    return torch.load(file)


def test_containers_numbers_and_texts_come_back(torch: Any) -> None:
    obj = {"list": [1, 2.5, "a", None, True, (3,)], "sets": {4}, "ordered": OrderedDict(b=1)}
    assert reloaded(torch, obj) == obj
    assert type(reloaded(torch, torch.ones(2, 3).shape)) is torch.Size
    assert reloaded(torch, torch.ones(2, 3).shape) == (2, 3)


@pytest.mark.parametrize(
    "expression",
    [
        "torch.arange(6.0).view(2, 3).t()",
        "torch.arange(12).view(3, 4)[1:, ::2]",
        "torch.tensor(True)",
        "torch.zeros(0, 3)",
        "torch.ones(2, 1).expand(2, 3)",
        "torch.ones(2, dtype=torch.float64, requires_grad=True)",
        "torch.nn.Parameter(torch.ones(2))",
        "torch.nn.Parameter(torch.ones(2), requires_grad=False)",
        "torch.nn.Parameter(torch.arange(2), requires_grad=False)",
    ],
)
def test_tensors_come_back(torch: Any, expression: str) -> None:
    tensor = eval(expression, {"torch": torch})
    copy = reloaded(torch, tensor)
    assert repr(copy) == repr(tensor)
    assert type(copy) is type(tensor)
    assert copy.requires_grad == tensor.requires_grad


def test_results_become_leaves(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) * 2
    copy = reloaded(torch, y)
    assert copy.is_leaf
    assert copy.requires_grad


def test_a_trained_net_continues_where_it_was(torch: Any, tmp_path: Path) -> None:
    nets = [torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)]
    optimizers = [torch.optim.Adam(net.parameters(), lr=0.1) for net in nets]

    def step(i: int) -> list[float]:
        nets[i](torch.ones(1, 2)).pow(2).sum().backward()
        optimizers[i].step()
        return list(nets[i].weight.tolist())

    step(0)
    checkpoint = {"net": nets[0].state_dict(), "optimizer": optimizers[0].state_dict()}
    torch.save(checkpoint, tmp_path / "checkpoint.pt")
    loaded = torch.load(str(tmp_path / "checkpoint.pt"), map_location="cpu", weights_only=True)
    nets[1].load_state_dict(loaded["net"])
    optimizers[1].load_state_dict(loaded["optimizer"])
    optimizers[0].zero_grad()
    assert step(0) == step(1)


class RunsCode:
    """What a stranger's file may contain."""

    def __reduce__(self) -> Any:
        return os.system, ("echo this must not run",)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (RunsCode(), "refused to load posix.system|refused to load nt.system"),
        (eval, "refused to load builtins.eval"),
        (minigrad.no_grad, "refused to load minigrad.modes.no_grad"),
    ],
)
def test_other_objects_are_refused_by_name_when_loading(content: Any, text: str) -> None:
    file = io.BytesIO(minigrad.serialization.HEADER + pickle.dumps(content))
    with pytest.raises(pickle.UnpicklingError, match=text):
        minigrad.load(file)


def test_other_objects_are_refused_by_name_when_saving(tmp_path: Path) -> None:
    path = tmp_path / "tensors"
    minigrad.save(minigrad.ones(2), path)
    before = path.read_bytes()
    for obj, name in ((minigrad.nn.Linear(1, 1), "Linear"), ([1, len], "builtin"), (1j, "complex")):
        with pytest.raises(TypeError, match=f"can't save a .*{name}"):
            minigrad.save(obj, path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        (lambda data: b"", "not a file that minigrad's save has written"),
        (lambda data: b"PK\x03\x04" + data, "PyTorch wrote this file"),
        (lambda data: data[:-9], "truncated"),
    ],
)
def test_files_that_cannot_be_read_are_refused(damage: Any, text: str) -> None:
    file = io.BytesIO()
    minigrad.save(minigrad.ones(2), file)
    with pytest.raises(pickle.UnpicklingError, match=text):
        minigrad.load(io.BytesIO(damage(file.getvalue())))


@pytest.mark.parity
@pytest.mark.parametrize("zipped", [True, False])
def test_pytorchs_own_files_are_refused(pytorch: Any, zipped: bool) -> None:
    file = io.BytesIO()
    pytorch.save(pytorch.ones(2), file, _use_new_zipfile_serialization=zipped)
    with pytest.raises(pickle.UnpicklingError, match="PyTorch wrote this file"):
        minigrad.load(io.BytesIO(file.getvalue()))
