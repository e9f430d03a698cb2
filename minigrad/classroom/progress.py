"""A progress bar."""

import sys

from tqdm import tqdm


def bar(what: str, total: int, done: int = 0) -> "tqdm[None]":
    """With the rate and the time left; in a log, a line from time to time.

    done: how many earlier runs did, which don't count for the rate.
    """
    often = 0.2 if sys.stderr.isatty() else 30
    return tqdm(
        desc=what,
        total=total,
        initial=done,
        unit=" submissions",
        mininterval=often,
        smoothing=0.05,
    )
