"""Asking and answering: one side asks, and may be asked back before the answer comes."""

from __future__ import annotations

import builtins
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from minigrad.classroom.bridge.channel import Channel, Lost
from minigrad.classroom.bridge.mirrors import OPERATORS, is_saved, named
from minigrad.classroom.bridge.sharing import Receiver, Sender, Shared
from minigrad.classroom.bridge.values import Unreadable, expect, known
from minigrad.graph import Node
from minigrad.modes import is_grad_enabled, set_grad_enabled
from minigrad.nn import Module
from minigrad.overrides import _get_current_function_mode
from minigrad.random import get_rng_state, set_rng_state
from minigrad.tensor import from_array

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
        self.random = b""  # the state of the random numbers that the other side knows
        self.answers: dict[str, Callable[..., Any]] = {
            "call": self._call,
            "get": self._get,
            "operate": self._operate,
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
            self.shared.handed += filter(
                _is_function, [*arguments, *chain(*filter(_is_list, arguments))]
            )
        watched = _get_current_function_mode() is not None
        how = [is_grad_enabled(), watched, self._random()]
        result, after = self.ask("call", thing, list(arguments), dict(keywords), *how)
        for one, now in zip(arguments, after, strict=True):
            if _is_list(one) and _is_list(now):  # which the function may have changed
                one[:] = now
            elif isinstance(one, Module) and _is_list(now) and not self.open_handed:
                for part, training in zip(one.modules(), now, strict=True):
                    part.training = expect(training, bool)
        return result

    def _random(self) -> Any:
        """The state of the random numbers, if the other side has yet to hear of it."""
        state = None if self.open_handed else np.asarray(get_rng_state())
        if state is None or state.tobytes() == self.random:
            return None
        self.random = state.tobytes()
        return state

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

    def _call(self, thing: Any, arguments: Any, keywords: Any, *how: Any) -> Any:
        recorded, watched, random = how
        function = self._mine(thing)
        if not self.open_handed and (
            keywords or all(one is not function for one in self.shared.handed)
        ):
            raise TypeError("It takes no keywords, or cannot be called from here.")
        if self.open_handed and random is not None:
            set_rng_state(from_array(random))
        with set_grad_enabled(expect(recorded, bool)):
            found = self.run(function, expect(arguments, list), expect(keywords, dict), watched)
        return [found, [_left(one) for one in arguments]]

    def _operate(self, name: Any, operands: Any) -> Any:
        if not self.open_handed:
            raise TypeError("It computes with its own things only.")
        function = getattr(operator, known(OPERATORS, name))
        return self.run(function, expect(operands, list), {}, False)

    def run(self, function: Any, arguments: Any, keywords: Any, watched: bool) -> Any:
        """Call what the other side wants called."""
        return function(*arguments, **keywords)

    def _get(self, thing: Any, name: Any) -> Any:
        saved = is_saved(expect(name, str))
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


def _is_function(thing: Any) -> bool:
    return isinstance(thing, FunctionType | MethodType | partial)


def _is_list(thing: Any) -> bool:
    return type(thing) is list


def _left(argument: Any) -> Any:
    """What a call may have changed of an argument that isn't a tensor."""
    if isinstance(argument, Module):
        return [part.training for part in argument.modules()]
    return argument if _is_list(argument) else None


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
