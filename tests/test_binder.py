"""Binder builds what README's badge promises: minigrad with all that the lessons need."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def would_build(*options: str) -> str:
    """What repo2docker would build from this repository; needs no Docker."""
    printed = subprocess.run(
        [sys.executable, "-m", "repo2docker", "--no-build", "--no-run", "--debug", *options, "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert printed.returncode == 0, printed.stderr
    return printed.stdout


@pytest.fixture(scope="module")
def dockerfile() -> str:
    return would_build()


def position(pattern: str, dockerfile: str) -> int:
    found = re.search(pattern, dockerfile)
    assert found, f"no {pattern!r} in the Dockerfile"
    return found.start()


def test_python_is_one_that_minigrad_supports(dockerfile: str) -> None:
    chosen = re.search(r"environment-2epy-2d3-2e(\d+)", dockerfile)
    assert chosen
    assert f"python-3.{chosen[1]}\n" == (ROOT / "binder" / "runtime.txt").read_text()
    assert int(chosen[1]) >= 11


def test_minigrad_is_installed_from_the_copied_repository(dockerfile: str) -> None:
    copied = position(r"COPY .* src/ \$\{REPO_DIR\}/", dockerfile)
    installed = position(
        r'RUN \$\{KERNEL_PYTHON_PREFIX\}/bin/pip install .* -r "binder/requirements.txt"',
        dockerfile,
    )
    assert copied < installed
    assert (ROOT / "binder" / "requirements.txt").read_text().startswith("-e .[lab]\n")


def test_the_badge_opens_the_first_lesson() -> None:
    (opened,) = re.findall(r"urlpath=lab/tree/(\S+\.ipynb)", (ROOT / "README.md").read_text())
    assert ROOT / opened == min((ROOT / "lessons").glob("*.ipynb"))
