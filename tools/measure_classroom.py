"""A class of drawn submissions, graded: `python -m tools.measure_classroom --number 300`.

Needs the extra classroom. Grades the class with two workers, with one, and with workers that are
killed every 20 seconds, and says what came of it: verdicts, rates, memory, gradebooks. No figure
makes it fail; a wrong verdict or another gradebook does.
"""

import argparse
import contextlib
import csv
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from minigrad import cli
from minigrad.classroom.assignment import assignment
from minigrad.classroom.class_run import STORE
from minigrad.classroom.store import Store
from tests.classroom import synthetic
from tests.classroom.running import nbgrader

SECONDS_BETWEEN_KILLS = 20.0


@dataclass(frozen=True)
class Measured:
    """One run. grading: seconds without start and writing. memory: the coordinator's, in MB."""

    output: Path
    seconds: float
    grading: float
    memory: list[float]
    deaths: int


def main() -> None:
    """Grade, and print what was seen."""
    parser = argparse.ArgumentParser(prog="python -m tools.measure_classroom")
    parser.add_argument("--number", type=int, default=300, help="submissions (default: 300)")
    parser.add_argument("--lesson", default="06_non_scalar_backward", help="its name")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "submitted"
        synthetic.write(folder, options.lesson, options.number, options.seed)
        two = measured(folder, options.lesson, workers=2)
        wrong = disagreements(two.output, folder, options)
        say("two workers", two, options.number, 2)
        print(f"verdicts as expected: {options.number - len(wrong)} of {options.number}")
        print("".join(f"  {line}\n" for line in wrong), end="", flush=True)
        one = measured(folder, options.lesson, workers=1)
        say("one worker", one, options.number, 1)
        print(f"two workers are {one.grading / two.grading:.2f} times as fast as one", flush=True)
        killed = measured(folder, options.lesson, workers=2, kill=True)
        say("killed workers", killed, options.number, 2)
        same = gradebook(killed.output) == gradebook(two.output)
        print(f"{killed.deaths} workers killed; the same gradebook: {'yes' if same else 'NO'}")
    sys.exit(bool(wrong) or not same)


def measured(folder: Path, lesson: str, workers: int, kill: bool = False) -> Measured:
    """Run `minigrad grade` to its end, and watch it."""
    output = folder.with_name(f"{workers}-{'killed' if kill else 'left-alone'}")
    command = ["grade", str(folder), "--lesson", lesson, "--output", str(output)]
    log = output.with_suffix(".log")
    started = time.monotonic()
    memory, deaths, next_kill = [], 0, started + SECONDS_BETWEEN_KILLS
    with log.open("w") as file:
        run = psutil.Popen(
            [sys.executable, "-m", "minigrad", *command, "--workers", str(workers)],
            stdout=file,
            stderr=file,
        )
        while run.poll() is None:
            time.sleep(0.5)
            with contextlib.suppress(psutil.NoSuchProcess):
                memory.append(run.memory_info().rss / 1e6)
            if kill and time.monotonic() > next_kill:
                next_kill += SECONDS_BETWEEN_KILLS
                deaths += kill_one(run, deaths)
    said = log.read_text(encoding="utf-8")
    if run.returncode:
        raise SystemExit(f"it ended with {run.returncode}:\n{said}")
    return Measured(output, time.monotonic() - started, bar_seconds(said), memory, deaths)


def bar_seconds(said: str) -> float:
    """How long the progress bar of the grading was there."""
    seconds = 0.0
    for part in re.findall(r"Grading .*?\[([\d:]+)<", said)[-1].split(":"):
        seconds = 60 * seconds + float(part)
    return seconds


def kill_one(run: psutil.Popen, turn: int) -> int:
    """Kill a worker, each time another one; how many died."""
    workers = [one for one in run.children() if "minigrad.classroom.warm" in one.cmdline()]
    if not workers:
        return 0
    workers[turn % len(workers)].kill()
    return 1


def disagreements(output: Path, folder: Path, options: argparse.Namespace) -> list[str]:
    """The verdicts that are not as they must be."""
    lesson = assignment(options.lesson, cli.packaged_lessons())
    found = []
    with Store(output / STORE) as store:
        for one in synthetic.submissions(options.lesson, options.number, options.seed):
            said = one.disagreement(store.get(lesson.key(one.content)))
            if said is not None:
                found.append(f"{one.student}: {said}")
    return found


def gradebook(output: Path) -> list[list[str]]:
    """What nbgrader exports of it."""
    nbgrader(output, "export", "--to", "exported.csv")
    with (output / "exported.csv").open(encoding="utf-8", newline="") as file:
        return sorted(csv.reader(file))


def say(what: str, run: Measured, number: int, workers: int) -> None:
    """A line for the eyes; memory at a tenth, half, nine tenths and the end of the run."""
    memory = ", ".join(f"{run.memory[int(len(run.memory) * at)]:.0f}" for at in (0.1, 0.5, 0.9))
    print(
        f"{what}: {run.seconds:.0f} s in all, {run.grading:.0f} s grading, "
        f"{number / run.grading / workers:.2f} a second a worker; "
        f"coordinator {memory}, at most {max(run.memory):.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    main()
