"""Students as users of this system, each with a home that is closed to the others."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def system_users(names: list[str], homes: Path) -> Iterator[dict[str, int]]:
    """Make the users, with homes of mode 700 in ``homes``; gives their ids.

    Takes them away again, with their homes and what they still run. AssertionError unless root:
    nobody else can make users, and start programs as them.
    """
    assert os.geteuid() == 0, "The students are users of this system: run `make hub` as root."
    homes.mkdir(mode=0o755)
    try:
        for name in names:
            _delete(name)  # left by a run that was killed
            subprocess.run(
                ["useradd", "--create-home", "--base-dir", homes, "-K", "HOME_MODE=0700", name],
                check=True,
            )
        yield {name: pwd.getpwnam(name).pw_uid for name in names}
    finally:
        for name in names:
            _delete(name)
        shutil.rmtree(homes)


def _delete(name: str) -> None:
    try:
        user = pwd.getpwnam(name).pw_uid
    except KeyError:
        return
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            if process.stat().st_uid == user:
                os.kill(int(process.name), signal.SIGKILL)
    subprocess.run(["userdel", "--force", name], check=True, stderr=subprocess.DEVNULL)
