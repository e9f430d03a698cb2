"""The cells of a notebook, as files in tracebacks: they are called alike on both sides."""

import linecache
import re
import symtable
from collections.abc import Iterator

_FILE = re.compile(r"<cell (\d+)>\Z")


def file_of(number: int) -> str:
    """The name of the file that a cell is."""
    return f"<cell {number}>"


def cell_in(file: str) -> int | None:
    """The number of the cell that the file of this name is."""
    found = _FILE.match(file)
    return int(found[1]) if found else None


def enter(number: int, source: str) -> str:
    """Let tracebacks show the lines of a cell; its file's name."""
    file = file_of(number)
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return file


def names_in(source: str) -> set[str]:
    """The notebook's names that code uses; all its words if it isn't Python, as with a magic."""
    try:
        table = symtable.symtable(source, "", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(re.findall(r"\w+", source))
    inner = (one for child in table.get_children() for one in symbols(child))
    at_once = {one.get_name() for one in table.get_symbols()}
    return at_once | {one.get_name() for one in inner if one.is_global()}


def symbols(table: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    """The names in a piece of code, and in the functions and classes in it."""
    yield from table.get_symbols()
    for one in table.get_children():
        yield from symbols(one)
