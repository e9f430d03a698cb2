"""What the tests share."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.parity.reached import LARGE, Reached

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


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--programs") >= LARGE and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reached())


class ByLesson(LoadScopeScheduling):
    """Divides tests among processes so that each lesson, or else each file, stays in one of them.

    An `xdist_group` would say it, but pytest-xdist 3.8 puts none into the names of pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        lesson = re.search(r"\[(\d\d_\w+)", nodeid)
        return lesson[1] if lesson else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByLesson | None:
    return ByLesson(config, log) if config.getvalue("dist") == "loadscope" else None


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
