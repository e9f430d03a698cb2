"""One running sandbox: it runs cells in there, and answers are judged out here."""

import linecache
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import minigrad
from minigrad.classroom.bridge import cells
from minigrad.classroom.bridge.channel import Channel, Lost
from minigrad.classroom.bridge.peer import Peer
from minigrad.classroom.library import HOME, homes_of
from minigrad.classroom.protection import ENVIRONMENT, Limits, Protection, python, shut_in
from minigrad.classroom.usage import START_SECONDS, Usage, below, is_running
from minigrad.exercises.cell_guard import remember
from minigrad.exercises.engine_programs import OBSERVE
from minigrad.exercises.exercise import Exercise
from minigrad.exercises.judging import judge
from minigrad.exercises.limits import BACKSTOP, TookTooLong
from minigrad.exercises.result import NOT_YET, Result, result

_GRACE = 2.0  # seconds for the sandbox's own limits to be noticed there
_STOPPED = TookTooLong.__name__


@dataclass(frozen=True)
class Place:
    """Where submissions are run. library: see `make_library`."""

    library: Path
    protection: Protection
    limits: Limits


class Session:
    """A notebook in a sandbox. Every method raises Lost if the sandbox ends, or misbehaves.

    heard: what was tried in there, as the sandbox's program tells it.
    """

    def __init__(self, channel: Channel, usage: Usage, limits: Limits) -> None:
        self.heard: list[Any] = []
        self._usage = usage
        self._channel = channel
        self._limits = limits

    @property
    def timeouts(self) -> set[str]:
        """By what a time was up: see `Usage`."""
        return self._usage.timeouts

    def run(self, number: int, source: str, is_exercise: bool) -> tuple[Any, list[Any]]:
        """Run a cell; the error in which it ended, described, or None; and what it checks.

        Lost if its time was up, unless it holds an answer, of which that error tells. Where it was
        stopped is chance, so nothing may depend on it.
        """
        cells.enter(number, source)
        limits = self._limits
        seconds = limits.cell_seconds if is_exercise else limits.scratch_seconds
        self._usage.ask(limits.order_seconds)
        self._channel.send(["run", number, source, is_exercise, seconds])
        said = self._told()
        if type(said) is not list or len(said) != 2 or type(said[1]) is not list:
            raise Lost("It sent what is no message.")
        error, checked = said
        stopped = type(error) is list and error[:1] == [_STOPPED] and self._usage.note(seconds)
        if stopped and not is_exercise:
            raise Lost(f"It went on for more than {seconds:g} seconds.")
        return error, checked

    def names(self, source: str) -> set[str]:
        """The notebook's names that a cell uses. It's read in there, and doesn't run."""
        self._usage.ask(self._limits.order_seconds)
        self._channel.send(["names", source])
        said = self._told()
        if type(said) is not list or any(type(one) is not str for one in said):
            raise Lost("It sent what is no message.")
        return set(said)

    def changed(self, exercise: Exercise) -> bool:
        """Whether its answers are others than when this was last asked."""
        self._usage.ask(self._limits.order_seconds)
        self._channel.send(["changed", list(exercise.answers)])
        return self._told() is True

    def judge(self, exercise: Exercise, error: Any = None) -> Result:
        """What the answers in there show. error: in which the exercise's cell ended."""
        self._usage.ask(self._limits.order_seconds)
        self._channel.send(["answer", list(exercise.answers), exercise.starter])
        asking = Asking(self._channel)
        try:
            asking.read(exercise.answers)
        except Exception as unreadable:
            found = result(exercise, NOT_YET, str(unreadable), "error")
        else:
            found = self._judged(asking, exercise, error)
        self._hear(asking.ask("heard"))
        asking.finish()
        self._told()
        return found

    def _judged(self, asking: "Asking", exercise: Exercise, error: Any) -> Result:
        described = type(error) is list and len(error) == 4
        raised = asking.error(*error) if described else None
        remember(exercise.id, raised, asking.namespace)
        found = judge(
            exercise,
            asking.namespace,
            seconds=BACKSTOP * self._limits.cell_seconds + _GRACE,
            seconds_in_all=BACKSTOP * self._limits.order_seconds,
            drawn=False,
        )
        if asking.stopped or self._channel.lost is not None:
            self._usage.note(self._limits.cell_seconds)
        elif found.outcome == NOT_YET:
            self._usage.note(self._limits.order_seconds)
        if self._channel.lost is not None:  # which to judge() was an error like others
            raise Lost(self._channel.lost)
        return found

    def _told(self) -> Any:
        message, _ = self._channel.receive()
        if not isinstance(message, dict):
            raise Lost("It sent what is no message.")
        self._hear(message.get("heard"))
        return message.get("said")

    def _hear(self, heard: Any) -> None:
        self.heard += heard[:100] if isinstance(heard, list) else []


class Asking(Peer):
    """The grader's side of the bridge."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel, "o", trusting=True, open_handed=False)
        self.namespace: dict[str, Any] = {}
        self.stopped = False  # whether the time of a call was up

    def read(self, answers: Sequence[str]) -> None:
        """Make the answers of these names the namespace; what cannot be told raises an error."""
        names = self.ask("names")
        if type(names) is not dict:
            raise Lost("It sent what is no answer.")
        self.namespace = {"torch": minigrad} | {one: names[one] for one in answers if one in names}
        self.namespace[OBSERVE] = self._observe

    def _observe(self, *asked: Any) -> tuple[Any, Any]:
        """What a probe sees in there, and the error that ended it."""
        seen, error = self.ask("observe", *asked)
        return seen, None if error is None else self.error(*error)

    def finish(self) -> None:
        """Ask no more."""
        self._send({"ask": "done"}, [])

    def error(self, kind: Any, text: Any, cell: Any, line: Any) -> BaseException:
        said = text if isinstance(text, str) else ""
        if kind == _STOPPED:
            self.stopped = True
            error: BaseException = TookTooLong(said)
        elif kind in ("SystemExit", "KeyboardInterrupt"):
            error = SystemExit(said)
        else:
            error = super().error(kind, said, cell, line)
        if type(cell) is int and type(line) is int:
            return placed(error, cells.file_of(cell), line, self.namespace)
        return error


def placed(
    error: BaseException, file: str, line: int, namespace: Mapping[str, Any]
) -> BaseException:
    """The error, as if it had been raised in that line of a learner's cell."""
    if 0 < line <= len(linecache.getlines(file)):
        code = compile("\n" * (line - 1) + "raise error", file, "exec")
        try:
            exec(code, namespace, {"error": error})  # type: ignore[arg-type]
        except BaseException as raised:
            return raised
    return error


@contextmanager
def running(place: Place) -> Iterator[Session]:
    """A sandbox; nothing of it is left afterwards.

    Lost if it does not start.
    """
    limits = place.limits
    here, there = socket.socketpair()
    homes = homes_of(place.library) if place.protection is Protection.NONE else [HOME]
    program = python(there.fileno(), str(place.library), *homes)
    command = shut_in(place.protection, place.library, program)
    process = subprocess.Popen(
        command,
        pass_fds=[there.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=ENVIRONMENT,
        start_new_session=True,
    )
    there.close()
    usage = Usage(process.pid, limits)
    channel = Channel(here.fileno(), limits.message, limits.messages, usage.check)
    try:
        most = {
            "AS": limits.memory,
            "CPU": int(limits.seconds + START_SECONDS) + 1,
            "FSIZE": limits.file,
            "NOFILE": limits.open_files,
            "NPROC": limits.processes,
            "CORE": 0,
        }
        channel.send([most, limits.cell_seconds])
        channel.receive()  # it is there
        yield Session(channel, usage, limits)
    finally:
        here.close()
        end_all(process)


def end_all(process: "subprocess.Popen[bytes]") -> None:
    """End a process and all below it, and wait until they are gone."""
    processes = below(process.pid)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for one in processes:
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    process.wait()
    end = time.monotonic() + _GRACE
    while any(map(is_running, processes)) and time.monotonic() < end:
        time.sleep(0.002)
