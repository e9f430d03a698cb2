"""Programs that ask for other devices hear that there is only the cpu."""

from __future__ import annotations

import importlib
import pickle
from typing import Any

import pytest

NAMES = """
torch.device("cuda") -> device(type='cuda')
torch.device("cuda:1") -> device(type='cuda', index=1)
torch.device("cuda", 0) -> device(type='cuda', index=0)
torch.device(torch.device("cpu")) -> device(type='cpu')
str(torch.device("mps", 2)) -> 'mps:2'
torch.device("cpu") == "cpu", torch.device("cpu") == torch.device("cpu", 0) -> (False, False)
len({torch.device("cpu"), torch.device("cpu")}) -> 1
torch.ones(2, device="cpu:0").device -> device(type='cpu')
torch.cuda.is_available(), torch.cuda.device_count() -> (False, 0)
torch.cuda.manual_seed(1), torch.cuda.manual_seed_all(1) -> (None, None)
torch.accelerator.is_available() -> False
torch.accelerator.current_accelerator() -> None
torch.backends.mps.is_available(), torch.backends.mps.is_built() -> (False, False)
torch.backends.cudnn.is_available(), torch.backends.cudnn.enabled -> (False, True)
torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic -> (False, False)
torch.set_default_device("cpu"), torch.set_default_device(None) -> (None, None)
"""
REFUSED = """
torch.device("gpu") -> RuntimeError: Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl,
torch.device("cpu:x") -> RuntimeError: Invalid device string: 'cpu:x'
torch.ones(2, device="cuda") -> AssertionError: Torch not compiled with CUDA enabled
torch.ones(2).to("cuda") -> AssertionError: Torch not compiled with CUDA enabled
torch.ones(2).cuda() -> AssertionError: Torch not compiled with CUDA enabled
torch.ones(2).to("mps") -> RuntimeError: PyTorch is not linked with support for mps devices
torch.nn.Linear(2, 2).to("cuda") -> AssertionError: Torch not compiled with CUDA enabled
"""


@pytest.mark.parametrize("line", NAMES.strip().splitlines())
def test_devices_answer_like_pytorchs(torch: Any, line: str) -> None:
    expression, printed = line.split(" -> ")
    assert repr(eval(expression, {"torch": torch})) == printed


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_other_devices_are_refused(torch: Any, line: str) -> None:
    call, error = line.split(" -> ")
    with pytest.raises(Exception) as caught:  # noqa: PT011
        eval(call, {"torch": torch})
    assert f"{type(caught.value).__name__}: {caught.value}".startswith(error)


def test_devices_can_be_pickled(torch: Any) -> None:
    assert pickle.loads(pickle.dumps(torch.device("cuda:1"))) == torch.device("cuda:1")


def test_settings_are_kept_and_modules_exist(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cudnn = importlib.import_module(f"{torch.__name__}.backends.cudnn")
    monkeypatch.setattr(cudnn, "deterministic", True)
    assert torch.backends.cudnn.deterministic
    assert importlib.import_module(f"{torch.__name__}.cuda") is torch.cuda
