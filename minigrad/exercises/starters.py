"""Whether an answer is still what stands in the exercise's starter."""

from types import CodeType, FunctionType
from typing import Any


class Starters:
    """The functions and classes that a starter defines."""

    def __init__(self, source: str) -> None:
        self._codes = _codes(compile(source, "<starter>", "exec"))

    def hold(self, name: str, answer: Any) -> bool:
        """Whether `answer` is the function or class of that name, untouched.

        An answer that is kept in another process says so itself, as it was found there.
        """
        unchanged = getattr(answer, "_unchanged", None)
        if type(unchanged) is bool:
            return unchanged
        return name in self._codes and _is_starter(answer, self._codes[name])


def _codes(code: CodeType) -> dict[str, CodeType]:
    """The code of each function and class that `code` defines, by name."""
    return {inner.co_name: inner for inner in code.co_consts if isinstance(inner, CodeType)}


def _is_starter(answer: Any, starter: CodeType) -> bool:
    """Whether a function, or every method of a class, is still as it stands in the starter."""
    if isinstance(answer, FunctionType):
        return _same(answer.__code__, starter)
    if isinstance(answer, type):
        functions = [getattr(thing, "__func__", thing) for thing in vars(answer).values()]
        own = {one.__name__: one.__code__ for one in functions if isinstance(one, FunctionType)}
        methods = _codes(starter)
        return own.keys() == methods.keys() and all(_same(own[n], methods[n]) for n in methods)
    return False


def _same(left: CodeType, right: CodeType) -> bool:
    """Whether two pieces of code do the same, wherever they stand."""
    names = ("co_code", "co_names", "co_varnames", "co_freevars")
    return (
        all(getattr(left, name) == getattr(right, name) for name in names)
        and len(left.co_consts) == len(right.co_consts)
        and all(map(_same_constant, left.co_consts, right.co_consts))
    )


def _same_constant(left: object, right: object) -> bool:
    if isinstance(left, CodeType) and isinstance(right, CodeType):
        return _same(left, right)
    return type(left) is type(right) and left == right
