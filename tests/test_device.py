"""Devices, and what programs set before they begin."""

from __future__ import annotations

import pickle

import pytest

import minigrad as torch


def test_a_preamble_that_runs_anywhere_runs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("deterministic", "benchmark"):
        monkeypatch.setattr(torch.backends.cudnn, name, getattr(torch.backends.cudnn, name))
    torch.cuda.manual_seed_all(0)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.set_num_threads(3)
    gpu = torch.cuda.is_available() or torch.backends.mps.is_available()
    with torch.device("cuda" if gpu else "cpu") as device:
        assert torch.ones(1, device=device).device == torch.ones(1).device
    assert torch.backends.cudnn.deterministic
    assert torch.are_deterministic_algorithms_enabled()
    assert torch.is_deterministic_algorithms_warn_only_enabled()
    assert torch.get_num_threads() == 3
    torch.use_deterministic_algorithms(False)
    assert not torch.are_deterministic_algorithms_enabled()
    assert not torch.is_deterministic_algorithms_warn_only_enabled()


def test_a_block_of_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(AssertionError, match="not compiled with CUDA"), torch.device("cuda"):
        pass
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        torch.set_default_device("cuda")
    torch.set_default_device("cpu")
    assert torch.get_default_device() == torch.device("cpu")


def test_a_device_keeps_its_number_when_pickled() -> None:
    for device in (torch.device("cpu"), torch.device("cuda:1")):
        assert pickle.loads(pickle.dumps(device)) == device
