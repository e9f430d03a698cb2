"""Work on real Dask clusters: lazily handed out, and safe from what workers and tasks do."""

import os
import socket
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


@pytest.fixture(scope="module")
def client() -> Iterator[object]:
    from minigrad.classroom.distributing import cluster

    with cluster(None, 2) as client:
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
    from minigrad.classroom.distributing import distribute, places

    read = []

    def work() -> Iterator[tuple[str, bytes]]:
        for number in range(20):
            read.append(number)
            yield str(number), b"echo x"

    assert places(client) == 2
    for done, _ in enumerate(distribute(client, work(), task)):
        assert len(read) <= done + 1 + places(client)


DIED = "Its worker died, each time that it was graded."


@pytest.mark.parametrize(("deaths", "left", "answer"), [(4, -1, "kill"), (99, 89, DIED)])
def test_a_death_of_a_worker_costs_a_retry_and_the_tenth_the_piece(
    client: object, tmp_path: Path, deaths: int, left: int, answer: str
) -> None:
    (tmp_path / "tries").write_text(str(deaths))
    kill = f"kill {tmp_path / 'tries'}"
    found = answers(client, [kill, *(f"slow 0.0{number}" for number in range(1, 9))])
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


def test_a_running_cluster_is_used_by_its_address() -> None:
    from distributed import LocalCluster

    from minigrad.classroom.distributing import cluster

    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as running,
        cluster(running.scheduler_address, None) as client,
    ):
        assert answers(client, ["echo there"]) == {"echo there": "there"}


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{port}", "nonsense://x", "tcp://127.0.0.1"])
def test_an_address_where_nobody_answers_is_said(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minigrad.classroom import distributing

    monkeypatch.setattr(distributing, "SECONDS_TO_CONNECT", 1)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with (
        pytest.raises(CannotGrade, match="no Dask scheduler answers at"),
        distributing.cluster(address.format(port=port), None),
    ):
        pass
