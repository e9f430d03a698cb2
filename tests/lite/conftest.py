"""The site for a browser alone, built, served on loopback, and opened in a real Chromium."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.lite.site import Site
from tests.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BUILD = Path(__file__).parents[2] / "docs" / "lite" / "build.py"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the system's Chromium, which finds no address but this machine's own."""
    arguments = [*ARGUMENTS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": arguments}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as `make lite` builds it."""
    output = tmp_path_factory.mktemp("lite") / "site"
    subprocess.run([sys.executable, BUILD, output], check=True, stdout=subprocess.DEVNULL)
    return output


@pytest.fixture(scope="session")
def address(folder: Path) -> Iterator[str]:
    """Where the site is served."""
    with served(folder) as address:
        yield address


@pytest.fixture(scope="module")
def site(browser: Browser, address: str) -> Iterator[Site]:
    """The site in a browser that has never seen it, its first lesson open, its kernel started."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        site = Site(context.new_page(), address)
        site.open("00_start_here.ipynb")
        yield site
