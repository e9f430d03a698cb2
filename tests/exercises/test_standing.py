"""Progress: kept in the notebook's folder, whatever becomes of the file."""

import json
import threading
from pathlib import Path

import pytest

from minigrad.exercises import standing
from minigrad.exercises.standing import FILE, Standing, note, standings


def test_it_is_kept_in_the_folder(folder: Path) -> None:
    assert note("04_diamond", attempts=1) == ""
    assert note("04_diamond", hints=1) == ""
    assert note("04_diamond", attempts=1, solved=True) == ""
    assert note("04_diamond", attempts=1) == ""
    assert standings() == {"04_diamond": Standing(attempts=3, hints=1, solved=True)}
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[1]", b'{"04_diamond": 3}', b"\xff\xfe", b'{"x": {"attempts": "a"}}']
)
def test_a_damaged_file_is_put_aside(folder: Path, damage: bytes) -> None:
    (folder / FILE).write_bytes(damage)
    assert standings() == {}
    assert note("04_diamond", attempts=1) == ""
    assert standings() == {"04_diamond": Standing(attempts=1)}
    assert (folder / f"{FILE}.damaged").read_bytes() == damage


def test_where_nothing_can_be_written_it_is_kept_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    note("04_diamond", attempts=1)
    monkeypatch.setattr(standing, "_write", refuse)
    assert "Read-only file system" in note("04_diamond", attempts=1)
    assert "Read-only file system" in note("04_repair", hints=1)
    assert standings() == {"04_diamond": Standing(attempts=2), "04_repair": Standing(hints=1)}
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert note("04_repair", hints=1) == ""
    assert json.loads((folder / FILE).read_text())["04_diamond"]["attempts"] == 2


def test_several_notebooks_write_at_once(folder: Path) -> None:
    def write(name: str) -> None:
        for _ in range(10):
            note(name, attempts=1)
            note("shared", hints=1)

    threads = [threading.Thread(target=write, args=(f"{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert standings()["shared"].hints == 40
    assert [standings()[str(i)].attempts for i in range(4)] == [10] * 4
    assert [path.name for path in folder.iterdir()] == [FILE]
