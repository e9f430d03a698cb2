"""In a notebook: the error, shortened, and below it what is to be said about it."""

import re
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from minigrad.explain import shell as explain_shell

ENGINES = ["minigrad", pytest.param("torch", marks=pytest.mark.parity)]


class Notebook:
    """An IPython shell, and what its cells show."""

    def __init__(self) -> None:
        self.shell = InteractiveShell.instance()

    def run(self, *cells: str) -> str:
        """What the last cell shows."""
        for cell in cells:
            with capture_output() as captured:
                self.shell.run_cell(cell, store_history=True)
        shown = [output.data["text/plain"] for output in captured.outputs]
        return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join([captured.stdout, captured.stderr, *shown]))

    def close(self) -> None:
        explain_shell.unload_ipython_extension(self.shell)
        self.shell.reset()
        self.shell.history_manager.end_session()
        self.shell.history_manager.save_thread.stop()
        InteractiveShell.clear_instance()


@pytest.fixture
def notebook() -> Iterator[Notebook]:
    notebook = Notebook()
    yield notebook
    notebook.close()


def start(engine: str) -> tuple[str, str]:
    loaded = "%load_ext minigrad.explain"
    return loaded, f"import {engine} as torch\nw = torch.ones(3, requires_grad=True)\ny = w.exp()"


@pytest.mark.parametrize("engine", ENGINES)
def test_the_cause_may_lie_in_another_cell(notebook: Notebook, engine: str) -> None:
    said = notebook.run(*start(engine), "y.add_(1)", "y.sum().backward()")
    words = " ".join(said.split())
    assert "`y` was changed by In[3], line 1, after In[2], line 3 had saved it" in words
    # The engine's lines are not shown.
    assert re.findall("-> (.*)", said) == ["1 y.sum().backward()"]
    assert "y = y.add(1)" in said


def test_an_unknown_error_is_left_alone(notebook: Notebook) -> None:
    said = notebook.run("%load_ext minigrad.explain", "import json; json.loads('{')")
    assert "decoder.py" in said
    assert said.rstrip().endswith("(char 1)")


def test_a_failing_explainer_is_silent(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minigrad.explain.diagnose.find_cause", lambda case: 1 / 0)
    said = notebook.run(*start("minigrad"), "y.backward()")
    assert "grad can be implicitly created" in said
    assert "ZeroDivisionError" not in said


def test_without_the_extension_explain_says_what_it_can(notebook: Notebook) -> None:
    cells = ("import minigrad as torch", "x = torch.ones(2, requires_grad=True)\nx.backward()")
    said = notebook.run(*cells, "from minigrad.explain import explain\nexplain()")
    assert "`x` has shape [2], and a backward pass" in said
    assert "%load_ext minigrad.explain" in said


@pytest.mark.parametrize("engine", ENGINES)
def test_why_asks_about_earlier_cells(notebook: Notebook, engine: str) -> None:
    cells = (
        "d = w.detach()",
        "loss = (d * 2).sum() + (w * 0).sum().detach()",
        "loss = loss + y.sum() * 0",
    )
    said = notebook.run(*start(engine), *cells, "from minigrad.explain import why\nprint(why(w))")
    assert "No backward pass has run since `w` was made" in said


def test_unloading_leaves_the_shell_as_it_was(notebook: Notebook) -> None:
    before = notebook.shell.custom_exceptions
    notebook.run("%load_ext minigrad.explain", "%unload_ext minigrad.explain")
    assert notebook.shell.custom_exceptions == before
    assert "To fix it" not in notebook.run("import minigrad as torch\ntorch.ones(2).backward()")


@pytest.mark.parametrize("explained_first", [True, False])
def test_lessons_shorten_what_is_not_explained(notebook: Notebook, explained_first: bool) -> None:
    watch = "from minigrad.exercises.cell_guard import watch\nwatch()"
    order = ("%load_ext minigrad.explain", watch)
    notebook.run(*(order if explained_first else order[::-1]))
    known = notebook.run("import minigrad as torch\ntorch.ones(2, requires_grad=True).backward()")
    assert "Ways to fix it" in known
    unknown = notebook.run("torch.ones(2).x")
    assert re.findall("-> (.*)", unknown) == ["1 torch.ones(2).x"]
    assert "object has no attribute 'x'" in unknown
