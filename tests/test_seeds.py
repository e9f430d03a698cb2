"""The five tutorials print on minigrad, character for character, what they print on PyTorch."""

import json

import pytest

from tests.replay import ANSWERS, Answer, cells, differences, notebooks, on_engine, replay

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
