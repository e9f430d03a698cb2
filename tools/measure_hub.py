"""Measure a class at the hub, and write the figures into the teacher's guide.

`python -m tools.measure_hub`, as root, in the environment of `make hub`.
"""

import os
import re
import sys
import textwrap
from importlib import metadata
from pathlib import Path
from statistics import median

from tests.hub.lesson_hour import Hour, lesson_hour

CLASS = 20
GUIDE = Path(__file__).parents[1] / "docs" / "hosting.md"
_FIGURES = re.compile("(?<=<!-- figures of a class -->\n).*(?=<!-- end of the figures -->)", re.S)


def figures(hour: Hour, cores: int) -> str:
    """The figures as Markdown: a sentence, and a row for each lesson."""
    most = [hour.most(work) for work in hour.works]
    first = [work.first_output for work in hour.works]
    versions = ", ".join(
        f"{name} {metadata.version(name)}" for name in ("jupyterhub", "jupyterlab", "numpy")
    )
    sentences = (
        f"{len(hour.works)} students on {cores} cores, who log in within one second and run a "
        f"whole lesson each: the first output came after {median(first):.0f} seconds "
        f"({max(first):.0f} for the last), and all had finished after "
        f"{max(work.finished for work in hour.works):.0f}. The most that one of them took was "
        f"{max(memory.total for memory in most):.0f} MB; all together, "
        f"{sum(memory.total for memory in most) / 1024:.1f} GB. "
        f"(Python {sys.version_info[0]}.{sys.version_info[1]}, {versions})"
    )
    lines = [
        *textwrap.wrap(sentences, 100),
        "",
        "| lesson | server | kernel | together |",
        "| --- | ---: | ---: | ---: |",
    ]
    for lesson in sorted({work.lesson for work in hour.works}):
        heaviest = max(
            (hour.most(work) for work in hour.works if work.lesson == lesson),
            key=lambda memory: memory.total,
        )
        parts = (heaviest.server, heaviest.kernels, heaviest.total)
        lines.append(f"| {lesson[:2]} | " + " | ".join(f"{part:.0f} MB" for part in parts) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    with lesson_hour(CLASS) as hour:
        wrong = [work.difference for work in hour.works if work.difference]
    if wrong:
        sys.exit("\n".join(wrong))
    written = figures(hour, os.cpu_count() or 1)
    guide = GUIDE.read_text(encoding="utf-8")
    assert _FIGURES.search(guide), "the guide has lost its place for the figures"
    GUIDE.write_text(_FIGURES.sub(lambda _: written, guide), encoding="utf-8", newline="\n")
    print(written)


if __name__ == "__main__":
    main()
