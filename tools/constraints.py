"""Bring the pinned versions up to date: `make constraints`.

constraints.txt is what `make lab` installs. binder/constraints.txt is the same beside the Jupyter
that Binder brings, which must stay as it is. They hold no address of a package index.
"""

import importlib.resources
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BINDER = ROOT / "binder"
STACK = ("ipykernel", "ipywidgets", "jupyter_server", "jupyterlab", "notebook")


def binders_jupyter(python: str) -> list[str]:
    """What Binder pins for a Python such as 3.11, as requirements: `jupyterlab==4.4.9`."""
    conda = importlib.resources.files("repo2docker") / "buildpacks" / "conda"
    lock = (conda / f"environment.py-{python}-linux-64.lock").read_text()
    return [
        f"{name}=={version}"
        for name in STACK
        for version in re.findall(rf"/{name}-([0-9.]+)-[^/]+\.conda", lock)
    ]


def pin(output: Path, *options: str, pins: str = "") -> None:
    """Have uv write the newest versions that go together, beside those in `pins`."""
    uv = Path(sys.executable).with_name("uv")
    command = [uv, "pip", "compile", "--quiet", "--upgrade", "--no-header", "--no-annotate"]
    command += ["--constraint", "-", *options, "--output-file", output, "pyproject.toml"]
    subprocess.run(command, cwd=ROOT, input=pins, text=True, check=True)


def main() -> None:
    pin(ROOT / "constraints.txt", "--extra", "lab", "--universal", "--python-version", "3.11")
    python = (BINDER / "runtime.txt").read_text().strip().removeprefix("python-")
    own = [one for one in binders_jupyter(python) if not one.startswith("ipykernel==")]
    options = ("--extra", "lab", "--extra", "hub", "--python-version", python)
    pin(BINDER / "constraints.txt", *options, "--python-platform", "linux", pins="\n".join(own))


if __name__ == "__main__":
    main()
