"""The misconceptions; where one ends in a message, the words are PyTorch's."""

import importlib
import warnings

import pytest

from minigrad.exercises.errors import explain
from minigrad.exercises.misconceptions import MISCONCEPTIONS, Message

MESSAGES = [
    (number, message)
    for number, misconception in MISCONCEPTIONS.items()
    for message in misconception.messages
]


def said(message: Message, engine: str) -> BaseException | Warning:
    """The error, or else the warning, that its program ends in."""
    namespace = {"torch": importlib.import_module(engine)}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            exec(message.program, namespace)
        except Exception as error:
            return error
    return warned[0].message  # type: ignore[return-value]


def test_there_are_twenty_two() -> None:
    assert list(MISCONCEPTIONS) == list(range(1, 23))
    assert all(number == about.number for number, about in MISCONCEPTIONS.items())
    assert len({about.name for about in MISCONCEPTIONS.values()}) == 22


@pytest.mark.parametrize("engine", ["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
@pytest.mark.parametrize(("number", "message"), MESSAGES)
def test_the_program_ends_in_the_message(number: int, message: Message, engine: str) -> None:
    error = said(message, engine)
    assert message.text in str(error)
    trouble = explain(error, {}, "Your cell")
    assert trouble.misconception == number
    assert message.meaning in trouble.message


@pytest.mark.parity
@pytest.mark.parametrize(("number", "message"), MESSAGES)
def test_the_whole_message_is_pytorchs(number: int, message: Message) -> None:
    ours, theirs = said(message, "minigrad"), said(message, "torch")
    assert type(ours) is type(theirs)
    assert str(ours) == str(theirs).partition(" (Triggered internally")[0]
