"""python -m minigrad explain script.py"""

import contextlib
import io
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.explain import script

ROOT = Path(__file__).parents[2]


def explained(folder: Path, **files: str) -> tuple[int, str, str]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    command = [sys.executable, "-m", "minigrad", "explain", str(folder / "main.py"), "2"]
    env = {"PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder, env=env)
    return ran.returncode, ran.stdout, ran.stderr


def test_the_cause_may_lie_in_another_file(tmp_path: Path) -> None:
    helpers = "def soften(y):\n    y += 1\n    return y\n"
    main = (
        "import sys\nimport minigrad as torch\nfrom helpers import soften\n"
        "w = torch.ones(int(sys.argv[1]), requires_grad=True)\n"
        "loss = soften(w.exp()).sum()\nprint('so far')\nloss.backward()\n"
    )
    status, out, err = explained(tmp_path, helpers=helpers, main=main)
    assert (status, out) == (1, "so far\n")
    said = " ".join(err.split())
    assert "`y` was changed by helpers.py, line 2, after line 5 had saved it" in said
    assert "engine.py" not in err


def test_the_exit_status_is_the_scripts(tmp_path: Path) -> None:
    assert explained(tmp_path, main="raise SystemExit(3)") == (3, "", "")
    assert explained(tmp_path, main="print(1)") == (0, "1\n", "")
    status, _, err = explained(tmp_path, main="import json\njson.loads('{')\n")
    assert status == 1
    assert "decoder.py" in err


def test_the_page_says_the_same_and_escapes_it(tmp_path: Path) -> None:
    main = (
        "import minigrad as torch\nw = torch.ones(2, requires_grad=True)\n"
        "y = w.exp()  # </pre><script>\ny += 1\ny.sum().backward()\n"
    )
    (tmp_path / "main.py").write_text(main)
    page, out = tmp_path / "report.html", io.StringIO()
    with contextlib.redirect_stderr(out):
        assert script.run_script(tmp_path / "main.py", page=page) == 1
    text = page.read_text()
    assert "line 4  y += 1  # the cause: changes `y`" in text
    assert "y += 1  # the cause" in out.getvalue()
    assert text.count("data:image/svg+xml") == 1
    assert "&lt;script&gt;" in text
    assert "<script" not in text


def test_colors_are_for_terminals(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import minigrad as torch\ntorch.ones(2).backward()\n")
    for terminal, no_color, colored in ((True, "", True), (True, "1", False), (False, "", False)):
        out = io.StringIO()
        monkeypatch.setattr(out, "isatty", lambda terminal=terminal: terminal)
        monkeypatch.setenv("NO_COLOR", no_color)
        monkeypatch.setenv("TERM", "xterm")
        with contextlib.redirect_stderr(out):
            script.run_script(tmp_path / "main.py")
        assert ("\033[" in out.getvalue()) == colored
