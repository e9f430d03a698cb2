"""The tables of what was measured are of whole runs that passed."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from tests.benchmarks.run import PARTS
from tools.record_parity import DATA, markdown, summary


def test_the_run_that_is_shown_compared_everything_and_passed() -> None:
    report = json.loads(DATA.read_text(encoding="utf-8"))
    groups = report["groups"]
    assert report["environment"]["torch"].startswith("2.13.0")
    assert sum(name.startswith("tests/parity/") for name in groups) > 40
    assert all(group["passed"] == group["run"] > 0 and group["about"] for group in groups.values())


def test_benchmarks_of_all_parts_are_shown() -> None:
    report = json.loads(DATA.with_name("benchmarks.json").read_text(encoding="utf-8"))
    assert set(report) == {"environment", *PARTS}
    assert "torch" in report["environment"]


REPORT = """<testsuites><testsuite timestamp="2026-01-02T03:04:05">
<testcase classname="tests.parity.test_texts" name="a"/>
<testcase classname="tests.parity.test_texts.SomeClass" name="b"><failure/></testcase>
<testcase classname="tests.test_random" name="c"><skipped/></testcase>
</testsuite></testsuites>"""


def test_a_report_is_counted_by_file() -> None:
    table = summary(ElementTree.fromstring(REPORT), {"Python": "3.11"})
    assert table["date"] == "2026-01-02"
    assert {name: (g["passed"], g["run"]) for name, g in table["groups"].items()} == {
        "tests/parity/test_texts.py": (1, 2),
        "tests/test_random.py": (0, 1),
    }
    assert "**1 of 3 tests passed** on 2026-01-02." in markdown(table)


def test_a_report_of_other_tests_is_refused() -> None:
    report = ElementTree.fromstring(REPORT.replace("tests.test_random", "elsewhere"))
    with pytest.raises(ValueError, match="no test file is called elsewhere"):
        summary(report, {})
