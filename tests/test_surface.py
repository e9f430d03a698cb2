"""The public names: all that are listed exist, and no others.

`data/surface.txt` has one name a line. Its diff shows every name that a change adds or loses.
"""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import minigrad

SURFACE = Path(__file__).with_name("data") / "surface.txt"
LISTED = SURFACE.read_text().split()
# Modules, and the classes whose attributes are part of the surface.
OWNERS = sorted({name.rpartition(".")[0] for name in LISTED})


def resolve(torch: Any, name: str) -> Any:
    """The value of a name such as torch.nn.Linear, in one of the engines."""
    return functools.reduce(getattr, name.split(".")[1:], torch)


def public(names: Any) -> list[str]:
    return [name for name in names if not name.startswith("_")]


def test_the_list_is_complete_and_sorted() -> None:
    exist = {
        f"{owner}.{name}" for owner in OWNERS for name in public(dir(resolve(minigrad, owner)))
    }
    new, gone = sorted(exist - {*LISTED}), sorted({*LISTED} - exist)
    assert not new + gone, f"in {SURFACE}, add {new} and remove {gone}"
    assert sorted(LISTED) == LISTED, f"sort {SURFACE}"


@pytest.mark.parity
def test_pytorch_has_every_name(pytorch: Any) -> None:
    for name in LISTED:
        resolve(pytorch, name)


def test_the_surface_stays_small() -> None:
    assert len(public(dir(minigrad))) <= 340
    assert len(public(dir(minigrad.Tensor))) <= 300


def test_nothing_unlisted_hides_in_the_package() -> None:
    unlisted = set(public(vars(minigrad))) - {name.rpartition(".")[2] for name in LISTED}
    assert [n for n in unlisted if not isinstance(getattr(minigrad, n), ModuleType)] == []


def test_no_submodule_shadows_a_class() -> None:
    classes = {name.lower() for name in LISTED if name != name.lower()}
    for module in [name for name in sys.modules if name.startswith("minigrad.")]:
        parent, _, name = module.rpartition(".")
        public_name = module.replace("minigrad", "torch", 1)
        if public_name in classes and public_name not in LISTED:
            assert not isinstance(vars(sys.modules[parent]).get(name), ModuleType), module


# Names that beginners write, and how the error goes on after PyTorch's text.
MISSING = {
    "torch.conv2d": "minigrad is the part of PyTorch that its lessons use, so PyTorch may have it.",
    "torch.sigmoyd": "Near it: sigmoid. ",
    "torch.nn.linear": "Near it: Linear.",
    "torch.nn.module": "Near it: Module.",
    "torch.nn.dropout": "Near it: Dropout.",
    "torch.nn.CrossEntropy": "Near it: CrossEntropyLoss. minigrad is the part",
    "torch.nn.functional.mseloss": "Near it: mse_loss. ",
    "torch.nn.init.xavier_uniform": "Near it: xavier_uniform_. ",
    "torch.optim.sgd": "Near it: SGD.",
    "torch.optim.adam": "Near it: Adam.",
    "torch.optim.lr_scheduler.StepLr": "Near it: StepLR.",
    "torch.utils.data.Dataloader": "Near it: DataLoader, ",
    "torch.autograd.functional.jacobians": "Near it: jacobian. ",
    "torch.cuda.get_device_name": "minigrad is the part",
}


@pytest.mark.parametrize("name", MISSING)
def test_missing_names_say_what_is_near(name: str) -> None:
    owner, _, last = name.rpartition(".")
    with pytest.raises(AttributeError) as caught:
        resolve(minigrad, name)
    begin = f"module '{owner}' has no attribute '{last}'. {MISSING[name]}"
    assert str(caught.value).startswith(begin)
    assert not hasattr(resolve(minigrad, owner), last)


def test_tensors_say_what_is_near() -> None:
    with pytest.raises(
        AttributeError, match=r"'Tensor' object has no attribute 'summ'. Near it: sum"
    ):
        minigrad.ones(1).summ  # noqa: B018
    with pytest.raises(AttributeError, match=r"^'Tensor' object has no attribute '_repr_html_'$"):
        minigrad.ones(1)._repr_html_  # noqa: B018
