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


_WITHOUT = (
    *("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo"),
    *("socket.gethostbyname", "os.system", "os.fork", "os.forkpty"),
    *("ctypes.string_at", "sys.addaudithook"),
)
_WITH_FIRST = (
    *("subprocess.Popen", "os.exec", "os.posix_spawn", "os.kill", "os.killpg"),
    *("os.symlink", "os.link", "os.mkdir", "os.remove", "os.rename", "os.chmod", "os.chown"),
    *("os.truncate", "shutil", "ctypes.dlopen"),
)
# What is said of an event; of those that aren't here, nothing.
_WATCHED: dict[str, Any] = {
    **dict.fromkeys(_WITHOUT, _nothing),
    **dict.fromkeys(_WITH_FIRST, _first),
    "open": _opened,
    "os.listdir": _path,
}
