"""minigrad with the oldest and the newest of its dependencies: `nox`; `nox --list` names the parts.

A Python that isn't installed fails its sessions. Arguments after ``--`` go to pytest in place of
the tests that a session would run.
"""

from collections.abc import Sequence
from pathlib import Path

import nox

nox.needs_version = ">=2025.10"
nox.options.default_venv_backend = "uv"
nox.options.error_on_missing_interpreters = True

PYTHONS = ["3.11", "3.12", "3.13", "3.14", "3.15"]

# Tests that need something have a make target that installs it.
PYTEST = nox.project.load_toml("pyproject.toml")["tool"]["pytest"]["ini_options"]
MARKERS = [marker.split(":") for marker in PYTEST["markers"]]
NEEDY = " or ".join(name for name, text in MARKERS if "needs" in text)
EVERYTHING = ["-n", "auto", "--dist", "loadfile", "-m", f"not ({NEEDY})"]
ENGINE = ["tests/properties"]
ENGINE += [f"tests/test_{name}.py" for name in ("operations", "views", "random", "functional")]

# ipywidgets 8.1.0 uses names that traitlets has since deprecated.
TOLERATED = ["-W", "ignore:Deprecated in traitlets 4.1:DeprecationWarning"]

# JupyterLab and Notebook 7 of the same age share their front end.
JUPYTERS = {
    "oldest": ["jupyterlab==4.2.7", "notebook==7.2.*", "ipywidgets==8.1.0"],
    "newest": ["jupyterlab", "notebook", "ipywidgets"],
}


@nox.session(python=PYTHONS)
def newest(session: nox.Session) -> None:
    """All tests with the newest of everything."""
    session.install("--upgrade", "--editable", ".[lab]", "--group", "test")
    run(session, EVERYTHING)


@nox.session(python=PYTHONS[0])
def oldest(session: nox.Session) -> None:
    """All tests with exactly the lower bounds of pyproject.toml."""
    session.install("--resolution=lowest-direct", "--editable", ".[lab]", "--group", "test")
    run(session, EVERYTHING, TOLERATED)


# numpy 2.1 has no wheels for newer Pythons.
@nox.session(python=["3.11", "3.13"])
@nox.parametrize("numpy", ["2.1.0", "2.2.0", "2.3.2"])
def numpy(session: nox.Session, numpy: str) -> None:
    """The engine with one numpy."""
    session.install("--editable", ".", "--group", "test", f"numpy=={numpy}")
    run(session, ENGINE)


@nox.session(python=["3.11", "3.13"])
@nox.parametrize("age", list(JUPYTERS))
def jupyter(session: nox.Session, age: str) -> None:
    """A lesson and the live graph in Chromium, in JupyterLab and Notebook 7 of one age."""
    session.install("--editable", ".[lab]", "--group", "test", "pytest-playwright", *JUPYTERS[age])
    tests = ["-m", "browser", "tests/browser/test_lessons.py", "tests/browser/test_live.py"]
    run(session, tests, TOLERATED)


@nox.session(python=PYTHONS[0])
def coverage(session: nox.Session) -> None:
    """How much of the package the tests run that need nothing more."""
    session.install("--editable", ".[lab]", "--group", "test")
    run(session, EVERYTHING, ["--cov", "--cov-report=term:skip-covered"])


@nox.session(python=PYTHONS[0])
def oracle(session: nox.Session) -> None:
    """The newest PyTorch: its differences are the tests that fail."""
    session.install("--editable", ".[lab]", "--group", "test", "torch", "--torch-backend=cpu")
    run(session, ["-n", "auto", "--dist", "loadfile", "-m", "parity", "-rf", "--tb=line"])


@nox.session(python=PYTHONS[0])
def audit(session: nox.Session) -> None:
    """Known vulnerabilities in what learners and teachers install."""
    session.install("--upgrade", "--editable", ".[lab,classroom]", "pip-audit")
    freeze = ("uv", "pip", "freeze", "--quiet", "--exclude-editable")
    installed = session.run(*freeze, external=True, silent=True)
    requirements = Path(session.create_tmp(), "requirements.txt")
    requirements.write_text(str(installed), encoding="utf-8")
    # Strict: it fails if a package can't be looked up, for example without a network.
    session.run("pip-audit", "--strict", "--disable-pip", "--no-deps", "-r", str(requirements))


def run(session: nox.Session, tests: list[str], options: Sequence[str] = ()) -> None:
    """Print the versions, then run pytest."""
    session.run("uv", "pip", "list", external=True)
    session.run("python", "-m", "pytest", *options, *(session.posargs or tests))
