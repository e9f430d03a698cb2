"""The lessons as they are committed: run, complete, honest about themselves, and in one form."""

import ast
import copy
import re
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from minigrad.cli import is_setup
from minigrad.exercises.predictions import predictions_of
from tests.replay import cells, differences, notebooks, on_engine, run_notebook, shown
from tools.normalise_lessons import LESSONS, SETUP, execute, normalise, save, write_setup

PATHS = sorted(LESSONS.glob("*.ipynb"))
_PREDICT = re.compile(r'^predict\("(\w+)"\)$', re.MULTILINE)
LONG = ("20", "21")  # the capstone and the summit
IMPORT = "import minigrad as torch"
# These know PyTorch's tensors as well.
FOR_BOTH = r"from minigrad\.(viz|widgets|exercises) import |plt\.style\.use"


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook: NotebookNode) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def is_meant_to_raise(cell: NotebookNode) -> bool:
    return "raises-exception" in cell.metadata.get("tags", [])


def execution_faults(notebook: NotebookNode) -> list[str]:
    """Cells that were not run, not in order, or lost what they showed."""
    faults = []
    for number, cell in enumerate(code_cells(notebook), start=1):
        kinds = {output.get("name", output.output_type) for output in cell.outputs}
        if cell.execution_count != number:
            faults.append(f"cell {number} was executed as {cell.execution_count}")
        if prints(cell.source) and "stdout" not in kinds:
            faults.append(f"cell {number} has lost what it printed")
        shows = displays(cell.source) and not is_meant_to_raise(cell)
        if shows and "execute_result" not in kinds:
            faults.append(f"cell {number} has lost what it displayed")
        if ("error" in kinds) != is_meant_to_raise(cell):
            faults.append(f"cell {number} raises without being tagged, or the other way round")
    return faults


def prints(source: str) -> bool:
    """Whether the cell itself calls print; its functions do when they are called."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id == "print":
            return True
        if not isinstance(node, ast.FunctionDef):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def displays(source: str) -> bool:
    """Whether the cell ends in a value to be shown; a method call may well return None."""
    *_, last = [None, *ast.parse(source).body]
    if not isinstance(last, ast.Expr):
        return False
    called = last.value.func if isinstance(last.value, ast.Call) else None
    return called is None or (isinstance(called, ast.Name) and called.id in ("draw", "check"))


def metadata_faults(name: str, notebook: NotebookNode, lessons: list[str]) -> list[str]:
    """What the lesson's metadata lacks, or says otherwise than the page does."""
    about = notebook.metadata.get("minigrad", {})
    if set(about) != {"objectives", "minutes", "prerequisites"}:
        return [f"metadata.minigrad has the keys {sorted(about)}"]
    page = prose(notebook)
    faults = []
    if not page.startswith(f"# {name[:2]} · "):
        faults.append("the first cell does not begin with number and title")
    if not 2 <= len(about["objectives"]) <= 5:
        faults.append(f"{len(about['objectives'])} objectives")
    longest = 120 if name[:2] in LONG else 45
    if type(about["minutes"]) is not int or not 10 <= about["minutes"] <= longest:
        faults.append(f"minutes: {about['minutes']}")
    if name[:2] == "00":  # which begins with a number to drag instead
        return faults
    faults += [f"not on the page: {o}" for o in about["objectives"] if f"\n- {o}\n" not in page]
    if f"**Time:** {about['minutes']} minutes" not in page:
        faults.append("the page does not say the same time")
    for prerequisite in about["prerequisites"]:
        if prerequisite not in lessons[: lessons.index(name)]:
            faults.append(f"{prerequisite} is no earlier lesson")
        if f"({prerequisite}.ipynb)" not in page:
            faults.append(f"{prerequisite} is not linked on the page")
    return faults


def link_faults(notebook: NotebookNode, folder: Path) -> list[str]:
    """Links in the prose that lead to no file."""
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(notebook))
    files = [target.partition("#")[0] for target in targets if "://" not in target]
    return [f"{file} is not there" for file in files if not (folder / file).is_file()]


def import_faults(notebook: NotebookNode) -> list[str]:
    """The one line to change for PyTorch comes first; what else is imported works with both."""
    sources = [cell.source for cell in code_cells(notebook) if not is_setup(cell)]
    faults = [] if sources[0].splitlines()[0] == IMPORT else ["the first line is another"]
    for line in re.findall(r"^.*\bminigrad\b.*$", "\n".join(sources), flags=re.M):
        if line.strip() != IMPORT and not re.match(FOR_BOTH, line.strip()):
            faults.append(f"only minigrad has this: {line}")
    return faults


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def lesson(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_every_cell_was_run_in_order_and_has_its_output(lesson: Path) -> None:
    assert execution_faults(read(lesson)) == []


def test_pictures_fit_into_a_notebook_and_can_be_read(lesson: Path) -> None:
    outputs = [output for cell in code_cells(read(lesson)) for output in cell.outputs]
    assert not [output for output in outputs if "needs_background" in output.get("metadata", {})]
    pictures = [svg for output in outputs if (svg := output.get("data", {}).get("image/svg+xml"))]
    assert pictures
    for svg in pictures:
        (width,) = re.findall(r'<svg [^>]*?\bwidth="([\d.]+)"', svg)
        (drawn,) = re.findall(r'<svg [^>]*?\bviewBox="\S+ \S+ (\S+) ', svg)
        assert float(width) <= 840
        assert float(width) >= 0.68 * float(drawn)


def test_a_lesson_says_what_it_teaches_how_long_it_takes_and_what_it_needs(lesson: Path) -> None:
    assert metadata_faults(lesson.stem, read(lesson), [path.stem for path in PATHS]) == []


def test_only_lists_begin_with_a_number_and_a_dot(lesson: Path) -> None:
    """A paragraph that begins with "6. " would be shown as the sixth item of a list."""
    for cell in read(lesson).cells:
        if cell.cell_type == "markdown":
            numbers = [
                int(number) for number in re.findall(r"^(\d+)\. ", cell.source, re.MULTILINE)
            ]
            assert len(numbers) != 1
            assert numbers == [*range(1, len(numbers) + 1)]


def test_a_lesson_has_a_recap_and_a_note_for_teachers(lesson: Path) -> None:
    assert re.findall(r"^## (Recap|For teachers)$", prose(read(lesson)), flags=re.M) == [
        "Recap",
        "For teachers",
    ]


@pytest.mark.parametrize("name", ["01_slopes_by_nudging", "15_train_a_small_net"])
def test_a_kernel_with_a_lesson_loaded_is_small(name: str) -> None:
    """Those that draw with matplotlib need most: 130 MB are promised, of which some are room."""
    notebook = read(LESSONS / f"{name}.ipynb")
    asks = "import psutil\nprint(psutil.Process().memory_info().rss // 2**20)"
    notebook.cells.append(new_code_cell(asks))
    execute(notebook, LESSONS)
    megabytes = int(notebook.cells[-1].outputs[0].text)
    assert megabytes <= 130


@pytest.mark.parity
def test_on_pytorch_a_lesson_says_the_same(lesson: Path) -> None:
    committed = read(lesson)
    executed = copy.deepcopy(committed)
    for cell in code_cells(executed):
        cell.source = on_engine(cell.source, "torch")
    assert executed != committed
    run_notebook(executed, LESSONS)
    sources = [cell.source for cell in code_cells(committed)]
    said, on_pytorch = ([shown(one) for one in code_cells(nb)] for nb in (committed, executed))
    difference = differences(sources, said, on_pytorch)
    assert not difference, f"{lesson.name}\n{difference}"


def test_links_lead_somewhere(lesson: Path) -> None:
    assert link_faults(read(lesson), LESSONS) == []


def test_a_lesson_asks_all_its_questions_in_order(lesson: Path) -> None:
    """Each prediction is followed by the cell that answers it."""
    sources = [cell.source for cell in code_cells(read(lesson))]
    declared = predictions_of(lesson.stem[:2])
    predictions = [key for key in declared if key[3] == "p"]
    asked = {i: found[1] for i, one in enumerate(sources) if (found := _PREDICT.search(one))}
    assert [*asked.values()] == predictions
    assert not any(i + 1 in asked or sources[i + 1].startswith("check(") for i in asked)
    recalls = [one for one in sources if f"recall({int(lesson.stem[:2])})" in one]
    assert len(recalls) == (len(declared) > len(predictions))


def test_lessons_are_linked_in_a_row() -> None:
    for earlier, later in pairwise(PATHS):
        assert f"]({later.name})" in read(earlier).cells[-1].source
        assert f"]({earlier.name})" in read(later).cells[-1].source


def test_one_import_line_separates_a_lesson_from_pytorch(lesson: Path) -> None:
    assert import_faults(read(lesson)) == []


def test_every_cell_of_the_tutorials_is_taught_word_for_word() -> None:
    taught = {cell.source for path in PATHS for cell in code_cells(read(path))}
    for tutorial in notebooks():
        missing = [one for one in cells(tutorial) if on_engine(one, "minigrad") not in taught]
        assert missing == [], tutorial


def test_a_lesson_is_saved_in_its_normal_form(lesson: Path) -> None:
    notebook = read(lesson)
    assert notebook.cells[0].source == SETUP
    normalise(notebook)
    assert nbformat.writes(notebook) + "\n" == lesson.read_text(encoding="utf-8")


def test_running_and_normalising_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lesson.ipynb"
    notebook = new_notebook(
        cells=[
            new_code_cell("object()"),
            new_code_cell("import sys, warnings\nwarnings.warn('careful')\nprint(1)\nprint(2)"),
            new_code_cell("object()"),
            new_code_cell(
                "int('x', 0 if object() else 1)", metadata={"tags": ["raises-exception"]}
            ),
        ]
    )
    files = []
    for _ in range(2):
        execute(notebook, tmp_path)
        normalise(notebook)
        save(notebook, path)
        files.append(path.read_text(encoding="utf-8"))
        notebook = read(path)
    assert files[0] == files[1]


def test_the_first_cell_installs_minigrad_only_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notebook = new_notebook(cells=[new_markdown_cell("# Title"), new_code_cell(IMPORT)])
    for _ in range(2):
        write_setup(notebook)
    assert [cell.source for cell in code_cells(notebook)] == [SETUP, IMPORT]
    ran: list[str] = []
    shell = SimpleNamespace(run_line_magic=lambda *words: ran.append(" ".join(words)))
    for spec in (object(), None):
        monkeypatch.setattr("importlib.util.find_spec", lambda name, spec=spec: spec)
        exec(SETUP, {"get_ipython": lambda: shell})
    assert len(ran) == 1
    assert ran[0].startswith("pip install -q minigrad-lessons ")


def test_a_cells_id_comes_from_its_text() -> None:
    notebook = new_notebook(cells=[new_code_cell("x"), new_code_cell("y"), new_code_cell("x")])
    longer = copy.deepcopy(notebook)
    longer.cells.insert(0, new_markdown_cell("# Title"))
    normalise(notebook)
    normalise(longer)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == 3
    assert [cell.id for cell in longer.cells[1:]] == ids
