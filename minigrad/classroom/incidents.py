"""What a submission tried, as sentences: what it was, and why nothing came of it."""

from typing import Any

_FILES = "it sees no files but Python's own, and can write none"
_NETWORK = "the sandbox has no network"
_PROCESSES = "it sees no processes but its own, and all of them end with it"
_MEMORY = "it may do as it likes with its own memory: no verdict is reached there"

# What Python calls the event, what it was, and why it gained nothing.
_KNOWN = {
    "open": ("opened the file", _FILES),
    "os.listdir": ("listed the folder", _FILES),
    "os.symlink": ("made a link", _FILES),
    "os.link": ("made a link", _FILES),
    "os.mkdir": ("made the folder", _FILES),
    "os.remove": ("removed the file", _FILES),
    "os.rename": ("moved the file", _FILES),
    "os.chmod": ("changed the rights of", _FILES),
    "os.chown": ("changed the owner of", _FILES),
    "os.truncate": ("wrote to the file", _FILES),
    "shutil": ("copied, moved or removed", _FILES),
    "socket": ("used the network", _NETWORK),
    "subprocess.Popen": ("started the program", _PROCESSES),
    "os.system": ("started a program", _PROCESSES),
    "os.exec": ("became the program", _PROCESSES),
    "os.posix_spawn": ("started the program", _PROCESSES),
    "os.fork": ("started a process", _PROCESSES),
    "os.forkpty": ("started a process", _PROCESSES),
    "os.kill": ("sent a signal to process", _PROCESSES),
    "os.killpg": ("sent a signal to processes", _PROCESSES),
    "ctypes": ("reached past Python, by ctypes", _MEMORY),
    "replaced": ("replaced", _MEMORY),
    "sys.addaudithook": ("watched Python's own events", _MEMORY),
}


def said_of(heard: Any, protected: bool = True) -> str | None:
    """A sentence for an event that was heard in the sandbox; None if it is none that is known.

    protected: whether there is a sandbox, so that nothing came of it.
    """
    if not (isinstance(heard, list) and len(heard) == 2 and all(type(x) is str for x in heard)):
        return None
    event, about = heard
    known = _KNOWN.get(event) or _KNOWN.get(event.partition(".")[0])
    if known is None:
        return None
    what, why = known
    why = why if protected or why is _MEMORY else "there is no sandbox, so it may have worked"
    shown = "".join(one if one.isprintable() else "?" for one in about[:200])
    return f"It {what}{f' {shown}' if shown else ''}: {why}."
