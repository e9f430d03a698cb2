"""What a notebook shows of an error: the learner's own lines, and what the engine says."""

import re
import sys
import traceback
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from minigrad.explain.shell import shorten_errors

ENGINES = ["minigrad", pytest.param("torch", marks=pytest.mark.parity)]


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell()
    shorten_errors(shell)
    yield shell
    shell.history_manager.end_session()
    shell.history_manager.save_thread.stop()


def shown(shell: InteractiveShell, source: str) -> str:
    with capture_output() as captured:
        shell.run_cell(source)
    return re.sub(r"\x1b\[[0-9;]*m", "", captured.stdout + captured.stderr)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_way_through_the_engine_is_left_out(shell: InteractiveShell, engine: str) -> None:
    source = f"import {engine} as torch\nw = torch.ones(1, requires_grad=True)\n\n"
    said = shown(shell, source + "@torch.no_grad()\ndef f(w):\n    return w @ w @ w.x\n\n\nf(w)\n")
    assert re.findall("-> (.*)", said) == ["9 f(w)", "6     return w @ w @ w.x"]
    assert "object has no attribute 'x'" in said.splitlines()[-1]
    assert "decorate_context" not in said
    assert "skipping" not in said
    assert len(traceback.extract_tb(sys.last_traceback)) > 3  # for %tb and %debug


def test_other_peoples_lines_stay(shell: InteractiveShell) -> None:
    said = shown(shell, "import json\njson.loads('{')")
    assert "-> 2 json.loads" in said
    assert "decoder.py" in said


def test_endless_recursion_is_short(shell: InteractiveShell) -> None:
    said = shown(shell, "def again(): return again()\nagain()")
    assert "maximum recursion depth exceeded" in said
    assert said.count("\n") < 100


def test_an_error_of_the_engine_alone_is_shown_whole(shell: InteractiveShell) -> None:
    shell.user_ns["__name__"] = "minigrad"
    assert "ZeroDivisionError: division by zero" in shown(shell, "1 / 0")
