"""The engines whose graphs are drawn, and an engine that is only the protocol."""

import importlib
from types import ModuleType, SimpleNamespace

import pytest


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def torch(request: pytest.FixtureRequest) -> ModuleType:
    """minigrad, and PyTorch: whatever is drawn is drawn alike."""
    return importlib.import_module(request.param)


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
