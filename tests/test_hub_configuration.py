"""binder/hub/: three kinds of hub are given the same; `make hub` runs one of them."""

import os
import re
import runpy
import subprocess
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from tests.test_binder import would_build

ROOT = Path(__file__).parents[1]
HUB = ROOT / "binder" / "hub"
LESSONS = "https://example.org/lessons"


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Config:
    """What JupyterHub reads in jupyterhub_config.py."""
    monkeypatch.setenv("MINIGRAD_LESSONS", LESSONS)
    return PyFileConfigLoader("jupyterhub_config.py", str(HUB)).load_config()


@pytest.fixture
def values() -> dict:
    """What Helm reads in values.yaml."""
    return yaml.safe_load((HUB / "values.yaml").read_text(encoding="utf-8"))


def test_the_first_page_fetches_the_lessons_and_opens_the_first(shared: Config) -> None:
    page = urlsplit(shared.Spawner.default_url)
    asked = parse_qs(page.query)
    assert page.path == "/git-pull"
    assert asked["repo"] == [LESSONS]
    folder, lesson = asked["urlpath"][0].removeprefix("lab/tree/").split("/")
    assert asked["targetpath"] == [folder]
    assert ROOT / "lessons" / lesson == min((ROOT / "lessons").glob("*.ipynb"))


def test_without_lessons_the_hub_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINIGRAD_LESSONS", raising=False)
    with pytest.raises(ValueError, match="Set MINIGRAD_LESSONS to the address of"):
        PyFileConfigLoader("jupyterhub_config.py", str(HUB)).load_config()


def test_kubernetes_is_given_what_the_other_hubs_are(shared: Config, values: dict) -> None:
    student, spawner = values["singleuser"], shared.Spawner
    assert student["memory"] == {"guarantee": spawner.mem_guarantee, "limit": spawner.mem_limit}
    assert student["cpu"] == {"limit": spawner.cpu_limit}
    assert student["extraEnv"] == spawner.environment
    assert [student["cmd"]] == spawner.cmd
    assert f"--MappingKernelManager.cull_idle_timeout={values['cull']['timeout']}" in spawner.args
    assert f"--MappingKernelManager.cull_interval={values['cull']['every']}" in spawner.args


def test_the_image_of_kubernetes_keeps_its_repository_out_of_the_home() -> None:
    """The home is a volume there, and would hide what the image holds at its place."""
    guide = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    (folder,) = re.findall(r"repo2docker .*--target-repo-dir (\S+)", guide)
    assert not folder.startswith("/home")
    dockerfile = would_build("--target-repo-dir", folder)
    assert "ARG REPO_DIR" in dockerfile
    assert re.search(r"COPY .* src/ \$\{REPO_DIR\}/", dockerfile)


def test_the_littlest_jupyterhub_is_prepared(tmp_path: Path) -> None:
    """The script, in a place where pip and tljh-config only write down how they are called."""
    calls = tmp_path / "calls"
    for program in ("user/bin/pip", "hub/bin/tljh-config"):
        (tmp_path / program).parent.mkdir(parents=True)
        (tmp_path / program).write_text(f'#!/bin/sh\necho "$0 $@" >> {calls}\n')
        (tmp_path / program).chmod(0o755)
    configuration = tmp_path / "config" / "jupyterhub_config.d"
    configuration.mkdir(parents=True)
    environment = {**os.environ, "TLJH": str(tmp_path), "MINIGRAD_LESSONS": LESSONS}
    subprocess.run(["bash", HUB / "tljh.sh"], env=environment, check=True)
    assert calls.read_text().replace(str(tmp_path), "").splitlines() == [
        f"/user/bin/pip install --upgrade {HUB}/../..[lab] nbgitpuller",
        "/hub/bin/tljh-config set services.cull.timeout 3600",
        "/hub/bin/tljh-config reload",
    ]
    read = PyFileConfigLoader("minigrad.py", str(configuration)).load_config()
    assert LESSONS in parse_qs(urlsplit(read.Spawner.default_url).query)["repo"]


def test_an_unused_module_has_every_name_and_nothing_in_it() -> None:
    server = SimpleNamespace(**runpy.run_path(str(HUB / "singleuser.py")))
    module = server.UnusedModule("sqlalchemy.orm")

    class Base(module.declarative_base(metadata=...)):
        id = module.Column(module.Integer, primary_key=True)

    assert Base.metadata.tables is server.Unused
    assert module.validates("name")(print) is server.Unused
    assert not hasattr(module, "__all__")
