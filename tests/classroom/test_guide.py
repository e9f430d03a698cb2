"""The teacher's guide: what it names is there."""

import re
from pathlib import Path

from minigrad import cli
from minigrad.exercises.misconceptions import MISCONCEPTIONS
from tools.normalise_lessons import LESSONS

GUIDE = Path(__file__).parents[2] / "docs" / "teachers-guide.md"
TEXT = GUIDE.read_text(encoding="utf-8")


def test_every_lesson_is_in_the_guide() -> None:
    listed = re.findall(r"^\| \[(\d\d_\w+)\]", TEXT, flags=re.MULTILINE)
    assert {path.stem for path in LESSONS.glob("*.ipynb")} <= set(listed)
    assert listed == sorted(listed)
    assert [name[:2] for name in listed] == [f"{number:02}" for number in range(22)]


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\((?!https?://)([^)#]+)", TEXT)
    assert targets
    assert [target for target in targets if not (GUIDE.parent / target).exists()] == []


def test_its_commands_are_there() -> None:
    named = set(re.findall(r"^(?:.*`)?minigrad (\w+)", TEXT, flags=re.MULTILINE))
    assert named == {"solved", "student", "nbgrader", "lab", "grade"}
    assert set(cli.BUILDS) <= named


def test_it_lists_the_misconceptions_and_stays_short() -> None:
    listed = re.findall(r"^\d+\. (.+)", TEXT[TEXT.index("The misconceptions") :], re.MULTILINE)
    assert listed == [one.name for one in MISCONCEPTIONS.values()]
    assert len(TEXT.split()) <= 2500
