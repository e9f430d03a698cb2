"""Releases: what the changelog must say, and what the workflows may do."""

import re
from pathlib import Path

import pytest
import yaml

from tools.check_release import disorder, problems

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_changelog_is_in_order() -> None:
    assert disorder((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("changelog", "said"),
    [
        ("## 0.2.0 (2026-12-01)\n## 0.1.0 (2026-11-01)\n", []),
        ("## Unreleased\n", ["no version and day: '## Unreleased'"]),
        (
            "## 0.1.0 (2026-11-01)\n## 0.2.0 (2026-12-01)\n",
            ["the versions do not fall from top to bottom"],
        ),
        (
            "## 0.2.0 (2026-12-01)\n## 0.1.0 (not yet released)\n",
            ["0.1.0 is not yet released, but a later version is there"],
        ),
        ("## 0.1.0 (soon)\n", ["0.1.0 has no day such as 2026-12-01: 'soon'"]),
    ],
)
def test_disorder_in_a_changelog_is_named(changelog: str, said: list[str]) -> None:
    assert disorder(changelog) == said


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A project that is ready for the release v0.1.0."""
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n')
    (tmp_path / "CITATION.cff").write_text("version: 0.1.0\ndate-released: 2026-12-01\n")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 0.1.0 (2026-12-01)\n")
    return tmp_path


def test_a_release_that_is_ready(release: Path) -> None:
    assert problems("v0.1.0", release) == []


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("CHANGELOG.md", "## 0.1.0 (not yet released)\n", "says that 0.1.0 is not yet released"),
        ("CHANGELOG.md", "## 0.2.0 (2026-12-01)\n", "does not begin with 0.1.0"),
        ("CITATION.cff", "version: 0.1.0.dev1\n", "CITATION.cff does not say 0.1.0"),
        ("CITATION.cff", "version: 0.1.0\n", "CITATION.cff does not say 2026-12-01"),
        ("pyproject.toml", '[project]\nversion = "0.2.0"\n', "the tag is v0.1.0"),
    ],
)
def test_what_keeps_a_release_back_is_named(release: Path, file: str, text: str, said: str) -> None:
    (release / file).write_text(text)
    assert any(said in problem for problem in problems("v0.1.0", release))


def actions(workflow: Path) -> list[str]:
    return re.findall(r"uses: (\S+.*)", workflow.read_text(encoding="utf-8"))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_to_commits(workflow: Path) -> None:
    assert actions(workflow)
    for action in actions(workflow):
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_no_workflow_may_write_or_knows_a_secret(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    assert "secrets." not in text
    top = yaml.safe_load(text)["permissions"]
    assert set(top.values()) <= {"read"}


def test_only_the_job_that_publishes_can_say_who_it_is() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    assert {name: job["permissions"] for name, job in jobs.items()} == {
        "build": {"contents": "read"},
        "publish": {"id-token": "write"},
    }
    assert jobs["publish"]["environment"]["name"] == "pypi"
