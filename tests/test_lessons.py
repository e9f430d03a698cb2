"""The lessons as they are committed: run, complete, honest about themselves, and in one form."""

import ast
import copy
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.replay import cells, differences, notebooks, on_engine, run_notebook, shown
from tools.normalise_lessons import ADDRESS, LESSONS, execute, normalise, save

PATHS = sorted(LESSONS.glob("*.ipynb"))
IMPORT = "import minigrad as torch"
# These know PyTorch's tensors as well; and lesson 11 reads minigrad's engine, wherever it runs.
FOR_BOTH = r"from minigrad\.(viz|widgets|exercises|engine|ops) import "

# Where each cell of the five tutorials is taught: lesson -> tutorial -> indices of its cells.
HOMES: dict[str, dict[str, list[int]]] = {
    "02_recording_the_graph": {
        "000": [0, 1, 2, 3, 4],
        "002": [0, 1, 2, 3, 4],
        "004": [0, 1, 2, 3, 4],
    },
    "03_backward_on_a_scalar": {"000": [5, 6], "002": [5, 6], "003": [0, 1, 2], "004": [5]},
    "04_gradients_add_up": {"003": [9, 10], "004": [10, 11]},
    "06_non_scalar_backward": {
        "000": [7, 8, 9, 10, 11, 12, 13],
        "002": [7, 8],
        "003": [3, 4],
        "004": [6],
    },
    "09_cutting_the_graph": {
        "000": [14, 15, 16, 17],
        "001": [2],
        "003": [5, 6, 7, 8],
        "004": [7, 8, 9],
    },
    "10_updating_weights": {"001": [0, 1], "003": [11]},
}


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
    faults += [f"not on the page: {o}" for o in about["objectives"] if f"\n- {o}\n" not in page]
    if type(about["minutes"]) is not int or not 10 <= about["minutes"] <= 60:
        faults.append(f"minutes: {about['minutes']}")
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


def seed_faults(notebook: NotebookNode, homes: dict[str, list[int]]) -> list[str]:
    """Tutorial cells that should be in this lesson, word for word, and are not."""
    sources = [cell.source for cell in code_cells(notebook)]
    return [
        f"cell {index} of tutorial {tutorial}"
        for tutorial, indices in homes.items()
        for index in indices
        if re.sub("^import torch", IMPORT, cells(tutorial)[index], flags=re.M) not in sources
    ]


def import_faults(notebook: NotebookNode) -> list[str]:
    """The one line to change for PyTorch comes first; what else is imported works with both."""
    sources = [cell.source for cell in code_cells(notebook)]
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
    outputs = (output for cell in code_cells(read(lesson)) for output in cell.outputs)
    pictures = [svg for output in outputs if (svg := output.get("data", {}).get("image/svg+xml"))]
    assert pictures
    for svg in pictures:
        width = re.search(r'<svg [^>]*?\bwidth="([\d.]+)"', svg)
        assert width is not None
        assert float(width[1]) <= 750
        assert min(map(float, re.findall(r'font-size="([\d.]+)"', svg))) >= 11


def test_a_lesson_says_what_it_teaches_how_long_it_takes_and_what_it_needs(lesson: Path) -> None:
    assert metadata_faults(lesson.stem, read(lesson), [path.stem for path in PATHS]) == []


def test_a_lesson_has_a_recap_and_a_note_for_teachers(lesson: Path) -> None:
    assert re.findall(r"^## (Recap|For teachers)$", prose(read(lesson)), flags=re.M) == [
        "Recap",
        "For teachers",
    ]


@pytest.mark.parametrize("name", ["01_slopes_by_nudging", "12_train_a_small_net"])
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


def test_lessons_are_linked_in_a_row() -> None:
    for earlier, later in pairwise(PATHS):
        assert f"]({later.name})" in read(earlier).cells[-1].source
        assert f"]({earlier.name})" in read(later).cells[-1].source


def test_one_import_line_separates_a_lesson_from_pytorch(lesson: Path) -> None:
    assert import_faults(read(lesson)) == []


@pytest.mark.parametrize("name", HOMES)
def test_the_tutorials_cells_are_in_their_lessons(name: str) -> None:
    assert seed_faults(read(LESSONS / f"{name}.ipynb"), HOMES[name]) == []


def test_every_cell_of_the_tutorials_has_one_home() -> None:
    for tutorial in notebooks():
        housed = [index for homes in HOMES.values() for index in homes.get(tutorial, [])]
        if tutorial == "001":  # begins with its import, the others have a cell for it
            assert cells(tutorial)[0].count("\nimport torch") == 1
        assert sorted(housed) == list(range(len(cells(tutorial))))


def test_a_lesson_is_saved_in_its_normal_form(lesson: Path) -> None:
    notebook = read(lesson)
    normalise(notebook)
    assert nbformat.writes(notebook) + "\n" == lesson.read_text(encoding="utf-8")


def sample() -> NotebookNode:
    """A lesson in which nothing is wrong."""
    about = {"objectives": ["run", "look"], "minutes": 20, "prerequisites": ["01_before"]}
    title = "# 02 · Sample\n\n- run\n- look\n\n**Time:** 20 minutes\n\n[01](01_before.ipynb)"
    shown = new_output("execute_result", {"text/plain": "3"}, execution_count=3)
    raised = new_output("error", ename="NameError", evalue="name", traceback=[])
    return new_notebook(
        metadata={"minigrad": about},
        cells=[
            new_markdown_cell(title),
            new_code_cell(IMPORT, execution_count=1),
            new_code_cell(
                "print(1)", execution_count=2, outputs=[new_output("stream", text="1\n")]
            ),
            new_code_cell("1 + 2", execution_count=3, outputs=[shown]),
            new_code_cell(
                "name",
                execution_count=4,
                metadata={"tags": ["raises-exception"]},
                outputs=[raised],
            ),
        ],
    )


def faults(notebook: NotebookNode, folder: Path) -> list[str]:
    return [
        *execution_faults(notebook),
        *metadata_faults("02_sample", notebook, ["01_before", "02_sample"]),
        *link_faults(notebook, folder),
        *import_faults(notebook),
    ]


def strip(notebook: NotebookNode) -> None:
    for cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None


def set_source(index: int, source: str) -> Callable[[NotebookNode], None]:
    def change(notebook: NotebookNode) -> None:
        notebook.cells[index].source = source

    return change


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (strip, "cell 2 was executed as None"),
        (lambda n: n.cells[2].outputs.clear(), "cell 2 has lost what it printed"),
        (lambda n: n.cells[3].outputs.clear(), "cell 3 has lost what it displayed"),
        (lambda n: n.cells[4].metadata.clear(), "cell 4 raises without being tagged, or the other"),
        (lambda n: n.cells.pop(2), "cell 2 was executed as 3"),
        (lambda n: n.metadata.clear(), "metadata.minigrad has the keys []"),
        (lambda n: n.metadata.minigrad.update(minutes="20"), "minutes: 20"),
        (lambda n: n.metadata.minigrad.update(minutes=25), "the page does not say the same time"),
        (lambda n: n.metadata.minigrad.update(objectives=["run", "fly"]), "not on the page: fly"),
        (lambda n: n.metadata.minigrad.update(prerequisites=["02_sample"]), "is no earlier lesson"),
        (set_source(0, "# 02 · Sample\n[01](00_gone.ipynb)"), "00_gone.ipynb is not there"),
        (set_source(1, "import torch"), "the first line is another"),
        (set_source(1, f"{IMPORT}\nfrom minigrad import ops"), "only minigrad has this"),
    ],
)
def test_a_spoilt_lesson_is_noticed(
    spoil: Callable[[NotebookNode], None], fault: str, tmp_path: Path
) -> None:
    (tmp_path / "01_before.ipynb").touch()
    notebook = sample()
    assert faults(notebook, tmp_path) == []
    spoil(notebook)
    assert fault in "\n".join(faults(notebook, tmp_path))


def test_a_changed_tutorial_cell_is_noticed() -> None:
    notebook = read(LESSONS / "04_gradients_add_up.ipynb")
    for cell in code_cells(notebook):
        cell.source = cell.source.replace("range(8)", "range(7)")
    assert seed_faults(notebook, HOMES["04_gradients_add_up"]) == ["cell 9 of tutorial 003"]


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


def test_normalising_takes_out_what_differs_from_run_to_run() -> None:
    outputs = [
        new_output("stream", name="stdout", text="<Figure size 600x360> <Node at 0x7fab12"),
        new_output("stream", name="stderr", text="/tmp/ipykernel_12/34.py:1: UserWarning\n"),
        new_output("stream", name="stdout", text="cd>\n"),
        new_output(
            "error",
            ename="E",
            evalue="at 0x12AB",
            traceback=["Cell In[1], line 1", "\x1b[36mFile \x1b[32m/home/me/engine.py:3"],
        ),
    ]
    timed = {"execution": {"iopub.execute_input": "now"}, "tags": ["raises-exception"]}
    notebook = new_notebook(
        metadata={"widgets": {"state": {}}, "minigrad": {"minutes": 20}},
        cells=[new_code_cell("node", metadata=timed, outputs=outputs)],
    )
    normalise(notebook)
    (cell,) = notebook.cells
    stdout, stderr, error = cell.outputs
    assert set(notebook.metadata) == {"kernelspec", "language_info", "minigrad"}
    assert cell.metadata == {"tags": ["raises-exception"]}
    assert stdout.text == f"<Figure size 600x360> <Node at {ADDRESS}>\n"
    assert stderr.text == "ipykernel/cell.py:1: UserWarning\n"
    assert error.evalue == f"at {ADDRESS}"
    assert error.traceback == ["Cell In[1], line 1"]


def test_a_cells_id_comes_from_its_text() -> None:
    notebook = new_notebook(cells=[new_code_cell("x"), new_code_cell("y"), new_code_cell("x")])
    longer = copy.deepcopy(notebook)
    longer.cells.insert(0, new_markdown_cell("# Title"))
    normalise(notebook)
    normalise(longer)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == 3
    assert [cell.id for cell in longer.cells[1:]] == ids
