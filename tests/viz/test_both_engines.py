"""The same program's graph, outlined byte for byte alike on minigrad and on PyTorch."""

import importlib

import pytest

from minigrad.viz import draw, record


def operators(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([[3.0], [4.0]], requires_grad=True)
    return draw((((x - y) / (y + 1)) ** 2 - (2 / x) * -y).sum())


def functions(torch):
    x = torch.tensor([0.5, 1.5], requires_grad=True)
    return draw(x.exp().sum() + x.log().mean() + x.tanh().sum() * x.sigmoid().sum() + x.norm())


def shapes(torch):
    x = torch.arange(6.0, requires_grad=True)
    matrix = x.reshape(2, 3)
    return draw(torch.cat([matrix.t().flatten(), x[1:3], matrix.unsqueeze(0)[0, 1]]))


def one_layer(torch):
    torch.manual_seed(0)
    x, y = torch.ones(5), torch.zeros(3)
    w = torch.randn(5, 3, requires_grad=True)
    b = torch.randn(3, requires_grad=True)
    z = torch.matmul(x, w) + b
    loss = torch.nn.functional.binary_cross_entropy_with_logits(z, y)
    return draw(loss)


def one_layer_after_backward(torch):
    x, y = torch.ones(5), torch.zeros(3)
    w = torch.ones(5, 3, requires_grad=True)
    z = x @ w
    loss = torch.nn.functional.binary_cross_entropy_with_logits(z, y)
    loss.backward()
    return draw(loss, z, y)


def several_outputs(torch):
    x = torch.tensor([[1.0, 4.0], [3.0, 2.0]], requires_grad=True)
    values, indices = x.max(0)
    first, second = x.unbind(1)
    return draw(values * first, second, indices)


def cut(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    d = x.detach()
    with torch.no_grad():
        n = x * 2
    return draw((x * d * n).sum(), d, n, x > 1)


def modified_and_freed(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    z = y.tanh()
    z.sum().backward()
    y.mul_(2)
    return draw(y, z)


def retained(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    y.retain_grad()
    y.backward(torch.tensor([0.1, 10.0]), retain_graph=True)
    return draw(y.sum())


def chain(torch):
    x = torch.tensor(1.0, requires_grad=True)
    for _ in range(2000):
        x = x * 1.001
    return draw(x, limit=50)


def recorded(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    data = torch.tensor([4.0, 1.0])
    with record():
        y = x * data
        d = y.detach()
        with torch.no_grad():
            n = x * d
        mask = y > 3
        best = y.argmax()
        out = (torch.where(mask, y, n) * d).sum() + y.detach().sum()
        out.item()
        leaf = d.clone().requires_grad_()
        loss = (leaf * leaf).sum()
    return draw(out, best, loss)


def recorded_layers(torch):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 2))
    inputs, classes = torch.ones(4, 2), torch.tensor([0, 1, 0, 1])
    with record():
        scores = net(inputs)
        loss = torch.nn.functional.cross_entropy(scores, classes)
        right = (scores.argmax(1) == classes).float().mean()
    return draw(loss, right)


PROGRAMS = [one for one in list(globals().values()) if getattr(one, "__module__", "") == __name__]


@pytest.mark.parity
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_outline_and_snapshot_are_equal(program):
    ours = program(importlib.import_module("minigrad"))
    theirs = program(importlib.import_module("torch"))
    assert repr(ours) == repr(theirs)
    assert ours.snapshot.to_json() == theirs.snapshot.to_json()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_graph_is_drawn(program, torch):
    assert "<path" in program(torch).svg()
