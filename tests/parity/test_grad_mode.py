"""The modes that say whether operations are recorded, in every way they can be used."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.parity.logs import Log, Program, attempt, same_notes

pytestmark = pytest.mark.parity

programs: list[Program] = []


def program(function: Program) -> Program:
    """Have a program run on both engines."""
    programs.append(function)
    return function


@program
def basics(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    en = torch.is_grad_enabled
    with torch.no_grad():
        log.append((en(), (x * 2).requires_grad))
    with torch.no_grad():
        with torch.enable_grad():
            log.append((en(), (x * 2).requires_grad))
        log.append(en())
    with torch.set_grad_enabled(False):
        log.append(en())
    torch.set_grad_enabled(False)
    log.append(en())
    torch.set_grad_enabled(True)
    log.append(en())
    for m in (torch.no_grad, torch.enable_grad):

        @m()
        def f():
            return en()

        log.append(f())

        @m
        def g(a, b=1):
            """doc"""
            return (en(), a, b)

        log.append((g(1, b=3), g.__name__, g.__doc__))

    @torch.set_grad_enabled(False)
    def h():
        return en()

    log.append((h(), en()))
    try:
        with torch.no_grad():
            raise ValueError
    except ValueError:
        log.append(en())
    n = torch.no_grad()
    with n:
        with n:
            log.append(en())
        log.append(en())
    log.append(en())
    with torch.set_grad_enabled(True) as a:
        log.append(str(a))
    with torch.no_grad() as a:
        log.append(str(a))
    log.append([repr(torch.set_grad_enabled(True))])
    attempt(log, lambda: torch.set_grad_enabled(1))
    attempt(log, lambda: torch.set_grad_enabled("a"))
    attempt(log, lambda: torch.set_grad_enabled(mode=True).__class__.__name__)
    attempt(log, lambda: torch.set_grad_enabled())


@program
def generators(torch: Any, log: Log) -> None:
    en = torch.is_grad_enabled

    @torch.no_grad()
    def g():
        try:
            r = yield en()
            log.append((r, en()))
            yield en()
        except ValueError:
            log.append(("caught", en()))
            yield "after"
        finally:
            log.append(("fin", en()))
        return 5

    it = g()
    log.append((next(it), en()))
    log.append((it.send("s"), en()))
    log.append(it.throw(ValueError("x")))
    try:
        next(it)
    except StopIteration as s:
        log.append(s.value)
    it = g()
    next(it)
    it.close()
    log.append(en())
    attempt(log, lambda: list(g()))


@program
def multithreading(torch: Any, log: Log) -> None:
    A = torch.autograd
    log.append(A.is_multithreading_enabled())
    with A.set_multithreading_enabled(False):
        log.append(A.is_multithreading_enabled())
    log.append(A.is_multithreading_enabled())
    A.set_multithreading_enabled(False)
    log.append(A.is_multithreading_enabled())
    A.set_multithreading_enabled(True)

    @A.set_multithreading_enabled(False)
    def f():
        return A.is_multithreading_enabled()

    log.append((f(), A.is_multithreading_enabled()))


@program
def threads(torch: Any, log: Log) -> None:
    torch.set_grad_enabled(False)

    def run():
        log.append(torch.is_grad_enabled())

    t = threading.Thread(target=run)
    t.start()
    t.join()
    torch.set_grad_enabled(True)


@program
def decorated_classes(torch: Any, log: Log) -> None:
    for mode in (torch.no_grad(), torch.inference_mode()):

        @mode
        class Made:
            def __init__(self) -> None:
                self.enabled = torch.is_grad_enabled()

        log.append(Made().enabled)


@program
def inference(torch: Any, log: Log) -> None:
    def note(*_: Any) -> list[Any]:
        return [torch.is_grad_enabled(), torch.is_inference_mode_enabled(), (x * 2).requires_grad]

    x = torch.ones(2, requires_grad=True)
    log.append(note())
    with torch.inference_mode():
        log.append(note())
        with torch.inference_mode(False):
            log.append(note())
        log.append(note())
    with torch.no_grad(), torch.inference_mode(False):
        log.append(note())
    for decorate in (
        torch.inference_mode,
        torch.inference_mode(),
        torch.inference_mode(mode=False),
    ):
        log.append(decorate(note)())
    log.append(note())


@pytest.mark.parametrize("program", programs, ids=lambda one: one.__name__)
def test_both_note_the_same(program: Program) -> None:
    same_notes(program)
