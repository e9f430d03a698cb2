"""What Canvas, Moodle and nbgrader call a student, and how they name what was handed in.

Sources: Canvas's guide "How do I import grades in the Gradebook?", https://docs.moodle.org/en/Grade_import
and https://docs.moodle.org/en/Assignment_settings, and what both name the files of a download.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from minigrad.classroom.errors import CannotGrade

# lovelaceada_LATE_12345_67890_homework-1.ipynb: the user's number, the upload's, its version.
_CANVAS = re.compile(
    r"([^_]+)_(LATE_)?(\d+)_(\d+)_(?P<file>.+?)(?:-\d+)?(?P<kind>\.[^.]+)?\Z", re.DOTALL
)
# Ada Lovelace_12345_assignsubmission_file_, a folder, or followed by the file's own name.
_MOODLE = re.compile(r"([^_]+)_(\d+)_assignsubmission_[a-z]+_?(?P<file>.*)\Z", re.DOTALL)

# The columns of their gradebooks by which they know a student.
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("First name", "Last name", "Surname", "Username", "ID number", "Email address")
# Of a roster's columns those that name a student; each is compared without case and punctuation.
_NAMES = {*map(str.lower, CANVAS[:-1] + MOODLE), "name", "full name", "email", "identifier"}


@dataclass(frozen=True)
class Upload:
    """What the name of a file or folder says.

    names: what its student is called there, the surest first. file: the student's own name of it,
    without the version that an LMS adds. before: what an LMS puts before that, by which it knows
    whose it is when it is returned. number: grows with each upload.
    """

    student: str
    names: tuple[str, ...]
    file: str = ""
    before: str = ""
    late: bool = False
    number: int = 0


NO_UPLOAD = Upload("", ())


def upload(name: str, stem: str) -> Upload:
    """What the name of a file or folder says. stem: the student's name, if no LMS has named it.

    >>> upload("lovelaceada_LATE_12_345_work-1.ipynb", "").student
    'lovelaceada'
    """
    if found := _MOODLE.match(name):
        student = found[1].strip()
        names = (f"Participant {found[2]}", student)
        before = name[: found.start("file")] + ("" if found["file"] else "/")
        return Upload(student, names, found["file"], before)
    if found := _CANVAS.match(name):
        names, file = (_canvas(found[3]), found[1]), found["file"] + (found["kind"] or "")
        before = name[: found.start("file")]
        return Upload(found[1], names, file, before, bool(found[2]), int(found[4]))
    return Upload(stem, (stem,))


def _canvas(number: str) -> str:
    return f"canvas {number}"


@dataclass(frozen=True)
class Roster:
    """The class: a row of the teacher's table for each student, by name.

    known: by whatever else a student is called; several students if that is their group.
    """

    columns: tuple[str, ...] = ()
    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def students(self, one: Upload) -> tuple[str, ...]:
        """Whose upload it is; nobody's if they aren't in the table."""
        return next((self.known[key] for key in map(_key, one.names) if key in self.known), ())

    def for_lms(self, lesson: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
        """The gradebooks that the table has the columns of: which, those, and the lesson's own."""
        has = set(self.columns)
        if {"Student", "ID"} <= has:
            exported = (one for one in self.columns if one.startswith(lesson))
            yield "canvas", CANVAS, next(exported, lesson)
        if has & set(MOODLE[3:]):
            yield "moodle", tuple(one for one in MOODLE if one in has), lesson


def read_roster(path: Path) -> Roster:
    """The class in a CSV file, such as the gradebook that Canvas or Moodle exports.

    CannotGrade if it can't be read, or if two students have one name.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        first = text.partition("\n")[0]
        table = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
        read = [{(key or "").strip(): _text(row[key]) for key in row} for row in table]
    except (OSError, ValueError, csv.Error) as error:
        raise CannotGrade(f"cannot read the roster {path} as CSV in UTF-8: {error}") from error
    rows: dict[str, dict[str, str]] = {}
    known: dict[str, dict[str, None]] = {}
    groups = set()
    for row in read:
        name = _name(row)
        if name in rows:
            raise CannotGrade(f"{path} has two students {name!r}. Tell them apart in a column id.")
        if name and not name.lower().startswith(("points possible", "student, test")):
            rows[name] = row
            group = _key(_lower(row).get("group", ""))
            groups.add(group)
            for key in filter(None, [group, *map(_key, _called(name, row))]):
                known.setdefault(key, {})[name] = None
    if not rows:
        raise CannotGrade(f"there is no student in the roster {path}.")
    sure = {key: tuple(who) for key, who in known.items() if len(who) == 1 or key in groups}
    return Roster(tuple(read[0]), rows, sure)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _lower(row: dict[str, str]) -> dict[str, str]:
    return {column.lower().replace("_", " "): value for column, value in row.items()}


def _name(row: dict[str, str]) -> str:
    """The one name: nbgrader's id, or the full name, or what comes first."""
    given = row.get("id") or row.get("Student") or row.get("Full name") or _full(row)
    name = given or next(iter(row.values()), "")
    odd = {one for one in name if one in "/\\" or not one.isprintable()}  # it names a folder
    return "".join("-" if one in odd else one for one in name).lstrip(".")


def _full(row: dict[str, str]) -> str:
    lower = _lower(row)
    return (
        f"{lower.get('first name', '')} {lower.get('last name', lower.get('surname', ''))}".strip()
    )


def _called(name: str, row: dict[str, str]) -> Iterator[str]:
    """What a student may be called; of a name of several words each order that begins elsewhere."""
    if row.get("ID"):
        yield _canvas(row["ID"])
    for text in (name, _full(row), *(value for one, value in _lower(row).items() if one in _NAMES)):
        words = text.split()
        yield from (" ".join(words[at:] + words[:at]) for at in range(len(words)))


def _key(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).casefold()
    return "".join(filter(str.isalnum, letters))
