"""Tables of what was measured: docs/data has the figures of real runs.

```{parity}                  what is compared with PyTorch
```{benchmarks}              how fast it is
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tests.benchmarks import tables

DATA = Path(__file__).parents[1] / "data"


def parity(report: dict[str, Any]) -> str:
    """What was compared with PyTorch, in Markdown: first the tests that do nothing else."""
    about = "; ".join(f"{name} {value}" for name, value in report["environment"].items())
    groups = report["groups"]
    passed, run = (sum(group[key] for group in groups.values()) for key in ("passed", "run"))
    rows = [
        f"| `{short(path)}` | {groups[path]['about']} | {groups[path]['passed']:,} of "
        f"{groups[path]['run']:,} |"
        for path in sorted(groups, key=lambda path: (not path.startswith("tests/parity/"), path))
    ]
    told = f"**{passed:,} of {run:,} tests passed** on {report['date']}. {about}."
    head = ["| tests | what they compare | passed |", "| --- | --- | ---: |"]
    return "\n".join([told, "", *head, *rows])


def short(path: str) -> str:
    """A test file's name without what is in all of them."""
    return path.removeprefix("tests/").replace("test_", "").removesuffix(".py")


class Table(SphinxDirective):
    """A table made of a file of figures."""

    file: str

    def run(self) -> list[nodes.Node]:
        path = DATA / self.file
        self.env.note_dependency(str(path))
        report = json.loads(path.read_text(encoding="utf-8"))
        return self.parse_text_to_nodes(self.markdown(report))

    def markdown(self, report: dict[str, Any]) -> str:
        raise NotImplementedError


class Parity(Table):
    file = "parity.json"

    def markdown(self, report: dict[str, Any]) -> str:
        return parity(report)


class Benchmarks(Table):
    file = "benchmarks.json"

    def markdown(self, report: dict[str, Any]) -> str:
        return tables.markdown(report)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("parity", Parity)
    app.add_directive("benchmarks", Benchmarks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
