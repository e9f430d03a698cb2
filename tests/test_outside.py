"""Every warning names the line of the program that it is about, whatever lies between."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from IPython.core.ultratb import VerboseTB

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import outside

X = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
BYTES = torch.ones(2, 3, dtype=torch.uint8)


def leaf() -> Any:
    return torch.ones(3, requires_grad=True)


def scheduler() -> Any:
    return torch.optim.lr_scheduler.StepLR(torch.optim.SGD([leaf()], 1.0), 1)


def hooked() -> Any:
    layer = torch.nn.Linear(3, 2)
    layer.register_full_backward_hook(lambda *_: None)
    layer(X).sum().backward()


def anomaly() -> None:
    with torch.autograd.detect_anomaly():
        x = torch.zeros(1, requires_grad=True)
        with pytest.raises(RuntimeError, match="returned nan values"):
            (x.sqrt() * 0).backward()


def only_inputs() -> None:
    x = leaf()
    torch.autograd.grad(x.sum(), x, only_inputs=False)


PROGRAMS: dict[str, Callable[[], Any]] = {
    "grad of a non-leaf": lambda: (leaf() * 2).grad,
    "T": lambda: torch.ones(1, 2, 3).T,
    "T of a number": lambda: torch.tensor(1.0).T,
    "mT of a number": lambda: torch.tensor(1.0).mT,
    "var": lambda: torch.var(X[0, :1]),
    "std": lambda: X[0, :1].std(),
    "std_mean": lambda: torch.std_mean(X[0, :1]),
    "var along": lambda: X[:1].var(dim=0),
    "mask of bytes": lambda: X[BYTES],
    "where of bytes": lambda: torch.where(BYTES, X, X),
    "where of bytes, method": lambda: X.where(BYTES, X),
    "list as index": lambda: X[[[0, 1], [1, 2]]],
    "out": lambda: torch.exp(X, out=torch.ones(1)),
    "out, two": lambda: torch.max(X, 0, out=(torch.ones(1), torch.ones(1, dtype=torch.int64))),
    "out, given by name": lambda: torch.add(input=X, other=X, out=torch.ones(1)),
    "meshgrid": lambda: torch.meshgrid(X[0], X[0]),
    "cross": lambda: torch.cross(torch.ones(3, 3), torch.ones(3, 3)),
    "backward": lambda: leaf().sum().backward(create_graph=True),
    "autograd.backward": lambda: torch.autograd.backward(leaf().sum(), create_graph=True),
    "only_inputs": only_inputs,
    "tensor": lambda: torch.tensor(X),
    "new_tensor": lambda: X.new_tensor(X),
    "not writable": lambda: torch.from_numpy(np.broadcast_to(1.0, (3,))),
    "float": lambda: float(leaf()[0]),
    "softmax": lambda: F.softmax(X),
    "log_softmax": lambda: F.log_softmax(X),
    "Softmax": lambda: torch.nn.Softmax()(X),
    "mse_loss": lambda: F.mse_loss(X, X[:1]),
    "MSELoss": lambda: torch.nn.MSELoss()(X, X[:1]),
    "Sequential": lambda: torch.nn.Sequential(torch.nn.Softmax())(X),
    "size_average": lambda: F.mse_loss(X, X, size_average=True),
    "L1Loss": lambda: torch.nn.L1Loss(size_average=False),
    "kl_div": lambda: F.kl_div(X, X),
    "init": lambda: torch.nn.init.kaiming_uniform_(torch.empty(0, 3)),
    "expanded": lambda: torch.ones(1).expand(3).masked_fill_(torch.tensor([True, False, True]), 0),
    "anomaly": anomaly,
    "no_grad class": lambda: torch.no_grad()(type("A", (), {})),
    "scheduler": lambda: scheduler().step(),
    "checkpoint": lambda: torch.utils.checkpoint.checkpoint(lambda a: a * 2, leaf()),
    "gradcheck": lambda: torch.autograd.gradcheck(lambda a: a * 2, leaf(), raise_exception=False),
    "hook": hooked,
    "Variable": lambda: torch.autograd.Variable(X, volatile=True),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("watched", [False, True])
def test_a_warning_names_this_file(name: str, watched: bool) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            if watched:
                with torch.overrides.BaseTorchFunctionMode():
                    PROGRAMS[name]()
            else:
                PROGRAMS[name]()
        finally:
            torch.autograd.set_detect_anomaly(False)
    assert {one.filename for one in caught} <= {__file__}
    assert caught


def test_each_line_warns_once_by_default() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(2):
            X[0, :1].std()
        X[0, :1].std()
    assert len(caught) == 2


def test_traceback_frames_of_minigrad_are_known() -> None:
    with pytest.raises(TypeError) as raised:
        torch.exp(X, 1)
    files = [one.path for one in raised.traceback]
    assert all(str(file) != "<string>" for file in files)
    assert outside.is_ours(raised.traceback[-1].frame.raw)


def test_whether_warnings_shall_come_again() -> None:
    before = torch.is_warn_always_enabled()
    try:
        torch.set_warn_always(True)
        assert torch.is_warn_always_enabled()
        torch.set_warn_always(False)
        assert not torch.is_warn_always_enabled()
        with pytest.raises(RuntimeError, match="^setWarnOnlyOnce expects a bool, but got int$"):
            torch.set_warn_always(1)  # type: ignore[arg-type]
    finally:
        torch.set_warn_always(before)


def second_backward() -> None:
    y = (leaf() * 2).exp().sum()
    y.backward()
    y.backward()


def changed_in_place() -> None:
    y = leaf().exp()
    y.add_(1)
    y.sum().backward(create_graph=True)


@pytest.mark.parametrize(
    "program",
    [
        second_backward,
        changed_in_place,
        lambda: torch.ones(3).backward(),
        lambda: torch.dot(X, X),
        lambda: torch.rand(2, foo=1),
        lambda: X.add_(torch.ones(5)),
    ],
)
def test_a_notebooks_traceback_is_short_and_of_files(program: Callable[[], Any]) -> None:
    """It goes from the program's line to the one that raised by as few as a learner can follow."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that create_graph makes a circle
        try:
            program()
        except (RuntimeError, TypeError):
            text = VerboseTB(include_vars=False).text(*sys.exc_info())
    shown = re.findall(r"(?:File|Input) .*", re.sub(r"\x1b\[[\d;]*m", "", text))
    ours = [line for line in shown if "test_outside.py" not in line]
    assert "<minigrad>" not in text
    assert "Could not get source" not in text
    assert 1 <= len(ours) <= 6, shown
