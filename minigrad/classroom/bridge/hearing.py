"""What a submission tries that it may not: noticed by Python's own audit events, and told.

It is refused by the sandbox, not here. Code that goes around Python is not heard, and is refused
all the same.
"""

import sys
from types import ModuleType
from typing import Any

from minigrad.autograd.function import Function
from minigrad.tensor import Tensor

MOST = 200
_CHANGING = {"_", "stdout", "stderr", "last_type", "last_value", "last_traceback", "path"}

# What Python itself reads when it imports.
_paths: list[str] = []
_OURS = ("<", "/sandbox/", sys.base_prefix, "/usr/lib", "/lib")

# Where replacing something looks like a trick; by name, as they were when listening began.
_GUARDED = ("builtins", "json", "math", "numpy", "os", "sys", "minigrad", "minigrad.autograd")
_CLASSES = {"minigrad.Tensor": Tensor, "minigrad.autograd.Function": Function}
_as_it_was: dict[str, dict[str, Any]] = {}

_heard: dict[tuple[str, str], None] = {}


def listen() -> None:
    """Notice from now on; there is no way back."""
    _as_it_was.update(_guarded())
    _paths.extend(sys.path)
    forget()
    sys.addaudithook(_notice)


def forget() -> None:
    """Let what was noticed be nothing: it was the sandbox's own doing."""
    _heard.clear()


def heard() -> list[list[str]]:
    """What was noticed since this was last asked: events, and what they were about."""
    _look_for_replacements()
    found = [list(one) for one in _heard]
    forget()
    return found


def _guarded() -> dict[str, dict[str, Any]]:
    modules = {name: sys.modules[name] for name in _GUARDED if name in sys.modules}
    return {name: dict(vars(one)) for name, one in {**modules, **_CLASSES}.items()}


def _look_for_replacements() -> None:
    for place, now in _guarded().items():
        before = _as_it_was.get(place, {})
        names = before.keys() | (now.keys() if place in _CLASSES else ())
        for name in names:
            thing = before.get(name)
            own = isinstance(thing, ModuleType) or name.startswith("__") or name in _CHANGING
            if now.get(name) is not thing and not own:
                _heard["replaced", f"{place}.{name}"] = None
        _as_it_was[place] = now


def _notice(event: str, arguments: tuple[Any, ...]) -> None:
    about = _WATCHED.get(event)
    if about is None and event.partition(".")[0] in _WATCHED:
        about = _first
    if about is not None and len(_heard) < MOST:
        said = about(arguments)
        if said is not None:
            _heard[event, said[:200]] = None


def _path(arguments: tuple[Any, ...]) -> str | None:
    path = arguments[0] if arguments else None
    return path if isinstance(path, str) and not path.startswith((*_OURS, *_paths)) else None


def _first(arguments: tuple[Any, ...]) -> str:
    return str(arguments[0]) if arguments and isinstance(arguments[0], str | int) else ""


def _opened(arguments: tuple[Any, ...]) -> str | None:
    path, mode = (*arguments, None)[:2]
    writes = isinstance(mode, str) and set(mode) & set("wax+")
    return str(path) if writes else _path(arguments)


def _nothing(_: tuple[Any, ...]) -> str:
    return ""


_WATCHED: dict[str, Any] = {
    "open": _opened,
    "socket.connect": _nothing,
    "socket.bind": _nothing,
    "socket.sendto": _nothing,
    "socket.getaddrinfo": _nothing,
    "socket.gethostbyname": _nothing,
    "subprocess.Popen": _first,
    "os.system": _nothing,
    "os.exec": _first,
    "os.posix_spawn": _first,
    "os.fork": _nothing,
    "os.forkpty": _nothing,
    "os.kill": _first,
    "os.killpg": _first,
    "os.listdir": _path,
    "os.symlink": _first,
    "os.link": _first,
    "os.mkdir": _first,
    "os.remove": _first,
    "os.rename": _first,
    "os.chmod": _first,
    "os.chown": _first,
    "os.truncate": _first,
    "shutil": _first,
    "ctypes.dlopen": _first,
    "ctypes.string_at": _nothing,
    "sys.addaudithook": _nothing,
}
