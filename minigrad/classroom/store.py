"""What has been graded so far, on disk: kept whatever happens to the run."""

import json
import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from minigrad.classroom.grades import Grade


@dataclass(frozen=True)
class Cell:
    """A cell of the student's own: of which exercise it holds the answer, if of one.

    grade_id: nbgrader's name of it. given: whether it is not the student's, but the lesson's.
    """

    kind: str
    source: str
    exercise: str | None = None
    grade_id: str | None = None
    given: bool = False


@dataclass(frozen=True)
class Graded:
    """A grade, and what the student had written."""

    grade: Grade
    cells: tuple[Cell, ...] = ()

    def to_json(self) -> str:
        """All of it as one text."""
        return json.dumps([self.grade.to_json(), [asdict(cell) for cell in self.cells]])

    @staticmethod
    def from_json(text: str) -> "Graded":
        """What `to_json` wrote."""
        grade, cells = json.loads(text)
        return Graded(Grade.from_json(grade), tuple(Cell(**cell) for cell in cells))


class StoreError(Exception):
    """The file cannot be used; the text says why."""


class Store:
    """Results by key, in a file of SQLite's. Each is safe on disk when `put` returns.

    A second run that opens it while it is in use gets a StoreError.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._database = sqlite3.connect(path, timeout=1.0, isolation_level=None)
        except sqlite3.Error as error:
            raise self._said(error) from error
        try:
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.execute("BEGIN EXCLUSIVE")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, graded TEXT NOT NULL)"
            )
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, note TEXT NOT NULL)"
            )
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            self._database.close()
            raise self._said(error) from error

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._database.close()

    def __contains__(self, key: object) -> bool:
        return bool(self._rows("SELECT 1 FROM results WHERE key = ?", str(key)))

    def get(self, key: str) -> Graded:
        """The result under that key; KeyError if there is none yet."""
        rows = self._rows("SELECT graded FROM results WHERE key = ?", key)
        if not rows:
            raise KeyError(key)
        return Graded.from_json(rows[0][0])

    def put(self, key: str, graded: Graded) -> None:
        """Keep a result, in place of an older one."""
        self._rows("INSERT OR REPLACE INTO results VALUES (?, ?)", key, graded.to_json())

    def note(self, name: str) -> str:
        """The note of that name; empty if there is none."""
        rows = self._rows("SELECT note FROM notes WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    def put_note(self, name: str, note: str) -> None:
        """Keep a note, in place of an older one."""
        self._rows("INSERT OR REPLACE INTO notes VALUES (?, ?)", name, note)

    def _rows(self, statement: str, *values: str) -> list[Any]:
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._said(error) from error

    def _said(self, error: sqlite3.Error) -> StoreError:
        if "locked" in str(error):
            return StoreError("another run is at work there. Wait for it, or stop it first.")
        return StoreError(
            f"{self._path} cannot be used ({error}). "
            "Delete it if it is damaged: all is graded anew."
        )
