"""Asking and answering: one side asks, and may be asked back before the answer comes."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any

from minigrad.classroom.bridge.channel import Channel, Lost
from minigrad.classroom.bridge.mirrors import named
from minigrad.classroom.bridge.sharing import Receiver, Sender, Shared
from minigrad.classroom.bridge.values import Unreadable, expect
from minigrad.graph import Node
from minigrad.modes import is_grad_enabled, set_grad_enabled
from minigrad.overrides import _get_current_function_mode

DEEPEST = 30
_TEXT = 2000
_ENDED = re.compile(r"It (was ended by SIG[A-Z]+|ended Python itself)\.")


class Peer:
    """One side of the bridge, for as long as one exercise is looked at.

    The other side may have called the functions that it was handed as arguments, and read what
    nodes have saved; if `open_handed`, have called whatever it was given, with keywords too, and
    read any public attribute of it.
    """

    def __init__(
        self,
        channel: Channel,
        mark: str,
        *,
        trusting: bool,
        open_handed: bool,
        unchanged: Callable[[Any], bool] = lambda thing: False,
    ) -> None:
        self.shared = Shared(mark, trusting, unchanged)
        self.channel = channel
        self.open_handed = open_handed
        self.depth = 0
        self.handed: list[Any] = []  # functions that the other side may have called
        self.answers: dict[str, Callable[..., Any]] = {
            "call": self._call,
            "get": self._get,
            "apply": self._apply,
            "release": self._release,
            "saw": self._saw,
        }

    def ask(self, what: str, *arguments: Any) -> Any:
        """The other side's answer; the error raised there, if one was."""
        self._send({"ask": what}, list(arguments))
        while True:
            message, body = self._receive()
            if "ask" in message:
                self.answer(message, body)
            elif "raise" in message:
                raise self.error(*body)
            else:
                return body

    def serve(self) -> bool:
        """Answer one question; False if there are to be no more."""
        message, body = self._receive()
        if message.get("ask") == "done":
            return False
        self.answer(message, body)
        return True

    def answer(self, message: Any, arguments: Any) -> None:
        """Answer a question that has arrived."""
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                raise RecursionError("maximum recursion depth exceeded")
            body = self.answers[expect(message["ask"], str)](*expect(arguments, list))
            self._send({"answer": True}, body)
        except Lost:
            raise
        except BaseException as error:
            self._send({"raise": True}, self.described(error))
        finally:
            self.depth -= 1

    def call(self, thing: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Have the other side call an object of its own."""
        if self.depth == 0:  # what is passed on in an answer was not this side's idea
            self.handed += [one for one in arguments if isinstance(one, FunctionType | partial)]
        watched = _get_current_function_mode() is not None
        return self.ask("call", thing, list(arguments), dict(keywords), is_grad_enabled(), watched)

    def described(self, error: BaseException) -> list[Any]:
        """An error as data: its type, its text, and the learner's cell and line it was in."""
        try:
            text = str(error)[:_TEXT]
        except Exception:
            text = "(an error that cannot be printed)"
        return [type(error).__name__, text, *self.place(error)]

    def place(self, error: BaseException) -> tuple[int, int]:
        """The cell and the line, of which this side may know."""
        return -1, 0

    def error(self, kind: Any, text: Any, cell: Any, line: Any) -> BaseException:
        """The error that was described."""
        name = named(kind, "RuntimeError")
        base = vars(builtins).get(name)
        if not (isinstance(base, type) and issubclass(base, Exception)):
            base = Exception
        said = expect(text, str)
        try:  # KeyError would put its text in quotes
            error: BaseException = type(name, (base,), {"__str__": lambda _: said})(said)
        except TypeError:  # UnicodeDecodeError wants more
            error = RuntimeError(said)
        return error

    def _send(self, head: dict[str, Any], body: Any) -> None:
        sender = Sender(self.shared)
        message, arrays = sender.message(body)
        self.channel.send(head | message, arrays)

    def _receive(self) -> tuple[dict[str, Any], Any]:
        message, arrays = self.channel.receive()
        if isinstance(message, dict) and "said" in message:
            # Whoever was asked is gone; this comes from the program that it was forked from.
            said = message["said"] or "It ended Python itself."
            known = isinstance(said, str) and _ENDED.fullmatch(said)
            self.channel.lost = said if known else "It sent what is no answer."
            raise Lost(self.channel.lost)
        try:
            return message, Receiver(self, message, arrays).body()
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            self.channel.lost = f"It sent what is no answer ({error})."
            raise Lost(self.channel.lost) from error

    def _mine(self, thing: Any) -> Any:
        """`thing`, if it is one of this side's that the other side was given."""
        reference = self.shared.reference(thing)
        if reference is None or not reference.startswith(self.shared.mark):
            raise Unreadable("It asked for what it was not given.")
        return thing

    def _call(self, thing: Any, arguments: Any, keywords: Any, recorded: Any, watched: Any) -> Any:
        function = self._mine(thing)
        if not self.open_handed and (keywords or all(one is not function for one in self.handed)):
            raise TypeError("It takes no keywords, or cannot be called from here.")
        with set_grad_enabled(expect(recorded, bool)):
            return self.run(function, expect(arguments, list), expect(keywords, dict), watched)

    def run(self, function: Any, arguments: Any, keywords: Any, watched: bool) -> Any:
        """Call what the other side wants called."""
        return function(*arguments, **keywords)

    def _get(self, thing: Any, name: Any) -> Any:
        saved = expect(name, str).startswith("_saved_")
        if saved:
            return getattr(self._mine(node_of(thing)), name)
        if not self.open_handed or name.startswith("_"):
            raise AttributeError(f"'{type(thing).__name__}' object has no attribute '{name}'")
        return getattr(self._mine(thing), name)

    def _apply(self, node: Any, grads: Any, create_graph: Any) -> Any:
        with set_grad_enabled(expect(create_graph, bool)):
            return list(self._mine(node_of(node)).apply(expect(grads, list), create_graph))

    def _release(self, node: Any) -> None:
        self._mine(node_of(node)).release_variables()

    def _saw(self, name: Any, keywords: Any, positional: Any) -> None:
        """Tell the mode that watches here of a call on the other side."""
        mode = _get_current_function_mode()
        if mode is not None:
            seen = Seen(named(name, "function"))
            mode.__torch_function__(seen, (), tuple(positional), expect(keywords, dict))


class Seen:
    """A function that was called on the other side: what a mode is shown of it here."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, *_: Any, **__: Any) -> None:
        """Nothing: it has been called already."""


def node_of(thing: Any) -> Node:
    """A node; Unreadable if it is something else."""
    if not isinstance(thing, Node):
        raise Unreadable("no node")
    return thing
