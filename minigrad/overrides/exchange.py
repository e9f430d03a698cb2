"""Functions whose code is exchanged for other while somebody wants that, and costs nothing else."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from minigrad.ops.first_call import become, exchanging, twin
from minigrad.ops.registry import Operation
from minigrad.ops.rule import compiled

# What runs as the code of a function that is exchanged. Code can stand in only for such as has as
# many free variables; in the place of the text stands whose it is.
ASKING = """
def outer({cells}):
    def asking(*args, **kwargs):
        __tracebackhide__ = True  # in a notebook
        exchanged = "exchanged"
        if exchanged.group.wanted:
            return exchanged.called(args, kwargs)
        return exchanged.called_again(args, kwargs)
        ({cells})
    return asking
"""


@functools.cache
def asking(cells: int) -> types.CodeType:
    """Return the code that asks, with that many free variables."""
    names = "".join([f"cell_{number}, " for number in range(cells)])
    code: types.CodeType = compiled(ASKING.format(cells=names), {})(*range(cells)).__code__
    return code


class Exchanged:
    """A function whose code is exchanged while its calls are to be seen: by `called`."""

    def __init__(self, function: Operation, group: Exchanges) -> None:
        self.function, self.group = function, group
        self.own = twin(function)
        self.before = self.own.__code__
        code = asking(len(function.__code__.co_freevars))
        constants = [self if one == "exchanged" else one for one in code.co_consts]
        self.asking = code.replace(co_consts=tuple(constants))

    def exchange(self) -> None:
        """Let calls ask."""
        if self.own.__code__ is not self.function.__code__:
            become(self.own, self.function)
        self.before = self.own.__code__
        self.function.__code__ = self.asking

    def put_back(self) -> None:
        """Let calls run the function's own code."""
        if self.own.__code__ is self.before:
            self.function.__code__ = self.before
        else:
            become(self.function, self.own)

    def called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return what a call is to return."""
        raise NotImplementedError

    def called_again(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return what the function returns, and let further calls run its own code.

        That comes last: `own` may be exchanged itself, and puts its code back as well.
        """
        __tracebackhide__ = True
        try:
            return self.own(*args, **kwargs)
        finally:
            self.group.put_back(self)


class Exchanges:
    """Functions whose code is exchanged together, while anybody in any thread wants that.

    Nobody puts it back for all of them afterwards: each does so when it is next called.

    Args:
        every: returns all that there are; there may be more later.
    """

    def __init__(self, every: Callable[[], list[Exchanged]]) -> None:
        self.every, self.known = every, 0
        self.wanted = 0
        self.own: list[Exchanged] = []  # those that run their own code again

    def begin(self) -> None:
        """Exchange them, until `end` is called as often."""
        with exchanging:  # which may be held already: types are collected at any time
            if not self.wanted:
                self.exchange()
            self.wanted += 1

    def exchange(self) -> None:
        """Exchange those that run their own code, or are new."""
        with exchanging:
            every = self.every()
            self.own += every[self.known :]
            self.known = len(every)
            while self.own:
                self.own.pop().exchange()

    def end(self) -> None:
        """Undo what `begin` did."""
        with exchanging:
            self.wanted -= 1

    def put_back(self, one: Exchanged) -> None:
        """Let a function run its own code, unless that is not wanted any more."""
        with exchanging:
            if not self.wanted and one.function.__code__ is one.asking:
                one.put_back()
                self.own.append(one)
