"""Write docs/data/parity.json, the site's table of what is compared with PyTorch, from a real run.

make parity                                      leaves the run's report, build/parity.xml
.venv/bin/python tools/record_parity.py [FILE]   makes the table of it
"""

from __future__ import annotations

import ast
import importlib.metadata
import json
import platform
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).parent.parent
REPORT = ROOT / "build" / "parity.xml"
DATA = ROOT / "docs" / "data" / "parity.json"


def file_of(classname: str) -> str:
    """The test file that a report calls tests.viz.test_names, or tests.viz.test_names.SomeClass."""
    parts = classname.split(".")
    while parts:
        path = "/".join(parts) + ".py"
        if (ROOT / path).is_file():
            return path
        parts.pop()
    raise ValueError(f"no test file is called {classname}")


def about(path: str) -> str:
    """The first line of what a test file says of itself."""
    text = ast.get_docstring(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    return (text or "").partition("\n")[0]


def summary(report: ElementTree.Element, environment: dict[str, str]) -> dict[str, Any]:
    """How many tests of each file were run, and how many passed."""
    groups: dict[str, dict[str, Any]] = {}
    for case in report.iter("testcase"):
        path = file_of(case.attrib["classname"])
        group = groups.setdefault(path, {"about": about(path), "run": 0, "passed": 0})
        group["run"] += 1
        group["passed"] += all(case.find(bad) is None for bad in ("failure", "error", "skipped"))
    suite = report.find("testsuite")
    assert suite is not None
    date = suite.attrib["timestamp"][:10]
    return {"date": date, "environment": environment, "groups": dict(sorted(groups.items()))}


def markdown(table: dict[str, Any]) -> str:
    """What was compared with PyTorch, in Markdown: first the tests that do nothing else."""
    about = "; ".join(f"{name} {value}" for name, value in table["environment"].items())
    groups = table["groups"]
    passed, run = (sum(group[key] for group in groups.values()) for key in ("passed", "run"))
    rows = [
        f"| `{short(path)}` | {groups[path]['about']} | {groups[path]['passed']:,} of "
        f"{groups[path]['run']:,} |"
        for path in sorted(groups, key=lambda path: (not path.startswith("tests/parity/"), path))
    ]
    told = f"**{passed:,} of {run:,} tests passed** on {table['date']}. {about}."
    head = ["| tests | what they compare | passed |", "| --- | --- | ---: |"]
    return "\n".join([told, "", *head, *rows])


def short(path: str) -> str:
    """A test file's name without what is in all of them."""
    return path.removeprefix("tests/").replace("test_", "").removesuffix(".py")


def environment() -> dict[str, str]:
    """What was compared, on what machine."""
    return {
        "Python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in ("numpy", "torch")},
        "machine": f"{platform.system()} {platform.machine()}",
    }


def main() -> None:
    file = Path(sys.argv[1]) if sys.argv[1:] else REPORT
    table = summary(ElementTree.parse(file).getroot(), environment())
    DATA.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{DATA}: {sum(group['run'] for group in table['groups'].values())} tests")


if __name__ == "__main__":
    main()
