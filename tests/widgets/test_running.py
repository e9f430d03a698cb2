"""What a learner typed is run, and stopped in time whatever it catches."""

import sys
import time

import pytest

from minigrad.widgets.running import run

ENDLESS = {
    "a loop": "while True:\n    pass",
    "all on one line": "while True: print('again')",
    "catches everything": "while True:\n    try: pass\n    except: pass",
    "a loop inside try": "while True:\n    try:\n        while True: pass\n    except: pass",
    "goes on in finally": "while True:\n    try: pass\n    finally: continue",
    "suppresses everything": (
        "import contextlib\n"
        "while True:\n    with contextlib.suppress(BaseException):\n        while True: pass"
    ),
    "calls itself again": "def f():\n    try: f()\n    except: f()\nf()",
    "a comprehension": "[0 for _ in iter(int, 1)]",
    "an iterator without an end": "for _ in map(lambda _: 0, iter(int, 1)): pass",
    "a lambda in C code": "list(map(lambda _: 0, iter(int, 1)))",
    "waits again and again": "import time\nwhile True: time.sleep(0.01)",
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_what_never_ends_is_stopped(source):
    started = time.monotonic()
    ran = run(source, {}, patience=0.2)
    assert ran.error == "Stopped after 0.2 seconds. Does a loop here ever end?"
    assert ran.line
    assert time.monotonic() - started < 5


def test_afterward_everything_works_as_before():
    trace, limit = sys.gettrace(), sys.getrecursionlimit()
    run(ENDLESS["a loop inside try"], {}, patience=0.1)
    assert (sys.gettrace(), sys.getrecursionlimit()) == (trace, limit)
    assert run("x = sum(range(5))", {}, patience=0.1).space["x"] == 10
    time.sleep(0.2)  # nothing is raised late


def test_lines_mean_what_they_mean_in_python():
    source = (
        "from __future__ import annotations\n"
        "f = lambda a: a or 7\n"
        "x = [f(n) for n in range(4) if n % 2 == 0]\n"
        "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    y = str(error)\n"
        "finally:\n    z = 1"
    )
    space = run(source, {}).space
    assert (space["x"], space["y"], space["z"]) == ([7, 2], "division by zero", 1)
    assert run("def f():\n    raise KeyError(1)\n\n\nf()", {}).line == 2
    assert run("x = 1\nx.y", {}).error.startswith("AttributeError: 'int' object")


def test_what_is_printed_is_caught_and_may_be_long(capsys):
    ran = run("print('hello')\nimport warnings\nwarnings.warn('Careful. Really.')", {})
    assert ran.printed == "UserWarning: Careful.\nhello"
    assert capsys.readouterr().out == ""
    assert len(run("print('x' * 10**6)", {}).printed) < 3000


def test_the_interrupt_of_the_kernel_goes_through():
    with pytest.raises(KeyboardInterrupt):
        run("raise KeyboardInterrupt", {})
