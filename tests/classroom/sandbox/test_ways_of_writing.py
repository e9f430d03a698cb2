"""However a cell is written, the sandbox's verdict is that of check in a real kernel."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from minigrad.classroom.protection import Limits, Protection
from minigrad.classroom.session import Place, running
from minigrad.exercises.cells import code_source
from minigrad.exercises.exercise import all_exercises, find
from tests.replay import run_notebook, shown

pytestmark = pytest.mark.sandbox

# Around the exercise's code, which $ stands for.
WAYS = {
    "as it is": "$",
    "time": "%%time\n$",
    "profile": "%%prun -q\n$",
    "capture": "%%capture\n$",
    "capture with a name": "%%capture output --no-stderr\n$",
    "await": "import asyncio\nawait asyncio.sleep(0)\nasync def two(): return 2\n$\nawait two()",
    "display": "from IPython.display import HTML, clear_output\ndisplay(HTML('<b>'), 2)\n$\n"
    "help(len)",
    "the system": "!true\nfiles = !echo one\n$\nlen(files)",
    "a line's magic": "%matplotlib inline\n%config InlineBackend.figure_format = 'svg'\n$\n"
    "%time 2 + 2",
    "in a block": "if True:\n    %time seven = 7\n    !true\n$",
    "help": "$\nprint?\nstr.join??",
    "the shell": "shell = get_ipython()\nshell.run_line_magic('time', 'seven = 7')\n$\nseven",
    "IPython's shell": "from IPython import get_ipython\nget_ipython().user_ns['one'] = 1\n$\none",
    "future": "from __future__ import annotations\n$",
    "semicolon": "$\n7;",
    "underscore": "for _, one in enumerate([1]): pass\n$",
    "subplots": "import matplotlib.pyplot as plt\nfigure, (left, right) = plt.subplots(1, 2)\n"
    "(line,) = left.plot([1, 2])\nwide = 2 * figure.dpi / 3 - 1\nassert wide > 0 or wide <= 0\n"
    "for axes, n in zip(plt.subplots(3)[1], [1, 2, 3]): last = n\nassert last == 3\n$\n"
    "print(f'{wide:.2f}', len(figure.axes), float(figure.dpi), [*figure.axes], figure.dpi ** 2)",
    "colors": "import matplotlib.pyplot as plt, numpy as np\ntotal = 0\n"
    "for n, color in zip(range(4), plt.cm.viridis(np.linspace(0, 1, 4))): total += n\n"
    "assert total == 6\nsum(color) * np.ones(3)\n$",
    "instruments": "from minigrad.exercises import explain, predict, progress, recall, hint\n"
    "shown = [predict('04_p1'), recall('04'), progress(), hint('04_diamond')]\n"
    "f'{shown[0]} {shown[2]!s:>20} {len(str(shown[1]))}'\n$\nshown[-1] == 3",
    "interact": "from ipywidgets import FloatSlider, interact\n@interact(w=(0, 1))\n"
    "def draw(w=0): return w\nassert draw(2) == 2\nFloatSlider(value=1.0).observe(draw)\n$",
    "words": "from minigrad.exercises import words\nassert words()[0] == 'able'\n$",
    "progress bar": "try: from tqdm.auto import tqdm\nexcept ImportError: tqdm = iter\n"
    "assert sum(tqdm(range(4))) == 6\n$",
    "prompts": ">>>",
    "indented": "    ",
    "an error after it": "$\n1 / 0",
    "an error in a capture": "%%capture\n$\n1 / 0",
    "an error in a timing": "%%time\n$\n1 / 0",
    "a syntax error": "$\n%time 1 +",
    "another language": "%%html\n$",
}
PARTS = {  # several cells, of 04_diamond
    "the last value": ["3 + 6", "a_grad = _"],
    "the one before": ["9", "8", "None", "a_grad = __"],
    "no value": ["9", "8;", "a_grad = _"],
    "an output": ["Out[max(Out, default=0)] if Out else 9", "a_grad = Out[max(Out)]"],
    "a name of one's own": ["_ = 9", "3", "a_grad = _"],
    "a magic's value": ["a_grad = %time 3 + 6"],
    "a magic's statement": ["%time a_grad = 9"],
    "a task": [
        "import asyncio\ntask = asyncio.create_task(asyncio.sleep(0, 9))",
        "a_grad = await task",
    ],
    "a name that is gone": ["a_grad = 9", "del a_grad"],
    "a future": ["from __future__ import annotations", "def f(x: No): pass\na_grad = 9"],
    "only a comment": ["a_grad = 9  # really?"],
    "what was printed": ["%%capture said\nprint(9)", "a_grad = float(said.stdout)"],
    "a command's output": ["lines = !echo 9", "a_grad = float(lines[0])"],
    "an input": ["8 + 1", "a_grad = eval(In[-2])"],
    "the notebook's module": [
        "import pickle\nclass Nine: value = 9",
        "import __main__\na_grad = pickle.loads(pickle.dumps(__main__.Nine())).value",
    ],
    "a fraction": ["from fractions import Fraction", "a_grad = Fraction(9)"],
    "a percent": ["a_grad = (29\n          % 10)"],
    "no gradients": ["with torch.inference_mode():\n    a_grad = torch.tensor(3.0) * 3"],
}
START = "import minigrad as torch\nfrom minigrad.exercises import check"


AFRESH = f"""%reset -f
{START}
__import__("minigrad.exercises.cell_guard").exercises.cell_guard._troubles.clear()"""


@dataclass(frozen=True)
class Case:
    """The cells, of which the last is the exercise's."""

    name: str
    exercise: str
    cells: tuple[str, ...]


def written(way: str, exercise: str, code: str) -> str:
    """The exercise's cell, as that way writes it."""
    text = WAYS[way]
    if text == ">>>":
        lines = code_source(find(exercise), code).split("\n")
        return "\n".join([f">>> {lines[0]}", *(f"... {line}" for line in lines[1:])])
    if text == "    ":
        return textwrap.indent(code_source(find(exercise), code), text)
    magic, newline, below = text.partition("\n") if text.startswith("%%") else ("", "", text)
    return magic + newline + code_source(find(exercise), below.replace("$", code.strip()))


def cases() -> Iterator[Case]:
    """Each exercise, right and wrong, each in another way; each way; and all the parts."""
    ways = list(WAYS)
    for at, exercise in enumerate(all_exercises()):
        for code, shift in ((exercise.solutions[-1], 0), (exercise.slips[0].code, 7)):
            way = ways[(at + shift) % len(ways)]
            yield Case(f"{exercise.id} {way}", exercise.id, (written(way, exercise.id, code),))
    for way in ways:
        yield Case(way, "04_diamond", (written(way, "04_diamond", "a_grad = 9"),))
    for name, (*parts, last) in PARTS.items():
        cell = code_source(find("04_diamond"), last)
        yield Case(name, "04_diamond", (*parts, cell))


CASES = {case.name: case for case in cases()}


@pytest.fixture(scope="module")
def verdicts(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """What check says in a kernel, by case, of those that are to be run."""
    items = [item for item in request.session.items if item.path == request.path]
    chosen = [item.callspec.params["case"] for item in items]  # type: ignore[attr-defined]
    sources, ends = [], {}
    for case in chosen:
        sources += [AFRESH, *case.cells, f"print(repr(check('{case.exercise}')))"]
        ends[case.name] = len(sources) - 1
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    run_notebook(notebook, tmp_path_factory.mktemp("kernel"))
    return {name: shown(notebook.cells[at])["stdout"].strip() for name, at in ends.items()}


@pytest.fixture(scope="module")
def bubble(library: Path) -> Place:
    return Place(library, Protection.BUBBLEWRAP, Limits())


@pytest.mark.parametrize("case", CASES.values(), ids=lambda one: one.name)
def test_the_verdict_is_the_kernels(case: Case, bubble: Place, verdicts: dict[str, str]) -> None:
    with running(bubble) as session:
        for number, source in enumerate([START, *case.cells]):
            error, _ = session.run(number, source, source == case.cells[-1])
        found = session.judge(find(case.exercise), error)
    assert repr(found) == verdicts[case.name], str(found)
