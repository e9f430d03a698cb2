"""A learner's attempt: answers by name, read without trusting that they are what was asked for."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.exercises.errors import explain
from minigrad.exercises.exercise import Exercise, NotYet
from minigrad.exercises.inputs import drawn
from minigrad.exercises.limits import TimeLimit
from minigrad.exercises.starters import Starters
from minigrad.viz.read.protocol import is_tensor

_LONGEST = 60
_NONE = (
    "That's what `backward()` and `print()` return, what `.grad` is before a gradient arrives, and "
    "what a function returns if it has no `return`."
)


class Attempt:
    """What a check sees: the answers, and `torch`, the engine that the learner's notebook uses.

    Each reader raises NotYet, saying it plainly, if the answer is missing or of another kind.
    seconds: how long one call of the learner's code may take; then a TookTooLong is raised in it.
    """

    def __init__(
        self,
        exercise: Exercise,
        namespace: Mapping[str, Any],
        torch: Any,
        seconds: float,
        random: np.random.Generator | None = None,
    ) -> None:
        self.torch = torch
        self.calling = "Your answer"
        self.graph: Any = None  # the first observed tensor that has one
        self.random = random or np.random.default_rng()  # other numbers at each check
        self._exercise = exercise
        self._namespace = namespace
        self.seconds = seconds

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the answers."""
        return self._exercise.answers

    @property
    def namespace(self) -> Mapping[str, Any]:
        """The notebook's names; functions among the answers look up theirs here."""
        return self._namespace

    def started(self) -> bool:
        """Whether any answer is there: not missing, and other than in the starter."""
        starters = Starters(self._exercise.starter)
        return any(
            not _dots(self._namespace.get(name, ...))
            and not starters.hold(name, self._namespace[name])
            for name in self._exercise.answers
        )

    def __getitem__(self, name: str) -> Any:
        """The answer of that name, whatever it is."""
        if name not in self._namespace:
            raise NotYet(f"There's no `{name}`. Has its cell been run? Is it spelled that way?")
        answer = self._namespace[name]
        if answer is None or _dots(answer):
            raise NotYet(f"`{name}` is {'`None`. ' + _NONE if answer is None else 'still `...`.'}")
        return answer

    def number(self, name: str) -> float:
        """A number: Python's, numpy's, or a tensor with one element."""
        return self.checked_number(self[name], f"`{name}`")

    def tensor(self, name: str) -> Any:
        """A tensor."""
        return self.checked_tensor(self[name], f"`{name}`")

    def is_number(self, thing: Any) -> bool:
        """Whether `thing` is a bare number, Python's or numpy's."""
        return isinstance(thing, int | float | np.number) and not isinstance(thing, bool)

    def checked_tensor(self, thing: Any, what: str) -> Any:
        """`thing`, if it is a tensor. what: what to call it, such as "What `f` gives back"."""
        if not is_tensor(thing):
            more = ""
            if callable(thing):
                more = " Did you leave out the parentheses that call it?"
            elif isinstance(thing, tuple) and len(thing) == 1 and is_tensor(thing[0]):
                more = " There's one inside: take it out with `[0]`."
            raise NotYet(f"{what} is {shown(thing)}. It should be a tensor.{more}")
        return thing

    def function(self, name: str, gives: bool = True, changes: bool = False) -> Callable[..., Any]:
        """A function, to be called as it is; what goes wrong in it is explained to the learner.

        gives: whether it has to give something back. changes: whether it may change the numbers of
        the tensors it is given.
        """
        answer = self[name]
        if not callable(answer):
            raise NotYet(f"`{name}` is {shown(answer)}. It should be a function.")

        def call(*arguments: Any, **named: Any) -> Any:
            before = _numbers_in(arguments)
            result = self.run(f"`{name}`", lambda: answer(*arguments, **named))
            if not changes and _numbers_in(arguments) != before:
                raise NotYet(f"`{name}` changes the values of its inputs.")
            if gives and (result is None or result is ...):
                raise NotYet(f"`{name}` returns {shown(result)}. Does it `return` its result?")
            return result

        return call

    def drawn(self, *shape: int) -> Any:
        """Numbers of that shape, others at each check, see `inputs.drawn`."""
        return drawn(self.random, *shape)

    def run(self, what: str, program: Callable[[], Any]) -> Any:
        """The result of code of the learner's. what: what to call it, if it goes wrong."""
        self.calling = what
        try:
            with TimeLimit(self.seconds):
                result = program()
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            trouble = explain(error, self._namespace, what)
            shows = trouble.misconception or "error"
            raise NotYet(trouble.message, shows=shows, error=trouble.error) from error
        self.calling = "Your answer"
        return result

    def checked_number(self, answer: Any, what: str) -> float:
        """`answer`, if it is a number. what: what to call it, such as "What `f` gives back"."""
        if is_tensor(answer) and math.prod(answer.shape) == 1:
            answer = np.ravel(answer.detach().tolist())[0]
        if isinstance(answer, bool | np.bool_) or not isinstance(
            answer, int | float | np.integer | np.floating
        ):
            raise NotYet(f"{what} is {shown(answer)}. It should be a number.")
        try:
            return float(answer)
        except OverflowError:
            return math.inf


def close(given: Any, wanted: Any, tolerance: float = 1e-3) -> bool:
    """Whether two numbers, or all of two arrays or tensors of numbers, agree; nan agrees with none.

    tolerance: relative, and absolute for what is near zero; answers are typed in with few digits.
    """
    left, right = (np.asarray(plain(one), dtype=np.float64) for one in (given, wanted))
    return left.shape == right.shape and np.allclose(left, right, rtol=tolerance, atol=tolerance)


def numerals(numbers: Any) -> str:
    """A number, or a list or tensor of them, as `code`: four digits of each."""

    def short(one: Any) -> str:
        return f"[{', '.join(map(short, one))}]" if isinstance(one, list) else f"{one:.4g}"

    return f"`{short(plain(numbers))}`"


def shown(thing: Any) -> str:
    """A few words for whatever a learner has typed, as `code`."""
    if thing is ...:
        return "`...`"
    if thing is None or type(thing) in (bool, float):
        return f"`{thing}`"
    if is_tensor(thing):
        return f"a tensor of shape {list(thing.shape)}"
    kind = type(thing).__name__
    if type(thing) is int and abs(thing) >= 10**_LONGEST:
        return "a huge number"
    if type(thing) in (int, str) or (type(thing) in (list, tuple) and _is_simple(thing)):
        text = repr(thing)
        return f"`{text}`" if len(text) <= _LONGEST else f"a long {kind}"
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"


def _dots(answer: Any) -> bool:
    """Whether all of an answer is still as it was: dots."""
    if type(answer) is dict:
        answer = list(answer.values())
    if type(answer) in (list, tuple):
        return 0 < len(answer) <= _LONGEST and all(one is ... for one in answer)
    return answer is ...


def _is_simple(things: Sequence[Any]) -> bool:
    simple = (int, float, bool, str, type(...), type(None))
    return len(things) <= _LONGEST and all(
        type(one) in simple and (type(one) is not int or abs(one) < 10**_LONGEST) for one in things
    )


def _numbers_in(arguments: Sequence[Any]) -> str:
    """The numbers of all tensors among the arguments, and in lists of these."""
    return repr([plain(one) for one in arguments if is_tensor(one) or type(one) is list])


def plain(thing: Any) -> Any:
    """Lists of numbers for tensors, and for lists of tensors."""
    if is_tensor(thing):
        return thing.detach().tolist()
    if isinstance(thing, list | tuple):
        return [plain(one) for one in thing]
    return thing
