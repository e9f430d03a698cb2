"""backward() and grad() with all their arguments: what they return, do and refuse."""

from __future__ import annotations

import collections
from typing import Any

import pytest

from tests.parity.logs import Log, Program, attempt, same_notes, text
from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

programs: list[Program] = []


def program(function: Program) -> Program:
    """Have a program run on both engines."""
    programs.append(function)
    return function


@program
def basics(torch: Any, log: Log) -> None:
    A = torch.autograd
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    s = y.sum()
    n = torch.ones(2)
    w = torch.ones(2, requires_grad=True)

    def t(f):
        return attempt(log, f)

    t(lambda: A.grad(s, w, retain_graph=True))
    t(lambda: A.grad(s, [x, w], allow_unused=True, retain_graph=True))
    t(lambda: A.grad(s, [x, w], materialize_grads=True, retain_graph=True))
    t(lambda: A.grad(s, [x, w], materialize_grads=True, create_graph=True))
    t(lambda: A.grad(s, [x, w], materialize_grads=True, allow_unused=False))
    t(lambda: A.grad(s, [x, w], allow_unused=False, retain_graph=True))
    t(lambda: A.grad(s, n, retain_graph=True))
    t(lambda: A.grad(s, [x, n], allow_unused=True, retain_graph=True))
    t(lambda: A.grad(n, x))
    t(lambda: A.grad(n.sum(), x))
    t(lambda: A.grad(y, x))
    t(lambda: A.grad(y, x, torch.ones(3)))
    t(lambda: A.grad(y, x, [torch.ones(2)], retain_graph=True))
    t(lambda: A.grad(y, x, 3))
    t(lambda: A.grad(y, x, [3]))
    t(lambda: A.grad(y, x, []))
    t(lambda: A.grad([y, s], x, [torch.ones(2), None], retain_graph=True))
    t(lambda: A.grad([y, s], x, [torch.ones(2)], retain_graph=True))
    t(lambda: A.grad([y, s], x, [None, None], retain_graph=True))
    t(lambda: A.grad([s], x, [None, None], retain_graph=True))
    t(lambda: A.grad([s], x, [None, torch.ones(2)], retain_graph=True))
    t(lambda: A.grad([], x))
    t(lambda: A.grad(s, []))
    t(lambda: A.grad(s, ()))
    t(lambda: A.grad(3, x))
    t(lambda: A.grad([3], x))
    t(lambda: A.grad("ab", x))
    t(lambda: A.grad(None, x))
    t(lambda: A.grad(s, 3))
    t(lambda: A.grad(s, [3]))
    t(lambda: A.grad(s, None))
    t(lambda: A.grad(s, "ab"))
    t(lambda: A.grad(s, x, only_inputs=False, retain_graph=True))
    t(lambda: A.grad(s, {"a": x, "b": y}, retain_graph=True))
    t(lambda: A.grad(s, {}, retain_graph=True))
    t(lambda: A.grad(s, collections.UserDict(a=x), retain_graph=True))
    t(lambda: A.grad(s, collections.OrderedDict(a=x), retain_graph=True))
    t(lambda: A.grad(y, x, torch.ones(2, dtype=torch.float64), retain_graph=True))
    t(lambda: A.grad(y, x, torch.ones(2, dtype=torch.int64), retain_graph=True))
    t(lambda: A.grad(y, x, torch.ones(2, dtype=torch.bool), retain_graph=True))
    t(lambda: A.grad(s, x, torch.ones(1), retain_graph=True))
    t(lambda: A.grad(s, x, s, retain_graph=True))
    t(lambda: A.grad(y, x, w, retain_graph=True))
    t(lambda: A.grad(y, [x, w], w, create_graph=True)[0])
    t(lambda: A.grad((i for i in [s]), (i for i in [x]), retain_graph=True))
    t(lambda: A.grad(s, [x, x, y, s], retain_graph=True))
    t(lambda: A.grad(s, s, retain_graph=True))
    t(lambda: A.grad(x, x, torch.ones(2)))
    t(lambda: A.grad(s, x, retain_graph=None))
    t(lambda: A.grad(s, x))
    t(lambda: A.grad(s, y))
    log.append(text(x.grad))
    log.append(text(w.grad))


@program
def backward_errors(torch: Any, log: Log) -> None:
    A = torch.autograd
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    s = y.sum()
    n = torch.ones(2)
    w = torch.ones(2, requires_grad=True)

    def t(f):
        return (attempt(log, f), log.append(text(x.grad)))

    t(lambda: n.backward())
    t(lambda: y.backward())
    t(lambda: n.sum().backward())
    t(lambda: y.backward(torch.ones(3)))
    t(lambda: y.backward(torch.ones(2), retain_graph=True))
    t(lambda: y.backward(3))
    t(lambda: s.backward(torch.ones(1), retain_graph=True))
    t(lambda: s.backward(gradient=torch.tensor(2.0), retain_graph=True))
    t(lambda: y.backward(torch.ones(2, dtype=torch.float64), retain_graph=True))
    t(lambda: s.backward(inputs=[], retain_graph=True))
    t(lambda: s.backward(inputs=n, retain_graph=True))
    t(lambda: s.backward(inputs=[w], retain_graph=True))
    log.append(text(w.grad))
    t(lambda: s.backward(inputs=[y], retain_graph=True))
    log.append(text(y.grad))
    t(lambda: s.backward(inputs=[3], retain_graph=True))
    t(lambda: s.backward(inputs=3, retain_graph=True))
    t(lambda: s.backward(inputs={"a": x}, retain_graph=True))
    t(lambda: s.backward(inputs=collections.UserDict(a=x), retain_graph=True))
    t(lambda: A.backward([s, y], [None, torch.ones(2)], retain_graph=True))
    t(lambda: A.backward([s, y], [None], retain_graph=True))
    t(lambda: A.backward([s, y], retain_graph=True))
    t(lambda: A.backward([s, n.sum()], retain_graph=True))
    t(lambda: A.backward([], retain_graph=True))
    t(lambda: A.backward(3))
    t(lambda: A.backward(s, grad_variables=torch.tensor(3.0), retain_graph=True))
    t(lambda: A.backward(s, torch.tensor(1.0), grad_variables=torch.tensor(3.0), retain_graph=True))
    t(lambda: A.backward(s, torch.tensor(1.0), True, False, None, [x]))
    t(lambda: s.backward(create_graph=True))
    x.grad = None
    t(lambda: s.backward(None, False))
    t(lambda: s.backward())
    t(lambda: x.backward(torch.ones(2)))
    t(lambda: x.sum().backward(None, None, False, [x]))
    t(lambda: A.backward((x.sum(),) * 2))
    t(lambda: s.backward(foo=1))
    t(lambda: A.backward())
    i = torch.ones(2, dtype=torch.int64)
    t(lambda: i.sum().backward())


@program
def order(torch: Any, log: Log) -> None:
    A = torch.autograd
    a = torch.tensor(2.0, requires_grad=True)
    b = a * 3
    c = b * b
    d = c + a
    for n, v in {"a": a, "b": b, "c": c, "d": d}.items():
        v.register_hook(lambda g, n=n: log.append((n, text(g))))
    attempt(log, lambda: A.grad(d, [c, a], retain_graph=True))
    attempt(log, lambda: A.grad(d, [b], retain_graph=True))
    attempt(log, lambda: A.grad([c, d], [b, a], retain_graph=True))
    attempt(log, lambda: A.grad(d, [d, a], retain_graph=True))
    attempt(log, lambda: A.grad([d, d], [d]))


@program
def third(torch: Any, log: Log) -> None:
    A = torch.autograd
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x**4).sum()
    for _ in range(4):
        (y,) = A.grad(y.sum(), x, create_graph=True)
        log.append(text(y))
        log.append(y.grad_fn.name() if y.grad_fn else None)


@program
def accumulate(torch: Any, log: Log) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward(create_graph=True)
    g = x.grad
    log.append(text(g))
    (x * x).sum().backward(create_graph=True)
    log.append(x.grad is g)
    log.append(text(x.grad))
    log.append(x.grad.grad_fn.name())
    x.grad = None
    (x * 3).sum().backward()
    g = x.grad
    (x * 3).sum().backward()
    log.append(g is x.grad)
    log.append(g._version)
    x.grad = None
    h = torch.ones(2)
    (x * 1).backward(h)
    log.append(x.grad is h)
    x.grad.add_(1)
    log.append(text(h))


@program
def unused_grad_output(torch: Any, log: Log) -> None:
    A = torch.autograd
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.ones(2)
    y = x * x
    attempt(log, lambda: A.grad([y.sum(), w], [x], [None, None]))
    attempt(log, lambda: A.backward([y.sum(), w.sum()], [None, None]))
    attempt(log, lambda: A.grad([y.sum(), w], [x], [None, w]))


@program
def backward_with_inputs(torch: Any, log: Log) -> None:
    x = torch.ones(2, dtype=torch.double, requires_grad=True)
    y = torch.ones(2, dtype=torch.double, requires_grad=True)

    def fn():
        return x**2 + y * x + y**2

    g = torch.ones(2, dtype=torch.double)
    for i in ([x], [x, y], [y], x, (x, y)):
        x.grad = y.grad = None
        torch.autograd.backward(fn(), g, inputs=i)
        log.append((text(x.grad), text(y.grad)))
    attempt(log, lambda: torch.autograd.backward(fn(), g, inputs=[]))


@program
def backward_nonleaf_inputs(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    xn = x.clone()
    y = torch.ones(2, requires_grad=True)
    out = xn**2 + y * xn + y**2
    out.backward(torch.ones(2), create_graph=True, inputs=[x, y, xn])
    log += [text(x.grad), text(y.grad), text(xn.grad)]
    z = torch.ones(2, requires_grad=True)
    yn = y + 0
    out.backward(torch.ones(2), inputs=[z], create_graph=True)
    log.append(text(z.grad))
    attempt(log, lambda: out.backward(torch.ones(2), inputs=[yn], create_graph=True))
    log.append(text(yn.grad))


@program
def dependent_backward(torch: Any, log: Log) -> None:
    x = torch.ones(10, requires_grad=True)
    y = x**2
    z = y**3
    go = torch.ones(10) * 2
    torch.autograd.backward([y, z], [go, go])
    log.extend([text(x.grad)])


@program
def warnings_of_non_leaves_and_cycles(torch: Any, log: Log) -> None:
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    log.append(y.grad)
    y.retain_grad()
    log.append(y.grad)
    (y * y).sum().backward(create_graph=True)
    torch.autograd.grad((x * x).sum(), x, create_graph=True)
    (x * x).sum().backward(create_graph=True, inputs=[x])


@program
def batches_of_gradients(torch: Any, log: Log) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 1.0], requires_grad=True)
    other = torch.ones(2, requires_grad=True)
    y = x * x * w
    s = y.sum()
    eye = torch.eye(2)

    def differentiate(outputs: Any, inputs: Any, vectors: Any = None, **more: Any) -> None:
        options = {"is_grads_batched": True, "retain_graph": True, **more}
        attempt(log, lambda: torch.autograd.grad(outputs, inputs, vectors, **options))

    differentiate(y, x, eye)
    differentiate(y, (x, w), (eye,))
    differentiate(y, {"x": x}, eye)
    differentiate(y, [x, other], eye)
    differentiate(y, [x, other], eye, allow_unused=True)
    differentiate(y, [x, other], eye, materialize_grads=True)
    differentiate([y, s], x, [eye, torch.ones(2)])
    differentiate([y, s], x, [eye, torch.ones(3)])
    differentiate([y, s], x, [eye, None])
    for vectors in (torch.ones(3, 3), torch.ones(3), torch.ones(0, 2), None):
        differentiate(y, x, vectors)
    for vectors in (torch.ones(3), torch.ones(()), None):
        differentiate(s, x, vectors)
    (recorded,) = torch.autograd.grad(y, x, eye, is_grads_batched=True, create_graph=True)
    attempt(log, lambda: torch.autograd.grad(recorded.sum(), [x, w]))
    differentiate(torch.autograd.graph.get_gradient_edge(x * 2), x, eye)
    differentiate(y, x, eye, retain_graph=False)
    differentiate(y, x, eye)
    log.append([recorded, x.grad])


@pytest.mark.parametrize("program", programs, ids=lambda one: one.__name__)
def test_both_note_the_same(program: Program) -> None:
    same_notes(program)


def test_edges_of_custom_functions_hold_the_graph() -> None:
    agree_in_print(
        """
        class Two(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2, x * 3

            @staticmethod
            def backward(ctx, one, other):
                return one * 2 + other * 3

        x = torch.ones(2, requires_grad=True)
        edge_of = torch.autograd.graph.get_gradient_edge
        edge = edge_of(Two.apply(x)[1])
        print(edge, edge_of(x * 2), edge_of(x))
        print(torch.autograd.grad(edge, x, torch.ones(2)))
        """
    )
