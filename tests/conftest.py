"""What the tests share: the two engines, and the size of the property tests."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

PROGRAMS = 100

# Linux and macOS only: repo2docker, a hub, its shell script.
_NOT_ON_WINDOWS = ["hub", "test_binder.py", "test_hub_configuration.py"]
# Imports the site's own extension.
_WITH_SPHINX = [] if importlib.util.find_spec("docutils") else ["site/test_site.py"]
collect_ignore = (_NOT_ON_WINDOWS if sys.platform == "win32" else []) + _WITH_SPHINX


# What a marker's tests need, as modules and programs.
NEEDS = {
    "parity": ["torch"],
    "browser": ["playwright", "chromium"],
    "classroom": ["nbgrader"],
    "hub": ["jupyterhub", "node"],
    "site": ["sphinx", "playwright", "chromium"],
    "lite": ["jupyterlite_core", "playwright", "node", "chromium"],
    "sandbox": ["bwrap"],
}


def is_there(need: str) -> bool:
    if need == "chromium":
        return Path(os.environ.get("CHROMIUM", "/usr/bin/chromium")).exists()
    return bool(importlib.util.find_spec(need) or shutil.which(need))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Plain `pytest` skips what this machine lacks. A target that chose the tests runs them."""
    if config.getoption("markexpr"):
        return
    absent = {name for name, needs in NEEDS.items() if not all(map(is_there, needs))}
    for marker in config.getini("markers"):
        name, _, reason = marker.partition(": ")
        for item in items if name in absent else ():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--programs",
        type=int,
        default=PROGRAMS,
        help="how many programs each property test generates (other than the default: new ones)",
    )


def pytest_configure(config: pytest.Config) -> None:
    count = config.getoption("--programs")
    hypothesis.settings.register_profile(
        "minigrad",
        max_examples=count,
        derandomize=count == PROGRAMS,  # the gate answers the same every time
        database=None,
        deadline=None,  # a slow machine is not a finding
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("minigrad")


class ByLesson(LoadScopeScheduling):
    """Divides tests among processes so that each lesson, or else each file, stays in one of them.

    `xdist_group` would say it, but pytest-xdist 3.8 puts none into the names of pytest 9.2.
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
def torch(request: pytest.FixtureRequest) -> Any:
    """Each engine in turn: a test that uses it must pass on PyTorch, too (marker `parity`)."""
    return importlib.import_module("minigrad") if request.param == "minigrad" else load_pytorch()


@pytest.fixture(scope="module")
def pytorch() -> Any:
    """PyTorch, for tests that compare both engines; these carry the marker `parity`."""
    return load_pytorch()


def load_pytorch() -> Any:
    """PyTorch, set to compute in one thread and to repeat warnings like minigrad's tests."""
    engine = importlib.import_module("torch")
    engine.set_num_threads(1)
    engine.set_warn_always(True)
    return engine


@pytest.fixture(autouse=True)
def warnings_repeat() -> None:
    """Let minigrad repeat in each test what it says once per process."""
    importlib.import_module("minigrad.warn").warned.clear()
