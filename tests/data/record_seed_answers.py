"""Record what PyTorch 2.13 prints for the tutorials' cells, for seeds 0 to 9.

    python -m tests.data.record_seed_answers

writes tests/data/seed_answers.json: for each notebook a list by seed, holding each cell's answer
(see tests/replay.py). Needs the dependency group `parity`; run from the root of the repository.
"""

import json

from tests.replay import ANSWERS, Answer, cells, notebooks, replay

TORCH = "2.13"
MANUAL_SEEDS = range(10)


def record() -> dict[str, list[list[Answer]]]:
    """What the installed PyTorch says; RuntimeError if it is not the version promised."""
    import torch

    if not torch.__version__.startswith(TORCH + "."):
        raise RuntimeError(f"the answers are PyTorch {TORCH}'s, but this is {torch.__version__}")
    return {
        notebook: [replay(cells(notebook), "torch", seed) for seed in MANUAL_SEEDS]
        for notebook in notebooks()
    }


if __name__ == "__main__":
    text = json.dumps(record(), indent=1, ensure_ascii=False)
    ANSWERS.write_text(text + "\n", encoding="utf-8")
