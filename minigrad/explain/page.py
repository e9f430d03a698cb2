"""Declarations: each cause of an error has one.

Its words are a page, the docstring of a function that fills in the fields::

    @CAUSES.declare("a pattern in PyTorch's text", "10_in_place")
    def saved_tensor_changed(case: Case) -> Fields | None:
        '''The title of the page.

        One sentence that says what happened to `{a}`.

        cause: what the line that caused it does
        line a: a few words about the line that made `a`
        fix: {a:.clone()} -- what that costs
        more: the long story

        Example::

            a program that shows it, with a mark at the line to be named  # cause
        '''
        return {}

``{a}`` and ``{b}`` are the operands of the line that raised the error, ``{line}`` is that line, and
``{0}`` is what the pattern's first group has found. ``{a.shape}`` is a shape, ``{a:.sum()}`` the
line with ``.sum()`` behind ``a``, ``{a:=b}`` that with ``b`` in its place, ``{line:+x=1}`` the line
with one more argument in its call. A field that is None, or isn't there, takes its line of the page
with it.
"""

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from minigrad.explain.source import Place
from minigrad.viz.read.protocol import TensorLike, is_tensor, maker

Fields = dict[str, Any]
_DIRECTIVE = re.compile(r"(cause|line|fix|more|graph)(?: (\w+))?: (.*)", re.DOTALL)
_NEXT = re.compile(r"\n(?=(?:cause|line \w+|fix|more|graph): )")


class Fix(NamedTuple):
    """Lines to write instead, and what that costs or means."""

    code: str
    cost: str


@dataclass
class Explanation:
    """A page that is filled in.

    title: the cause in general. lines: the places that matter, each with a few words.
    """

    title: str
    what: str
    cause: Place | None
    note: str
    lines: list[tuple[Place, str]]
    fixes: list[Fix]
    graph: list[TensorLike]
    more: str
    lesson: str


@dataclass(frozen=True)
class Cause:
    """A declaration. message: a pattern in what is explained, such as ``ValueError: its text``.

    declared: the function with the page, which gives the fields that fill it in, or None if the
    cause is another one. filled: whether it has to run.
    """

    message: str
    lesson: str
    declared: Callable[[Any], Fields | None]
    filled: bool = True

    @property
    def name(self) -> str:
        return self.declared.__name__

    def fields(self, subject: Any) -> Fields | None:
        """What fills the page in; None if the cause is another one."""
        return self.declared(subject) if self.filled else {}

    @cached_property
    def _parts(self) -> tuple[str, str]:
        page, _, example = inspect.cleandoc(self.declared.__doc__ or "").partition("Example::\n\n")
        return page.strip(), textwrap.dedent(example).rstrip() + "\n"

    @property
    def title(self) -> str:
        """The first line of the page."""
        return self._parts[0].partition("\n")[0]

    @property
    def example(self) -> str:
        """The program that shows the cause; ``torch`` is the engine."""
        return self._parts[1]

    def explained(self, given: Mapping[str, Any], groups: tuple[str | None, ...]) -> Explanation:
        """The page, filled in."""
        fields = {name: value for name, value in given.items() if value is not None}
        _, what, *rest = self._parts[0].split("\n\n", 2)
        said = Explanation(
            self.title,
            _filled(what, fields, groups) or self.title,
            fields.get("cause"),
            "",
            list(fields.get("lines", ())),
            list(fields.get("fixes", ())),
            [],
            "",
            str(fields.get("lesson", self.lesson)),
        )
        for directive in _NEXT.split("\n".join(rest).strip()):
            found = _DIRECTIVE.match(directive)
            text = found and _filled(found[3], fields, groups)
            if found and text:
                _follow(said, found[1], fields.get(found[2] or text), text)
        return said


def _filled(text: str, fields: Fields, groups: tuple[str | None, ...]) -> str | None:
    """A text with its fields; None if one of them isn't known."""
    try:
        return " ".join(text.split()).format(*groups, **fields)
    except (KeyError, IndexError, AttributeError):
        return None


def _follow(said: Explanation, kind: str, thing: Any, text: str) -> None:
    """Let one line of a page say what it says."""
    if kind == "cause":
        said.note = text
    elif kind == "more":
        said.more = text
    elif kind == "fix":
        code, _, cost = text.partition(" -- ")
        said.fixes.append(Fix(code.replace(" | ", "\n").replace(":\n", ":\n    "), cost))
    elif kind == "graph":
        tensor = getattr(thing, "tensor", thing)
        said.graph += [tensor] if is_tensor(tensor) and maker(tensor) is not None else []
    else:
        place = thing if isinstance(thing, Place) else getattr(thing, "birth", None)
        if place is not None:
            said.lines.append((place, text))


class Causes(list[Cause]):
    """The declarations of one kind; those with the same message are tried in their order."""

    def page(self, message: str, lesson: str) -> Callable[[Any], Any]:
        """A decorator that declares a cause whose page needs no more fields than all have."""

        def add(page: Callable[[Any], None]) -> Callable[[Any], None]:
            self.append(Cause(message, lesson, page, filled=False))
            return page

        return add

    def declare(self, message: str, lesson: str) -> Callable[[Any], Any]:
        """A decorator that declares a cause."""

        def add(fields: Callable[[Any], Fields | None]) -> Callable[[Any], Fields | None]:
            self.append(Cause(message, lesson, fields))
            return fields

        return add
