"""What loops for ever is stopped, whatever it catches; what was there before goes on."""

import contextlib
import importlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from minigrad.exercises import limits
from minigrad.exercises.limits import TimeLimit, TookTooLong


@pytest.fixture(params=["by signal", "by thread"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The two ways of stopping; without interval timers (Windows) there is only the second."""
    if request.param == "by thread":
        monkeypatch.delattr(signal, "setitimer", raising=False)
    return request.param


@pytest.fixture(autouse=True)
def no_alarm_is_left() -> Iterator[None]:
    yield
    if hasattr(signal, "getitimer"):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def endless() -> None:
    while True:
        pass


def catches_everything() -> None:
    while True:
        with contextlib.suppress(BaseException):
            len("x")


def waits_and_catches_everything() -> None:
    while True:
        try:
            while True:
                try:
                    time.sleep(0.001)
                except BaseException:
                    pass
                finally:
                    len("x")
        except BaseException:
            len("y")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no interval timers")
def test_a_loop_that_is_nearly_always_inside_a_try_is_stopped() -> None:
    trace = sys.gettrace()

    def run() -> Iterator[None]:  # as IPython runs a cell: what it handled ends with it
        with pytest.raises(TookTooLong), TimeLimit(0.05):
            waits_and_catches_everything()
        yield

    assert list(run()) == [None]
    assert sys.gettrace() is trace


@pytest.mark.parametrize("program", [endless, catches_everything])
def test_an_endless_loop_is_stopped(way: str, program: object) -> None:
    with pytest.raises(TookTooLong), TimeLimit(0.05):
        program()  # type: ignore[operator]


def test_waiting_is_stopped() -> None:
    started = time.monotonic()
    with pytest.raises(TookTooLong, match="stopped after 0.05 seconds"), TimeLimit(0.05):
        time.sleep(60)
    assert time.monotonic() - started < 30


def test_what_is_quick_is_not_stopped(way: str) -> None:
    with TimeLimit(0.05):
        pass
    time.sleep(0.1)


def test_it_stops_in_another_thread_as_well() -> None:
    caught: list[BaseException] = []

    def work() -> None:
        try:
            with TimeLimit(0.05):
                endless()
        except TookTooLong as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [type(error) for error in caught] == [TookTooLong]


@pytest.fixture
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Import a module of a given text."""

    def imported(text: str) -> Any:
        (tmp_path / "limited.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        sys.modules.pop("limited", None)
        return importlib.import_module("limited")

    return imported


def test_an_import_is_not_broken_off(
    way: str, imported: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_IMPORTS", 10**6)  # however often it rings while one waits

    def begin_anew(seconds: float) -> None:
        limit._watch.stop()
        limit._watch.start(seconds)

    def until_rung() -> None:
        """Let the limit ring in the import, and neither before nor after it."""
        begin_anew(0.01)
        while limit._imports == 10**6:
            time.sleep(0.001)
        begin_anew(600)

    monkeypatch.setitem(sys.modules, "around", SimpleNamespace(until_rung=until_rung))
    with TimeLimit(600) as limit:
        module = imported("import around\naround.until_rung()\nwhole = True\n")
    assert module.whole


def test_an_endless_import_is_stopped(way: str, imported: Callable[[str], Any]) -> None:
    with pytest.raises(TookTooLong), TimeLimit(0.01):
        imported("while True: pass\n")


def test_an_import_near_the_limit_delays_nothing(way: str, imported: Callable[[str], Any]) -> None:
    module = imported(
        "from minigrad.exercises.limits import TimeLimit, TookTooLong\n"
        "try:\n    with TimeLimit(0.05) as limit:\n        while True: pass\n"
        "except TookTooLong:\n    pass\n"
    )
    assert module.limit._imports == limits._IMPORTS


def test_an_outer_limit_goes_on_after_an_inner_one(way: str) -> None:
    def inner_and_outer() -> None:
        with contextlib.suppress(TookTooLong), TimeLimit(0.05):
            endless()
        endless()

    with pytest.raises(TookTooLong, match="stopped"), TimeLimit(0.2):
        inner_and_outer()


def test_other_code_than_the_learners_is_not_stopped() -> None:
    learners: dict[str, object] = {}
    exec("def forever():\n    while True: pass", learners)
    finished = []

    def ours_then_theirs() -> None:
        deadline = time.monotonic() + 0.3
        while time.monotonic() < deadline:
            pass
        finished.append("ours")
        learners["forever"]()  # type: ignore[operator]

    with (
        pytest.raises(TookTooLong),
        TimeLimit(0.05, within=lambda frame: frame.f_globals is learners),
    ):
        ours_then_theirs()
    assert finished == ["ours"]
