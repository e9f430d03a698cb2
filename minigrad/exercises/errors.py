"""An error in a learner's code, explained: what it was, in which line, and what it means."""

import linecache
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from minigrad.exercises.limits import TookTooLong
from minigrad.exercises.misconceptions import MISCONCEPTIONS

_LONGEST = 500

# Well-known errors behind which there is no misconception.
_MEANINGS = {
    "does not require grad and does not have a grad_fn": "There is no record to walk back through. "
    "Print `requires_grad` of each tensor on the way: the trouble is where the first False stands.",
    "The size of tensor a": "The two shapes cannot be broadcast against each other. Print them.",
    "shapes cannot be multiplied": "In a matrix product the inner sizes must agree. Print both "
    "shapes.",
    "unsupported operand type(s)": "The two sides of the operation do not go together; the message "
    "says of which kinds they are. `NoneType` is None, `ellipsis` is `...`; a `tuple` has to be "
    "taken apart first, and a `method` wants its parentheses.",
    "appears to not have been used in the graph": "The result does not depend on this tensor: "
    "somewhere on the way the record was left.",
    "cannot be converted to Scalar": "Only a tensor with a single number can be made a plain "
    "number; this one holds several.",
    "returned an invalid gradient": "A gradient has the shape of the input to which it belongs. "
    "*got* is the shape of what `backward` gives back.",
    "returned an incorrect number of gradients": "`backward` gives back one gradient for each "
    "input of `forward`, in the same order.",
    "values to unpack": "There are other numbers of names on the left and of things on the right. "
    "(`ctx.saved_tensors` holds what `forward` handed to `ctx.save_for_backward`.)",
    "unexpected keyword argument": "What was called knows no argument of that name.",
    "got multiple values for argument": "Too much was handed over: what stands before it has taken "
    "that argument's place already.",
    "positional argument": "What was called takes more, or fewer, inputs than it was given.",
    "context manager protocol": "Are parentheses missing, as in `with torch.no_grad():`?",
    "'NoneType' object has no attribute": "What stands before the point is None there.",
    "maximum recursion depth exceeded": "A function calls itself and never comes to an end.",
}


@dataclass(frozen=True)
class Trouble:
    """What went wrong in a learner's code, in words, and the misconception that it shows.

    error: the exception's type and text, if it was an ordinary one.
    """

    message: str
    misconception: int | None = None
    error: str = ""


def explain(error: BaseException, namespace: Mapping[str, Any], what: str) -> Trouble:
    """The error said in words. what: whose it is, such as "Your cell"; namespace: the learner's."""
    where = _place(error.__traceback__, namespace)
    if isinstance(error, SyntaxError) and error.lineno and error.text:
        name, line = type(error).__name__, error.text.strip()
        return Trouble(
            f"{what} is no Python yet, in line {error.lineno} or just before it:\n\n    {line}\n\n"
            f"{name}: {error.msg}"
        )
    if isinstance(error, TookTooLong):
        return Trouble(
            f"{what} went on for too long and was {error}{where}\n\n"
            "Does it loop for ever? Look at what should end the loop."
        )
    if isinstance(error, KeyboardInterrupt):
        return Trouble(f"{what} was interrupted before it had finished{where}")
    if isinstance(error, SystemExit):
        return Trouble(f"{what} ended Python itself (`exit`){where}\n\nUse `return` instead.")
    text = _text(error)
    meaning, misconception = _meaning(error, text)
    shown = f"{type(error).__name__}: {text}"
    said = f"{what} stopped with an error{where}\n\n    {shown}"
    return Trouble(said + (f"\n\n{meaning}" if meaning else ""), misconception, shown)


def _place(traceback: TracebackType | None, namespace: Mapping[str, Any]) -> str:
    """Where it was in the learner's own code; frames of libraries are passed over."""
    last = None
    while traceback is not None:
        if traceback.tb_frame.f_globals is namespace:
            last = traceback
        traceback = traceback.tb_next
    if last is None:
        return "."
    line = linecache.getline(last.tb_frame.f_code.co_filename, last.tb_lineno).strip()
    return f", in line {last.tb_lineno} of the cell" + (f":\n\n    {line}" if line else ".")


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        return "(an error that cannot be printed)"
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"


def _meaning(error: BaseException, text: str) -> tuple[str, int | None]:
    for misconception in MISCONCEPTIONS.values():
        for message in misconception.messages:
            if message.text in text:
                return message.meaning, misconception.number
    if isinstance(error, NameError):
        return "There is nothing of that name. Was its cell run? Is it spelt like that?", None
    if isinstance(error, KeyError):
        return "The dictionary has nothing under this key, or nothing yet.", None
    if isinstance(error, IndexError):
        return "There is nothing at that place: it lies behind the end.", None
    for fragment, meaning in _MEANINGS.items():
        if fragment in text:
            return meaning, None
    if isinstance(error, AttributeError):
        return "It has nothing of that name. Is it spelt like that?", None
    return "", None
