"""`minigrad lab` and `minigrad lessons`: a learner gets a copy, and keeps what they wrote in it."""

import json
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from minigrad import cli

ROOT = Path(__file__).parents[1]
Run = Callable[..., tuple[int, str, str]]
FIRST, SECOND = "02_recording_the_graph.ipynb", "03_backward_on_a_scalar.ipynb"


def notebook(*sources: str) -> str:
    """A notebook as it is committed: executed, with outputs."""
    cells = [nbformat.v4.new_markdown_cell("# Tensors – ∂z/∂x")]
    for count, source in enumerate(sources, start=1):
        output = nbformat.v4.new_output("stream", name="stdout", text="3\n")
        cells.append(nbformat.v4.new_code_cell(source, execution_count=count, outputs=[output]))
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells))


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of minigrad with two lessons in the package, as a wheel leaves it."""
    package = tmp_path / "site-packages" / "minigrad"
    lessons = package / "lessons"
    lessons.mkdir(parents=True)
    (lessons / FIRST).write_text(notebook("print(1 + 2)", "print(3)"), encoding="utf-8")
    (lessons / SECOND).write_text(notebook("print(3)"), encoding="utf-8")
    monkeypatch.setattr(cli, "__file__", str(package / "cli.py"))
    return lessons


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def edit(path: Path) -> bytes:
    """Write into a notebook as a learner does; returns what it holds now."""
    changed = nbformat.read(path, as_version=4)
    changed.cells.append(nbformat.v4.new_code_cell("my = 'work'"))
    nbformat.write(changed, path)
    return path.read_bytes()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process: its exit code, and what it says and complains of."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = cli.main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def mine(packaged: Path, tmp_path: Path, run: Run) -> Path:
    """A learner's copy of the two lessons."""
    folder = tmp_path / "a" / "mine"
    assert run("lessons", folder) == (0, f"Lessons in {folder}: 2 new\n", "")
    return folder


def test_lessons_are_copied_without_outputs(packaged: Path, mine: Path) -> None:
    assert set(contents(mine)) == {FIRST, SECOND, cli.RECORD}
    for name in (FIRST, SECOND):
        source = nbformat.read(packaged / name, as_version=4)
        copy = nbformat.read(mine / name, as_version=4)
        nbformat.validate(copy)
        assert [cell.source for cell in copy.cells] == [cell.source for cell in source.cells]
        code = [cell for cell in copy.cells if cell.cell_type == "code"]
        assert code
        assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


def test_copying_again_changes_nothing(mine: Path, run: Run) -> None:
    before = contents(mine)
    assert run("lessons", mine) == (0, f"Lessons in {mine}: 2 untouched\n", "")
    assert contents(mine) == before


def test_an_edited_notebook_is_kept(mine: Path, run: Run) -> None:
    edited = edit(mine / FIRST)
    assert run("lessons", mine)[:2] == (0, f"Lessons in {mine}: 1 changed by you, 1 untouched\n")
    assert (mine / FIRST).read_bytes() == edited


def test_a_newer_version_replaces_what_nobody_touched(packaged: Path, mine: Path, run: Run) -> None:
    edited = edit(mine / FIRST)
    for name in (FIRST, SECOND):
        (packaged / name).write_text(notebook("print('newer')"), encoding="utf-8")

    code, said, _ = run("lessons", mine)
    assert code == 0
    assert (mine / FIRST).read_bytes() == edited
    assert b"newer" in (mine / SECOND).read_bytes()
    assert "1 changed by you, with a newer one there, 1 updated" in said
    assert f"{FIRST} is kept as it is; rename it" in said
    assert SECOND not in said
    assert f"{FIRST} is kept as it is; rename it" in run("lessons", mine)[1]

    (mine / FIRST).rename(mine / "my own.ipynb")
    assert run("lessons", mine)[0] == 0
    assert b"newer" in (mine / FIRST).read_bytes()
    assert (mine / "my own.ipynb").read_bytes() == edited


def test_a_notebook_that_was_there_before_is_kept(packaged: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / FIRST).write_text("not even a notebook")
    assert run("lessons", tmp_path)[0] == 0
    assert (tmp_path / FIRST).read_text() == "not even a notebook"
    assert (tmp_path / SECOND).exists()


def test_a_deleted_notebook_comes_back_fresh(mine: Path, run: Run) -> None:
    fresh = contents(mine)
    edit(mine / FIRST)
    (mine / FIRST).unlink()
    run("lessons", mine)
    assert contents(mine) == fresh


def test_an_interrupted_copy_is_finished_by_the_next(mine: Path, run: Run) -> None:
    whole = contents(mine)
    (mine / SECOND).unlink()
    (mine / cli.RECORD).unlink()
    run("lessons", mine)
    assert contents(mine) == whole


@pytest.mark.parametrize("damage", ["", "{", "[]", '"text"'])
def test_a_damaged_record_is_said_and_nothing_is_written(mine: Path, run: Run, damage: str) -> None:
    edit(mine / FIRST)
    (mine / cli.RECORD).write_text(damage)
    before = contents(mine)
    code, _, error = run("lessons", mine)
    assert code == 1
    assert f"{mine / cli.RECORD} is damaged. Delete it and run this again" in error
    assert contents(mine) == before


def test_a_lesson_that_was_only_opened_is_not_changed(mine: Path, run: Run) -> None:
    opened = json.loads((mine / FIRST).read_bytes())
    opened["metadata"]["language_info"] = {"name": "python", "version": "3.11.7"}
    (mine / FIRST).write_text(json.dumps(opened), encoding="utf-8")
    assert run("lessons", mine)[1] == f"Lessons in {mine}: 2 untouched\n"


@pytest.mark.parametrize("inside", ["", "lessons", "deep/down"])
def test_a_checkout_is_left_alone(packaged: Path, tmp_path: Path, run: Run, inside: str) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"), "utf-8")
    code, _, error = run("lessons", checkout / inside)
    assert code == 1
    assert f"{checkout / inside} lies in a checkout of minigrad" in error
    assert f"jupyter lab {checkout / 'lessons'}" in error
    assert [path.name for path in checkout.iterdir()] == ["pyproject.toml"]


def test_this_checkout_is_refused_and_holds_the_lessons(run: Run) -> None:
    assert "lies in a checkout of minigrad" in run("lessons", ROOT / "mine")[2]
    assert not (ROOT / "mine").exists()
    assert cli.packaged_lessons() == sorted((ROOT / "lessons").glob("*.ipynb"))


def test_somebody_elses_project_is_no_checkout(packaged: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "homework"\n')
    assert run("lessons", tmp_path / "mine")[0] == 0


def test_a_folder_that_cannot_be_made_is_said(packaged: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "mine"):
        code, _, error = run("lessons", folder)
        assert code == 1
        assert error.startswith(f"minigrad: cannot copy the lessons to {folder}: ")
    assert (tmp_path / "file").read_text() == "in the way"


def test_an_unknown_home_is_said(packaged: Path, run: Run) -> None:
    code, _, error = run("lessons", "~nobody-of-that-name/mine")
    assert code == 1
    assert error.startswith("minigrad: no folder ~nobody-of-that-name/mine")


def test_an_installation_without_lessons_is_said(packaged: Path, tmp_path: Path, run: Run) -> None:
    for path in packaged.iterdir():
        path.unlink()
    code, _, error = run("lessons", tmp_path / "mine")
    assert code == 1
    assert "install minigrad-lessons again" in error


def test_without_jupyterlab_lab_names_the_extra_and_copies_nothing_but_lessons_does(
    packaged: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    code, _, error = run("lab", tmp_path / "mine")
    assert code == 1
    assert 'pip install "minigrad-lessons[lab]"' in error
    assert not (tmp_path / "mine").exists()
    assert run("lessons", tmp_path / "mine")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "folder", "handed_on"),
    [
        ([], "minigrad-lessons", []),
        (["{home}/here"], "here", []),
        (["~/here"], "here", []),
        (["--no-browser"], "minigrad-lessons", ["--no-browser"]),
        (["--port", "9999"], "minigrad-lessons", ["--port", "9999"]),
        (["~/here", "--port", "9999", "-y"], "here", ["--port", "9999", "-y"]),
    ],
)
def test_lab_runs_jupyterlab_on_the_copy(
    packaged: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    folder: str,
    handed_on: list[str],
) -> None:
    home, calls = tmp_path / "home", []
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "")
    monkeypatch.setattr(sys, "argv", ["minigrad"])
    monkeypatch.setattr(
        cli.lab.runpy, "run_module", lambda name, **_: calls.append([name, *sys.argv])
    )
    cli.main(["lab", *(word.format(home=home) for word in arguments)])
    (call,) = calls
    assert call[:3] == ["jupyterlab", "minigrad", str(home / folder)]
    assert f"--LabApp.default_url=/lab/tree/{FIRST}" in call
    assert call[len(call) - len(handed_on) :] == handed_on
    assert (home / folder / FIRST).exists()


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as from a shell."""
    line = [sys.executable, "-m", "minigrad", *arguments]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=60)


def test_help_names_every_command_and_version_the_packages() -> None:
    assert command("--version").stdout == f"minigrad {cli.version()}\n"
    result = command("--help")
    assert result.returncode == 0
    assert command().stdout == result.stdout
    assert "lab " in result.stdout
    assert "lessons " in result.stdout
    for name in ("lab", "lessons"):
        result = command(name, "--help")
        assert result.returncode == 0
        assert result.stdout.startswith(f"usage: minigrad {name}")
    assert "~/minigrad-lessons" in command("lab", "--help").stdout


@pytest.mark.parametrize("arguments", [["lesson"], ["lessons"], ["lessons", "a", "b"]])
def test_wrong_usage_is_exit_code_2_and_names_the_usage(arguments: list[str]) -> None:
    result = command(*arguments)
    assert result.returncode == 2
    assert result.stderr.startswith("usage: minigrad")
    assert "Traceback" not in result.stderr


def test_lab_serves_the_copies_until_it_is_ended(tmp_path: Path) -> None:
    """The real JupyterLab, asked over its interface what it has in front of it."""
    options = ["--no-browser", "--port=0", "--ip=127.0.0.1"]
    with subprocess.Popen(
        [sys.executable, "-m", "minigrad", "lab", str(tmp_path / "mine"), *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as lab:
        patience = threading.Timer(60, lab.kill)
        patience.start()
        try:
            output = ""
            while not (
                address := re.search(
                    r"(http://127\S+)/lab/tree/00_start_here.ipynb\?token=(\w+)", output
                )
            ):
                line = lab.stdout.readline()  # type: ignore[union-attr]
                assert line, f"JupyterLab ended before it said where it is:\n{output}"
                output += line
            url, token = address.groups()
            request = urllib.request.Request(
                f"{url}/api/contents", headers={"Authorization": f"token {token}"}
            )
            shown = {entry["name"] for entry in answer(request, lab)["content"]}
            lab.terminate()
            output += lab.communicate()[0]
        finally:
            lab.kill()
            patience.cancel()
    assert shown == {path.name for path in cli.packaged_lessons()}
    assert lab.returncode == 0, output
    assert len(output.splitlines()) <= 12, output
    assert "Traceback" not in (tmp_path / "mine" / cli.lab.LOG).read_text()


def test_when_jupyterlab_does_not_start_its_reason_is_shown(tmp_path: Path) -> None:
    result = command("lab", str(tmp_path), "--no-browser", "--port=many")
    assert result.returncode != 0
    assert "many" in result.stdout
    assert (tmp_path / FIRST).exists()


def answer(request: urllib.request.Request, lab: subprocess.Popen[str]) -> dict[str, Any]:
    """The answer of a server that says where it is just before it begins to listen."""
    while lab.poll() is None:
        try:
            with urllib.request.urlopen(request, timeout=30) as said:
                content: dict[str, Any] = json.load(said)
                return content
        except urllib.error.HTTPError:
            raise
        except urllib.error.URLError:
            time.sleep(0.05)
    raise AssertionError(f"JupyterLab ended:\n{lab.communicate()[0]}")


def test_grading_says_what_is_not_installed(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "GRADING_NEEDS", ("json", "there_is_no_such_package"))
    code, _, error = run("grade", tmp_path, "--lesson", "01")
    assert code == 1
    assert "Not installed: there_is_no_such_package." in error
    assert 'pip install "minigrad-lessons[classroom]"' in error


@pytest.mark.parametrize("workers", ["0", "-1", "many"])
def test_there_is_at_least_one_worker(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["grade", "here", "--lesson", "01", "--workers", workers])
    assert "--workers" in capsys.readouterr().err
