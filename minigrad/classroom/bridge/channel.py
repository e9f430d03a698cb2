"""Frames of JSON and bytes over a socket, read with limits: the other side may send anything."""

import contextlib
import json
import os
import select
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

_HEAD = struct.Struct("!II")  # how many bytes of JSON, how many bytes of arrays
_POLL = 0.25  # seconds
ENDED = "It ended before its end."


class Lost(BaseException):
    """The other side is gone, or silent for too long, or sends what is no message.

    Not an error of whoever is at work when it is noticed, so no ``except Exception`` takes it.
    """


class Channel:
    """One end of a connection.

    largest: bytes of a message; most: bytes in all, after which the other side is given up.
    waiting: called now and then; it may raise.
    """

    def __init__(
        self,
        handle: int,
        largest: int = 1 << 30,
        most: int = 1 << 40,
        waiting: Callable[[], None] = lambda: None,
    ) -> None:
        self._handle = handle
        os.set_blocking(handle, False)
        self._largest = largest
        self._left = most
        self._waiting = waiting
        self._looked = time.monotonic()
        self.lost: str | None = None  # why nothing can be said any more

    def send(self, message: Any, arrays: bytes = b"") -> None:
        """Send a message; ValueError if it is larger than the other side will take."""
        text = json.dumps(message, separators=(",", ":")).encode()
        if max(len(text), len(arrays)) > self._largest:
            raise ValueError("This is too large to be an answer.")
        left = memoryview(_HEAD.pack(len(text), len(arrays)) + text + arrays)
        with self._whole():
            while left:
                self._wait([], [self._handle])
                with contextlib.suppress(BlockingIOError):
                    left = left[os.write(self._handle, left) :]

    def receive(self) -> tuple[Any, bytes]:
        """The next message and its arrays; Lost if there will be none."""
        with self._whole():
            size, count = _HEAD.unpack(self._read(_HEAD.size))
            if size > self._largest or count > self._largest:
                raise Lost("It sent more than an answer can be.")
            text, arrays = self._read(size), self._read(count)
            try:
                return json.loads(text), arrays
            except (ValueError, RecursionError) as error:
                raise Lost("It sent what is no message.") from error

    @contextlib.contextmanager
    def _whole(self) -> Iterator[None]:
        """Within it a message is said or heard, whole; if it is not, nothing can be said after."""
        if self.lost is not None:
            raise Lost(self.lost)
        try:
            yield
        except OSError as error:
            self.lost = ENDED
            raise Lost(ENDED) from error
        except BaseException as error:
            self.lost = str(error)
            raise

    def _read(self, count: int) -> bytes:
        self._left -= count
        if self._left < 0:
            raise Lost("It sent more than all answers together can be.")
        parts = bytearray()
        while len(parts) < count:
            self._wait([self._handle], [])
            try:
                part = os.read(self._handle, min(count - len(parts), 1 << 20))
            except BlockingIOError:
                continue
            if not part:
                raise Lost(ENDED)
            parts += part
        return bytes(parts)

    def _wait(self, reading: list[int], writing: list[int]) -> None:
        """Until it can be read or written; whoever talks all the time is looked at, too."""
        while not any(select.select(reading, writing, [], _POLL)):
            self._looked = 0.0
            self._look()
        self._look()

    def _look(self) -> None:
        if time.monotonic() > self._looked + _POLL:
            self._waiting()
            self._looked = time.monotonic()
