"""No attempt gains a point or harms anything outside, and each is logged with its reason."""

import os
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from string import Template

import pytest

from minigrad.classroom.grades import Grade
from minigrad.classroom.protection import Limits, Protection
from minigrad.classroom.submission import end_graders
from minigrad.exercises import lesson_04
from tests.classroom.one import grade_submission
from tests.classroom.sandbox.attacks import ATTACKS, Attack
from tests.classroom.sandbox.submitting import written

pytestmark = pytest.mark.sandbox

LIMITS = Limits(
    seconds=20, cell_seconds=2, scratch_seconds=2, order_seconds=8, memory=640 << 20, processes=12
)


@dataclass
class Outside:
    """What an attempt might reach, and whether it did."""

    folder: Path
    listening: dict[str, socket.socket]

    @property
    def secret(self) -> Path:
        """Another student's notebook."""
        return self.folder / "neighbour" / "secret.ipynb"

    def words(self) -> dict[str, object]:
        """What stands for itself in the attacks' code."""
        return {
            "secret": self.secret,
            "solutions": lesson_04.__file__,
            "pid": os.getpid(),
            "tcp": self.listening["tcp"].getsockname()[1],
            "udp": self.listening["udp"].getsockname()[1],
            "unix": self.folder / "socket",
        }

    def assert_untouched(self) -> None:
        """Nothing has been written, nobody has called, nothing runs any more."""
        assert self.secret.read_text() == "secret"
        assert sorted(one.name for one in self.folder.rglob("*")) == self.before
        for name, listener in self.listening.items():
            with pytest.raises(BlockingIOError):
                listener.recvfrom(1) if name == "udp" else listener.accept()
        assert left_behind() == []

    def remember(self) -> None:
        """What there is beforehand."""
        self.before = sorted(one.name for one in self.folder.rglob("*"))


@pytest.fixture(scope="module", autouse=True)
def graders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Graders whose sandboxes can be told from those of others, by the folder of their files."""
    folder = tmp_path_factory.mktemp("graders")
    folder.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        yield
        end_graders()
    assert list(folder.iterdir()) == []


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    with ExitStack() as stack:
        kinds = {
            "tcp": (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            "udp": (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            "unix": (socket.AF_UNIX, socket.SOCK_STREAM, str(tmp_path / "socket")),
            "abstract": (socket.AF_UNIX, socket.SOCK_STREAM, f"\0minigrad-{os.getpid()}"),
        }
        listening = {}
        for name, (family, kind, address) in kinds.items():
            listening[name] = stack.enter_context(socket.socket(family, kind))
            listening[name].bind(address)
            listening[name].setblocking(False)
            if kind == socket.SOCK_STREAM:
                listening[name].listen()
        found = Outside(tmp_path, listening)
        found.secret.parent.mkdir()
        found.secret.write_text("secret")
        yield found


@pytest.mark.parametrize("protection", [Protection.BUBBLEWRAP, Protection.NAMESPACES])
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.name)
def test_an_attempt_gains_nothing(attack: Attack, protection: Protection, outside: Outside) -> None:
    lesson, code = attack.exercise[:2], code_of(attack, outside)
    notebook = written(outside.folder / "attack.ipynb", lesson, {attack.exercise: code})
    outside.remember()
    grade = grade_submission(notebook, lesson, limits=LIMITS, protection=protection)
    outside.assert_untouched()
    points = {one.exercise: one.points for one in grade.exercises}
    assert points.pop(attack.exercise) == 0, grade
    assert len(points) - sum(points.values()) == attack.lost, grade
    said = log(grade, attack)
    assert re.search(attack.said, said), said


def code_of(attack: Attack, outside: Outside) -> str:
    return Template(attack.code).substitute(outside.words())


def log(grade: Grade, attack: Attack) -> str:
    """All that a teacher can read of it."""
    attacked = next(one for one in grade.exercises if one.exercise == attack.exercise)
    return "\n".join([grade.problem or "", *grade.incidents, attacked.message])


def left_behind() -> list[str]:
    """Programs that still run in a sandbox, or have been started from there."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes()
            if os.environ["TMPDIR"].encode() in command and b"classroom.warm" not in command:
                found.append(command.decode())
    return found


def test_there_are_enough() -> None:
    assert len({one.name for one in ATTACKS}) == len(ATTACKS) >= 30
