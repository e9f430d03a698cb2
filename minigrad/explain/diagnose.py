"""From an exception, or a question about a gradient, to the explanation."""

import re
from collections.abc import Iterator

from minigrad.explain import (
    cut_errors,
    dtype_errors,
    findings,
    gradients,
    graph_errors,
    inplace_errors,
    module_errors,
    shape_errors,
)
from minigrad.explain.case import Case
from minigrad.explain.page import Cause, Explanation
from minigrad.explain.render import Report
from minigrad.explain.run import Run
from minigrad.explain.trail import Trail
from minigrad.explain.why import Question

CAUSES: tuple[Cause, ...] = (
    *cut_errors.CAUSES,
    *graph_errors.CAUSES,
    *inplace_errors.CAUSES,
    *shape_errors.CAUSES,
    *gradients.CAUSES,
    *module_errors.CAUSES,
    *dtype_errors.CAUSES,
    *findings.CAUSES,
)


def diagnose(error: BaseException, trail: Trail | None = None) -> Report | None:
    """What is to be said about an error; None if it isn't known.

    trail: what was recorded while the program ran. Nothing is raised: an explainer that fails has
    nothing to say.
    """
    try:
        return report_on(Case(error, trail))
    except Exception:
        return None


def report_on(subject: Case | Question) -> Report | None:
    """The page of the first cause that fits, filled in and ready to be shown."""
    found = find_cause(subject)
    return None if found is None else Report(found[1], subject)


def reports_on(run: Run) -> list[Report]:
    """The pages of all findings of a checkup."""
    return [Report(explanation, run) for _, explanation in find_causes(run)]


def find_cause(subject: Case | Question) -> tuple[Cause, Explanation] | None:
    """The first declaration that explains an error or a gradient."""
    return next(find_causes(subject), None)


def find_causes(subject: Case | Question | Run) -> Iterator[tuple[Cause, Explanation]]:
    """All declarations that fit."""
    said = subject.said
    for cause in CAUSES:
        match = re.search(cause.message, said)
        fields = None if match is None else cause.fields(subject)
        if match is not None and fields is not None:
            explanation = cause.explained({**subject.fields, **fields}, match.groups())
            inner = find_cause(fields["instead"]) if "instead" in fields else None
            if inner is not None:
                inner[1].what = f"{explanation.what} {inner[1].what}"
                explanation = inner[1]
            yield cause, explanation
