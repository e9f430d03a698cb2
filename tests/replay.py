"""Run notebook cells with `torch` bound to an engine, and keep what a reader would see.

A cell's answer is a dict of text: `stdout`, `stderr` (warnings included), `display` (what the cell
displays, text/plain) and `error` (type and text); what stayed empty is left out. The same answer
comes from cells run in this process (`replay`) and from the outputs of a real kernel (`shown`), so
the two can be compared.
"""

import ast
import contextlib
import difflib
import importlib
import io
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbclient
import nbformat
from IPython.core.formatters import PlainTextFormatter

DATA = Path(__file__).parent / "data"
SEEDS = DATA / "seeds"
ANSWERS = DATA / "seed_answers.json"

Answer = dict[str, str]

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")
_TRIGGERED = re.compile(r" \(Triggered internally at [^\n]*\)")
# A warning's place differs between engines and runs: "/tmp/ipykernel_7/1.py:2: UserWarning: text"
# and, indented, the line that caused it.
_PLACE = re.compile(r"^\S[^\n]*?:\d+: (?=\w*Warning: )", re.MULTILINE)
_CAUSE = re.compile(r"^(\w*Warning: [^\n]*\n)  [^\n]*\n", re.MULTILINE)
# What matplotlib says, once for each user, where looking for fonts takes it more than five seconds.
_FONTS = "Matplotlib is building the font cache; this may take a moment.\n"


def normalise(text: str) -> str:
    """`text` without what differs from run to run: addresses, the place a warning came from."""
    text = _TRIGGERED.sub("", _ADDRESS.sub("0x…", text.replace(_FONTS, "")))
    return _CAUSE.sub(r"\1", _PLACE.sub("", text))


def notebooks() -> list[str]:
    """The names of the five tutorials, "000" to "004"."""
    return sorted(path.stem for path in SEEDS.glob("*.json"))


def cells(notebook: str) -> list[str]:
    """The code cells of a tutorial, verbatim and in order."""
    entries = json.loads((SEEDS / f"{notebook}.json").read_text(encoding="utf-8"))
    return [entry["source"] for entry in entries]


def on_engine(source: str, engine: str) -> str:
    """`source` with its line `import torch`, or minigrad in torch's place, importing `engine`."""
    line = "import torch" if engine == "torch" else f"import {engine} as torch"
    imports_torch = r"^import (?:torch|minigrad as torch)(?=[ \t]*(?:#.*)?$)"
    return re.sub(imports_torch, line, source, flags=re.MULTILINE)


def replay(sources: list[str], engine: str, seed: int) -> list[Answer]:
    """Each cell's answer, in one namespace, after `manual_seed(seed)` on the engine (a module).

    A cell that raises ends there, and the next one runs, as in a notebook.
    """
    importlib.import_module(engine).manual_seed(seed)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    return [run_cell(on_engine(source, engine), namespace) for source in sources]


def run_cell(source: str, namespace: dict[str, Any]) -> Answer:
    """Run one cell as IPython does: the value of a last line that is an expression is displayed."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    display = error = ""
    with _captured() as (stdout, stderr):
        try:
            exec(compile(tree, "<cell>", "exec"), namespace)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
                display = PlainTextFormatter()(value) if value is not None else ""
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
    return _answer(stdout.getvalue(), stderr.getvalue(), display, error)


def run_notebook(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Execute every cell in a real kernel started in `folder`; the outputs stay in `notebook`."""
    nbclient.NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()


def shown(cell: nbformat.NotebookNode) -> Answer:
    """The answer that the outputs saved in a code cell hold."""
    streams = {"stdout": "", "stderr": ""}
    displays, error = [], ""
    for output in cell.outputs:
        if output.output_type == "stream":
            streams[output.name] += output.text
        elif output.output_type == "error":
            error = f"{output.ename}: {output.evalue}"
        else:
            displays.append(output.data.get("text/plain", ""))
    return _answer(streams["stdout"], streams["stderr"], "\n".join(displays), error)


def differences(sources: list[str], said: list[Answer], expected: list[Answer]) -> str:
    """A unified diff of each cell whose answers are not equal; empty if there is no such cell."""
    lines: list[str] = []
    for index, (source, ours, theirs) in enumerate(zip(sources, said, expected, strict=True)):
        if ours != theirs:
            lines += [f"--- cell {index}", source, ""]
            before, after = _transcript(theirs), _transcript(ours)
            lines += difflib.unified_diff(before, after, "PyTorch", "minigrad", lineterm="")
            lines += [f"PyTorch:  {theirs}", f"minigrad: {ours}"]
    return "\n".join(lines)


def _transcript(answer: Answer) -> list[str]:
    return [line for part, text in answer.items() for line in (f"[{part}]", *text.splitlines())]


@contextlib.contextmanager
def _captured() -> Iterator[tuple[io.StringIO, io.StringIO]]:
    stdout, stderr = io.StringIO(), io.StringIO()

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        stderr.write(f"{category.__name__}: {message}\n")

    with (
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield stdout, stderr


def _answer(stdout: str, stderr: str, display: str, error: str) -> Answer:
    parts = {"stdout": stdout, "stderr": stderr, "display": display, "error": error}
    return {part: normalise(text) for part, text in parts.items() if text}
