"""What the benchmarks time is right, and their command works; no time is judged here."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad
from tests.benchmarks.by_hand import BY_HAND
from tests.benchmarks.measure import assert_agreement
from tests.benchmarks.programs import PROGRAMS
from tests.benchmarks.run import BEGIN, END, write_into


@pytest.mark.parametrize("name", PROGRAMS)
def test_minigrad_agrees_with_numpy_by_hand(name: str) -> None:
    assert_agreement(name, PROGRAMS[name](minigrad), BY_HAND[name]())


@pytest.mark.parity
@pytest.mark.parametrize("name", PROGRAMS)
def test_pytorch_agrees_with_numpy_by_hand(name: str) -> None:
    import torch

    assert_agreement(name, PROGRAMS[name](torch), BY_HAND[name]())


def test_a_wrong_result_is_noticed() -> None:
    run, results = BY_HAND["tutorial"]()
    with pytest.raises(AssertionError, match="tutorial"):
        assert_agreement(
            "tutorial", PROGRAMS["tutorial"](minigrad), (run, lambda: [2 * results()[0]])
        )


def test_the_command_prints_a_table_and_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    command = [sys.executable, "-m", "tests.benchmarks", "--quick", "--json", str(file)]
    command += ["--only", "tutorial", "--only", "recording"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| tutorial |" in done.stdout
    assert "| minigrad |" in done.stdout
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert list(figures) == ["environment", "tutorial", "recording"]
    assert figures["tutorial"].keys() >= {"minigrad", "numpy"}
    assert all(seconds > 0 for seconds in figures["tutorial"].values())


def test_the_tables_go_between_their_marks() -> None:
    document = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert write_into(document, "new") == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"
    with pytest.raises(ValueError, match="has no lines"):
        write_into("a document without marks", "new")


def test_the_readme_has_a_table_of_every_program() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    table = readme.partition(BEGIN)[2].partition(END)[0]
    assert all(f"| {name} |" in table for name in PROGRAMS)
