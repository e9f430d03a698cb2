"""Let other users run what lies in folders that are closed to them, such as root's home.

On a server everything that students run lies where they may read it. A checkout, or a Python, may
lie below a folder of mode 700. Then the hub runs in a mount namespace of its own, in which such a
folder holds nothing but what is needed of it.
"""

import shlex
import stat
from collections.abc import Iterable
from pathlib import Path

MOUNT = """
mount -t tmpfs -o mode=755 tmpfs {stage}
{keep}
{cover}
{back}
umount --lazy {stage}
exec "$@"
"""


def opened(needed: list[Path], stage: Path) -> list[str]:
    """The words to put before a command, so that what it starts may read all that is needed.

    stage: an empty folder, to mount on.
    """
    folders = sorted({folder.resolve() for folder in needed})
    closed = {folder: top for folder in folders if (top := _closed(folder))}
    if not closed:
        return []
    tops = [(top,) for top in dict.fromkeys(closed.values())]
    kept = {folder: stage / str(number) for number, folder in enumerate(closed)}
    script = MOUNT.format(
        stage=shlex.quote(str(stage)),
        keep=_lines("mkdir {1}; mount --bind {0} {1}", kept.items()),
        cover=_lines("mount -t tmpfs -o mode=755 tmpfs {0}", tops),
        back=_lines("mkdir -p {0}; mount --bind {1} {0}", kept.items()),
    )
    return ["unshare", "--mount", "--propagation", "private", "sh", "-ec", script, "sh"]


def _closed(folder: Path) -> Path | None:
    """The topmost folder on the way that others may not enter, if there is one."""
    way = [*reversed(folder.parents), folder]
    return next((part for part in way if not part.stat().st_mode & stat.S_IXOTH), None)


def _lines(command: str, rows: Iterable[tuple[Path, ...]]) -> str:
    return "\n".join(command.format(*(shlex.quote(str(part)) for part in row)) for row in rows)
