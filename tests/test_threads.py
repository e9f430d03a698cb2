"""Threads that use minigrad's namespaces for the first time, all at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
import minigrad as torch

sys.setswitchinterval(1e-5)
together = threading.Barrier(8)
ones, failed = torch.ones(2, requires_grad=True), []

def dual():
    with torch.autograd.forward_ad.dual_level():
        torch.autograd.forward_ad.make_dual(ones, ones) * 2

def mode():
    with torch.overrides.BaseTorchFunctionMode():
        torch.ones(2) * 2

def first(use):
    together.wait()
    try:
        use()
    except BaseException as error:
        failed.append(error)

uses = [
    dual,
    mode,
    lambda: torch.nn.Linear(2, 2)(ones),
    lambda: torch.vmap(torch.sin)(ones),
    lambda: torch.func.grad(lambda x: x.sum())(ones),
    lambda: torch.optim.SGD([ones], lr=0.1),
    lambda: torch.distributions.Normal(0.0, 1.0),
    lambda: torch.utils.checkpoint.checkpoint(torch.sin, ones, use_reentrant=False),
]
threads = [threading.Thread(target=first, args=(use,), daemon=True) for use in uses]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(60)
assert not failed and not any(thread.is_alive() for thread in threads), failed
"""


@pytest.mark.parametrize("attempt", range(4))
def test_namespaces_are_imported_by_several_threads(attempt: int) -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
