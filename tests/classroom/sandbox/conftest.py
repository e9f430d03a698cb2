"""What the sandbox's tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from minigrad.classroom.library import make_library, private_folder
from minigrad.classroom.protection import Limits, Protection
from minigrad.classroom.session import Place
from minigrad.exercises import cell_guard


@pytest.fixture(scope="session")
def library() -> Iterator[Path]:
    with private_folder() as folder:
        make_library(folder)
        yield folder


@pytest.fixture(params=[Protection.BUBBLEWRAP, Protection.NAMESPACES], ids=lambda one: one.value)
def place(request: pytest.FixtureRequest, library: Path) -> Place:
    """A sandbox of each kind."""
    return Place(library, request.param, Limits())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing remembered of other cells."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cell_guard, "_troubles", {})
    return tmp_path
