"""The command `minigrad`: gives a learner a copy of the lessons and opens it in JupyterLab.

Teachers have four more: the lessons for students, with solutions, and as an nbgrader course; and
one that grades what a class has handed in.

The packaged notebooks are never opened themselves. A learner works on copies without outputs, in a
folder of their own; beside them a small record says what each copy looked like when it was made,
so that a later version can replace what nobody touched and leave alone what somebody did.
"""

import argparse
import contextlib
import hashlib
import importlib.util
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minigrad.classroom.distributing import Network
    from minigrad.classroom.run import Order

from minigrad import lab

DISTRIBUTION = "minigrad-lessons"
DEFAULT_FOLDER = Path("~/minigrad-lessons")
RECORD = ".minigrad-lessons.json"

# For teachers: what each command makes, and how to go on.
BUILDS = {
    "student": (
        "the lessons for students: stubs, no outputs, no notes for teachers",
        "Hand the folder out, or put it where your students' notebooks live.",
    ),
    "solved": (
        "the lessons with a solution in each exercise, and the others and the hints below it",
        "Keep it to yourself until the exercises are done.",
    ),
    "nbgrader": (
        "the lessons as an nbgrader course, solutions stripped and graded by hidden tests",
        "Go there and run: nbgrader generate_assignment 04_gradients_add_up",
    ),
}

# What `minigrad grade` imports besides: the extra classroom.
GRADING_NEEDS = ("nbgrader", "distributed", "tqdm", "mistune", "latex2mathml")

NEW = "new"
UPDATED = "updated"
UNTOUCHED = "untouched"
YOURS = "changed by you"
OUTDATED = "changed by you, with a newer one there"


class CommandError(Exception):
    """Something the user can put right; its text says how."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with `argv` (default: the program's own arguments); returns the exit code.

    0 done, 1 could not be done (said on stderr), 2 wrong usage, 3 graded, but something needs a
    look, 130 interrupted.
    """
    arguments, for_jupyter = split_options(sys.argv[1:] if argv is None else argv)
    options = parser().parse_args(arguments)
    try:
        if options.command is None:
            parser().print_help()
        elif options.command in BUILDS:
            build(options.command, options.folder)
        elif options.command == "grade":
            return grade(options)
        elif options.command == "explain":
            return explain(options.script, options.arguments, options.html)
        else:
            run(options.command, options.folder, for_jupyter)
    except CommandError as error:
        print(f"minigrad: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line, without what `lab` hands on to JupyterLab (see `split_options`)."""
    top = argparse.ArgumentParser(
        prog="minigrad", description="PyTorch's autograd, small enough to read, with lessons."
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {version()}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    kept = "A notebook you have changed is never overwritten; delete one to start it afresh."
    opening = commands.add_parser(
        "lab",
        help="open your own copy of the lessons in JupyterLab",
        description=f"Copy the lessons to a folder of your own and open JupyterLab there. {kept}",
        usage="minigrad lab [-h] [DIR] [options of jupyter lab ...]",
        epilog="From the first option on, everything is handed to JupyterLab: "
        "minigrad lab --no-browser, minigrad lab DIR --port 9999.",
    )
    opening.add_argument(
        "folder",
        nargs="?",
        metavar="DIR",
        type=Path,
        default=DEFAULT_FOLDER,
        help=f"where your copy lives (default: {DEFAULT_FOLDER})",
    )

    lessons = commands.add_parser(
        "lessons",
        help="copy the lessons to a folder, without opening them",
        description=f"Copy the lessons to a folder of your own. {kept}",
    )
    lessons.add_argument("folder", metavar="DIR", type=Path, help="where your copy lives")
    add_explain(commands)
    for name, (build, shown) in BUILDS.items():
        command = commands.add_parser(
            name, help=build, description=f"For teachers: {build}. {shown}"
        )
        command.add_argument(
            "folder", metavar="DIR", type=Path, help="a folder that is empty or not there yet"
        )
    add_grade(commands)
    return top


def add_explain(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `minigrad explain`."""
    command = commands.add_parser(
        "explain",
        help="run a script, and explain the error that it ends with",
        description="Run a script of minigrad's or PyTorch's, and explain the error that it ends "
        "with. The exit status is the script's.",
    )
    command.add_argument(
        "--html", metavar="FILE", type=Path, help="write the explanation as a page, too"
    )
    command.add_argument("script", metavar="SCRIPT", type=Path, help="the script")
    command.add_argument("arguments", nargs=argparse.REMAINDER, help="what the script is given")


def add_grade(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `minigrad grade`."""
    command = commands.add_parser(
        "grade",
        help="grade a class's submissions of one lesson",
        description="For teachers: grade all submissions of a lesson, each in a sandbox, several "
        "at a time. Writes a table, nbgrader's gradebook and a page of feedback for each student. "
        "It can be stopped at any moment and started again: nothing is lost or graded twice.",
        epilog="A submission is STUDENT/LESSON/NOTEBOOK.ipynb, as nbgrader keeps them, or "
        "STUDENT.ipynb, or any notebook in a folder STUDENT or in STUDENT.zip. Exit status: 0 if "
        "everything in SUBMISSIONS was graded, 3 if something needs a look, 1 if nothing could be "
        "graded.",
    )
    command.add_argument(
        "submissions", metavar="SUBMISSIONS", type=Path, help="their folder, or nbgrader's course"
    )
    command.add_argument(
        "--lesson",
        help="its number or its name: 03 or 03_backward_on_a_scalar (default: the one in there)",
    )
    command.add_argument(
        "--roster",
        metavar="CSV",
        type=Path,
        help="the class: a gradebook that Canvas or Moodle has exported, or a table with a column "
        "id, and what else a student is called; it also says who hasn't handed in",
    )
    command.add_argument(
        "--output",
        metavar="DIR",
        type=Path,
        help="where the results go (default: the course of nbgrader's that the submissions lie in; "
        "without one, SUBMISSIONS-graded-LESSON)",
    )
    command.add_argument(
        "--json", action="store_true", help="print every row of the table as JSON, for programs"
    )
    add_choices(command)
    add_machines(command)


def add_choices(command: argparse.ArgumentParser) -> None:
    """The options that say what is graded, and how strictly."""
    command.add_argument(
        "--only",
        metavar="STUDENT",
        action="append",
        default=[],
        help="grade this student only; may be given several times",
    )
    again = "grade again what is graded already"
    command.add_argument("--again", action="store_true", help=again)
    dry = "say what would be graded, and write nothing"
    command.add_argument("--dry-run", action="store_true", help=dry)
    few = "no point for an exercise for which a notebook tries more than N different answers"
    command.add_argument("--attempts", metavar="N", type=positive, help=few)


def add_machines(command: argparse.ArgumentParser) -> None:
    """The options that say where submissions are run."""
    command.add_argument(
        "--workers",
        metavar="N",
        type=positive,
        help="how many to grade at a time on this machine (default: one for each core)",
    )
    command.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="use the workers of a running Dask cluster, such as tls://10.0.0.1:8786; they need "
        "the same minigrad, but no files",
    )
    command.add_argument(
        "--tls",
        nargs=3,
        metavar=("CA", "CERTIFICATE", "KEY"),
        help="the files with which this machine and the cluster recognize each other",
    )
    command.add_argument(
        "--trust-network",
        action="store_true",
        help="use a cluster without TLS: anyone who can reach its ports can run programs on it and "
        "on this machine",
    )
    command.add_argument(
        "--unprotected",
        action="store_true",
        help="grade without a sandbox where the system has none: only what you trust",
    )


def positive(text: str) -> int:
    """A count on the command line."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def split_options(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Ours and JupyterLab's: behind `lab`, the first option begins JupyterLab's.

    >>> split_options(["lab", "here", "--port", "9999"])
    (['lab', 'here'], ['--port', '9999'])
    """
    arguments = list(argv)
    if arguments[:1] == ["lab"]:
        for at, word in enumerate(arguments):
            if word.startswith("-") and word not in ("-h", "--help"):
                return arguments[:at], arguments[at:]
    return arguments, []


def version() -> str:
    """The installed version, from the package's metadata."""
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "(run from its source, not installed)"


def run(command: str, folder: Path, for_jupyter: Sequence[str]) -> None:
    """Copy the lessons to `folder` and, for the command `lab`, run JupyterLab there."""
    if command == "lab" and importlib.util.find_spec("jupyterlab") is None:
        raise CommandError(
            "JupyterLab is not installed. It comes with the extra `lab`:\n"
            f'    pip install "{DISTRIBUTION}[lab]"'
        )
    try:
        folder = own_folder(folder)
        fates = copy_lessons(folder)
    except OSError as error:
        raise CommandError(f"cannot copy the lessons to {folder}: {error}") from error
    report(folder, fates)
    if command == "lab":
        lab.run(folder, first_lesson(fates), for_jupyter)


def build(kind: str, folder: Path) -> None:
    """Make one of the builds for teaching in `folder`, which must be empty or not there yet."""
    from minigrad.classroom import builds, course

    lessons = taught_lessons()
    try:
        folder = folder.expanduser().resolve()
        if folder.exists() and any(folder.iterdir()):
            raise CommandError(f"{folder} is not empty. Name a new folder, or empty it first.")
        if kind == "nbgrader":
            course.course(lessons, folder)
        else:
            builds.build(kind, lessons, folder)
    except (OSError, RuntimeError) as error:
        raise CommandError(f"cannot write to {folder}: {error}") from error
    what, how = BUILDS[kind]
    print(f"In {folder}: {what}.\n{how}")


def explain(script: Path, arguments: Sequence[str], page: Path | None) -> int:
    """Run a script and explain its error; returns the script's exit status.

    The option --html may follow the script directly; what comes after is the script's.
    """
    if arguments[:1] == ["--html"] and len(arguments) > 1:
        page, arguments = Path(arguments[1]), arguments[2:]
    if not script.is_file():
        raise CommandError(f"no script {script}")
    from minigrad.explain.script import run_script

    return run_script(script, arguments, page)


def grade(options: argparse.Namespace) -> int:
    """Grade the submissions of a lesson; the exit code, see `main`."""
    absent = [name for name in GRADING_NEEDS if importlib.util.find_spec(name) is None]
    if absent:
        raise CommandError(
            f"Not installed: {', '.join(absent)}. Grading needs the extra `classroom`:\n"
            f'    pip install "{DISTRIBUTION}[classroom]"'
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names have letters of every language
    options.submissions = options.submissions.expanduser().resolve()
    print(f"Looking at {options.submissions}", file=sys.stderr, flush=True)  # imports take long
    from minigrad.classroom import class_run
    from minigrad.classroom.errors import CannotGrade

    try:
        return 0 if class_run.grade_class(order(options)) else 3
    except CannotGrade as error:
        raise CommandError(str(error)) from error


def order(options: argparse.Namespace) -> "Order":
    """What `minigrad grade` is asked for. CommandError or CannotGrade if that can't be."""
    from minigrad.classroom import class_run, discovery
    from minigrad.classroom.assignment import assignment
    from minigrad.classroom.run import Order
    from minigrad.classroom.task import LIMITS
    from minigrad.exercises.exercise import OWN

    folder = options.submissions
    if Path(OWN).exists() and Path.cwd().is_relative_to(discovery.submitted(folder)):
        raise CommandError(f"{OWN} lies among the submissions: is it yours? Move it.")
    lessons = taught_lessons()
    names = [path.stem for path in lessons]
    try:
        name = options.lesson or discovery.find_lesson(folder, names, LIMITS.notebook)
        lesson = assignment(name, lessons)
    except LookupError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"cannot read {folder}: {error.strerror}") from error
    print(f"Lesson {lesson.name}", file=sys.stderr)
    output = options.output or class_run.default_output(folder, lesson.lesson)
    return Order(
        folder,
        lesson,
        output.expanduser().resolve(),
        network(options) if options.scheduler else None,
        options.workers,
        options.unprotected,
        options.json,
        options.attempts,
        options.roster,
        tuple(options.only),
        options.again,
        options.dry_run,
    )


def network(options: argparse.Namespace) -> "Network":
    """The cluster on the command line."""
    from minigrad.classroom.distributing import Network

    return Network(options.scheduler, options.tls, options.trust_network)


def taught_lessons() -> list[Path]:
    """The packaged notebooks, and the teacher's own, which replace those of the same name.

    CommandError if what lies in the current folder can't be read.
    """
    from minigrad.classroom.builds import own_lessons

    try:
        found = {path.name: path for path in [*packaged_lessons(), *own_lessons()]}
    except (LookupError, TypeError, ValueError) as error:
        raise CommandError(f"cannot read your own exercises: {error}") from error
    return [found[name] for name in sorted(found)]


def own_folder(folder: Path) -> Path:
    """`folder` as an absolute path. CommandError if it lies in a checkout of minigrad."""
    try:
        folder = folder.expanduser().resolve()
    except RuntimeError as error:
        raise CommandError(f"no folder {folder}: {error}") from error
    for place in (folder, *folder.parents):
        if is_checkout(place):
            raise CommandError(
                f"{folder} lies in a checkout of minigrad. Choose a folder outside it,\n"
                f"or work on the lessons' source itself: jupyter lab {place / 'lessons'}"
            )
    return folder


def is_checkout(folder: Path) -> bool:
    """Whether `folder` is the root of minigrad's source."""
    project = folder / "pyproject.toml"
    return project.is_file() and f'name = "{DISTRIBUTION}"'.encode() in project.read_bytes()


def packaged_lessons() -> list[Path]:
    """The notebooks of this installation: inside the package, or beside it in a checkout."""
    package = Path(__file__).parent
    root = package.parent if is_checkout(package.parent) else package
    notebooks = sorted((root / "lessons").glob("*.ipynb"))
    if not notebooks:
        raise CommandError(f"no lessons in {root / 'lessons'}: install {DISTRIBUTION} again")
    return notebooks


def is_setup(cell: dict[str, Any]) -> bool:
    """Whether the cell installs minigrad where a lesson runs without it, such as on Colab."""
    return bool(cell["metadata"].get("minigrad", {}).get("setup"))


def without_outputs(notebook: bytes) -> bytes:
    """The notebook as a learner should first see it: nothing run, nothing to install."""
    content = json.loads(notebook)
    content["cells"] = [cell for cell in content["cells"] if not is_setup(cell)]
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            cell["execution_count"] = None
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def copy_lessons(folder: Path) -> dict[str, str]:
    """Bring the lessons to `folder` and say of each what became of it.

    A notebook is written where there is none, or where the one there is still as an earlier call
    left it. OSError if the folder cannot be written, CommandError if its record is damaged.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = read_record(folder)
    fates = {}
    for source in packaged_lessons():
        name, text = source.name, without_outputs(source.read_bytes())
        fates[name] = fate(folder / name, text, record.get(name))
        if fates[name] in (NEW, UPDATED):
            write_whole(folder / name, text)
        if fates[name] in (NEW, UPDATED, UNTOUCHED):
            record[name] = digest(text)
    write_whole(folder / RECORD, (json.dumps(record, indent=1) + "\n").encode())
    return fates


def fate(copy: Path, text: bytes, copied: str | None) -> str:
    """What is to become of `copy`: `text` is this version's, `copied` what was put there last."""
    if not copy.exists():
        return NEW
    there = digest(copy.read_bytes())
    if there == digest(text):
        return UNTOUCHED
    if there == copied:
        return UPDATED
    return YOURS if copied == digest(text) else OUTDATED


def report(folder: Path, fates: dict[str, str]) -> None:
    """Say on stdout what `copy_lessons` did."""
    counts = Counter(fates.values())
    print(f"Lessons in {folder}: " + ", ".join(f"{n} {kind}" for kind, n in counts.items()))
    for name, kind in fates.items():
        if kind == OUTDATED:
            print(f"  {name} is kept as it is; rename it and run this again to get the newer one")


def first_lesson(fates: dict[str, str]) -> str | None:
    """The lesson to open: the first, unless the learner has worked on it already.

    >>> first_lesson({"00_start_here.ipynb": NEW, "01_slopes.ipynb": NEW})
    '00_start_here.ipynb'
    >>> first_lesson({"00_start_here.ipynb": YOURS, "01_slopes.ipynb": UNTOUCHED})
    """
    name, its_fate = next(iter(fates.items()))
    return None if its_fate in (YOURS, OUTDATED) else name


def read_record(folder: Path) -> dict[str, str]:
    """Digest of each notebook as it was last copied to `folder`."""
    path = folder / RECORD
    if not path.exists():
        return {}
    try:
        record = json.loads(path.read_bytes())
        return {str(name): str(value) for name, value in record.items()}
    except (ValueError, AttributeError) as error:
        raise CommandError(
            f"{path} is damaged. Delete it and run this again; no notebook of yours will be lost."
        ) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write all or nothing: a full disk or a Ctrl-C never leaves half a file under `path`."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    os.replace(part, path)


def digest(content: bytes) -> str:
    """Fingerprint of a notebook's cells; JupyterLab fills in the rest as soon as it is opened."""
    # What is no notebook is compared as a whole.
    with contextlib.suppress(ValueError, KeyError, TypeError):
        content = json.dumps(json.loads(content)["cells"], sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()
