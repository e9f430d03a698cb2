"""Finds the submissions in a folder: nbgrader's, or one notebook or folder for each student.

Names and files are students'. Links are not followed, and nothing is read here. What cannot be
graded is kept as it is found, with the reason.
"""

import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DEEPEST = 4  # folders within a student's
_SUBMITTED = "submitted"
MOST_FILES = 1000  # looked at in one student's folder


@dataclass(frozen=True)
class Submission:
    """What a student has handed in: a notebook, or why there is none that can be graded."""

    student: str
    notebook: Path | None
    problem: str | None = None


@dataclass(frozen=True)
class Found:
    """The submissions, by student; and what was left out, with the reason, for the teacher."""

    submissions: list[Submission]
    left_out: list[str]


class Refused(Exception):
    """This is not graded; the text says why."""


def find_submissions(folder: Path, name: str, largest: int) -> Found:
    """The submissions in `folder` of the lesson of that name. OSError if it cannot be listed.

    Layouts: nbgrader's ``STUDENT/LESSON/NOTEBOOK.ipynb`` (its course folder will do), and
    ``STUDENT.ipynb`` or ``STUDENT/....ipynb``. largest: in bytes, of a notebook.
    """
    found: dict[str, Submission] = {}
    left_out: list[str] = []
    for entry in sorted(os.scandir(submitted(folder)), key=lambda entry: entry.name):
        if entry.name.startswith(".") or not _may_hold_work(entry):
            continue
        student = _student(entry)
        reason = _bad_name(student)
        if reason is not None:
            left_out.append(f"{shown(entry.name)}: {reason}")
            continue
        submission = _submission(entry, student, name, largest)
        if submission is None:
            left_out.append(f"{shown(entry.name)}: no notebook of lesson {name}")
        elif student in found:
            found[student] = Submission(student, None, f"Two submissions, {shown(entry.name)} too.")
        else:
            found[student] = submission
    return Found(list(found.values()), left_out)


def submitted(folder: Path) -> Path:
    """Where the submissions lie, if `folder` is a whole course of nbgrader's."""
    return folder / _SUBMITTED if is_course(folder) else folder


def is_course(folder: Path) -> bool:
    """Whether nbgrader keeps a course there, with submissions in a folder of their own.

    Beside submissions such files would be students', and nbgrader's configuration is a program.
    """
    if not (folder / _SUBMITTED).is_dir():
        return False
    return any((folder / name).is_file() for name in ("nbgrader_config.py", "gradebook.db"))


def shown(name: str) -> str:
    """A name from a student's disk, harmless on a terminal and in a page.

    >>> shown("a\\x1b[2Jb")
    "'a\\\\x1b[2Jb'"
    """
    return name if name.isprintable() else ascii(name)


def read_whole(path: Path, largest: int) -> bytes:
    """The file's content. Refused for what is no ordinary file of that size; it never waits."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        _refuse(path.lstat(), largest)
        with open(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as file:
            _refuse(os.fstat(file.fileno()), largest)
            return file.read(largest + 1)
    except OSError as error:
        raise Refused(f"The file cannot be read: {error.strerror}.") from None


def _refuse(status: os.stat_result, largest: int) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise Refused("This is a link to another file. Links are not followed.")
    if not stat.S_ISREG(status.st_mode):
        raise Refused("This is not an ordinary file.")
    if status.st_size > largest:
        raise Refused(
            f"The file has {status.st_size / 1e6:,.0f} MB; up to {largest / 1e6:,.0f} MB are read. "
            "Clear its outputs and hand it in again."
        )


def _may_hold_work(entry: os.DirEntry[str]) -> bool:
    # Lists, configuration and the like lie beside the submissions.
    return entry.name.endswith(".ipynb") or entry.is_dir()


def _student(entry: os.DirEntry[str]) -> str:
    is_folder = entry.is_dir(follow_symlinks=False)
    return entry.name if is_folder else entry.name.removesuffix(".ipynb")


def _bad_name(student: str) -> str | None:
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in student):
        return "its name holds line breaks, control characters or bytes that are no text"
    if not student.strip():
        return "its name is empty"
    return None


def _submission(
    entry: os.DirEntry[str], student: str, name: str, largest: int
) -> Submission | None:
    if entry.is_symlink():
        return Submission(student, None, "This is a link to another place. Links are not followed.")
    path = Path(entry.path)
    if entry.is_dir():
        try:
            chosen = _chosen(path, sorted(_notebooks(path)), name)
        except Refused as reason:
            return Submission(student, None, str(reason))
        except OSError as error:
            return Submission(student, None, f"The folder cannot be read: {error.strerror}.")
        if chosen is None:
            return None
        path = chosen
    try:
        _refuse(path.lstat(), largest)
    except Refused as reason:
        return Submission(student, None, str(reason))
    except OSError as error:
        return Submission(student, None, f"The file cannot be read: {error.strerror}.")
    return Submission(student, path)


def _notebooks(folder: Path) -> Iterator[Path]:
    waiting, seen = [(folder, 0)], 0
    while waiting:
        place, depth = waiting.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                seen += 1
                if seen > MOST_FILES:
                    raise Refused(f"The folder holds more than {MOST_FILES:,} files.")
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if depth < DEEPEST:
                        waiting.append((Path(entry.path), depth + 1))
                elif entry.name.endswith(".ipynb"):
                    yield Path(entry.path)


def _chosen(folder: Path, notebooks: list[Path], name: str) -> Path | None:
    """The one that is meant: by its name, else by its folder's, else the only one there is."""
    by_name = [path for path in notebooks if path.stem == name]
    by_folder = [path for path in notebooks if name in path.relative_to(folder).parts]
    # What lies in another lesson's folder, or is called as one, is meant for that one.
    others = [path for path in notebooks if not _of_another_lesson(path.relative_to(folder), name)]
    candidates = by_name or by_folder or others
    if len(candidates) > 1:
        names = ", ".join(shown(path.relative_to(folder).as_posix()) for path in candidates[:5])
        raise Refused(f"Which one is meant? There are {len(candidates)} notebooks: {names}.")
    return candidates[0] if candidates else None


def _of_another_lesson(path: Path, name: str) -> bool:
    return any(
        part[:2].isdigit() and part[2:3] == "_" and part[:3] != name[:3] for part in path.parts
    )
