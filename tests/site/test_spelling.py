"""British spelling, in all prose that the site and the exercises have; code is left out.

A word of the trade that the dictionary does not know belongs into docs/spelling.txt.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from minigrad.exercises.exercise import Exercise, all_exercises
from minigrad.exercises.misconceptions import MISCONCEPTIONS

pytestmark = pytest.mark.site

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "docs" / "spelling.txt"
CODE = re.compile(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\*[^*]+\*", re.DOTALL)


@pytest.fixture(autouse=True, scope="module")
def hunspell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Ask Hunspell's dictionary, whatever else is installed: docs/spelling.txt adds to that one."""
    folder = tmp_path_factory.mktemp("enchant")
    (folder / "enchant.ordering").write_text("en_GB:hunspell\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENCHANT_CONFIG_DIR", str(folder))
        yield


def test_pages_and_docstrings_are_spelt_right(built: Path, tmp_path: Path) -> None:
    command = f"-m sphinx --quiet --builder spelling --conf-dir docs . {tmp_path}"
    doctrees = f"--doctree-dir={built / '.doctrees'}"
    subprocess.run(
        [sys.executable, *command.split(), doctrees], cwd=ROOT, check=True, capture_output=True
    )
    found = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.spelling")]
    assert "".join(found) == ""


def misspelt(texts: Iterable[str]) -> set[str]:
    """The words of Markdown texts that are in neither dictionary."""
    import enchant
    from enchant.tokenize import get_tokenizer

    british, own = enchant.Dict("en_GB"), set(WORDS.read_text(encoding="utf-8").split())
    tokens = get_tokenizer("en_GB")
    words = {word for text in texts for word, _ in tokens(CODE.sub(" ", text))}
    words = {word.removesuffix("'s") for word in words}
    return {word for word in words if word not in own and not british.check(word)}


def test_a_wrong_and_an_american_word_are_found() -> None:
    assert misspelt(["Two gradeints of another color, `fodl`."]) == {"gradeints", "color"}


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda exercise: exercise.id)
def test_hints_and_reasons_are_spelt_right(exercise: Exercise) -> None:
    texts = [exercise.title, exercise.prompt, exercise.because, *exercise.hints]
    assert misspelt(texts) == set()


def test_misconceptions_are_spelt_right() -> None:
    texts = [text for one in MISCONCEPTIONS.values() for text in (one.belief, one.fact)]
    assert misspelt(texts) == set()
