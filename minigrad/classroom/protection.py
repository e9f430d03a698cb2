"""What keeps a submission away from everything else: the system's own parts, tried out.

Both ways give it user, mount, process, network and IPC namespaces of its own, in which it sees the
files of a `Tree` and can write nothing. Sources: the manual pages bwrap(1), unshare(1),
user_namespaces(7), pivot_root(8).
"""

import enum
import os
import shlex
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from minigrad.classroom.library import HOME, NOBODIES, Tree, make_tree, private_folder

PROGRAM = HOME / "minigrad" / "classroom" / "bridge" / "inside.py"
ENVIRONMENT = {
    "HOME": "/",
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


class Protection(enum.Enum):
    """How a submission is shut in; the value is what to call it."""

    BUBBLEWRAP = "bubblewrap"
    NAMESPACES = "namespaces"
    NONE = "none"


class Unprotected(RuntimeError):
    """This system has nothing to shut a submission in; the text says what is missing."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use. Seconds are CPU seconds, of all that is in its sandbox.

    By the clock, each limit is BACKSTOP times as large.
    """

    seconds: float = 60.0  # from a start of the sandbox on
    cell_seconds: float = 5.0  # for an exercise's cell, and for one call of a function
    scratch_seconds: float = 10.0  # for any other cell
    order_seconds: float = 30.0  # for any cell or check, whatever happens in it
    memory: int = 1 << 30  # bytes: of address space for each process, and resident for all
    file: int = 1 << 20  # bytes of a file, were there a place to write one
    open_files: int = 64
    processes: int = 16
    message: int = 4 << 20  # bytes of one answer
    messages: int = 64 << 20  # bytes of all answers to one exercise
    notebook: int = 20 << 20  # bytes of the file


def find_protection() -> Protection:
    """The best protection that works here, tried out; Unprotected if there is none."""
    reasons = []
    with private_folder() as folder:
        (folder / "root").mkdir()
        let_nobody_read(folder)
        for protection in (Protection.BUBBLEWRAP, Protection.NAMESPACES):
            reason = _why_not(protection, folder)
            if reason is None:
                return protection
            reasons.append(f"{protection.value}: {reason}")
    raise Unprotected(
        "This system cannot shut a submission in. It could read your files, those of other "
        "students and the tests, use the network, and leave processes behind. Install bubblewrap, "
        f"or allow user namespaces ({'; '.join(reasons)}). To grade all the same, "
        "and only what you trust: --unprotected."
    )


def _why_not(protection: Protection, folder: Path) -> str | None:
    if sys.platform != "linux":
        return "Linux only"
    missing = [name for name in _NEEDED[protection] if shutil.which(name) is None]
    if missing:
        return f"{', '.join(missing)} not installed"
    command = shut_in(protection, folder, [*_interpreter(), "-c", _TRIAL])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stderr.strip().splitlines()
    return None if done.returncode == 0 else (said or ["does not work here"])[-1]


# Before Linux 5.14 all of a user's processes count, and with many others none can be started.
_TRIAL = (
    f"import os, resource; resource.setrlimit(resource.RLIMIT_NPROC, {(Limits.processes,) * 2}); "
    "os.fork() and os.wait()"
)


_NEEDED = {
    Protection.BUBBLEWRAP: ("bwrap", "setpriv"),
    Protection.NAMESPACES: ("unshare", "setpriv", "mount", "pivot_root"),
}


def shut_in(protection: Protection, library: Path, program: list[str]) -> list[str]:
    """The command that runs a program in a sandbox. library: see `make_library`."""
    tree = make_tree(library)
    if protection is Protection.BUBBLEWRAP:
        return [*_nobody(library), *_bubblewrap(tree), *program]
    if protection is Protection.NAMESPACES:
        lines = _script(tree, library / "root")
        script = "\n".join([*lines, f"exec {_forgetting()} {shlex.join(program)}"])
        return [*_nobody(library), *_UNSHARE, "/bin/sh", "-euc", script]
    return program


def python(handle: int, label: str, *homes: Path) -> list[str]:
    """The program that runs in it, with a socket to the grader.

    label: to know it by. homes: where minigrad and numpy are.
    """
    start = f"import sys; sys.path[:0] = {[*map(str, homes)]!r}; sys.dont_write_bytecode = True; "
    run = "from minigrad.classroom.bridge.inside import main; main()"
    return [*_interpreter(), "-c", start + run, str(handle), label]


def _interpreter() -> list[str]:
    return [str(Path(sys.executable).resolve()), "-I", "-S"]


def let_nobody_read(library: Path) -> None:
    """If root grades, let a user without account own the library, if he can read all the rest."""
    shown = [one for one in make_tree(library).shown.values() if not one.is_relative_to(library)]
    if os.geteuid() == 0 and all(map(_open_to_all, [library, *shown])):
        user = NOBODIES[os.getpid() % len(NOBODIES)]
        os.chown(library, user, user)


def _nobody(library: Path) -> list[str]:
    """Let root be who owns the library; and let all end when the grader ends."""
    end, owner = ["setpriv", "--pdeathsig", "KILL"], library.stat().st_uid
    if owner == os.geteuid():
        return end
    return [*end, "--reuid", str(owner), "--regid", str(owner), "--clear-groups"]


def _open_to_all(place: Path) -> bool:
    return all(one.exists() and one.stat().st_mode & stat.S_IXOTH for one in place.parents)


def _bubblewrap(tree: Tree) -> list[str]:
    command = [
        *("bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"),
        *("--new-session", "--clearenv", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"),
    ]
    for name, value in ENVIRONMENT.items():
        command += ["--setenv", name, value]
    for place, source in tree.shown.items():
        how = "--dev-bind" if place.is_relative_to("/dev") else "--ro-bind"
        command += [how, str(source), str(place), "--remount-ro", str(place)]
    for place, target in tree.links.items():
        command += ["--symlink", target, str(place)]
    for place in tree.hidden:
        command += ["--tmpfs", str(place), "--remount-ro", str(place)]
    return [*command, "--chdir", "/", "--remount-ro", "/"]


def _forgetting() -> str:
    return f"{shlex.join([*_interpreter(), '-c', _FORGET])} {_UNPRIVILEGED}"


_UNSHARE = [
    *("unshare", "--user", "--map-root-user", "--mount", "--pid", "--net", "--ipc", "--uts"),
    *("--cgroup", "--fork", "--kill-child"),
]
# umount(8) looks into /proc, which is not there any more.
_FORGET = (
    "import ctypes, os, sys; ctypes.CDLL(None).umount2(b'/old', 2) and sys.exit('umount failed'); "
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
_UNPRIVILEGED = (
    "setpriv --inh-caps=-all --ambient-caps=-all --bounding-set=-all --no-new-privs "
    f"env -i {shlex.join(f'{name}={value}' for name, value in ENVIRONMENT.items())}"
)


def _script(tree: Tree, root: Path) -> list[str]:
    """What bubblewrap does, in the shell: mount, turn the root around, forget the old one."""
    top = shlex.quote(str(root))
    lines = [
        "mount --make-rprivate /",
        f"mount -t tmpfs -o size=256k,nr_inodes=1000,mode=755 sandbox {top}",
    ]
    for place, source in tree.shown.items():
        target, there = shlex.quote(f"{root}{place}"), shlex.quote(str(source))
        folder = shlex.quote(f"{root}{place if source.is_dir() else place.parent}")
        lines.append(f"mkdir -p {folder}")
        if not source.is_dir():
            lines.append(f": > {target}")
        lines.append(f"mount --rbind {there} {target}")
        usable = "dev" if place.is_relative_to("/dev") else "nodev"
        lines.append(f"mount -o remount,bind,ro,nosuid,{usable} {target}")
    for place, link in tree.links.items():
        lines.append(f"ln -s {shlex.quote(link)} {shlex.quote(f'{root}{place}')}")
    for place in tree.hidden:
        lines.append(f"mount -t tmpfs -o ro,size=4k hidden {shlex.quote(f'{root}{place}')}")
    return [
        *lines,
        "echo 0 > /proc/sys/user/max_user_namespaces",
        f"mkdir {top}/old",
        f"mount -o remount,bind,ro,nosuid,nodev {top}",
        f"cd {top}",
        "pivot_root . old",
        "cd /",
    ]
