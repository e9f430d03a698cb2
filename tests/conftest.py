"""What the tests share."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

# What they run knows Linux and macOS alone: repo2docker, a hub, its shell script.
_NOT_ON_WINDOWS = ["hub", "test_binder.py", "test_hub_configuration.py"]
collect_ignore = _NOT_ON_WINDOWS if sys.platform == "win32" else []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--programs",
        type=int,
        default=2_000,
        help="how many random programs to compare with PyTorch (tests/parity/test_differential.py)",
    )


@pytest.fixture(
    scope="module", params=["minigrad", pytest.param("torch", marks=pytest.mark.parity)]
)
def torch(request: pytest.FixtureRequest) -> Iterator[Any]:
    """minigrad, and with `make parity` PyTorch too: what a test asserts must hold of both."""
    engine = importlib.import_module(request.param)
    if request.param == "minigrad":
        yield engine
        return
    engine.set_warn_always(True)
    yield engine
    engine.set_warn_always(False)
