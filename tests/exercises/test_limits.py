"""What loops for ever is stopped, whatever it catches; what was there before goes on."""

import contextlib
import importlib
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

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


def test_an_import_is_not_broken_off(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.3)\nwhole = True\n")
    (tmp_path / "endless_import.py").write_text("while True: pass")
    monkeypatch.syspath_prepend(tmp_path)
    with TimeLimit(0.1):
        whole = importlib.import_module("slow_to_import").whole
    assert whole
    with pytest.raises(TookTooLong), TimeLimit(0.01):
        importlib.import_module("endless_import")


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
