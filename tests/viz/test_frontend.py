"""What the live graph brings into the browser: all of it, from nowhere else, under its licences."""

import json
import re
from pathlib import Path

VIZ = Path(__file__).parents[2] / "minigrad" / "viz"
PACKAGE = json.loads((VIZ / "frontend" / "package.json").read_text(encoding="utf-8"))
LOCK = (VIZ / "frontend" / "package-lock.json").read_text(encoding="utf-8")


def test_every_package_is_pinned_and_no_registry_is_named():
    versions = {**PACKAGE["dependencies"], **PACKAGE["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions.values())
    locked = json.loads(LOCK)["packages"]
    assert all("integrity" in package for path, package in locked.items() if path)
    assert "resolved" not in LOCK


def test_what_is_bundled_comes_with_its_licence():
    licences = (VIZ / "static" / "THIRD_PARTY_LICENSES.txt").read_text(encoding="utf-8")
    for name, version in PACKAGE["dependencies"].items():
        assert f"{name} {version} (" in licences
    assert "Apache License" in licences
    assert "Eclipse Public License" in licences


def test_the_bundle_is_one_file():
    bundle = (VIZ / "static" / "live.js").read_text(encoding="utf-8")
    imported = re.findall(r"(?:^|[;}])import\s*[\w{*\"']", bundle)
    assert imported == []
