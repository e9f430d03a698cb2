"""How far a learner is: a small JSON file in the notebook's folder, and nowhere else.

It is written whole or not at all, and several notebooks may write at once. A damaged file is put
aside and begun anew. Where nothing can be written, progress lasts as long as the kernel.
"""

import contextlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

FILE = ".minigrad-progress.json"

_PATIENCE = 1.0  # seconds to wait for another notebook that is writing


@dataclass(frozen=True)
class Standing:
    """How far one exercise is: attempts made, hints taken, whether it is solved."""

    attempts: int = 0
    hints: int = 0
    solved: bool = False


# What could not be written, by folder.
_unwritten: dict[Path, dict[str, Standing]] = {}


def standing(exercise: str) -> Standing:
    """How far the exercise is, in the notebook's folder."""
    return standings().get(exercise, Standing())


def standings() -> dict[str, Standing]:
    """All exercises with which something was done in the notebook's folder."""
    folder = Path.cwd()
    return _read(folder) | _unwritten.get(folder, {})


def note(exercise: str, attempts: int = 0, hints: int = 0, solved: bool = False) -> str:
    """Add to what is known of an exercise. Empty, or why it could not be written down."""
    folder = Path.cwd()
    try:
        with _alone(folder):
            known = _read(folder) | _unwritten.get(folder, {})
            _add(known, exercise, attempts, hints, solved)
            _write(folder, known)
        _unwritten.pop(folder, None)
        return ""
    except OSError as error:
        _add(_unwritten.setdefault(folder, _read(folder)), exercise, attempts, hints, solved)
        reason = error.strerror or error
        return f"Your progress can't be saved ({reason}). It's kept until the kernel stops."


def _add(
    known: dict[str, Standing], exercise: str, attempts: int, hints: int, solved: bool
) -> None:
    was = known.get(exercise, Standing())
    known[exercise] = Standing(was.attempts + attempts, was.hints + hints, was.solved or solved)


def _read(folder: Path) -> dict[str, Standing]:
    try:
        entries = json.loads((folder / FILE).read_bytes())
        return {str(name): _standing(entry) for name, entry in entries.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _standing(entry: dict[str, Any]) -> Standing:
    kept = {field.name: entry[field.name] for field in fields(Standing)}
    if [type(value) for value in kept.values()] != [int, int, bool]:
        raise ValueError("another kind of entry")
    return Standing(**kept)


def _write(folder: Path, known: dict[str, Standing]) -> None:
    path = folder / FILE
    if path.exists() and not _read(folder):
        os.replace(path, path.with_name(FILE + ".damaged"))
    part = path.with_name(f"{FILE}.{os.getpid()}.part")
    try:
        entries = {name: asdict(entry) for name, entry in sorted(known.items())}
        part.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other notebooks from writing meanwhile, where the system has locks for folders.

    Elsewhere (Windows, a browser) two notebooks that write in the same instant may lose one of two
    notes.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                flock(handle, LOCK_EX | LOCK_NB)
                break
            time.sleep(0.01)
        yield
    finally:
        os.close(handle)
