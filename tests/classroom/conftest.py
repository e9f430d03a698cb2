"""What the classroom's tests share."""

from pathlib import Path

import pytest

from minigrad import cli


def built(kind: str, folder: Path) -> Path:
    """The folder, with a build in it."""
    assert cli.main([kind, str(folder)]) == 0
    return folder


@pytest.fixture(scope="session")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The student's version of all lessons."""
    return built("student", tmp_path_factory.mktemp("student") / "lessons")


@pytest.fixture(scope="session")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The solved version of all lessons."""
    return built("solved", tmp_path_factory.mktemp("solved") / "lessons")


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lessons as an nbgrader course."""
    return built("nbgrader", tmp_path_factory.mktemp("course") / "minigrad")
