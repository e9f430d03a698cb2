"""Python's own `multiprocessing`: minigrad's tensors go to other processes as pickles."""

from multiprocessing import *  # noqa: F403
