"""An error in a learner's code, explained: what it was, in which line, and what it means."""

import linecache
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from minigrad.exercises import pocket
from minigrad.exercises.limits import TookTooLong
from minigrad.exercises.misconceptions import MISCONCEPTIONS

_LONGEST = 500

# Well-known errors behind which there is no misconception.
_MEANINGS = {
    "does not require grad and does not have a grad_fn": "There's no computation graph to go back "
    "through. Print `requires_grad` of each tensor along the way. The first one that says False is "
    "where the graph got lost.",
    "The size of tensor a": "These two shapes can't be broadcast together. Print both.",
    "shapes cannot be multiplied": "In a matrix product, the inner sizes must be the same. Print "
    "both shapes.",
    "unsupported operand type(s)": "These two things can't be combined, and the message says what "
    "they are: `NoneType` is None, and `ellipsis` is `...`. Take a `tuple` apart first, and call a "
    "`method` with parentheses.",
    "appears to not have been used in the graph": "The result doesn't depend on this tensor, or "
    "the graph was cut somewhere between the two.",
    "cannot be converted to Scalar": "Only a tensor with one element can become a plain number. "
    "This one has several.",
    "returned an invalid gradient": "A gradient must have the shape of its input. *got* is the "
    "shape of what your `backward` returns.",
    "returned an incorrect number of gradients": "`backward` must return one gradient for each "
    "input of `forward`, in the same order.",
    "values to unpack": "The number of names on the left isn't the number of values on the right. "
    "(`ctx.saved_tensors` holds what `forward` passed to `ctx.save_for_backward`.)",
    "unexpected keyword argument": "The function has no argument with that name.",
    "got multiple values for argument": "This argument was passed twice: an argument without a "
    "name already took its place.",
    "positional argument": "The function takes a different number of arguments than it was given.",
    "context manager protocol": "Are parentheses missing, as in `with torch.no_grad():`?",
    "'NoneType' object has no attribute": "What's to the left of the dot is None here.",
    "maximum recursion depth exceeded": "A function keeps calling itself and never stops.",
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
            f"{what} isn't valid Python, in line {error.lineno} or just before it:"
            f"\n\n    {line}\n\n"
            f"{name}: {error.msg}"
        )
    if isinstance(error, TookTooLong):
        return Trouble(
            f"{what} ran too long and was {error}{where}\n\n"
            "Does it loop forever? Look at what should end the loop."
        )
    if isinstance(error, KeyboardInterrupt):
        return Trouble(f"{what} was interrupted before it finished{where}")
    if isinstance(error, SystemExit):
        return Trouble(f"{what} ended Python itself (`exit`){where}\n\nUse `return` instead.")
    text = _text(error)
    meaning, misconception = _meaning(error, text)
    shown = f"{type(error).__name__}: {text}"
    said = f"{what} stopped with an error{where}\n\n    {shown}"
    return Trouble(said + (f"\n\n{meaning}" if meaning else ""), misconception, shown)


def _place(traceback: TracebackType | None, namespace: Mapping[str, Any]) -> str:
    """Where it was in the learner's own code; frames of libraries are passed over.

    So is the pocket engine, which completes a learner's engine within their namespace.
    """
    last = None
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_globals is namespace and frame.f_code.co_filename != pocket.__file__:
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
        return "(an error that can't be printed)"
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"


def _meaning(error: BaseException, text: str) -> tuple[str, int | None]:
    for misconception in MISCONCEPTIONS.values():
        for message in misconception.messages:
            if message.text in text:
                return message.meaning, misconception.number
    if isinstance(error, NameError):
        return (
            "There's nothing with that name. Has its cell been run? Is it spelled that way?",
            None,
        )
    if isinstance(error, KeyError):
        return "The dictionary doesn't have this key, or doesn't have it yet.", None
    if isinstance(error, IndexError):
        return "There's no element at that index: it's past the end.", None
    for fragment, meaning in _MEANINGS.items():
        if fragment in text:
            return meaning, None
    if isinstance(error, AttributeError):
        return "It has no attribute with that name. Is it spelled that way?", None
    return "", None
