"""The engines whose graphs are drawn, and an engine that is only the protocol."""

import importlib
from types import ModuleType, SimpleNamespace

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from minigrad.viz import draw, live, record
from minigrad.viz.draw.render import layout


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def torch(request: pytest.FixtureRequest) -> ModuleType:
    """minigrad, and PyTorch: whatever is drawn is drawn alike."""
    return importlib.import_module(request.param)


@pytest.fixture
def shell(torch, monkeypatch):
    """A notebook's kernel as far as cells go: ``shell.run(source)`` gives the cell's result."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)  # IPython warns of another one than its own
    config = Config()
    config.HistoryManager.hist_file = ":memory:"  # tests that run at once would share a file
    shell = InteractiveShell(config=config)
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    shell.user_ns.update(torch=torch, draw=draw, live=live, record=record)

    def run(source):
        result = shell.run_cell(source, store_history=True)
        result.raise_error()
        return result.result

    yield SimpleNamespace(run=run, events=shell.events)
    shell.history_manager.end_session()


@pytest.fixture
def square(torch):
    """The graph of ``out = x * x`` at 3."""
    x = torch.tensor(3.0, requires_grad=True)
    return draw(x * x, names={"x": x}).snapshot


@pytest.fixture
def no_graphviz(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    layout.cache_clear()


class FakeTensor:
    """A tensor of an engine that has nothing but PyTorch's public protocol."""

    dtype = "fake.float32"
    shape = ()
    output_nr = 0
    requires_grad = True
    retains_grad = False
    grad = None

    def __init__(self, grad_fn=None, value=0.0):
        self.grad_fn = grad_fn
        self.is_leaf = grad_fn is None
        self.value = value

    def detach(self):
        return self

    def tolist(self):
        return self.value

    def backward(self):
        raise AssertionError("drawing must not run backward")


class FakeNode:
    """A node named and connected at will."""

    def __init__(self, name, *sources, **saved):
        self._name = name
        self.next_functions = tuple((source, 0) for source in sources)
        for attribute, value in saved.items():
            setattr(self, attribute, value)

    def name(self):
        return self._name


@pytest.fixture(scope="session")
def fake():
    """An engine of plain objects: ``fake.Tensor(grad_fn)``, ``fake.Node(name, *sources)``."""
    return SimpleNamespace(Tensor=FakeTensor, Node=FakeNode)
