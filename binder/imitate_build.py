"""Do what Binder does with binder/, without Docker: `python -m binder.imitate_build`.

In a temporary place: the Jupyter that Binder pins for this Python (repo2docker's lock file knows),
a copy of the repository, `pip install -r binder/requirements.txt` in it, postBuild. Then a lesson
is opened in that JupyterLab, by Chromium, and run; its live graph has to appear. Fails if any step
does, or if the install changed what Binder had pinned for its server.
Needs the dependency groups `test` (repo2docker) and `browser` where it is started.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.lab import running_lab
from tests.browser.lesson import Lesson
from tools.constraints import binders_jupyter

ROOT = Path(__file__).parents[1]
LESSON = "03_backward_on_a_scalar"


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


def outputs(home: Path) -> int:
    """How many outputs the lessons show before anybody has run a cell."""
    notebooks = [nbformat.read(path, as_version=4) for path in home.glob("lessons/*.ipynb")]
    assert notebooks, "there are no lessons"
    return sum(len(cell.get("outputs", ())) for one in notebooks for cell in one.cells)


def look_at_a_lesson(place: Path, home: Path, python: Path) -> None:
    """Open a lesson in the JupyterLab of the environment, and run all of it."""
    place.mkdir()
    with running_lab(place, python, home) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        lesson = Lesson(browser.new_page(), LESSON)
        lesson.open(address)
        raised = [cell.source for cell in lesson.cells if cell.errors and not cell.tags]
        graph = lesson.page.locator(".minigrad-live svg g.node").first
        graph.wait_for(state="attached")  # what is not in view JupyterLab hides
        browser.close()
    assert not raised, raised
    assert not lesson.complaints, lesson.complaints


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        home, environment = Path(place, "home"), Path(place, "environment")
        copy_repository(home)
        venv.create(environment, with_pip=True)
        scripts = environment / ("Scripts" if sys.platform == "win32" else "bin")
        python = scripts / "python"
        path = os.pathsep.join([str(scripts), os.environ["PATH"]])

        def call(*command: str | Path) -> str:
            return subprocess.run(
                command,
                cwd=home,
                env={**os.environ, "PATH": path},
                check=True,
                stdout=-1,
                text=True,
            ).stdout

        stack = binders_jupyter("{}.{}".format(*sys.version_info))
        print("Binder's Jupyter:", *stack, flush=True)
        call(python, "-m", "pip", "install", "--quiet", *stack)
        call(python, "-m", "pip", "install", "--quiet", "-r", "binder/requirements.txt")
        installed = call(python, "-m", "pip", "list", "--format=freeze").splitlines()
        # The kernel is the lessons' own to choose: Binder's server speaks with any.
        changed = {pin for pin in stack if not pin.startswith("ipykernel==")} - set(installed)
        assert not changed, f"binder/requirements.txt changed what Binder pins: {changed}"
        call(home / "binder" / "postBuild")
        assert outputs(home) == 0, "postBuild has left outputs in the lessons"
        look_at_a_lesson(Path(place, "lab"), home, python)
        print(f"{LESSON} was opened and run, and its live graph drawn")


if __name__ == "__main__":
    main()
