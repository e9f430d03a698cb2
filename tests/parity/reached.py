"""The large run of random programs differentiates every operation that has formulas.

Its tests tell by a property what they reached; it is put together here, where their reports arrive:
pytest may divide them among processes, and PyTorch may end one of those.
"""

from __future__ import annotations

import pytest

# From so many programs on they are different ones each time.
LARGE = 50_000
REACHED = "rules reached with a gradient"


class Reached:
    """What the reports of a run told, and what is missing once each operation has reported."""

    def __init__(self) -> None:
        self.rules: set[int] = set()
        self.tests: set[str] = set()
        self.missed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, rules in report.user_properties:
            if name == REACHED and report.when == "teardown":
                self.tests.add(report.nodeid)
                self.rules.update(rules)  # type: ignore[arg-type]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        from minigrad.ops.declare import rules
        from tests.parity.programs import operations

        if len(self.tests) < len(operations()):
            return
        # What PyTorch cannot differentiate either is declared by that name, to refuse.
        wanted = {
            place
            for place, rule in enumerate(rules)
            if rule.formulas and rule.name != "NotImplemented"
        }
        self.missed = [rules[place].name for place in sorted(wanted - self.rules)]
        if self.missed:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        told = (
            f"{len(self.tests)} operations reached {len(self.rules)} declarations with a gradient"
        )
        terminalreporter.section("random programs")
        terminalreporter.line(told + "".join(f"\nmissed: {name}" for name in self.missed))
