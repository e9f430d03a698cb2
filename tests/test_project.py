"""What holds of the project as a whole: examples run, budgets are kept, the files agree."""

import ast
import doctest
import importlib
import inspect
import io
import json
import pkgutil
import re
import shutil
import subprocess
import sys
import tokenize
import tomllib
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

import minigrad

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEED_MORE = (
    "__main__",
    "classroom.execute",
    "classroom.autograded",
    "classroom.class_run",
    "classroom.distributing",
    "classroom.gradebook",
    "classroom.pages",
    "classroom.progress",
    "classroom.results",
    "in_browser",
    "viz.draw.wasm",
)
MODULES = [
    module.name
    for module in pkgutil.walk_packages(minigrad.__path__, "minigrad.")
    # All but what needs nbgrader, Dask or a browser.
    if not module.name.endswith(NEED_MORE)
]


def examples(module: ModuleType) -> list[doctest.DocTest]:
    """The module's doctests, those of classes that give another module as theirs included.

    Tensor says that it comes from torch, so that it prints as PyTorch's does, and doctest would
    take it for an import.
    """
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = finder.find(module)
    for name, value in vars(module).items():
        own = inspect.isclass(value) and any(
            getattr(member, "__globals__", None) is vars(module) for member in vars(value).values()
        )
        if own and value.__module__ != module.__name__:
            found += finder.find(value, name, module=False, globs=dict(vars(module)))
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_run(name: str) -> None:
    said = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in examples(importlib.import_module(name)):
        runner.run(test, out=said.write)
    assert runner.summarize(verbose=False).failed == 0, said.getvalue()


def test_import_minigrad_imports_numpy_and_the_standard_library_alone() -> None:
    program = (
        "import sys; before = set(sys.modules); import minigrad;"
        "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    printed = subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, text=True)
    assert set(printed.split()) - sys.stdlib_module_names == {"minigrad", "numpy"}


def code_lines(path: Path) -> set[int]:
    """The numbers of the lines that hold code: not blank, not a comment, not of a docstring."""
    text = path.read_text(encoding="utf-8")
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        node.body[0].lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, documented) and ast.get_docstring(node) is not None
    }
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in silent or token.type == tokenize.ENDMARKER:
            continue
        if not (token.type == tokenize.STRING and token.start[0] in docstrings):
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines


def function_lines(path: Path) -> dict[str, int]:
    """How many lines of code each function of a file has."""
    lines = code_lines(path)
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return {
        f"{path.stem}.{one.name}": len(lines & set(range(one.lineno, (one.end_lineno or 0) + 1)))
        for one in functions
    }


PACKAGE = ROOT / "minigrad"
READING = [PACKAGE / f"{name}.py" for name in ["graph", "engine", "tensor", "op", "views", "modes"]]
TOOLS = {"viz", "widgets", "exercises", "explain", "classroom"}
TOOLS |= {"__main__.py", "cli.py", "contents.py", "in_browser.py", "lab.py"}
MODULE_FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if "node_modules" not in path.parts]
ENGINE = [path for path in MODULE_FILES if path.relative_to(PACKAGE).parts[0] not in TOOLS]
# Mostly words.
LONG = re.compile(r"lesson_\d\d\.py")


@pytest.mark.parametrize(
    ("files", "budget"),
    [(READING, 1_500), (ENGINE, 6_000), (sorted((ROOT / "tests").rglob("*.py")), 19_000)],
    ids=["reading", "engine", "tests"],
)
def test_the_lines_of_code_keep_their_budget(files: list[Path], budget: int) -> None:
    assert sum(len(code_lines(file)) for file in files) <= budget


def test_files_and_functions_are_short() -> None:
    short = [path for path in MODULE_FILES if not LONG.search(str(path))]
    assert [str(path) for path in short if len(code_lines(path)) > 450] == []
    functions = {name: n for path in short for name, n in function_lines(path).items()}
    assert {name: n for name, n in functions.items() if n > 45} == {}


def test_every_file_gives_the_same_version() -> None:
    version = PROJECT["project"]["version"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE)[1] == version  # type: ignore[index]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", changes, re.MULTILINE)[1] == version  # type: ignore[index]


def commands(markdown: Path) -> list[str]:
    """The lines of a file's sh blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", markdown.read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def test_readme_begins_with_lab_and_test() -> None:
    first, second = commands(ROOT / "README.md")[:2]
    assert first.split("#")[0].strip() == "make lab"
    assert second.split("#")[0].strip() == "make test"


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_what_a_document_names_is_there(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z]+)", text, re.MULTILINE)) <= targets
    links = re.findall(r"\]\((?!https?://)([^)#]+)", text) + re.findall(r'src="([^":]+)"', text)
    links += re.findall(r'srcset="([^"]+)"', text)
    assert not [link for link in links if not (ROOT / link).exists()]


def test_readme_is_read_in_two_minutes_and_lists_every_lesson() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    read = re.sub(r"</?(picture|source)[^>]*>|\]\([^)]*\)", "", text)
    assert len(re.findall(r"[^\s|]*\w[^\s|]*", read)) <= 600
    rows = re.findall(
        r"^\| \[(\d\d) · (.*?)\]\(lessons/(.*?)\) \| .+ \| (\d+) \|$", text, re.MULTILINE
    )
    lessons = {
        path.name: nbformat.read(path, 4) for path in sorted((ROOT / "lessons").glob("*.ipynb"))
    }
    assert [row[2] for row in rows] == [*lessons]
    for number, title, name, minutes in rows:
        first = next(cell for cell in lessons[name].cells if cell.cell_type == "markdown")
        assert first.source.startswith(f"# {number} · {title}\n")
        assert lessons[name].metadata.minigrad.minutes == int(minutes)


def test_contributing_is_read_in_a_few_minutes() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert len(re.findall(r"\S+", text)) <= 1_200


def test_readme_example_prints_what_it_says() -> None:
    result = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize(
    ("committed", "passes"),
    [
        ({"text/plain": "the graph", "image/svg+xml": "<svg>another Graphviz</svg>"}, True),
        ({"text/plain": "another graph", "image/svg+xml": "<svg>drawn</svg>"}, False),
    ],
)
def test_a_lessons_graph_is_compared_and_its_picture_is_not(
    tmp_path: Path, committed: dict[str, str], passes: bool
) -> None:
    source = (
        "class Drawing:\n"
        "    def _repr_mimebundle_(self, **_):\n"
        "        return {'text/plain': 'the graph', 'image/svg+xml': '<svg>drawn</svg>'}\n"
        "Drawing()"
    )
    output = nbformat.v4.new_output("execute_result", data=committed, execution_count=1)
    cell = nbformat.v4.new_code_cell(source, execution_count=1, outputs=[output])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    (tmp_path / "lesson.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "tests").mkdir()
    for name in ("conftest.py", "pyproject.toml", "tests/nbval_sanitize.cfg"):
        shutil.copy(ROOT / name, tmp_path / name)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "lesson.ipynb"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ("1 passed" if passes else "1 failed") in ran.stdout, ran.stdout + ran.stderr
