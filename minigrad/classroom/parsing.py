"""Parses one file that was handed in, as a program of its own, under limits of time and memory.

    python -I -S parsing.py notebook    the cells, as JSON
    python -I -S parsing.py zip         the names of the files in it, as JSON
    python -I -S parsing.py member 3    the bytes of one of them

The file is the standard input. Exit status 1: the output is a sentence that says why not.
"""

import json
import os
import re
import sys
import zipfile
from typing import Any

SECONDS = 10  # of CPU time
MEMORY = 1 << 30  # bytes of address space
LARGEST = 20 << 20  # bytes of a notebook
MOST_CELLS = 2_000
MOST_CHARACTERS = 200_000  # in a cell of code, and in all cells of text
MOST_TEXT = 2_000_000  # characters in all cells of code
MOST_PIECES = 1_000_000  # lists, objects and their entries: outputs and metadata, above all
MOST_MEMBERS = 1_000
LONGEST_NAME = 1_000

_MARK = re.compile(r"# exercise (\w{1,100})[ \t]*$", re.MULTILINE)


class Refused(Exception):
    """This is not graded; the text says why."""


def refuse_large(size: int, largest: int) -> None:
    """Raise Refused for a file of more bytes than that."""
    if size > largest:
        raise Refused(
            f"The file has {size / 1e6:,.0f} MB; up to {largest / 1e6:,.0f} MB are read. "
            "Clear its outputs and hand it in again."
        )


def cells_in(content: bytes) -> list[list[str | None]]:
    """Of each cell: its kind, its text, the exercise whose cell it is, nbgrader's name of it."""
    refuse_large(len(content), LARGEST)
    if sum(map(content.count, (b"{", b"[", b","))) > MOST_PIECES:
        raise Refused(
            f"Its outputs and metadata have more than {MOST_PIECES:,} entries. "
            "Clear its outputs and hand it in again."
        )
    try:
        notebook = json.loads(content)
    except RecursionError:
        raise Refused("Its data is nested too deep to be read. Clear its outputs.") from None
    except ValueError:
        raise Refused("The file is not a notebook: it can't be read as JSON.") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise Refused("The file is not a notebook of format 4: it has no list of cells.")
    if len(cells) > MOST_CELLS:
        raise Refused(
            f"The notebook has {len(cells):,} cells; up to {MOST_CELLS:,} are read. "
            "Delete those that aren't needed."
        )
    return _shortened([_cell(number, cell) for number, cell in enumerate(cells, start=1)])


def _cell(number: int, cell: dict[str, Any]) -> list[str | None]:
    source = cell.get("source")
    lines = [source] if isinstance(source, str) else source
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise Refused(f"The file is not a notebook of format 4: cell {number} has no text.")
    text = "".join(lines).encode(errors="replace").decode()  # half a letter is not text
    kind = "code" if cell.get("cell_type") == "code" else "text"
    if kind == "code" and len(text) > MOST_CHARACTERS:
        raise Refused(
            f"Cell {number} has {len(text):,} characters; up to {MOST_CHARACTERS:,} are read. "
            "Take the data out of it."
        )
    marked = _MARK.match(text)
    exercise = _held(cell, "minigrad", "exercise") or (marked and marked[1])
    return [kind, text, exercise, _held(cell, "nbgrader", "grade_id")]


def _held(cell: dict[str, Any], tool: str, name: str) -> str | None:
    held: Any = cell
    for key in ("metadata", tool, name):
        held = held.get(key) if isinstance(held, dict) else None
    return held if isinstance(held, str) and re.fullmatch(r"\w{1,100}", held) else None


def _shortened(cells: list[list[str | None]]) -> list[list[str | None]]:
    if sum(len(str(text)) for kind, text, *_ in cells if kind == "code") > MOST_TEXT:
        raise Refused(
            f"Its cells of code have more than {MOST_TEXT:,} characters. Take the data out of them."
        )
    left = MOST_CHARACTERS
    for cell in cells:
        if cell[0] == "text":
            cell[1] = str(cell[1])[:left]
            left -= len(str(cell[1]))
    return cells


def members(archive: zipfile.ZipFile) -> list[str]:
    """The names of what is in a zip file."""
    found = archive.infolist()
    if len(found) > MOST_MEMBERS:
        raise Refused(f"The zip file holds {len(found):,} files; up to {MOST_MEMBERS:,} are read.")
    if any(len(one.filename) > LONGEST_NAME for one in found):
        raise Refused(f"A name in the zip file has more than {LONGEST_NAME:,} characters.")
    return [one.filename for one in found]


def member(archive: zipfile.ZipFile, number: int) -> bytes:
    """What is in one of its files; what is too large is cut off, and refused by who reads it."""
    with archive.open(archive.infolist()[number]) as file:
        return file.read(LARGEST + 1)


def _answer(what: str, *arguments: str) -> bytes:
    if what == "notebook":
        return json.dumps(cells_in(sys.stdin.buffer.read(LARGEST + 1))).encode()
    try:
        with zipfile.ZipFile(sys.stdin.buffer) as archive:
            if what == "zip":
                return json.dumps(members(archive)).encode()
            return member(archive, int(arguments[0]))
    except (Refused, MemoryError):
        raise
    except Exception as error:  # zipfile raises what its codecs raise, too
        kind = type(error).__name__
        raise Refused(f"The zip file can't be opened ({kind}).") from error


def main() -> int:
    """Do what the command line says."""
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        if sys.platform == "linux":  # macOS refuses it
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        answer, status = _answer(*sys.argv[1:]), 0
    except Refused as reason:
        answer, status = str(reason).encode(), 1
    except MemoryError:
        answer, status = f"It takes more than {MEMORY >> 20:,} MB of memory to read.".encode(), 1
    sys.stdout.buffer.write(answer)
    return status


if __name__ == "__main__":
    sys.exit(main())
