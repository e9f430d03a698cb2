"""The five tutorials print on minigrad, character for character, what they print on PyTorch."""

import json
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.replay import (
    ANSWERS,
    Answer,
    cells,
    differences,
    normalise,
    notebooks,
    on_engine,
    replay,
    run_notebook,
    shown,
)

RECORDED: dict[str, list[list[Answer]]] = json.loads(ANSWERS.read_text(encoding="utf-8"))
CELLS = {"000": 18, "001": 3, "002": 9, "003": 12, "004": 12}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("notebook", CELLS)
def test_every_cell_says_what_pytorch_says(notebook: str, seed: int) -> None:
    sources = cells(notebook)
    said = replay(sources, "minigrad", seed)
    difference = differences(sources, said, RECORDED[notebook][seed])
    assert not difference, f"{notebook} with seed {seed}\n{difference}"


@pytest.mark.parity
def test_the_recorded_answers_are_still_what_pytorch_says() -> None:
    from tests.data.record_seed_answers import record

    now = record()
    assert now.keys() == RECORDED.keys()
    for notebook, by_seed in now.items():
        for said, recorded in zip(by_seed, RECORDED[notebook], strict=True):
            assert not differences(cells(notebook), said, recorded)


def test_the_data_hold_every_cell_of_every_tutorial() -> None:
    assert {notebook: len(cells(notebook)) for notebook in notebooks()} == CELLS
    for notebook, by_seed in RECORDED.items():
        assert [len(answers) for answers in by_seed] == [CELLS[notebook]] * 10
        imports = [source for source in cells(notebook) if on_engine(source, "other") != source]
        assert len(imports) == 1


@pytest.mark.parametrize("notebook", CELLS)
def test_a_real_kernel_shows_the_same(notebook: str) -> None:
    """The replay above runs cells by itself; a kernel and its display hook must agree with it."""
    sources = cells(notebook)
    executed = new_notebook(
        cells=[
            new_code_cell("import minigrad; _ = minigrad.manual_seed(0)"),
            *(new_code_cell(on_engine(source, "minigrad")) for source in sources),
        ]
    )
    run_notebook(executed, Path(__file__).parents[1])
    said = [shown(cell) for cell in executed.cells[1:]]
    assert not differences(sources, said, RECORDED[notebook][0])


def test_binds_the_name_torch() -> None:
    source = "# import torch\nimport torch \nimport torchvision\nimport torch.nn as nn"
    assert on_engine(source, "minigrad") == (
        "# import torch\nimport minigrad as torch \nimport torchvision\nimport torch.nn as nn"
    )
    assert on_engine("import minigrad as torch  # why", "torch") == "import torch  # why"


def test_differences_show_the_cell_and_both_answers() -> None:
    same: Answer = {"stdout": "1\n"}
    assert differences(["a", "b"], [same, same], [same, same]) == ""
    shown_difference = differences(["a", "b"], [same, {"stdout": "2"}], [same, {"stdout": "2\n"}])
    assert "cell 1\nb\n" in shown_difference
    assert r"{'stdout': '2\n'}" in shown_difference


def test_normalising_removes_addresses_places_and_pytorchs_suffix() -> None:
    text = (
        "/tmp/ipykernel_12/345.py:3: UserWarning: careful (Triggered internally at /a/b.cpp:9.)\n"
        "  y.grad\n"
        "<A at 0x00C0FFEE>\n"
    )
    assert normalise(text) == "UserWarning: careful\n<A at 0x…>\n"
    assert normalise("  indented\nplain: text:3: here\n") == "  indented\nplain: text:3: here\n"
