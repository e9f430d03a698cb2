"""The programs that the benchmarks time are right; no time is judged here."""

import numpy as np
import pytest

from tools import benchmarks


@pytest.mark.parametrize("name", benchmarks.PROGRAMS)
def test_minigrad_agrees_with_numpy(name: str) -> None:
    programs = benchmarks.build(name, ("minigrad", "numpy"))
    assert {*programs} == {"minigrad", "numpy"}
    timed = benchmarks.interleaved(programs, rounds=1, sample=1e-4)
    assert all(seconds > 0 for seconds in timed.values())


def test_a_wrong_result_is_noticed() -> None:
    with pytest.raises(AssertionError, match="chain"):
        benchmarks.assert_agreement("chain", [np.ones(2)], [np.zeros(2)])


def test_the_table_goes_between_its_markers() -> None:
    document = f"before\n{benchmarks.BEGIN}\nold\n{benchmarks.END}\nafter\n"
    inserted = benchmarks.insert(document, "new")
    assert inserted == document.replace("\nold\n", "\n\nnew\n\n")
    with pytest.raises(ValueError, match="has no lines"):
        benchmarks.insert("a document without markers", "new")
