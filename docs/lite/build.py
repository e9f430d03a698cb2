"""Build the lessons as a site that runs in the browser alone: `make lite`.

JupyterLab, Python (Pyodide, from npm), minigrad and the lessons are files of the site. numpy and
matplotlib are compiled for Pyodide and come from its own distribution: over the network when the
site runs, or now, from a folder of wheels. Needs the extras `lab` and `lite`, and `npm ci` here.
"""

import argparse
import email
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PYODIDE = HERE / "node_modules" / "pyodide"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
ADDRESS = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"
KERNEL_EXTENSION = "@jupyterlite/pyodide-kernel-extension"

# What each kernel loads at its start, all at once, and with it what these need.
KERNEL = ("micropip", "piplite", "pyodide-kernel", "ipykernel", "comm", "ipython", "jedi")
# The rest is loaded by the cells that import it; of this, what is compiled:
COMPILED = ("numpy", "matplotlib")

# A package as pyodide-lock.json describes it, and all of them by their names.
Package = dict[str, Any]
Packages = dict[str, Package]


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the lessons for a browser alone.")
    parser.add_argument("output", type=Path, help="where the site goes; what is there is replaced")
    parser.add_argument("--packages", metavar="ADDRESS", help="where numpy and matplotlib will be")
    parser.add_argument(
        "--wheels", metavar="FOLDER", type=Path, help="puts Pyodide's wheels of these into the site"
    )
    options = parser.parse_args()
    if not PYODIDE.is_dir():
        parser.error(f"there is no {PYODIDE}: run `npm ci` in {HERE}")
    with tempfile.TemporaryDirectory() as place:
        build(Path(place), options.output.resolve(), options.packages, options.wheels)


def build(place: Path, output: Path, address: str | None, wheels: Path | None) -> None:
    """Make the site in `output`, out of what is gathered in `place`."""
    shutil.copy(HERE / "overrides.json", place)
    call("minigrad", "student", place / "files")
    runtime = place / "static" / "pyodide"
    runtime.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(PYODIDE / name, runtime)
    packages = collect_packages(runtime, address, wheels)
    configure(place, sorted(closure(packages, KERNEL)))
    shutil.rmtree(output, ignore_errors=True)
    lean = ("--apps=lab", "--apps=notebooks", "--no-sourcemaps", "--no-unused-shared-packages")
    folders = ("--lite-dir", place, "--contents", place / "files", "--output-dir", output)
    call("jupyter", "lite", "build", *lean, *folders, cwd=place)
    shutil.copy(HERE / "landing.html", output / "index.html")


def collect_packages(runtime: Path, address: str | None, wheels: Path | None) -> Packages:
    """Put wheels beside the runtime, and write its list of packages: these, and Pyodide's own."""
    lock = json.loads((PYODIDE / LOCK).read_text(encoding="utf-8"))
    packages: Packages = {canonicalize_name(key): it for key, it in lock["packages"].items()}
    if wheels is not None:
        copy_compiled(packages, wheels, runtime)
    fetch_pure(packages, lock["info"]["python"], runtime)
    version = json.loads((PYODIDE / "package.json").read_text(encoding="utf-8"))["version"]
    base = (address or ADDRESS.format(version=version)).rstrip("/")
    for package in packages.values():
        package["file_name"] = f"{base}/{package['file_name']}"
    for wheel in runtime.glob("*.whl"):
        name = parse_wheel_filename(wheel.name)[0]
        packages[name] = described(wheel, packages.get(name))
    packages["minigrad-lessons"]["depends"] += ["anywidget", "ipywidgets"]
    for package in packages.values():  # what JupyterLab has on the page, the kernel does without
        package["depends"] = [
            one for one in package["depends"] if canonicalize_name(one) in packages
        ]
    (runtime / LOCK).write_text(json.dumps({**lock, "packages": packages}), encoding="utf-8")
    return packages


def fetch_pure(packages: Packages, python: str, folder: Path) -> None:
    """Wheels of what is pure Python: minigrad, the kernel, and from PyPI what both need."""
    pip("wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    extension = Path(sys.prefix, "share", "jupyter", "labextensions", KERNEL_EXTENSION)
    for name in ("piplite", "pyodide_kernel", "ipykernel"):
        (wheel,) = extension.glob(f"static/pypi/{name}-*.whl")
        shutil.copy(wheel, folder)
    known = closure(packages, [name for name in KERNEL if name in packages])
    pinned = [f"{name}=={packages[name]['version']}" for name in sorted(known)]
    anywhere = ("--implementation=py", "--abi=none", "--platform=any", "--only-binary=:all:")
    wanted = ("--requirement", HERE / "kernel.txt", *pinned)
    pip("download", "--no-deps", f"--python-version={python}", *anywhere, "-d", folder, *wanted)


def copy_compiled(packages: Packages, wheels: Path, folder: Path) -> None:
    """The wheels of what is compiled, and of what it needs, if they are Pyodide's."""
    for name in sorted(closure(packages, COMPILED)):
        wheel = wheels / packages[name]["file_name"]
        if not wheel.is_file():
            raise SystemExit(f"there is no {wheel.name} in {wheels}")
        if digest(wheel) != packages[name]["sha256"]:
            raise SystemExit(f"{wheel} is not the file that Pyodide names")
        shutil.copy(wheel, folder)


def described(wheel: Path, known: Package | None) -> Package:
    """What Pyodide has to know of a wheel beside it; known: what it has known of the package."""
    name, version, _, _ = parse_wheel_filename(wheel.name)
    with ZipFile(wheel) as inside:
        files = inside.namelist()
        (metadata,) = (file for file in files if file.endswith(".dist-info/METADATA"))
        needs = email.message_from_bytes(inside.read(metadata)).get_all("Requires-Dist", [])
    tops = {Path(file).parts[0].removesuffix(".py") for file in files}
    return {
        "name": name,
        "version": str(version),
        "install_dir": "site",
        "package_type": "package",
        "imports": sorted(filter(str.isidentifier, tops)),
        "depends": [canonicalize_name(need.name) for need in map(Requirement, needs) if here(need)],
        **(known or {}),
        "file_name": wheel.name,
        "sha256": digest(wheel),
    }


def here(need: Requirement) -> bool:
    """Whether it is needed in a browser, without extras."""
    browser = {"sys_platform": "emscripten", "platform_system": "Emscripten", "extra": ""}
    return need.marker is None or need.marker.evaluate(browser)


def closure(packages: Packages, names: Iterable[str]) -> set[str]:
    """These packages, and all that they need."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in found:
            found.add(name)
            waiting += packages[name]["depends"]
    return found


def configure(place: Path, preloaded: list[str]) -> None:
    """Tell the kernel where the runtime is and what to load at its start."""
    settings = {
        "pyodideUrl": "./static/pyodide/pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": preloaded},
    }
    config = {
        "appName": "minigrad",
        "exposeAppInBrowser": True,  # for tests, and for whoever looks into a student's trouble
        "litePluginSettings": {f"{KERNEL_EXTENSION}:kernel": settings},
    }
    written = {"jupyter-lite-schema-version": 0, "jupyter-config-data": config}
    (place / "jupyter-lite.json").write_text(json.dumps(written), encoding="utf-8")


def digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def pip(*arguments: object) -> None:
    call("pip", "--quiet", "--disable-pip-version-check", *arguments)


def call(module: str, *arguments: object, cwd: Path = ROOT) -> None:
    """Run a module of this environment; ends the build if it fails."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, check=False)
    if done.returncode != 0:
        raise SystemExit(f"failed: {' '.join(command)}")


if __name__ == "__main__":
    main()
