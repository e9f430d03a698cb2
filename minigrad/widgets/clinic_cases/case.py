"""What a case of the clinic is: one declaration. Errors and pictures come from running it."""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Case:
    """A few lines that fail, or that print something wrong.

    id: the lesson's two digits and a name. complaint: what the author of the lines says.
    cause: the right diagnosis; others: wrong ones, each with a counterargument.
    because: why the cause is right. hints: from vague to almost the answer.
    fix: one way to write it; cured: an expression that is true for a cure.
    """

    id: str
    complaint: str
    source: str
    cause: str
    others: Mapping[str, str]
    because: str
    hints: tuple[str, ...]
    fix: str
    cured: str

    def __post_init__(self) -> None:
        for name in ("source", "fix"):  # they are indented below
            object.__setattr__(self, name, dedent(getattr(self, name)).strip())

    @property
    def lesson(self) -> int:
        return int(self.id[:2])
