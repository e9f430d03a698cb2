"""A report as Markdown: times in microseconds, memory in megabytes, ratios."""

from collections.abc import Iterable
from typing import Any

from tests.benchmarks.fresh import OPERATIONS
from tests.benchmarks.programs import CHAIN_LENGTH, PROGRAMS

Report = dict[str, Any]


def markdown(report: Report) -> str:
    """Every part that the report holds, each as a table."""
    parts = [
        "; ".join(f"{name} {value}" for name, value in report["environment"].items()),
        _programs({name: report[name] for name in PROGRAMS if name in report}),
    ]
    for name, part in TABLES.items():
        if name in report:
            parts.append(part(report[name], report))
    return "\n\n".join(part for part in parts if part)


def _programs(taken: Report) -> str:
    head = ["µs", "PyTorch", "minigrad", "numpy by hand", "minigrad / PyTorch", "minigrad / numpy"]
    rows = []
    for name, by in taken.items():
        torch, ours, numpy = by.get("torch"), by["minigrad"], by["numpy"]
        rows.append([name, *map(_micro, (torch, ours, numpy)), _ratio(ours, torch)])
        rows[-1].append(_ratio(ours, numpy))
    return _table(head, rows) if rows else ""


def _recording(taken: Report, _report: Report) -> str:
    rows = [
        [
            engine,
            _micro(by["recorded"]),
            _micro(by["no_grad"]),
            _ratio(by["recorded"], by["no_grad"]),
        ]
        for engine, by in taken.items()
    ]
    return _table(["µs, 1,000 elements", "recorded", "under no_grad", "ratio"], rows)


def _large_graph(taken: Report, report: Report) -> str:
    rows = [
        [engine, _micro(by["small"]), _micro(by["large"]), _ratio(by["large"], by["small"])]
        for engine, by in taken.items()
    ]
    nodes = f"of {report['environment']['large graph']}"
    head = ["µs a node: build, walk, free", f"of {CHAIN_LENGTH:,}", nodes, "ratio"]
    return _table(head, rows)


def _imports(taken: Report, _report: Report) -> str:
    numpy = taken["numpy"]
    rows = []
    for module, by in taken.items():
        milliseconds, peak = 1e3 * by["seconds"], by["bytes"]
        megabytes = "–" if peak is None else f"{peak / 2**20:.1f}"
        ratio = _ratio(by["seconds"], numpy["seconds"])
        rows.append([module, f"{milliseconds:.1f}", ratio, megabytes, _ratio(peak, numpy["bytes"])])
    return _table(["import", "ms", "/ numpy", "peak MB", "/ numpy"], rows)


def _memory(taken: Report, _report: Report) -> str:
    rows = [[module, "–" if size is None else f"{size:,.0f}"] for module, size in taken.items()]
    return _table([f"{OPERATIONS:,} scalar multiplications", "bytes each"], rows)


TABLES = {
    "recording": _recording,
    "large-graph": _large_graph,
    "import": _imports,
    "memory": _memory,
}


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def _micro(seconds: float | None) -> str:
    return "–" if seconds is None else f"{1e6 * seconds:,.2f}"


def _ratio(value: float | None, reference: float | None) -> str:
    return "–" if value is None or reference is None else f"{value / reference:.2f}"
