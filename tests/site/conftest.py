"""The site, built once for all tests that look at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.conftest import browser_type_launch_args as browser_type_launch_args

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built as `make site` builds it: a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = "-m sphinx --quiet --fail-on-warning --keep-going --conf-dir docs ."
    ran = subprocess.run(
        [sys.executable, *command.split(), str(folder)], cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder
