"""A type that only has ``__torch_function__`` answers when it is first met, as on PyTorch."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

import minigrad
from tests.parity.expressions import lines

pytestmark = pytest.mark.parity

STATEMENTS = """
F.relu(d)
F.relu(d, inplace=True)
F.silu(d)
F.mish(d, True)
F.softmax(d, 1)
F.log_softmax(d, dim=0)
F.softmin(d)
F.hardtanh(d, -2.0)
F.tanhshrink(d)
F.softsign(d)
F.gumbel_softmax(d)
F.normalize(d)
F.mse_loss(x, d)
F.mse_loss(d, x, reduction="sum")
F.l1_loss(x, d)
F.gaussian_nll_loss(x, x, d)
F.multilabel_soft_margin_loss(d, x)
F.cross_entropy(d, x)
F.linear(x, d)
F.gelu(d)
F.scaled_dot_product_attention(x, d, x)
F.sigmoid(d)
F.relu([d, x])
F.mse_loss([d], x)
nn.Linear(2, 2)(d)
nn.ReLU()(d)
nn.MSELoss()(x, d)
nn.init.normal_(d)
nn.init.uniform_(d, b=2.0)
nn.init.constant_(d, 1.0)
nn.init.kaiming_uniform_(d)
torch.autograd.grad(d, x)
torch.autograd.grad([x, d], [x])
torch.autograd.grad(x, d, grad_outputs=x)
torch.autograd.grad(x, {"a": d})
torch.autograd.backward(d)
torch.autograd.backward([x, d], retain_graph=True)
torch.autograd.backward(x.sum(), inputs=d)
torch.autograd.backward(d, inputs=d)
torch.autograd.backward(x, inputs=[d])
torch.autograd.backward(x, grad_tensors=d)
torch.autograd.grad(x, x, grad_outputs=d)
torch.rand_like(d)
torch.randint_like(d, 3)
torch.normal(0.0, d)
torch.normal(mean=d, std=1.0)
torch.bernoulli(d)
torch.zeros_like(d)
torch.norm(d)
torch.split(d, 1)
torch.unique(d)
torch.einsum("i->", d)
torch.einsum("i,j", [x, d])
torch.einsum(x, [0, 1], d, [1])
torch.meshgrid(x, d)
torch.broadcast_tensors(x, d)
torch.atleast_1d(d)
torch.add(x, d, alpha=2)
torch.sum(d, 0)
torch.sum(x, d)
torch.full((2,), d)
torch.stack([d, x])
torch.cat((x, d))
torch.add([d], x)
torch.where(x > 0, d, x)
torch.linalg.norm(d)
torch.linalg.solve(x, d)
torch.relu(d)
torch.is_tensor(d)
torch.numel(d)
torch.exp(x, out=d)
x.add(d)
x.add_(d)
x.copy_(d)
x.reshape(d)
x.reshape(d, 4)
x.reshape(d, "a")
x.reshape(4, "a", d)
x.view(d, d)
x.permute(d, 0)
x.expand(d, 4)
x.tile(d, 1)
x.index_put((d,), x)
x[d]
x[0, d]
x + d
d + x
x - d
d - x
x * d
x / d
d / x
x // d
d // x
x % d
d % x
x ** d
d ** x
x @ d
d @ x
x < d
d <= x
x == d
d == x
x != d
x > d
x >= d
i >> d
x.__rsub__(d)
i.__rand__(d)
i & d
d & i
i | d
i ^ d
i << d
d >> i
x + [d]
"""

IN_PLACE = """
x += d
x -= d
x *= d
x /= d
x //= d
x %= d
x **= d
i &= d
i |= d
i ^= d
i <<= d
i >>= d
"""


@pytest.fixture(autouse=True, scope="module")
def looked_through_once() -> Iterator[None]:
    """Each test collects the types of the others, and need not look at PyTorch's objects again."""
    import torch  # noqa: F401

    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def met(engine: Any, statement: str) -> list[Any]:
    """Return what a new type is asked about a statement, and what comes of it."""
    asked: list[Any] = []

    class Duck:
        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            asked.append((func.__name__, [one.__name__ for one in types], told(args), told(kwargs)))
            return "quack"

    names = {
        "torch": engine,
        "nn": engine.nn,
        "F": engine.nn.functional,
        "x": engine.ones(2, 2),
        "i": engine.ones(2, dtype=engine.int64),
        "d": Duck(),
    }

    def told(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return type(value)(map(told, value))
        if isinstance(value, dict):
            return {name: told(one) for name, one in value.items()}
        return value if isinstance(value, (int, float, str, type(None))) else type(value).__name__

    for _ in range(2):  # met first, and known
        asked.append("")
        try:
            exec(f"result = {statement}" if "= d" not in statement[1:6] else statement, names)
            asked.append(told(names.get("result")))
        except Exception as error:
            asked.append(f"{type(error).__name__}: {error}".split(" at 0x")[0])
        names["x"], names["i"] = engine.ones(2, 2), engine.ones(2, dtype=engine.int64)
    return asked


@pytest.mark.parametrize("statement", lines(STATEMENTS + IN_PLACE))
def test_a_type_is_asked_when_it_is_first_met(statement: str) -> None:
    import torch

    gc.collect()  # types of other tests
    assert met(minigrad, statement) == met(torch, statement)


class Supplied(type):
    """The type of a class that itself has what its objects lack."""

    def __getattr__(cls, name: str) -> Any:
        if name == "__torch_function__":
            return classmethod(lambda *given: "supplied")
        raise AttributeError(name)


class OfOne:
    """What answers by an attribute of its own."""

    def __init__(self) -> None:
        self.__torch_function__ = lambda func, types, args=(), kwargs=None: func.__name__


# By what PyTorch does not ask a type, or cannot.
ODD = {
    "off": lambda engine: type(
        "Off", (), {"__torch_function__": engine._C._disabled_torch_function_impl}
    ),
    "nothing": lambda engine: type("Nothing", (), {"__torch_function__": None}),
    "supplied": lambda engine: Supplied("Lacking", (), {}),
    "of one": lambda engine: OfOne,
}
OF_ODD = """
x + d
x == d
x < d
x * d
d - x
x @ d
x ** d
F.relu(d)
torch.add(x, d)
torch.cat([x, d])
torch.exp(d)
x.sum(d)
x.__iadd__(d)
torch.mm(x, d)
torch.autograd.backward(d)
torch.autograd.grad(x, d)
"""


@pytest.mark.parametrize("statement", lines(OF_ODD))
@pytest.mark.parametrize("kind", ODD)
def test_a_type_that_does_not_answer_is_taken_for_any_other(kind: str, statement: str) -> None:
    import torch

    def told(engine: Any) -> str:
        names = {"torch": engine, "F": engine.nn.functional, "x": engine.ones(2, 2)}
        try:
            return repr(eval(statement, names | {"d": ODD[kind](engine)()}))
        except Exception as error:
            return f"{type(error).__name__}: {error}".split(" at 0x")[0]

    assert told(minigrad) == told(torch)
