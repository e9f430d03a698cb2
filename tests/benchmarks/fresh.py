"""What is measured in fresh processes: importing, and the memory of a recorded operation.

Memory is read from /proc/self/status, which only Linux has; elsewhere it is None.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.programs import FACTOR

OPERATIONS = 200_000

_KILOBYTES = """
def kilobytes(field):
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(field))
    except FileNotFoundError:
        return None
"""

_IMPORT = f"""{_KILOBYTES}
import time
start = time.perf_counter()
import MODULE
taken = time.perf_counter() - start
peak = kilobytes("VmHWM")
import json
print(json.dumps([taken, peak]))
"""

_RECORD = f"""{_KILOBYTES}
import json
import MODULE as torch
x = torch.tensor(1.0, requires_grad=True)
(x * {FACTOR}).backward()
y, before = x, kilobytes("VmRSS")
for _ in range({OPERATIONS}):
    y = y * {FACTOR}
print(json.dumps([before, kilobytes("VmRSS")]))
"""


def imports(modules: Sequence[str], processes: int) -> dict[str, dict[str, float | None]]:
    """Seconds `import module` takes and the process's peak memory in bytes after it (medians).

    "python" stands for importing nothing. Modules take turns; a first turn, which may have to
    compile, does not count.
    """
    names = {"python": "sys", **{module: module for module in modules}}
    samples: dict[str, list[Any]] = {name: [] for name in names}
    for turn in range(processes + 1):
        for name, module in names.items():
            sample = _run(_IMPORT, module)
            if turn:
                samples[name].append(sample)
    report = {}
    for name, taken in samples.items():
        peaks = [peak for _, peak in taken if peak is not None]
        report[name] = {
            "seconds": median(duration for duration, _ in taken),
            "bytes": 1024 * median(peaks) if peaks else None,
        }
    return report


def memory(modules: Sequence[str], processes: int) -> dict[str, float | None]:
    """Bytes by which a process grows for each scalar multiplication it records (medians)."""
    report = {}
    for module in modules:
        samples = [_run(_RECORD, module) for _ in range(processes)]
        grown = [1024 * (after - before) / OPERATIONS for before, after in samples if before]
        report[module] = median(grown) if grown else None
    return report


def _run(code: str, module: str) -> Any:
    # What is compiled in the first turn is kept, as on most machines.
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    done = subprocess.run(
        [sys.executable, "-c", code.replace("MODULE", module)],
        cwd=Path(__file__).parents[2],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)
