"""A sandbox shows Python and the system's libraries, and nothing of anybody's."""

import sys
from pathlib import Path

import pytest

import minigrad
from minigrad.classroom import protection
from minigrad.classroom.library import make_tree

pytestmark = pytest.mark.sandbox


def is_shown(place: Path) -> bool:
    tree = make_tree(Path("/nowhere"))
    within = [one for one in tree.shown if place.is_relative_to(one)]
    return bool(within) and not any(place.is_relative_to(one) for one in tree.hidden)


@pytest.mark.parametrize(
    "place",
    ["/usr/local/share/nbgrader/exchange", "/usr/src/app", "/usr/local/src", "/home", "/opt"],
)
def test_where_others_keep_their_files_is_not_shown(place: str) -> None:
    assert not is_shown(Path(place))


@pytest.mark.parametrize("base", ["/usr", "/usr/local", "/opt/python"])
def test_it_is_so_for_any_python(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "base_prefix", base)
    test_where_others_keep_their_files_is_not_shown("/usr/local/share/nbgrader/exchange")
    test_where_others_keep_their_files_is_not_shown("/usr/src/app")


def test_a_checkout_is_not_shown_even_beside_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not is_shown(Path(minigrad.__file__))
    inside = tmp_path / "lib" / "checkout" / "minigrad" / "__init__.py"
    inside.parent.mkdir(parents=True)
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    monkeypatch.setattr(minigrad, "__file__", str(inside))
    assert is_shown(tmp_path / "lib")
    assert not is_shown(inside)


def test_a_sandbox_that_can_start_no_process_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert protection.find_protection() is protection.Protection.BUBBLEWRAP
    monkeypatch.setattr(protection, "_TRIAL", "import os; os.wait()")
    with pytest.raises(protection.Unprotected, match="No child processes"):
        protection.find_protection()


def test_python_is_shown() -> None:
    assert is_shown(Path(sys.executable).resolve())
