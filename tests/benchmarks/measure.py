"""What is measured in one process: the engines and hand-written numpy, in interleaved rounds."""

import contextlib
import gc
import importlib
import importlib.util
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, islice, permutations
from statistics import median
from typing import Any

import numpy as np

from tests.benchmarks.by_hand import BY_HAND
from tests.benchmarks.programs import CHAIN_LENGTH, PROGRAMS, Built, chain, forward

Run = Callable[[], object]
Seconds = dict[str, float]

TOLERANCE = 1e-4  # relative, and absolute for what is near zero: float32 in another order


@dataclass(frozen=True)
class Effort:
    """How much is measured: rounds, seconds a sample takes, nodes of the large graph."""

    rounds: int
    sample: float
    large_rounds: int
    large_graph: int
    processes: int


FULL = Effort(rounds=75, sample=0.004, large_rounds=3, large_graph=1_000_000, processes=11)
QUICK = Effort(rounds=9, sample=0.002, large_rounds=2, large_graph=100_000, processes=3)


def engines() -> dict[str, Any]:
    """minigrad and, where it is installed, PyTorch on one thread, by the name of their module."""
    modules = {"minigrad": importlib.import_module("minigrad")}
    if importlib.util.find_spec("torch"):
        modules["torch"] = importlib.import_module("torch")
        modules["torch"].set_num_threads(1)
    return modules


def assert_agreement(name: str, program: Built, by_hand: Built) -> None:
    """AssertionError unless both give the same arrays, after each of three runs."""
    for _ in range(3):
        for run, _results in (program, by_hand):
            run()
        for ours, right in zip(program[1](), by_hand[1](), strict=True):
            np.testing.assert_allclose(ours, right, TOLERANCE, TOLERANCE, err_msg=name)


def seconds(run: Run, number: int) -> float:
    """Seconds a call takes, over `number` calls."""
    start = time.perf_counter()
    for _ in range(number):
        run()
    return (time.perf_counter() - start) / number


def interleaved(runs: Mapping[str, Run], rounds: int, sample: float) -> Seconds:
    """The median seconds of each function; every round times each of them for `sample` seconds.

    Rounds go through all the orders there are, and a call that is not timed goes before each
    sample: otherwise whoever follows numpy would pay for the caches that numpy filled.
    What exists before the first round is kept from the cyclic garbage collector: otherwise
    minigrad, whose nodes it counts, would pay for walks over the other engine's modules.
    """
    for run in runs.values():
        run()
    numbers = {name: max(1, round(sample / seconds(run, 1))) for name, run in runs.items()}
    samples: dict[str, list[float]] = {name: [] for name in runs}
    gc.collect()
    gc.freeze()
    for order in islice(cycle(permutations(runs)), rounds):
        for name in order:
            runs[name]()
            samples[name].append(seconds(runs[name], numbers[name]))
    gc.unfreeze()
    return {name: median(values) for name, values in samples.items()}


def program(name: str, effort: Effort) -> Seconds:
    """Seconds a run of the program takes on each engine and written by hand for numpy.

    AssertionError if an engine's results are not the hand-written ones.
    """
    for torch in engines().values():
        assert_agreement(name, PROGRAMS[name](torch), BY_HAND[name]())
    runs = {engine: PROGRAMS[name](torch)[0] for engine, torch in engines().items()}
    return interleaved(runs | {"numpy": BY_HAND[name]()[0]}, effort.rounds, effort.sample)


def recording(effort: Effort) -> dict[str, Seconds]:
    """Seconds the forward program takes on each engine, recorded and under no_grad."""
    return {
        engine: interleaved(
            {"recorded": forward(torch)[0], "no_grad": forward(torch, recorded=False)[0]},
            effort.rounds,
            effort.sample,
        )
        for engine, torch in engines().items()
    }


def large_graph(effort: Effort) -> dict[str, Seconds]:
    """Seconds a node takes to be built, walked and freed, in a small graph and in a large one."""
    lengths = {"small": CHAIN_LENGTH, "large": effort.large_graph}
    report = {}
    for engine, torch in engines().items():
        runs = {size: chain(torch, length)[0] for size, length in lengths.items()}
        for collector in ("off", "on"):
            with _cyclic_collector(collector == "on"):
                medians = interleaved(runs, effort.large_rounds, 0.2)
            report[f"{engine}, collector {collector}"] = {
                size: medians[size] / length for size, length in lengths.items()
            }
    return report


@contextlib.contextmanager
def _cyclic_collector(on: bool) -> Iterator[None]:
    (gc.enable if on else gc.disable)()
    try:
        yield
    finally:
        gc.enable()
