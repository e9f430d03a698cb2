"""tools/install.py: uv where it can be had, otherwise pip, and one clear line if neither can."""

import tomllib
from pathlib import Path

import pytest

from tools.install import ROOT, Installer, requirements

GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]


def test_extras_and_groups_are_installed_at_once() -> None:
    wanted = requirements(["lab", "test", "docs"])
    assert wanted[wanted.index("--editable") + 1] == ".[lab]"
    assert {*GROUPS["test"], *GROUPS["docs"]} <= {*wanted}


@pytest.mark.parametrize("works", ["uv", "pip", ""])
def test_pip_helps_out_where_uv_fails(tmp_path: Path, works: str) -> None:
    installer, tools = Installer(tmp_path), []
    installer.log.write_text("no network\n")

    def run(*command: str) -> bool:
        if "install" in command and "uv" not in command:
            tools.append("pip" if "-m" in command else "uv")
            return tools[-1] == works
        return True

    installer.run = run
    if works:
        installer.install(["numpy"])
    else:
        with pytest.raises(SystemExit, match=r"Installing failed:\nno network\nThe rest is in"):
            installer.install(["numpy"])
    assert tools == (["uv"] if works == "uv" else ["uv", "pip"])
