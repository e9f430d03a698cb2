"""Work on threads and Dask clusters: lazily handed out, and safe from what workers and tasks do."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from minigrad.classroom.errors import CannotGrade

pytestmark = pytest.mark.classroom


def task(content: bytes) -> str:
    """What the content asks for."""
    kind, _, rest = content.decode().partition(" ")
    if kind == "echo":
        return rest
    if kind == "slow":
        time.sleep(float(rest))
    if kind == "raise":
        raise ZeroDivisionError("of its own")
    if kind == "import":
        import there_is_no_such_module  # noqa: F401
    if kind == "kill":  # its worker, as often as the file there says
        tries = Path(rest)
        left = int(tries.read_text())
        tries.write_text(str(left - 1))
        if left:
            os._exit(1)
    return kind


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    """A client of threads in this process."""
    from minigrad.classroom.distributing import cluster

    with cluster(None, 2, tmp_path / "dask") as client:
        yield client


@pytest.fixture
def processes() -> Iterator[object]:
    """A client of a cluster that somebody runs, whose workers are processes."""
    import dask
    from distributed import LocalCluster

    from minigrad.classroom.distributing import SETTINGS, Network, cluster

    with (
        dask.config.set(SETTINGS),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as running,
        cluster(Network(running.scheduler_address, trusted=True), None, Path()) as client,
    ):
        yield client


def answers(client: object, contents: list[str]) -> dict[str, str | None]:
    from minigrad.classroom.distributing import distribute

    work = [(content, content.encode()) for content in contents]
    results = list(distribute(client, work, task))
    assert len({result.key for result in results}) == len(results) == len(contents)
    return {result.key: result.answer or result.problem for result in results}


def test_each_piece_is_answered_once(client: object) -> None:
    contents = [f"echo {number}" for number in range(100)]
    assert answers(client, contents) == {content: content[5:] for content in contents}
    assert answers(client, []) == {}


def test_a_large_notebook_travels_without_a_warning(client: object) -> None:
    large = "large" + 20 * (1 << 20) * "x"
    assert answers(client, [large]) == {large: large}


def test_no_more_is_read_than_the_workers_can_do(client: object) -> None:
    from minigrad.classroom.distributing import Workers, distribute

    read = []

    def work() -> Iterator[tuple[str, bytes]]:
        for number in range(20):
            read.append(number)
            yield str(number), b"echo x"

    assert isinstance(client, Workers)
    assert client.places() == 2
    for done, _ in enumerate(distribute(client, work(), task)):
        assert len(read) <= done + 1 + client.places()


DIED = "Its worker died, each time that it was graded."


@pytest.mark.parametrize(("deaths", "left", "answer"), [(2, -1, "kill"), (99, 96, DIED)])
def test_a_death_of_a_worker_costs_a_retry_and_the_third_the_piece(
    processes: object, tmp_path: Path, deaths: int, left: int, answer: str
) -> None:
    (tmp_path / "tries").write_text(str(deaths))
    kill = f"kill {tmp_path / 'tries'}"
    found = answers(processes, [kill, *(f"slow 0.0{number}" for number in range(1, 9))])
    assert found.pop(kill) == answer
    assert (tmp_path / "tries").read_text() == str(left)
    assert set(found.values()) == {"slow"}


def test_an_error_costs_only_what_raised_it(client: object) -> None:
    found = answers(client, ["raise", "echo fine"])
    assert found["echo fine"] == "fine"
    assert found["raise"] == "Grading it failed: ZeroDivisionError: of its own."


def test_workers_that_lack_something_end_the_run(client: object) -> None:
    with pytest.raises(CannotGrade, match="there_is_no_such_module"):
        answers(client, ["import"])


def test_workers_of_another_edition_end_the_run(client: object) -> None:
    from functools import partial

    from minigrad.classroom.assignment import Assignment
    from minigrad.classroom.distributing import distribute
    from minigrad.classroom.task import grade_bytes

    other = Assignment("04_gradients_add_up", ("04_diamond",), frozenset(), "0.0.1-of-old")
    each = partial(grade_bytes, assignment=other, unprotected=True)
    with pytest.raises(CannotGrade, match=r"this run 0\.0\.1-of-old"):
        list(distribute(client, [("key", b"")], each))


def test_a_running_cluster_is_used_by_its_address(processes: object) -> None:
    assert answers(processes, ["echo there"]) == {"echo there": "there"}


def test_one_at_a_time_is_all_that_runs(client: object, tmp_path: Path) -> None:
    from minigrad.classroom.distributing import distribute

    def alone(content: bytes) -> str:
        (tmp_path / "busy").touch(exist_ok=False)
        time.sleep(0.05)
        (tmp_path / "busy").unlink()
        return "alone"

    work = [(str(number), b"") for number in range(6)]
    assert {one.answer for one in distribute(client, work, alone, most=1)} == {"alone"}


def test_too_many_workers_are_remarked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from minigrad.classroom.distributing import CPU_COUNT, cluster

    more = CPU_COUNT + 1
    for workers, said in ((1, ""), (more, f"{more} workers on {CPU_COUNT} cores")):
        with cluster(None, workers, tmp_path):
            assert capsys.readouterr().err.startswith(said)


def certificates(folder: Path) -> tuple[str, str, str]:
    """An authority, a certificate of this machine's, and its key, made by OpenSSL."""
    ca, ca_key, signed, key, wish = (
        str(folder / name) for name in ("ca.pem", "ca.key", "own.pem", "own.key", "own.csr")
    )
    new = ["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj"]
    for command in (
        [*new, "/CN=authority", "-x509", "-keyout", ca_key, "-out", ca],
        [*new, "/CN=machine", "-keyout", key, "-out", wish],
        ["openssl", "x509", "-req", "-in", wish, "-CA", ca, "-CAkey", ca_key, "-out", signed],
    ):
        subprocess.run(command, check=True, capture_output=True)
    return ca, signed, key


def test_a_cluster_of_several_machines_lets_in_only_whoever_has_a_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import LocalCluster, Security

    from minigrad.classroom import distributing
    from minigrad.classroom.distributing import Network, cluster

    monkeypatch.setattr(distributing, "SECONDS_TO_CONNECT", 3)
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
    ca, signed, key = ours = certificates(tmp_path / "ours")
    own = {"cert": signed, "key": key}
    names = ((who, what) for who in ("scheduler", "worker", "client") for what in own)
    tls = {f"tls_{who}_{what}": own[what] for who, what in names}
    security = Security(tls_ca_file=ca, require_encryption=True, **tls)
    with LocalCluster(
        n_workers=1, protocol="tls://", security=security, dashboard_address="127.0.0.1:0"
    ) as running:
        address = running.scheduler_address
        with cluster(Network(address, ours), None, tmp_path) as client:
            assert answers(client, ["echo there"]) == {"echo there": "there"}
        for network, said in (
            (Network(address, certificates(tmp_path / "theirs")), "no Dask scheduler answers"),
            (Network(address, trusted=True), "no Dask scheduler answers"),
            (Network(address), "--trust-network"),
        ):
            with pytest.raises(CannotGrade, match=said), cluster(network, None, tmp_path):
                pass


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{port}", "nonsense://x", "tcp://127.0.0.1"])
def test_an_address_nobody_answers_is_said(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from minigrad.classroom import distributing

    monkeypatch.setattr(distributing, "SECONDS_TO_CONNECT", 1)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    network = distributing.Network(address.format(port=port), trusted=True)
    silent = pytest.raises(CannotGrade, match="no Dask scheduler answers at")
    with silent, distributing.cluster(network, None, Path()):
        pass
