"""Hands submissions to the workers of a Dask cluster, a few at a time, and gets their results.

Dask's scheduler does the work: it notices workers that die, and tries elsewhere what they held.
"""

import contextlib
import itertools
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dask
from dask.system import CPU_COUNT
from distributed import (
    Client,
    Future,
    KilledWorker,
    Scheduler,
    Security,
    SpecCluster,
    Worker,
    wait,
)
from distributed.http.routing import RoutingApplication

from minigrad.classroom.errors import CannotGrade
from minigrad.classroom.protection import Unprotected
from minigrad.classroom.submission import end_graders
from minigrad.classroom.task import OtherEdition

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

    def security(self) -> Security | None:
        """How to encrypt; CannotGrade if nothing keeps strangers out."""
        if self.tls is not None:
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


@contextlib.contextmanager
def cluster(network: Network | None, workers: int | None, folder: Path) -> Iterator[Client]:
    """A client of that cluster; without one, of threads in this process, which listens nowhere.

    workers: how many threads; as many as there are cores, if None. folder: for Dask's own files.
    CannotGrade if the network's scheduler does not answer.
    """
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # we say what matters
    if network is None and workers is not None and workers > CPU_COUNT:
        print(MORE_WORKERS.format(workers, CPU_COUNT), file=sys.stderr)
    with (
        dask.config.set(SETTINGS | {"temporary-directory": str(folder)}),
        _local(workers or CPU_COUNT) if network is None else _at(network) as client,
    ):
        yield client


class _Unheard:
    """A scheduler or worker without the HTTP server that Dask always starts."""

    http_application: RoutingApplication

    def start_http_server(self, *_: Any, **__: Any) -> None:
        """Listen nowhere."""
        self.http_application = RoutingApplication([])


class _Scheduler(_Unheard, Scheduler):  # type: ignore[misc]
    pass


class _Worker(_Unheard, Worker):  # type: ignore[misc]
    pass


@contextlib.contextmanager
def _local(threads: int) -> Iterator[Client]:
    alone = {"protocol": "inproc://", "dashboard": False}
    options = alone | {"nthreads": threads, "memory_limit": 0}  # the sandbox sets limits
    with (
        SpecCluster(
            scheduler={"cls": _Scheduler, "options": alone},
            workers={0: {"cls": _Worker, "options": options}},
            silence_logs=logging.CRITICAL,
        ) as local,
        Client(local) as client,
    ):
        try:
            yield client
        finally:
            client.close()
            end_graders()  # what they do is not waited for


@contextlib.contextmanager
def _at(network: Network) -> Iterator[Client]:
    with _connected(network) as client:
        if not places(client):
            print(f"There are no workers at {network.scheduler} yet. Waiting.", file=sys.stderr)
        yield client


def _connected(network: Network) -> Client:
    security = network.security()
    try:
        return Client(network.scheduler, timeout=SECONDS_TO_CONNECT, security=security)
    except (OSError, ValueError, TimeoutError, RuntimeError, TypeError) as error:
        raise CannotGrade(
            f"no Dask scheduler answers at {network.scheduler}. Is it running, and can it be "
            f"reached from here? With --tls, its address begins with tls://.\n({error})"
        ) from error


def places(client: Client) -> int:
    """How many submissions the cluster's workers can grade at once; 0 while it has none."""
    try:
        return sum(client.nthreads().values())
    except OSError as error:
        raise CannotGrade(GONE) from error


def distribute(
    client: Client,
    work: Iterable[tuple[str, bytes]],
    task: Callable[[bytes], str],
    most: int | None = None,
) -> Iterator[Result]:
    """Run `task` on the bytes of each piece of work, and give each result as soon as it is there.

    work: a key and the bytes. No more of it is read than the workers can do at once, so it takes no
    more memory than that, and a worker that dies was busy with what it held. most: at once.
    """
    waiting = iter(work)
    running: dict[Future, str] = {}
    looked, room = -SECONDS_BETWEEN_LOOKS, 0
    with _interrupts() as raise_interrupt:
        while True:
            raise_interrupt()
            if time.monotonic() - looked >= SECONDS_BETWEEN_LOOKS:
                looked, room = time.monotonic(), most or max(1, places(client))
            for key, content in itertools.islice(waiting, max(0, room - len(running))):
                running[client.submit(task, content, pure=False)] = key
            if not running:
                break
            _wait(list(running))
            for future in [future for future in running if future.done()]:
                yield _result(running.pop(future), future)


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
