"""The program in the sandbox: it runs a notebook's cells, and answers what the grader asks.

It runs among the student's code and can be changed by it. So the grader takes what comes from here
for the student's answers, whoever said it. What is noticed here, by `hearing` and `Told`, can be
kept quiet: see docs/sandbox.md.
"""

import contextlib
import os
import resource
import signal
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import minigrad
from minigrad.classroom.bridge import cells, hearing, mute
from minigrad.classroom.bridge.calls import refuse_calls
from minigrad.classroom.bridge.channel import Channel, Lost
from minigrad.classroom.bridge.peer import Peer
from minigrad.classroom.bridge.shell import Shell
from minigrad.exercises import engine_probes
from minigrad.exercises.engine_probes import EngineParts
from minigrad.exercises.limits import Bounded, Silence, TimeLimit
from minigrad.exercises.starters import Starters
from minigrad.exercises.word_list import words
from minigrad.overrides import TorchFunctionMode

CHARACTERS = 100_000  # that the cell of an exercise may print
CHECKS = 1000  # in one cell
_PLAIN = (bool, int, float, str, list, tuple, dict, minigrad.Tensor)


class Notebook:
    """The names that the cells make, and what the grader may ask of them."""

    def __init__(self, channel: Channel, cell_seconds: float) -> None:
        self.channel = channel
        self.seconds = cell_seconds
        sys.modules["__main__"] = ModuleType("__main__")  # where pickle looks up the cells' classes
        self.namespace: dict[str, Any] = vars(sys.modules["__main__"])
        self.shell = Shell(self.namespace)
        self.checked: list[Any] = []  # what the cell that runs calls `check` with
        self.known: dict[tuple[str, ...], list[Any]] = {}  # answers as they were last looked at
        self.orders: dict[str, Callable[..., Any]] = {
            "names": lambda source: list(cells.names_in(source)),
            "run": self.run,
            "changed": self.changed,
            "answer": self.answer,
        }
        given = {"get_ipython": lambda: self.shell, "check": self.check, "words": words}
        mute.install(minigrad, given)

    def work(self) -> None:
        """Do what the grader says, until it says no more."""
        while True:
            (order, *given), _ = self.channel.receive()
            said = self.orders[order](*given)
            self.channel.send({"said": said, "heard": hearing.heard()})

    def check(self, exercise: Any, *_: Any) -> Any:
        """What the notebook calls: the grader looks at the exercise after the cell."""
        if isinstance(exercise, str):
            self.checked.append(exercise[:100])
        return mute.MUTE

    def run(self, number: int, source: str, is_exercise: bool, seconds: float) -> list[Any]:
        """Run one cell; the error in which it ended, and the exercises that it checks."""
        name = cells.enter(number, source)
        output = Bounded(Silence(), CHARACTERS) if is_exercise else Silence()
        silence = contextlib.redirect_stdout(output), contextlib.redirect_stderr(Silence())
        limit = TimeLimit(seconds, lambda frame: frame.f_globals is self.namespace, cpu=True)
        self.checked, ended = [], None
        try:
            with silence[0], silence[1], limit:
                self.shell.run(source, name)
        except BaseException as error:
            ended = Answering(self.channel, self.namespace, None, self.seconds).described(error)
        return [ended, self.checked[:CHECKS]]

    def changed(self, names: list[str]) -> bool:
        """Whether these answers are others than when this was last asked."""
        now = [_likeness(self.namespace.get(name, ...)) for name in names]
        before = self.known.get(tuple(names), [])
        self.known[tuple(names)] = now
        pairs = zip(before, now, strict=False)  # of none, if this is the first time
        same = [one is two or (type(one) is str and one == two) for one, two in pairs]
        return len(before) != len(now) or not all(same)

    def answer(self, names: list[str], starter: str) -> str | None:
        """Let the grader look at these names, in a copy of this process; why it ended, if badly."""
        child = os.fork()
        if not child:
            hearing.forget()
            peer = Answering(self.channel, self.namespace, Starters(starter), self.seconds)
            with contextlib.suppress(Lost):
                peer.look(names)
            os._exit(0)
        hearing.forget()
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return f"It was ended by {signal.Signals(os.WTERMSIG(status)).name}."
        return "It ended Python itself." if status else None


class Answering(Peer):
    """This side of the bridge."""

    def __init__(
        self, channel: Channel, namespace: dict[str, Any], starters: Starters | None, seconds: float
    ) -> None:
        super().__init__(channel, "i", trusting=False, open_handed=True, unchanged=self.is_starter)
        self.namespace = namespace
        self.starters = starters
        self.seconds = seconds
        self.answers |= {"names": self.names, "heard": hearing.heard, "observe": self.observe}

    def look(self, names: list[str]) -> None:
        """Answer all questions about one exercise."""
        self.asked = names
        while self.serve():
            pass

    def names(self) -> dict[str, Any]:
        """The answers that there are, by name."""
        return {name: self.namespace[name] for name in self.asked if name in self.namespace}

    def observe(self, exercise: Any, names: Any, seed: Any, pocket: Any) -> list[Any]:
        """What a probe sees, and the error that ended it. pocket: the source of that engine."""
        seen: list[Any] = []
        silence = contextlib.redirect_stdout(Silence()), contextlib.redirect_stderr(Silence())
        try:
            with silence[0], silence[1], TimeLimit(self.seconds, cpu=True):
                attempt = engine_probes.Inside(self.namespace, names, seed)
                parts = EngineParts(set(), compile(pocket, "<pocket engine>", "exec"))
                seen.extend(engine_probes.PROBES[exercise](attempt, parts))
        except BaseException as error:
            return [seen, self.described(error)]
        return [seen, None]

    def is_starter(self, thing: Any) -> bool:
        """Whether it is one of the answers, and as in the starter."""
        return self.starters is not None and any(
            self.namespace.get(name) is thing and self.starters.hold(name, thing)
            for name in self.asked
        )

    def run(self, function: Any, arguments: Any, keywords: Any, watched: bool) -> Any:
        silence = contextlib.redirect_stdout(Silence()), contextlib.redirect_stderr(Silence())
        with silence[0], silence[1], Told(self) if watched else contextlib.nullcontext():
            if self.depth > 1:  # in a call that is limited already
                return function(*arguments, **keywords)
            with TimeLimit(self.seconds, cpu=True):
                return function(*arguments, **keywords)

    def place(self, error: BaseException) -> tuple[int, int]:
        if isinstance(error, SyntaxError):
            return -1, 0
        found, traceback = (-1, 0), error.__traceback__
        while traceback is not None:
            cell = cells.cell_in(traceback.tb_frame.f_code.co_filename)
            if traceback.tb_frame.f_globals is self.namespace and cell is not None:
                found = (cell, traceback.tb_lineno)
            traceback = traceback.tb_next
        return found


class Told(TorchFunctionMode):
    """Tells the grader, who has a mode on that watches, of each call."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        name = getattr(func, "__name__", "")
        if name in ("backward", "grad"):
            self.peer.ask("saw", name, dict(kwargs or {}), list(args))
        return func(*args, **(kwargs or {}))


def _likeness(answer: Any) -> Any:
    """What tells an answer from others: its text, if it is plain; otherwise the object."""
    try:
        return repr(answer) if type(answer) in _PLAIN else answer
    except BaseException:  # of a huge number, or of something of the learner's in a list
        return answer


def limit(most: dict[str, int]) -> None:
    """Never use more than so much of each resource; what is lowered cannot be raised again."""
    for name, value in most.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


def main() -> None:
    """Run what comes over the file descriptor that is named on the command line."""
    with contextlib.suppress(PermissionError):  # it is alone already
        os.setsid()  # a signal to its group shall not reach what holds the sandbox
    channel = Channel(int(sys.argv[1]))
    sys.argv = [""]
    (most, seconds), _ = channel.receive()
    notebook = Notebook(channel, seconds)
    limit(most)
    refuse_calls()
    channel.send("here")
    hearing.listen()
    with contextlib.suppress(Lost):
        notebook.work()
    os._exit(0)


if __name__ == "__main__":
    main()
