"""One JupyterLab and one Chromium for all tests that look at the lessons in a browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.lab import running_lab
from tests.browser.lesson import Lesson

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",  # Chromium needs this where it runs as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the system's Chromium rather than one that Playwright would have to download."""
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running JupyterLab."""
    with running_lab(tmp_path_factory.mktemp("lab")) as address:
        yield address


@pytest.fixture(scope="module")
def lesson(browser: Browser, lab: str, name: str) -> Iterator[Lesson]:
    """The lesson ``name``, opened and run."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        lesson = Lesson(context.new_page(), name)
        lesson.open(lab)
        yield lesson
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")
