"""Say what is not yet ready for a release: `python tools/check_release.py v0.2.0`.

The tag, pyproject.toml, CITATION.cff and the changelog name one version; the changelog has its day.
Needs nothing but Python. Exits with 1 if something is wrong.
"""

import re
import sys
import tomllib
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNRELEASED = "not yet released"
_HEADING = re.compile(r"^## (?P<version>\d+\.\d+\.\d+) \((?P<day>[^)]+)\)$", re.MULTILINE)


def releases(changelog: str) -> list[tuple[tuple[int, ...], str]]:
    """The changelog's versions and their days, as they stand there.

    >>> releases("## 0.2.0 (not yet released)\\n- More.\\n## 0.1.0 (2026-12-01)\\n")
    [((0, 2, 0), 'not yet released'), ((0, 1, 0), '2026-12-01')]
    """
    found = _HEADING.finditer(changelog)
    return [(tuple(map(int, one["version"].split("."))), one["day"]) for one in found]


def disorder(changelog: str) -> list[str]:
    """What is wrong with the changelog itself: its headings, their order, their days."""
    headings = re.findall(r"^## .*$", changelog, re.MULTILINE)
    wrong = [f"no version and day: {line!r}" for line in headings if not _HEADING.match(line)]
    known = releases(changelog)
    if [version for version, _ in known] != sorted({version for version, _ in known}, reverse=True):
        wrong.append("the versions do not fall from top to bottom")
    for place, (version, day) in enumerate(known):
        name = ".".join(map(str, version))
        if day == UNRELEASED and place > 0:
            wrong.append(f"{name} is {UNRELEASED}, but a later version is there")
        if day != UNRELEASED and not _is_day(day):
            wrong.append(f"{name} has no day such as 2026-12-01: {day!r}")
    return wrong


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """What keeps `tag` from being released."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    wrong = disorder(changelog)
    newest = next(iter(releases(changelog)), None)
    version = project["version"]
    if tag != f"v{version}":
        wrong.append(f"the tag is {tag}, pyproject.toml says {version}")
    if not re.search(rf"^version: {re.escape(version)}$", citation, re.MULTILINE):
        wrong.append(f"CITATION.cff does not say {version}")
    day = newest[1] if newest else UNRELEASED
    if day != UNRELEASED and not re.search(rf"^date-released: {day}$", citation, re.MULTILINE):
        wrong.append(f"CITATION.cff does not say {day}")
    if newest is None or ".".join(map(str, newest[0])) != version:
        wrong.append(f"the changelog does not begin with {version}")
    elif newest[1] == UNRELEASED:
        wrong.append(f"the changelog says that {version} is {UNRELEASED}")
    return wrong


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


if __name__ == "__main__":
    found = problems(sys.argv[1])
    print("\n".join(found) or "Ready.")
    sys.exit(bool(found))
