"""docs/read_the_engine.md lists the calls of one backward pass; here they are traced."""

import doctest
import re
import subprocess
import sys
from pathlib import Path
from types import FrameType

import minigrad

PAGE = Path(__file__).parents[1] / "docs" / "read_the_engine.md"
PACKAGE = Path(minigrad.__file__).parent
MAKES_FUNCTIONS = re.compile(r"(\.<locals>\.decorate)?\.<locals>\.(call|<lambda>)$")


def traced_calls() -> list[str]:
    """What the program of the page calls in minigrad, one line a function, at its first call."""
    lines: list[str] = []
    depth = 0

    def trace(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth
        code = frame.f_code
        path = Path(code.co_filename)
        if not path.is_relative_to(PACKAGE) or code.co_name.endswith(("comp>", "expr>")):
            return
        if event == "call":
            name = MAKES_FUNCTIONS.sub("", code.co_qualname).replace("<lambda>", "formula")
            file = path.relative_to(PACKAGE).as_posix()
            if all(line.split() != [file, name] for line in lines):
                lines.append(f"{'  ' * depth}{file}  {name}")
        depth += {"call": 1, "return": -1}.get(event, 0)

    for repetition in range(2):  # what is made only once is made in the first
        x = minigrad.ones(2, 2, requires_grad=True)
        y = x + 2
        z = y * y * 3
        sys.setprofile(trace if repetition else None)
        z.mean().backward()
        sys.setprofile(None)
    return lines


def test_the_page_lists_every_call() -> None:
    # In a process of its own: what other tests leave behind, such as a mode, changes the calls.
    code = "from tests.test_read_the_engine import *; print(*traced_calls(), sep='\\n')"
    command = [sys.executable, "-c", code]
    calls = subprocess.check_output(command, cwd=PAGE.parents[1], text=True).splitlines()
    listed = PAGE.read_text(encoding="utf-8").split("<!-- calls -->\n")[1].split("<!--")[0]
    assert listed.strip("`\n").splitlines() == calls
    assert len(calls) <= 30
    assert len({line.split()[0] for line in calls if "ops/" not in line}) <= 6


def test_the_page_shows_what_happens() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0
