"""Hands submissions to the workers of a Dask cluster, a few at a time, and gets their results.

Dask's scheduler does the work: it notices workers that die, and tries elsewhere what they held.
"""

import contextlib
import logging
import signal
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass

import dask
from dask.system import CPU_COUNT
from distributed import Client, Future, KilledWorker, LocalCluster, wait

from minigrad.classroom.errors import CannotGrade
from minigrad.classroom.protection import Unprotected
from minigrad.classroom.task import OtherEdition

SETTINGS = {
    # Workers die of other things: what they held is all but never to blame, as it is shut in.
    "distributed.scheduler.allowed-failures": 9,
    "distributed.admin.large-graph-warning-threshold": "1 GB",  # a notebook may have 20 MB
    "distributed.admin.low-level-log-length": 100,  # which holds the notebooks, of 1,000 by default
}
SECONDS_TO_CONNECT = 10
# How often to look whether workers have come or gone.
SECONDS_BETWEEN_LOOKS = 1.0

GONE = "the scheduler is gone. What is graded is kept: run the same command again to go on."
KILLED = "Its worker died, each time that it was graded."
FAILED = "Grading it failed: {}."


@dataclass(frozen=True)
class Result:
    """What came of a submission: the worker's answer, or why there is none."""

    key: str
    answer: str | None
    problem: str = ""


@contextlib.contextmanager
def cluster(address: str | None, workers: int | None) -> Iterator[Client]:
    """A client of the cluster at that address; or of one of this machine's own processes.

    workers: of the local cluster; as many as there are cores, if None. CannotGrade if the address
    does not answer.
    """
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # we say what matters
    with dask.config.set(SETTINGS), _local(workers) if address is None else _at(address) as client:
        yield client


@contextlib.contextmanager
def _local(workers: int | None) -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=workers or CPU_COUNT,
            threads_per_worker=1,
            memory_limit=None,  # the sandbox sets limits
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as local,
        Client(local) as client,
    ):
        yield client


@contextlib.contextmanager
def _at(address: str) -> Iterator[Client]:
    with _connected(address) as client:
        if not places(client):
            print(f"There are no workers at {address} yet. Waiting for them.", file=sys.stderr)
        yield client


def _connected(address: str) -> Client:
    try:
        return Client(address, timeout=SECONDS_TO_CONNECT)
    except (OSError, ValueError, TimeoutError) as error:
        raise CannotGrade(
            f"no Dask scheduler answers at {address}. Is it running, and can it be reached from "
            f"here?\n({error})"
        ) from error


def places(client: Client) -> int:
    """How many submissions the cluster's workers can grade at once; 0 while it has none."""
    return sum(client.nthreads().values())


def distribute(
    client: Client, work: Iterable[tuple[str, bytes]], task: Callable[[bytes], str]
) -> Iterator[Result]:
    """Run `task` on the bytes of each piece of work, and give each result as soon as it is there.

    work: a key and the bytes. No more of it is read than the workers can do at once, so it takes no
    more memory than that, and a worker that dies was busy with what it held.
    """
    waiting = iter(work)
    running: dict[Future, str] = {}
    more = True
    looked, room = -SECONDS_BETWEEN_LOOKS, 0
    with _interrupts() as raise_interrupt:
        while more or running:
            raise_interrupt()
            if time.monotonic() - looked >= SECONDS_BETWEEN_LOOKS:
                looked, room = time.monotonic(), max(1, _asked(client))
            while more and len(running) < room:
                following = next(waiting, None)
                if following is None:
                    more = False
                    break
                key, content = following
                running[_submitted(client, task, content)] = key
            _wait(list(running))
            for future in [future for future in running if future.done()]:
                yield _result(running.pop(future), future)


@contextlib.contextmanager
def _interrupts() -> Iterator[Callable[[], None]]:
    """Gives what raises KeyboardInterrupt if Ctrl-C was pressed meanwhile.

    Raised where it is pressed, it may fall into a callback of Dask's, and be lost there.
    """
    pressed: list[int] = []

    def raise_interrupt() -> None:
        if pressed:
            raise KeyboardInterrupt

    handler = signal.getsignal(signal.SIGINT)
    ours = handler is signal.default_int_handler and (
        threading.current_thread() is threading.main_thread()
    )
    if ours:
        signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield raise_interrupt
    finally:
        if ours:
            signal.signal(signal.SIGINT, handler)


def _asked(client: Client) -> int:
    try:
        return places(client)
    except OSError as error:
        raise CannotGrade(GONE) from error


def _submitted(client: Client, task: Callable[[bytes], str], content: bytes) -> Future:
    return client.submit(task, content, key=f"grade-{uuid.uuid4().hex}", pure=False)


def _wait(running: list[Future]) -> None:
    """Until one is done, or it is time to look around."""
    with contextlib.suppress(TimeoutError):
        try:
            wait(running, timeout=SECONDS_BETWEEN_LOOKS, return_when="FIRST_COMPLETED")
        except CancelledError as error:
            raise CannotGrade(GONE) from error


def _result(key: str, future: Future) -> Result:
    try:
        return Result(key, future.result())
    except KilledWorker:
        return Result(key, None, KILLED)
    except (Unprotected, OtherEdition) as error:
        raise CannotGrade(str(error)) from error
    except ImportError as error:
        raise CannotGrade(f"the workers lack something that is installed here: {error}") from error
    except CancelledError as error:
        raise CannotGrade(GONE) from error
    except Exception as error:  # this one alone: a full disk on one worker, for example
        return Result(key, None, FAILED.format(f"{type(error).__name__}: {error}"))
    finally:
        future.release()
