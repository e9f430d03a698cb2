"""A case of the clinic: what was written, what is wrong with it, and what is not."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

from minigrad.widgets.questions import Mistake


@dataclass(frozen=True)
class Case:
    """A few lines that fail, or that print what they should not.

    id: the lesson's two digits and a name. complaint: what its author says.
    cause: the right diagnosis; others: wrong ones, each with what speaks against it.
    because: why the cause is the cause. hints: from vague to nearly told.
    fix: one way to write it right. cured: an expression that is true where it is right.
    """

    id: str
    complaint: str
    source: str
    cause: str
    others: tuple[Mistake, ...]
    because: str
    hints: tuple[str, ...]
    fix: str
    cured: str

    @property
    def lesson(self) -> int:
        return int(self.id[:2])


def case(
    id: str,
    complaint: str,
    source: str,
    *,
    cause: str,
    others: dict[str, str],
    because: str,
    hints: tuple[str, ...],
    fix: str,
    cured: str,
) -> Case:
    mistakes = tuple(Mistake(*other) for other in others.items())
    written, mended = dedent(source).strip(), dedent(fix).strip()
    return Case(id, complaint, written, cause, mistakes, because, hints, mended, cured)
