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
from tools import record_parity

DATA = Path(__file__).parents[1] / "data"


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
        return record_parity.markdown(report)


class Benchmarks(Table):
    file = "benchmarks.json"

    def markdown(self, report: dict[str, Any]) -> str:
        return tables.markdown(report)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("parity", Parity)
    app.add_directive("benchmarks", Benchmarks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
