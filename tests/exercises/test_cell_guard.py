"""A notebook's cells that hold an exercise: endless ones are stopped, errors are explained."""

import threading
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from minigrad.exercises import cell_guard
from minigrad.exercises.cell_guard import CellGuard, trouble

MARK = "# exercise 04_diamond\n"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    shell = InteractiveShell()
    monkeypatch.setattr(cell_guard, "SECONDS", 0.1)
    CellGuard(shell)
    threads = threading.active_count()
    yield shell
    assert threading.active_count() == threads
    shell.history_manager.end_session()
    shell.history_manager.save_thread.stop()


def run(shell: InteractiveShell, source: str) -> tuple[BaseException | None, str]:
    with capture_output() as captured:
        result = shell.run_cell(source)
    return result.error_in_exec or result.error_before_exec, captured.stdout + captured.stderr


@pytest.mark.parametrize(
    "loop", ["while True: pass", "while True:\n    try:\n        len('')\n    except: pass"]
)
def test_an_endless_cell_is_stopped(shell: InteractiveShell, loop: str) -> None:
    error, shown = run(shell, MARK + loop)
    assert "TookTooLong: stopped after 0.1 seconds in line " in shown
    assert "limits.py" not in shown
    assert "stopped after 0.1 seconds" in str(error)
    found = trouble("04_diamond")
    assert found
    assert "Does it loop forever?" in found.message
    assert run(shell, "import time; time.sleep(0.3)")[0] is None  # no exercise: no limit


def test_a_cell_that_prints_without_end_is_stopped(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_guard, "SECONDS", 60)
    error, shown = run(shell, MARK + "while True:\n    print('x' * 1000)")
    assert str(error) == "stopped after 100,000 printed characters"
    assert 90_000 < shown.count("x") <= 100_000
    assert run(shell, "print('x' * 200_000)")[1].count("x") == 200_000


def test_an_error_in_the_cell_is_remembered_until_it_is_run_again(shell: InteractiveShell) -> None:
    run(shell, MARK + "import minigrad as torch\nw = torch.ones(1, requires_grad=True)\nw -= 1")
    found = trouble("04_diamond")
    assert found is not None
    assert found.misconception == 6
    assert "in line 4 of the cell:\n\n    w -= 1" in found.message
    run(shell, MARK + "a_grad = 9 +")
    found = trouble("04_diamond")
    assert found is not None
    assert "in line 2 or just before it:\n\n    a_grad = 9 +\n\nSyntaxError: " in found.message
    run(shell, "1 / 0")
    assert trouble("04_diamond") is found
    run(shell, MARK + "a_grad = 9")
    assert trouble("04_diamond") is None
