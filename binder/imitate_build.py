"""Do what Binder does with binder/, without Docker: `python binder/imitate_build.py`.

In a temporary place: the Jupyter that Binder pins for this Python (repo2docker's lock file knows),
a copy of the repository, `pip install -r binder/requirements.txt` in it, and then a kernel that
draws a graph. Fails if any step does, or if the install changed what Binder had pinned.
Needs the extra `test` (repo2docker) where it is started.
"""

import importlib.resources
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
STACK = ("ipykernel", "ipywidgets", "jupyter_server", "jupyterlab", "notebook")

# Run by the new environment's Python.
DRAW_IN_A_KERNEL = '''
import nbclient, nbformat

source = """
import minigrad as torch
from minigrad.viz import draw
x = torch.ones(2, 2, requires_grad=True)
draw((x * x).mean())
"""
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
nbclient.NotebookClient(notebook, kernel_name="python3").execute()
(output,) = notebook.cells[0].outputs
assert "MulBackward0" in output.data["text/plain"], output
assert "<svg" in output.data["image/svg+xml"], output
print("drawn in a kernel:")
print(output.data["text/plain"])
'''


def pinned() -> list[str]:
    """Binder's Jupyter as requirements, such as `jupyterlab==4.4.9`."""
    python = "{}.{}".format(*sys.version_info)
    conda = importlib.resources.files("repo2docker") / "buildpacks" / "conda"
    lock = (conda / f"environment.py-{python}-linux-64.lock").read_text()
    return [
        f"{name}=={version}"
        for name in STACK
        for version in re.findall(rf"/{name}-([0-9.]+)-[^/]+\.conda", lock)
    ]


def copy_repository(target: Path) -> None:
    """What a clone would hold, changes not yet committed included."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        home, environment = Path(place, "home"), Path(place, "environment")
        copy_repository(home)
        venv.create(environment, with_pip=True)
        scripts = environment / ("Scripts" if sys.platform == "win32" else "bin")

        def python(*arguments: str) -> str:
            return subprocess.run(
                [scripts / "python", *arguments], cwd=home, check=True, stdout=-1, text=True
            ).stdout

        stack = pinned()
        print("Binder's Jupyter:", *stack, flush=True)
        python("-m", "pip", "install", "--quiet", *stack)
        python("-m", "pip", "install", "--quiet", "-r", "binder/requirements.txt")
        installed = python("-m", "pip", "list", "--format=freeze").splitlines()
        changed = set(stack) - set(installed)
        assert not changed, f"binder/requirements.txt changed what Binder pins: {changed}"
        print(python("-c", DRAW_IN_A_KERNEL))


if __name__ == "__main__":
    main()
