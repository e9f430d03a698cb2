"""Words to learn spelling from: text for a small language model."""

from pathlib import Path


def words() -> list[str]:
    """Return common English words of three to eight letters, in alphabetical order.

    >>> from minigrad.exercises import words
    >>> len(words()), words()[:3]
    (2358, ['able', 'about', 'above'])
    """
    return Path(__file__).with_name("words.txt").read_text("utf-8").split()
