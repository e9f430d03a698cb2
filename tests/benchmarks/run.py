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

# Where a document wants the tables.
BEGIN, END = "<!-- benchmarks -->", "<!-- end of benchmarks -->"

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


def write_into(document: str, text: str) -> str:
    """Return a Markdown document with the text between its marks for benchmarks.

    Raises:
        ValueError: if the marks are not there.
    """
    before, begin, rest = document.partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the document has no lines {BEGIN} and {END}")
    return f"{before}{begin}\n\n{text}\n\n{end}{after}"


def main() -> None:
    """Measure what the command line asks for; print Markdown; JSON is in seconds and bytes."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds, a smaller large graph")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part (repeatable)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--into", type=Path, metavar="FILE", help="put the tables into a document")
    options = parser.parse_args()
    effort = measure.QUICK if options.quick else measure.FULL
    report = {"environment": environment(effort)}
    report |= {name: PARTS[name](effort) for name in options.only or PARTS}
    text = tables.markdown(report)
    print(text)
    if options.into:
        document = options.into.read_text(encoding="utf-8")
        options.into.write_text(write_into(document, text), encoding="utf-8")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
