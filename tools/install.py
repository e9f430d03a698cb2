"""Install minigrad with extras or dependency groups: `python3 tools/install.py .venv lab test`.

uv does it if it is there or pip can get it, because it takes a quarter of pip's time; otherwise pip
does. What they print goes to a log. Works on a machine that has only Python.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SIZES = {"lab": " (about 100 MB to download; it takes a minute or two)"}

# What the first lesson would have to wait for: bytecode, and matplotlib's list of fonts, which
# would also print a message among the lesson's outputs.
PREPARE = "import compileall, matplotlib.font_manager; compileall.compile_dir('minigrad', quiet=1)"

# uv reads none of pip's settings. These say where packages come from.
SETTINGS = {"PIP_INDEX_URL": "UV_DEFAULT_INDEX", "PIP_FIND_LINKS": "UV_FIND_LINKS"}


class Installer:
    """Runs programs for one virtual environment. Their output goes to its log."""

    def __init__(self, folder):
        self.folder = ROOT / folder
        self.programs = self.folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = str(self.programs / "python")
        self.log = self.folder / "install.log"
        self.environment = {
            uv: os.environ[pip] for pip, uv in SETTINGS.items() if os.environ.get(pip)
        } | dict(os.environ)

    def run(self, *command):
        """Whether the command succeeded."""
        with self.log.open("a", encoding="utf-8") as log:
            print("$", *command, file=log, flush=True)
            return not subprocess.call(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )

    def create(self):
        """Create the virtual environment, without pip: that takes longer than the rest."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log.unlink(missing_ok=True)
        venv = (sys.executable, "-m", "venv", "--without-pip", str(self.folder))
        if not Path(self.python).exists() and not self.run(*venv):
            sys.exit(f"Python's module venv is missing or fails: see {self.log}")

    def pip(self):
        """The command for a pip that installs into the environment."""
        if importlib.util.find_spec("pip"):
            return [sys.executable, "-m", "pip", "--python", self.python]
        if self.run(self.python, "-m", "ensurepip"):
            return [self.python, "-m", "pip"]
        sys.exit("Python has no pip. Install it (Debian, Ubuntu: apt install python3-venv).")

    def uv(self, pip):
        """The command for uv's pip, if uv can be had."""
        own = self.programs / "uv"
        found = shutil.which("uv") or shutil.which(str(own))
        if not found and self.run(*pip, "install", "--only-binary=:all:", "uv"):
            found = str(own)
        return [found, "pip"] if found else None

    def install(self, arguments):
        pip = self.pip()
        uv = self.uv(pip)
        if uv and self.run(*uv, "install", "--python", self.python, *arguments):
            return
        if not self.run(*pip, "install", *arguments):
            last = self.log.read_text(encoding="utf-8").splitlines()[-5:]
            sys.exit("\n".join(["Installing failed:", *last, f"The rest is in {self.log}."]))


def requirements(names):
    """What to install for extras and dependency groups, as arguments for pip."""
    import tomllib  # the Python that starts this file may be too old to have it

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    extras = [name for name in names if name not in groups]
    packages = [package for name in names if name in groups for package in groups[name]]
    own = f".[{','.join(extras)}]" if extras else "."
    return ["--constraint", "constraints.txt", "--editable", own, *packages, "pip"]


def main(folder, *names):
    if sys.version_info < (3, 11):  # noqa: UP036 (it may well be started by an older one)
        sys.exit("minigrad needs Python 3.11 or newer. Name yours: make lab PYTHON=python3.12")
    begun = time.monotonic()
    installer = Installer(folder)
    about = " and ".join(names) + "".join(SIZES.get(name, "") for name in names)
    print(f"Installing {about} into {folder}.")
    print(f"The installer's messages go to {Path(folder, installer.log.name)}.", flush=True)
    installer.create()
    installer.install(requirements(names))
    if "lab" in names:
        installer.run(installer.python, "-c", PREPARE)
    for name in names:
        Path(installer.folder, f".has-{name}").touch()
    print(f"Installed in {time.monotonic() - begun:.0f} s.", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
