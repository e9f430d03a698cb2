"""Choose, measure, print. No figure makes this fail; a wrong result does."""

import argparse
import importlib.metadata
import json
import os
import platform
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks import fresh, measure, tables
from tests.benchmarks.programs import PROGRAMS

Parts = dict[str, Callable[[measure.Effort], Any]]

PARTS: Parts = {
    **{name: partial(measure.program, name) for name in PROGRAMS},
    "recording": measure.recording,
    "large-graph": measure.large_graph,
    "import": lambda effort: fresh.imports(["numpy", *measure.engines()], effort.processes),
    "memory": lambda effort: fresh.memory([*measure.engines()], effort.processes),
}


def environment(effort: measure.Effort) -> dict[str, str]:
    """What is measured, on what machine."""
    libraries = ["numpy", *(name for name in measure.engines() if name != "minigrad")]
    versions = {name: importlib.metadata.version(name) for name in libraries}
    machine = f"{platform.system()} {platform.machine()} with {os.cpu_count()} processors"
    return {
        "Python": platform.python_version(),
        **versions,
        "machine": machine,
        "threads": "1",
        "large graph": f"{effort.large_graph:,}",
    }


def main() -> None:
    """Measure what the command line asks for; print Markdown; JSON is in seconds and bytes."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds, a smaller large graph")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part (repeatable)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    options = parser.parse_args()
    effort = measure.QUICK if options.quick else measure.FULL
    report = {"environment": environment(effort)}
    report |= {name: PARTS[name](effort) for name in options.only or PARTS}
    print(tables.markdown(report))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
