"""What is saved is loaded again: tensors, what shares memory, and nothing that runs programs."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import pytest

import minigrad


def saved(engine: Any, value: Any) -> io.BytesIO:
    file = io.BytesIO()
    engine.save(value, file)
    file.seek(0)
    return file


def everything(engine: Any) -> dict[str, Any]:
    """Return what programs save, in one dictionary."""
    engine.manual_seed(0)
    x = engine.randn(3, 4, requires_grad=True)
    layer = engine.nn.Linear(2, 3)
    optimizer = engine.optim.Adam(layer.parameters())
    layer(engine.ones(2)).sum().backward()
    optimizer.step()
    return {
        "leaf": x,
        "row": x.detach()[1],
        "transposed": x.detach().t(),
        "parameter": engine.nn.Parameter(engine.ones(2)),
        "kinds": [engine.ones(2, dtype=one) for one in (engine.int64, engine.bool, engine.half)],
        "layer": layer.state_dict(),
        "optimizer": optimizer.state_dict(),
        "plain": [1, None, "s", 2.5, engine.float32, engine.Size([2]), engine.device("cpu")],
        "empty": engine.zeros(0),
        "number": engine.tensor(3.0),
    }


def test_everything_comes_back(tmp_path: Path) -> None:
    minigrad.save(everything(minigrad), tmp_path / "all.pt")
    loaded = minigrad.load(tmp_path / "all.pt")
    assert str(loaded) == str(everything(minigrad))
    assert loaded["transposed"].stride() == (1, 4)


def test_what_shared_memory_shares_it_again() -> None:
    loaded = minigrad.load(saved(minigrad, everything(minigrad)))
    loaded["leaf"].data[1] = 7.0
    assert loaded["row"].tolist() == [7.0] * 4


def test_a_file_may_not_run_programs_unless_it_is_trusted() -> None:
    file = saved(minigrad, {"path": Path("there")})
    with pytest.raises(pickle.UnpicklingError, match="was not an allowed global"):
        minigrad.load(file)
    assert minigrad.load(file, weights_only=False) == {"path": Path("there")}


def test_what_is_no_archive_is_refused() -> None:
    with pytest.raises(RuntimeError, match="failed reading zip archive"):
        minigrad.load(io.BytesIO(b"nothing"))


@pytest.mark.parity
@pytest.mark.parametrize("there", [True, False])
def test_pytorch_reads_these_files_and_writes_such(there: bool) -> None:
    import torch

    writer, reader = (minigrad, torch) if there else (torch, minigrad)
    loaded = reader.load(saved(writer, everything(writer)))
    assert str(loaded) == str(everything(reader))
    loaded["leaf"].data[1] = 7.0
    assert loaded["row"].tolist() == [7.0] * 4
