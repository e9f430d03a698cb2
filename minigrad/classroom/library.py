"""What a submission finds in its sandbox: Python, numpy, and minigrad without what is to be hidden.

The copy of minigrad holds the engine and the sandbox's own program, no exercises and no solutions.
The pocket engine, which completes a learner's engine in lesson 20, comes when that is looked at.
"""

import compileall
import contextlib
import importlib.util
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import minigrad

_HIDDEN = ("exercises", "classroom", "viz", "widgets", "lessons", "cli.py", "__main__.py")
_SHOWN = (
    "exercises/engine_probes.py",
    "exercises/inputs.py",
    "exercises/limits.py",
    "exercises/starters.py",
    "exercises/word_list.py",
    "exercises/words.txt",
)
# IPython's translation of cells to Python: these files of it, and no other.
_TRANSLATION = ("core/inputtransformer2.py", "utils/tokenutil.py")
_PROGRAM = "classroom/bridge"
_SYSTEM = ("lib", "lib64", "lib32", "bin", "sbin")
HOME = Path("/sandbox")
# Whom root becomes in a sandbox, so that the limit on processes counts; nobody's accounts.
NOBODIES = range(20_000, 60_000)
_PREFIX = ".minigrad-temporary-"


@contextlib.contextmanager
def private_folder() -> Iterator[Path]:
    """A new temporary folder, of this user alone, until the end of the block.

    It's locked as long as its process lives. So the next one removes it if that process was killed.
    """
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with _lock(left) as dead:
            if dead:
                shutil.rmtree(left, ignore_errors=True)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        with _lock(folder) as mine:
            if mine and folder.exists():  # nobody took it for a dead one's, before it was locked
                try:
                    yield folder
                finally:
                    shutil.rmtree(folder, ignore_errors=True)
                return


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[bool]:
    """Lock a folder of this user's; False if it is somebody else's, or locked."""
    import fcntl  # not on Windows, where nothing is graded

    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        owner = os.fstat(handle).st_uid
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield owner == os.geteuid() or (os.geteuid() == 0 and owner in NOBODIES)
    except BlockingIOError:
        yield False
    finally:
        os.close(handle)


def make_library(folder: Path) -> None:
    """Copy what the sandbox needs of minigrad to the folder, compiled."""
    package = Path(minigrad.__file__).parent
    copy = folder / "minigrad"
    shutil.copytree(package, copy, ignore=_hidden_in(package))
    for name in _SHOWN:
        (copy / name).parent.mkdir(exist_ok=True)
        shutil.copy2(package / name, copy / name)
    shutil.copytree(package / _PROGRAM, copy / _PROGRAM)
    for name in ("exercises", "classroom"):
        (copy / name / "__init__.py").touch()
    _copy_translation(folder / "IPython")
    compileall.compile_dir(folder, quiet=1)
    (folder / "root").mkdir()
    for place in folder.rglob("*"):
        place.chmod(0o755 if place.is_dir() else 0o644)


def _copy_translation(folder: Path) -> None:
    installed = importlib.util.find_spec("IPython")
    if installed is None or installed.origin is None:
        return
    for name in _TRANSLATION:
        source, copy = Path(installed.origin).parent / name, folder / name
        if source.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.with_name("__init__.py").touch()
            shutil.copy2(source, copy)


def _hidden_in(package: Path) -> Callable[[str, list[str]], set[str]]:
    def hidden(folder: str, names: list[str]) -> set[str]:
        return set(names) & set(_HIDDEN) if Path(folder) == package else set()

    return hidden


def homes_of(library: Path) -> list[Path]:
    """Where the same is to be found without a sandbox."""
    return [library, Path(np.__file__).parents[1]]


@dataclass(frozen=True)
class Tree:
    """The files of a sandbox, all of them read-only.

    shown: what is bound where; hidden: folders in it that are empty; links: symbolic ones.
    """

    shown: dict[Path, Path] = field(default_factory=dict)
    hidden: tuple[Path, ...] = ()
    links: dict[Path, str] = field(default_factory=dict)


def make_tree(library: Path) -> Tree:
    """The files for this Python."""
    shown: dict[Path, Path] = {}
    links: dict[Path, str] = {}
    base = Path(sys.base_prefix).resolve()
    # Not all of /usr: in /usr/local/share and /usr/src others may keep what is theirs.
    system = [top / name for top in (Path("/usr"), Path("/")) for name in _SYSTEM]
    own = [base / name for name in ("bin", "lib", "lib64")]
    for place in (*system, *own, Path(sys.executable).resolve().parent, Path("/nix/store")):
        if any(place.is_relative_to(one) for one in (*shown, *links)):
            continue
        if place.is_symlink():
            links[place] = str(place.readlink())
        elif place.is_dir():
            shown[place] = place
    for place in map(Path, ("/etc/ld.so.cache", "/dev/null", "/dev/urandom")):
        if place.exists():
            shown[place] = place
    numpy = Path(np.__file__).parent
    for source in (numpy, numpy.with_name("numpy.libs"), library / "minigrad", library / "IPython"):
        if source.is_dir():
            shown[HOME / source.name] = source
    hidden = [one for one in _installed(base) if any(one.is_relative_to(s) for s in shown)]
    return Tree(shown, tuple(hidden), links)


def _installed(base: Path) -> list[Path]:
    """Where packages are installed beside the standard library; minigrad may be among them."""
    known = {
        Path(sysconfig.get_path(name, vars={"base": str(base), "platbase": str(base)})).resolve()
        for name in ("purelib", "platlib")
    }
    known.add(Path(minigrad.__file__).resolve().parents[1])
    known |= set(Path("/usr").glob("lib/python3*/dist-packages"))
    known |= set(Path("/usr").glob("local/lib*/python3*/*-packages"))
    known |= set(Path("/usr").glob("lib*/python3*/site-packages"))
    return sorted(one for one in known if one.is_dir())
