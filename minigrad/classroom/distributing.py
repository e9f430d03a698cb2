"""Hands submissions to workers, a few at a time, and gets their results.

On one machine they are threads of this process, which listens nowhere. On several, Dask's scheduler
does the work: it notices workers that die, and tries elsewhere what they held.
"""

import contextlib
import itertools
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dask.system import CPU_COUNT

from minigrad.classroom.errors import CannotGrade
from minigrad.classroom.protection import Unprotected
from minigrad.classroom.submission import end_graders
from minigrad.classroom.task import OtherEdition

if TYPE_CHECKING:
    from distributed import Client, Security

SETTINGS = {
    "distributed.scheduler.allowed-failures": 2,  # after which it is graded again, alone
    "distributed.admin.large-graph-warning-threshold": "1 GB",  # a notebook may have 20 MB
    "distributed.admin.low-level-log-length": 100,  # which holds the notebooks, of 1,000 by default
}
SECONDS_TO_CONNECT = 10
# How often to look whether workers have come or gone.
SECONDS_BETWEEN_LOOKS = 1.0

GONE = "the scheduler is gone. What is graded is kept: run the same command again to go on."
MORE_WORKERS = "{} workers on {} cores: more workers than cores don't make it faster."
KILLED = "Its worker died, each time that it was graded."
FAILED = "Grading it failed: {}."


@dataclass(frozen=True)
class Result:
    """What came of a submission: the worker's answer, or why there is none."""

    key: str
    answer: str | None
    problem: str = ""


@dataclass(frozen=True)
class Network:
    """A cluster of several machines.

    scheduler: its address. tls: the files of the authority, of this machine's certificate, and of
    its key. trusted: go without them; whoever reaches the network can then run code here.
    """

    scheduler: str
    tls: tuple[str, str, str] | None = None
    trusted: bool = False

    def security(self) -> "Security | None":
        """How to encrypt; CannotGrade if nothing keeps strangers out."""
        if self.tls is not None:
            from distributed import Security

            ca, certificate, key = self.tls
            return Security(
                tls_ca_file=ca,
                tls_client_cert=certificate,
                tls_client_key=key,
                require_encryption=True,
            )
        if not self.trusted:
            raise CannotGrade(
                f"without TLS, anyone who can reach {self.scheduler} can run programs on it and "
                "here. Give --tls CA CERTIFICATE KEY, or --trust-network if nobody else is on it."
            )
        return None


@dataclass(frozen=True)
class Workers:
    """Who grades. places: says how many submissions at once. died: what is raised if one did."""

    executor: Executor
    places: Callable[[], int]
    died: tuple[type[Exception], ...] = ()


@contextlib.contextmanager
def cluster(network: Network | None, workers: int | None, folder: Path) -> Iterator[Workers]:
    """The workers of that network; without one, threads of this process.

    workers: how many threads; as many as there are cores, if None. folder: for Dask's own files.
    CannotGrade if the network's scheduler does not answer.
    """
    if network is not None:
        with _at(network, folder) as found:
            yield found
        return
    if workers is not None and workers > CPU_COUNT:
        print(MORE_WORKERS.format(workers, CPU_COUNT), file=sys.stderr)
    number = workers or CPU_COUNT
    threads = ThreadPoolExecutor(number)
    try:
        yield Workers(threads, lambda: number)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        end_graders()  # what they do is not waited for


@contextlib.contextmanager
def _at(network: Network, folder: Path) -> Iterator[Workers]:
    import dask
    from distributed import KilledWorker

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # we say what matters
    settings = SETTINGS | {"temporary-directory": str(folder)}
    with dask.config.set(settings), _connected(network) as client:

        def places() -> int:
            try:
                return sum(client.nthreads().values())
            except OSError as error:
                raise CannotGrade(GONE) from error

        if not places():
            print(f"There are no workers at {network.scheduler} yet. Waiting.", file=sys.stderr)
        yield Workers(client.get_executor(pure=False), places, (KilledWorker,))


def _connected(network: Network) -> "Client":
    from distributed import Client

    security = network.security()
    try:
        return Client(network.scheduler, timeout=SECONDS_TO_CONNECT, security=security)
    except (OSError, ValueError, TimeoutError, RuntimeError, TypeError) as error:
        raise CannotGrade(
            f"no Dask scheduler answers at {network.scheduler}. Is it running, and can it be "
            f"reached from here? With --tls, its address begins with tls://.\n({error})"
        ) from error


def distribute(
    workers: Workers,
    work: Iterable[tuple[str, bytes]],
    task: Callable[[bytes], str],
    most: int | None = None,
) -> Iterator[Result]:
    """Run `task` on the bytes of each piece of work, and give each result as soon as it is there.

    work: a key and the bytes. No more of it is read than the workers can do at once, so it takes no
    more memory than that, and a worker that dies was busy with what it held. most: at once.
    """
    waiting = iter(work)
    running: dict[Future[str], str] = {}
    looked, room = -SECONDS_BETWEEN_LOOKS, 0
    with _interrupts() as raise_interrupt:
        while True:
            raise_interrupt()
            if time.monotonic() - looked >= SECONDS_BETWEEN_LOOKS:
                looked, room = time.monotonic(), most or max(1, workers.places())
            for key, content in itertools.islice(waiting, max(0, room - len(running))):
                running[workers.executor.submit(task, content)] = key
            if not running:
                break
            done, _ = wait(running, SECONDS_BETWEEN_LOOKS, "FIRST_COMPLETED")
            for future in done:
                yield _result(running.pop(future), future, workers.died)


@contextlib.contextmanager
def _interrupts() -> Iterator[Callable[[], None]]:
    """Gives what raises KeyboardInterrupt if Ctrl-C was pressed meanwhile.

    Raised where it is pressed, it may fall into a callback of Dask's, and be lost there.
    """
    pressed = threading.Event()

    def raise_interrupt() -> None:
        if pressed.is_set():
            raise KeyboardInterrupt

    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: pressed.set())
    try:
        yield raise_interrupt
    finally:
        signal.signal(signal.SIGINT, handler)


def _result(key: str, future: Future[str], died: tuple[type[Exception], ...]) -> Result:
    try:
        return Result(key, future.result())
    except died:
        return Result(key, None, KILLED)
    except (Unprotected, OtherEdition) as error:
        raise CannotGrade(str(error)) from error
    except ImportError as error:
        raise CannotGrade(f"the workers lack something that is installed here: {error}") from error
    except CancelledError as error:
        raise CannotGrade(GONE) from error
    except Exception as error:  # this one alone: a full disk on one worker, for example
        return Result(key, None, FAILED.format(f"{type(error).__name__}: {error}"))
