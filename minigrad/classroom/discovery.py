"""Finds what was handed in: nbgrader's folders, or one notebook, folder or zip file per student.

Names and files are students'. Links are not followed. Every entry of the folder is accounted for:
what can't be graded is there with the reason.
"""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from minigrad.classroom.assignment import Assignment, fingerprint
from minigrad.classroom.errors import CannotGrade
from minigrad.classroom.lms import NO_UPLOAD, Roster, Upload, upload
from minigrad.classroom.reading import (
    Notebook,
    NotRead,
    Refused,
    among,
    parse,
    read_whole,
    unzipped,
    zipped,
)

DEEPEST = 8  # folders within a student's
MOST_FILES = 1000  # in one student's folder
MOST_NOTEBOOKS = 30  # of one student's that are compared
MOST_NAMED = 5
MOST_SAMPLES = 5  # notebooks that are read to find out which lesson it is
LATE = "It was handed in late."
NOBODY = "The roster doesn't have this student."
_SUBMITTED = "submitted"
_NOTEBOOK = re.compile(r"(.*)\.ipynb(\.txt|\.json)?\Z", re.IGNORECASE | re.DOTALL)
_ZIP = re.compile(r"(.*)\.zip\Z", re.IGNORECASE | re.DOTALL)
# What systems and programs leave behind.
_LITTER = re.compile(
    r"\._.*|\.DS_Store|\.git.*|\.ipynb_checkpoints|__MACOSX|Thumbs\.db|desktop\.ini"
)


@dataclass(frozen=True)
class File:
    """A file that may hold a notebook. place: relative to the student's folder.

    number: of the file in the zip file at `path`, if it is in one. upload: what its name says, or
    that of the student's folder.
    """

    path: Path
    place: str
    number: int | None = None
    problem: str | None = None
    upload: Upload = NO_UPLOAD

    @property
    def name(self) -> str:
        """The same for all versions of it that were uploaded."""
        if self.upload.file:
            return self.upload.file + self.place.removeprefix(self.path.name)
        return self.place

    def content(self, largest: int) -> bytes:
        """Its bytes. Refused if they can't be had."""
        if self.problem is not None:
            raise Refused(self.problem)
        if self.number is not None:
            return unzipped(self.path, self.number)
        return read_whole(self.path, largest)

    def within(self, folder: Path) -> str:
        """The place, relative to the folder of all submissions."""
        student = self.path.relative_to(folder).parts[0]
        return self.place if self.path.parent == folder else f"{student}/{self.place}"


@dataclass(frozen=True)
class Submission:
    """What a student has handed in: a notebook, or why there is none that can be graded.

    note: what the teacher should know although it is graded. filed: whether it has a student, who
    gets a page, and a line in the gradebook. returned: what the page's name begins with when it is
    returned.
    """

    student: str
    notebook: File | None = None
    problem: str | None = None
    note: str | None = None
    filed: bool = True
    returned: str = ""


@dataclass
class _Entry:
    """What lies under one name: the files that may hold a notebook, and the names of the others.

    upload: what the name says of what is looked at.
    """

    note: str | None = None
    upload: Upload = NO_UPLOAD
    files: list[File] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    problem: str | None = None


def find_submissions(
    folder: Path, assignment: Assignment, largest: int, roster: Roster
) -> list[Submission]:
    """All that is in `folder`, by name. OSError if it can't be listed.

    Layouts: nbgrader's ``STUDENT/LESSON/NOTEBOOK.ipynb`` (its course folder will do), and
    ``STUDENT.ipynb``, ``STUDENT.zip`` or ``STUDENT/....ipynb``, named by the student or an LMS.
    largest: in bytes, of a notebook. roster: gives each student the one name.
    """
    entries, found = _entries(folder, roster)
    found += [_chosen(one, entries[one], assignment, largest) for one in entries]
    return sorted(found, key=lambda one: one.student)


def find_lesson(folder: Path, lessons: Collection[str], largest: int) -> str:
    """The lesson that was handed in, by the folders' names or by what is in some notebooks.

    lessons: the names of all. CannotGrade if it can't be told; OSError if they can't be listed.
    """
    files = [one.files for one in _entries(folder, Roster())[0].values() if one.files]
    counts = Counter(one for one in lessons for theirs in files if _of_folder(one, theirs))
    counts = counts or _sampled(files, largest)
    likely = [one for one, number in counts.items() if 2 * number > max(counts.values())]
    if len(likely) == 1:
        return likely[0]
    what = f"of lessons {', '.join(sorted(likely))}" if likely else "of no lesson that is known"
    raise CannotGrade(f"what is in {folder} is {what}. Name the lesson: --lesson 04, for example.")


def _of_folder(lesson: str, files: list[File]) -> list[File]:
    """Those that were handed in for the lesson, in nbgrader's layout."""
    return [file for file in files if lesson in Path(file.place).parts[:-1]]


def _sampled(files: list[list[File]], largest: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for theirs in files:
        if counts.total() < MOST_SAMPLES:
            with suppress(Refused, NotRead):
                counts.update(parse(theirs[-1].content(largest)).lessons[:1])
    return counts


def _entries(folder: Path, roster: Roster) -> tuple[dict[str, _Entry], list[Submission]]:
    """What each student has handed in; and what is nobody's."""
    listed = sorted(os.scandir(submitted(folder)), key=lambda entry: entry.name)
    listed = [entry for entry in listed if not _LITTER.fullmatch(entry.name)]
    uploads = [(entry, upload(entry.name, _stem(entry))) for entry in listed]
    called = Counter(name for name, _ in {(one.student, one.names) for _, one in uploads})
    entries: dict[str, _Entry] = {}
    found: list[Submission] = []
    for entry, one in uploads:
        # Two students of one name are told apart by what else the LMS calls them.
        name = one.student if called[one.student] == 1 else " ".join(reversed(one.names))
        students = roster.students(one)
        note = NOBODY if roster.rows and not students else None
        named = name or entry.name.startswith(".")
        if reason := _bad_name(name) if named else _not_a_student(entry.name):
            found.append(Submission(entry.name, problem=reason, filed=False))
            continue
        for student in students or (name,):
            into = entries.setdefault(student, _Entry(note))
            into.upload = one
            _look_into(entry, into)
    return entries, found


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


def _stem(entry: os.DirEntry[str]) -> str:
    """The student's name; empty if it can't be a student's."""
    if entry.is_dir(follow_symlinks=False):
        return entry.name
    named = _NOTEBOOK.match(entry.name) or _ZIP.match(entry.name)
    if named is not None:
        return named[1]
    return entry.name if entry.is_symlink() and entry.is_dir() else ""


def _not_a_student(name: str) -> str:
    if re.search(r"\.(7z|rar|t?gz|tar|bz2|xz)\Z", name, re.IGNORECASE):
        return "This kind of archive isn't opened. Unpack it, or ask for a zip file."
    return "This is not a notebook, a zip file or a folder."


def _bad_name(student: str) -> str | None:
    odd = (one for one in student if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp"))
    if any(odd) or any(unicodedata.bidirectional(one) in _OVERRIDES for one in student):
        return "Its name has line breaks, control characters or bytes that are not text. Rename it."
    if not student.strip() or student.startswith("."):
        return "Its name is empty or hidden. Rename it."
    return None


_OVERRIDES = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def _look_into(entry: os.DirEntry[str], into: _Entry) -> None:
    """Add what lies there."""
    path = Path(entry.path)
    try:
        if entry.is_dir(follow_symlinks=False):
            for file in _walk(path):
                _add(file, file.relative_to(path).as_posix(), into)
        else:
            _add(path, entry.name, into)
    except Refused as reason:
        into.problem = str(reason)
    except OSError as error:
        into.problem = f"The folder can't be read: {error.strerror}."


def _walk(folder: Path) -> Iterator[Path]:
    waiting, seen = [(folder, 0)], 0
    while waiting:
        place, depth = waiting.pop()
        with os.scandir(place) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                seen += 1
                if seen > MOST_FILES:
                    raise Refused(f"The folder holds more than {MOST_FILES:,} files.")
                if _LITTER.fullmatch(entry.name):
                    continue
                if not entry.is_dir(follow_symlinks=False):
                    yield Path(entry.path)
                elif depth < DEEPEST:
                    waiting.append((Path(entry.path), depth + 1))
                else:
                    raise Refused(f"The folder holds more than {DEEPEST} levels of folders.")


def _add(path: Path, place: str, into: _Entry) -> None:
    names = [place]
    if _ZIP.match(place):
        try:
            names = [f"{place}/{name}" for name in zipped(path)]
        except (Refused, NotRead) as reason:
            into.files.append(File(path, place, None, str(reason), into.upload))
            return
    for number, name in enumerate(names):
        parts = name.split("/")
        if not parts[-1] or any(map(_LITTER.fullmatch, parts)):
            continue
        if _NOTEBOOK.match(name) or path.is_symlink():
            at = number if _ZIP.match(place) else None
            into.files.append(File(path, name, at, upload=into.upload))
        else:
            into.others.append(name)


def _chosen(student: str, entry: _Entry, assignment: Assignment, largest: int) -> Submission:
    """The only notebook there is; of several the one with most answers, and what the others are."""
    found = _choice(student, entry, assignment, largest)
    uploaded = found.notebook.upload if found.notebook else entry.upload
    notes = filter(None, (found.note, LATE if uploaded.late else None, entry.note))
    returned = uploaded.before or f"{student}/"
    return replace(found, note=" ".join(notes) or None, returned=returned)


def _choice(student: str, entry: _Entry, assignment: Assignment, largest: int) -> Submission:
    name = assignment.name
    files = _of_folder(name, entry.files) or [
        file for file in entry.files if not _in_another_lessons_folder(file.place)
    ]
    if entry.problem is not None:
        return Submission(student, problem=entry.problem)
    if not files:
        others = [*(file.place for file in entry.files), *entry.others]
        named = f" There is only {_listed(others, ', ')}." if others else ""
        nothing = f"There is no notebook of lesson {name}.{named}"
        return Submission(student, problem=nothing, filed=False)
    latest = {one.name: one for one in sorted(files, key=lambda one: one.upload.number)}
    if len(latest) == 1:
        return Submission(student, latest.popitem()[1])
    if len(latest) > MOST_NOTEBOOKS:
        many = f"Which one is meant? There are {len(latest)} notebooks."
        return Submission(student, problem=many)
    surveys = [_survey(file, assignment, largest) for file in latest.values()]
    ours = [one for one in surveys if one.answers is not None]
    if not ours:
        said = _listed([one.text for one in surveys], "; ")
        return Submission(student, problem=f"There is no notebook of lesson {name}: {said}.")
    best = max(ours, key=lambda one: (one.answers, one.file.upload.number, one.named(name)))
    left = [one.text for one in surveys if one is not best and not one.elsewhere]
    note = f"Graded: {best.text}. Not graded: {_listed(left, '; ')}."
    return Submission(student, best.file, note=note if left else None)


@dataclass(frozen=True)
class _Survey:
    """What a notebook is. answers: how many exercises of the lesson it answers; None if not its."""

    file: File
    said: str
    answers: int | None = None
    elsewhere: bool = False  # of another lesson

    @property
    def text(self) -> str:
        """For the teacher."""
        return f"{shown(self.file.place)} ({self.said})"

    def named(self, lesson: str) -> bool:
        """Whether it has the lesson's name."""
        return Path(self.file.place).stem == lesson


def _survey(file: File, assignment: Assignment, largest: int) -> _Survey:
    try:
        notebook = parse(file.content(largest))
    except (Refused, NotRead) as reason:
        return _Survey(file, str(reason).rstrip("."))
    if assignment.lesson in notebook.lessons:
        answers = _answers(notebook, assignment)
        return _Survey(file, f"{answers} of {len(assignment.exercises)} answered", answers)
    if notebook.lessons:
        return _Survey(file, f"of lesson {notebook.lessons[0]}", elsewhere=True)
    return _Survey(file, "no exercise in it")


def _answers(notebook: Notebook, assignment: Assignment) -> int:
    written = {
        among(assignment.exercises, cell.exercise)
        for cell in notebook.cells
        if cell.kind == "code" and fingerprint(cell.source) not in assignment.given
    }
    return len(written - {None})


def _in_another_lessons_folder(place: str) -> bool:
    """Whether it was handed in for another lesson, in nbgrader's layout."""
    return re.match(r"\d\d_\w+/", place) is not None


def _listed(names: list[str], between: str) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return between.join(map(shown, names[:MOST_NAMED])) + more
