#!python
"""JupyterHub's server for one student, without what a student does not use.

`jupyterhub-singleuser` loads the tools of the hub's database, which a student's server never
opens, and a grammar for addresses, which nothing here has checked; each kernel loads a debugger.
Together they cost each student seventy megabytes, and two seconds of a processor.
`minigrad-singleuser`, which is installed with minigrad, is the same server without them. If an
extension of yours needs one of these modules, take it off its list.
"""

import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

# Optional: what would use them does without.
MISSING = ("cryptography", "isoduration", "rfc3987_syntax")

# Imported by modules that a server cannot do without, and used by what it never calls: the hub's
# database, and the fetching of lists of extensions for JupyterLab.
UNUSED = ("alembic", "requests", "sqlalchemy")


class Answer(type):
    """Whatever is asked of its classes, or given to them, the answer is `Unused`."""

    def __call__(cls, *_, **__):
        return Unused

    def __getattr__(cls, name):
        return answer(name)


class Unused(metaclass=Answer):
    """Stands for every name in an unused module: functions, types, classes to inherit from."""


class UnusedModule(ModuleType):
    """A module that has every name."""

    def __getattr__(self, name):
        return answer(name)


def answer(name):
    """What an unused thing has under `name`; nothing that Python asks for on its own account."""
    if name.startswith("__"):
        raise AttributeError(name)
    return Unused


class Finder(MetaPathFinder, Loader):
    """Finds an unused module, and whatever is in it, before the real one is found."""

    def find_spec(self, name, path=None, target=None):
        unused = name.partition(".")[0] in UNUSED
        return ModuleSpec(name, self, is_package=True) if unused else None

    def create_module(self, spec):
        return UnusedModule(spec.name)

    def exec_module(self, module):
        pass


if __name__ == "__main__":
    sys.modules.update(dict.fromkeys(MISSING))  # to Python, a module that is not there
    sys.meta_path.insert(0, Finder())
    # Kernels have their sockets there, and a socket's path may have 107 letters.
    os.environ["JUPYTER_RUNTIME_DIR"] = str(Path.home() / ".run")
    # The kernel without a debugger is in this folder.
    os.environ["JUPYTER_PATH"] = str(Path(sys.prefix, "share", "minigrad-hub"))
    from jupyterhub.singleuser import main

    main()
