"""Hooks see, replace and refuse on minigrad what they do on PyTorch, in the same order."""

from __future__ import annotations

import collections
from typing import Any

import pytest

from tests.parity.logs import Log, Program, attempt, same_notes, text

pytestmark = pytest.mark.parity

programs: list[Program] = []


def program(function: Program) -> Program:
    """Have a program run on both engines."""
    programs.append(function)
    return function


@program
def same_hook_twice(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)

    def h(g: Any) -> Any:
        log.append(text(g))
        return g * 2

    x.register_hook(h)
    x.register_hook(h)
    (x * 3).sum().backward()
    log.extend([text(x.grad)])


@program
def order_over_outputs(torch: Any, log: Log) -> None:
    x = torch.ones(4, requires_grad=True)
    a, b = (x * 1).split(2)
    b.register_hook(lambda g: log.append("b1"))
    a.register_hook(lambda g: log.append("a1"))
    b.register_hook(lambda g: log.append("b2"))
    a.register_hook(lambda g: log.append("a2"))
    (a + b).sum().backward()


@program
def remove_other_while_running(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    hs = []

    def h(i):

        def f(g):
            log.append(i)
            if i == 0:
                hs[1].remove()

        return f

    hs.append(x.register_hook(h(0)))
    hs.append(x.register_hook(h(1)))
    x.sum().backward()
    x.sum().backward()


@program
def backward_hooks_attribute(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    for t in (x, y):
        log.append(str(t._backward_hooks))
        h = t.register_hook(len)
        log.append(type(t._backward_hooks).__name__)
        log.append(list(t._backward_hooks.values()) == [len])
        log.append(list(t._backward_hooks) == [h.id])
        log.append(h.hooks_dict_ref() is t._backward_hooks)
        h.remove()
        log.append(len(t._backward_hooks))
    y.mul_(2)
    log.append(str(y._backward_hooks))
    log.append(str(x._post_accumulate_grad_hooks))


@program
def set_backward_hooks(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    x._backward_hooks = collections.OrderedDict(a=lambda g: g * 5)
    x.sum().backward()
    log.append(text(x.grad))
    x._backward_hooks = None
    x.sum().backward()
    log.append(text(x.grad))


@program
def wrong_returns(torch: Any, log: Log) -> None:
    for bad in (
        3,
        "a",
        torch.ones(3),
        torch.ones(2, dtype=torch.float64),
        torch.ones(2, dtype=torch.int64),
        (torch.ones(2),),
        [torch.ones(2)],
        torch.ones(1),
        torch.tensor(1.0),
    ):
        x = torch.ones(2, requires_grad=True)
        y = x * 3

        def named(g):
            return bad

        y.register_hook(named)
        attempt(log, lambda: y.sum().backward())
        log.append(text(x.grad))
        x = torch.ones(2, requires_grad=True)
        x.register_hook(lambda g: bad)
        attempt(log, lambda: (x * 2).sum().backward())
        log.append(text(x.grad))


@program
def wrong_callable(torch: Any, log: Log) -> None:
    import functools

    class C:
        def __call__(self, g):
            return 3

    def f(k, g):
        return 3

    for hook in (C(), functools.partial(f, 1), 5, "x", None, print.__class__):
        x = torch.ones(2, requires_grad=True)
        attempt(log, lambda: x.register_hook(hook).__class__.__name__)
        attempt(log, lambda: x.sum().backward())


@program
def wrong_node_returns(torch: Any, log: Log) -> None:
    o = torch.ones(2)
    for bad in (
        3,
        [o, None],
        (o,),
        (o, o, o),
        (torch.ones(3), None),
        (o, o),
        (o.double(), None),
        (3, None),
        ("a", None),
        (),
    ):
        for kind in ("register_hook", "register_prehook"):
            x = torch.ones(2, requires_grad=True)
            y = x * 3

            def named(*a):
                return bad

            getattr(y.grad_fn, kind)(named)
            attempt(log, lambda: y.sum().backward())
            log.append(text(x.grad))


@program
def raising(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    y = x * 3
    z = y * w
    y.register_hook(lambda g: 1 / 0)
    attempt(log, lambda: z.sum().backward())
    log += [text(x.grad), text(w.grad), torch.is_grad_enabled()]
    attempt(log, lambda: z.sum().backward())
    v = x * x
    v.grad_fn.register_hook(lambda *a: 1 / 0)
    attempt(log, lambda: v.sum().backward())
    log.append(text(x.grad))
    attempt(log, lambda: v.sum().backward())
    log.append(text(x.grad))
    v = x * x
    v.grad_fn.register_prehook(lambda *a: 1 / 0)
    attempt(log, lambda: v.sum().backward())
    log.append(text(x.grad))
    attempt(log, lambda: v.grad_fn._saved_self)
    attempt(log, lambda: v.sum().backward())
    log.append(text(x.grad))


@program
def handles(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    with x.register_hook(lambda g: g * 2) as h:
        log.append(type(h).__name__)
        log.append(type(h).__module__)
    log.append(len(x._backward_hooks))
    h = x.register_hook(len)
    h2 = x.register_hook(len)
    log.append(h2.id - h.id)
    h.remove()
    h.remove()
    log.append([k == h2.id for k in x._backward_hooks])
    y = x * 2
    h = y.grad_fn.register_hook(len)
    log.append(type(h).__name__)
    hh = y.grad_fn.register_prehook(len)
    log.append(hh.id - h.id)
    with h:
        pass


@program
def handle_outlives(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    h = x.register_hook(len)
    del x
    h.remove()
    log.extend([h.hooks_dict_ref() is None])


@program
def create_graph_hooks(torch: Any, log: Log) -> None:
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = x * x
    y.register_hook(lambda g: (log.append(text(g)), g * x)[1])
    y.grad_fn.register_prehook(lambda g: log.append(("pre", text(g))))
    y.grad_fn.register_hook(lambda gi, go: log.append(("post", text(gi), text(go))))
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.append(text(g))
    log.append(torch.is_grad_enabled())
    (gg,) = torch.autograd.grad(g.sum(), x)
    log.append(text(gg))
    z = x * x
    z.register_hook(lambda g: log.append((torch.is_grad_enabled(), g.requires_grad)))
    z.sum().backward(retain_graph=True)


@program
def post_accumulate(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    attempt(log, lambda: y.register_post_accumulate_grad_hook(len))
    attempt(log, lambda: torch.ones(2).register_post_accumulate_grad_hook(len))
    h = x.register_post_accumulate_grad_hook(lambda p: log.append((text(p), text(p.grad), p is x)))
    x.register_hook(lambda g: log.append("tensor hook"))
    acc = y.grad_fn.next_functions[0][0]
    acc.register_hook(lambda gi, go: log.append(("node hook", text(gi), text(go))))
    acc.register_prehook(lambda go: log.append(("node prehook", text(go))))
    y.sum().backward()
    (x * 3).sum().backward()
    h.remove()
    x.sum().backward()
    log.append(text(x.grad))
    log.append(len(x._post_accumulate_grad_hooks))


@program
def post_accumulate_returns(torch: Any, log: Log) -> None:
    for r in (3, torch.ones(2), "a", (1,)):
        x = torch.ones(2, requires_grad=True)
        x.register_post_accumulate_grad_hook(lambda p: r)
        attempt(log, lambda: x.sum().backward())
        log.append(text(x.grad))
    x = torch.ones(2, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda p: 1 / 0)
    attempt(log, lambda: x.sum().backward())
    log.append(text(x.grad))


@program
def post_accumulate_optimizer(torch: Any, log: Log) -> None:
    ps = [torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2)]
    opts = {p: torch.optim.SGD([p], lr=0.1) for p in ps}

    def h(p):
        opts[p].step()
        opts[p].zero_grad()

    for p in ps:
        p.register_post_accumulate_grad_hook(h)
    (ps[0] * ps[1]).sum().backward()
    log.extend([text(p) for p in ps] + [text(p.grad) for p in ps])


@program
def post_accumulate_in_grad(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda p: log.append("called"))
    torch.autograd.grad(x.sum(), x)
    log.append("grad")
    x.sum().backward(inputs=[x])
    log.append("inputs")
    x.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None))
    (x * 2).sum().backward()
    log.append(text(x.grad))


@program
def post_acc_after_graph(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = (x * 2).sum()
    x.register_post_accumulate_grad_hook(lambda p: log.append("p"))
    x.register_hook(lambda g: log.append("h"))
    y.backward()


@program
def hook_on_root(torch: Any, log: Log) -> None:
    x = torch.ones((), requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: log.append(text(g)))
    y.retain_grad()
    y.grad_fn.register_prehook(lambda g: log.append(text(g)))
    y.backward()
    log.append(text(y.grad))
    x.register_hook(lambda g: (log.append(text(g)), g * 3)[1])
    x.backward()
    log.append(text(x.grad))


@program
def undefined(torch: Any, log: Log) -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 0.0]], requires_grad=True)
    v, _i = x.max(0)
    v.grad_fn.register_hook(lambda gi, go: log.append((text(gi), text(go))))
    v.grad_fn.register_prehook(lambda go: log.append(text(go)))
    v.sum().backward()
    a, b = (x * 1).split(1)
    a.grad_fn.register_hook(lambda gi, go: log.append((text(gi), text(go))))
    a.grad_fn.register_prehook(lambda go: log.append(text(go)))
    a.register_hook(lambda g: log.append(("a", text(g))))
    b.register_hook(lambda g: log.append(("b", text(g))))
    b.sum().backward()
    s = x.sort(1)
    s[0].grad_fn.register_hook(lambda gi, go: log.append((text(gi), text(go))))
    s.values.sum().backward()
    s = x.topk(1)
    s[0].grad_fn.register_hook(lambda gi, go: log.append((text(gi), text(go))))
    s.values.sum().backward()
    y = x * x
    y.register_hook(lambda g: log.append(("y", text(g))))
    y.retain_grad()
    z = y.exp()
    z.grad_fn.register_hook(lambda gi, go: (None,))
    z.sum().backward()
    log.append(text(y.grad))
    log.append(text(x.grad))


@program
def undefined_prehook(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y.exp()
    z.grad_fn.register_prehook(lambda go: (None,))
    z.grad_fn.register_hook(lambda gi, go: log.append((text(gi), text(go))))
    y.grad_fn.register_hook(lambda gi, go: log.append((text(gi), text(go))))
    x.register_hook(lambda g: log.append(text(g)))
    x.register_post_accumulate_grad_hook(lambda p: log.append("post"))
    z.sum().backward()
    log.append(text(x.grad))
    x2 = torch.ones(2, requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    m = x2 * w
    m.grad_fn.register_prehook(lambda go: (None,))
    m.grad_fn.register_hook(lambda gi, go: log.append((text(gi), text(go))))
    (m + x2).sum().backward()
    log += [text(x2.grad), text(w.grad)]
    log.append(text(torch.autograd.grad((x2 * 2).exp().sum(), x2)))
    m = x2 * w
    m.grad_fn.register_prehook(lambda go: (None,))
    attempt(log, lambda: torch.autograd.grad(m.sum(), [x2, w]))
    m = x2 * w
    m.grad_fn.register_prehook(lambda go: (None,))
    attempt(log, lambda: torch.autograd.grad(m.sum(), [x2, w], allow_unused=True))


@program
def retain_grad_and_hooks(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    y.retain_grad()
    y.grad_fn.register_prehook(lambda g: (g[0] * 10,))
    (y * 3).sum().backward()
    log += [text(y.grad), text(x.grad), y.retains_grad]
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 2)
    y.mul_(3)
    log.append(y.retains_grad)
    y.register_hook(lambda g: g * 5)
    (y * 1).sum().backward()
    log += [text(y.grad), text(x.grad)]
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    z = y * 2
    z.retain_grad()
    z.sum().backward()
    log += [text(y.grad), text(z.grad)]


@program
def retain_grad_identity(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    seen = []
    y.register_hook(seen.append)
    y.sum().backward(retain_graph=True)
    log.append(y.grad is seen[0])
    first = y.grad
    y.sum().backward()
    log.append(y.grad is first)
    log.append(text(y.grad))
    log.append(text(seen))
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.sum().backward(create_graph=True)
    log.append(text(y.grad))


@program
def retain_grad_inplace_twice(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.clone()
    y.retain_grad()
    y.mul_(2)
    y.add_(1)
    y.sum().backward()
    log += [text(y.grad), text(x.grad)]


@program
def grad_in_hook(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)

    def h(g: Any) -> Any:
        x.grad = torch.full((2,), 100.0)

    x.register_hook(h)
    x.sum().backward()
    log.append(text(x.grad))
    x.sum().backward()
    log.append(text(x.grad))


@program
def inplace_grad_in_hook(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: g.mul_(2))
    y.register_hook(lambda g: g.mul_(3) and None if False else g.mul_(3))
    (y * 1).sum().backward()
    log.append(text(x.grad))
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: g.zero_())
    (x * 2).sum().backward()
    log.append(text(x.grad))


@program
def accumulate_identity(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    seen = []
    x.register_hook(seen.append)
    (x * 2).sum().backward()
    a = x.grad
    (x * 2).sum().backward()
    log.append(a is x.grad)
    log.append(text(seen))
    log.append(text(x.grad))


@program
def multi_all(torch: Any, log: Log) -> None:
    reg = torch.autograd.graph.register_multi_grad_hook
    a = torch.ones(2, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    c = a * b
    d = a * b
    h = reg((a, b, c, d), lambda gs: log.append(text(gs)))
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    (c + d).sum().backward(retain_graph=True)
    log.append("-")
    attempt(log, lambda: torch.autograd.grad(c.sum(), c, retain_graph=True))
    attempt(log, lambda: torch.autograd.grad(c.sum(), a, retain_graph=True))
    log.append(type(h).__name__)
    log.append(len(h.handles))
    h.remove()
    c.sum().backward()


@program
def multi_root(torch: Any, log: Log) -> None:
    reg = torch.autograd.graph.register_multi_grad_hook
    a = torch.ones((), requires_grad=True)
    c = a * 2
    e = c * 3
    reg((a, c), lambda gs: log.append(text(gs)))
    c.backward(retain_graph=True)
    log.append("-")
    torch.autograd.backward([c], retain_graph=True)
    log.append("-")
    torch.autograd.backward([c, e], retain_graph=True)
    log.append("-")
    e.backward()


@program
def multi_grad_nonleaf(torch: Any, log: Log) -> None:
    reg = torch.autograd.graph.register_multi_grad_hook
    a = torch.ones((), requires_grad=True)
    c = a * 2
    d = c * 3
    e = c * d
    reg((c, d), lambda gs: log.append(text(gs)))
    log.append(text(torch.autograd.grad(e, a, retain_graph=True)))
    log.append(text(torch.autograd.grad(e, c, retain_graph=True)))
    log.append(text(torch.autograd.grad(e, d, retain_graph=True)))


@program
def multi_any(torch: Any, log: Log) -> None:
    reg = torch.autograd.graph.register_multi_grad_hook
    a = torch.ones(2, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    c = a * b
    d = a * b
    n = torch.ones(2)
    h = reg((a, b, c, d, n), lambda g: log.append(text(g)), mode="any")
    c.sum().backward(retain_graph=True)
    (c + d).sum().backward()
    log.append(len(h.handles))
    h.remove()
    (a * b).sum().backward()


@program
def multi_errors(torch: Any, log: Log) -> None:
    reg = torch.autograd.graph.register_multi_grad_hook
    a = torch.ones(2, requires_grad=True)
    attempt(log, lambda: reg((a,), len, mode="some"))
    attempt(log, lambda: reg((a, torch.ones(2)), len))
    attempt(log, lambda: reg(a, len))
    attempt(log, lambda: reg((), len).handles)
    h = reg((a,), lambda gs: 1 / 0)
    attempt(log, lambda: a.sum().backward())
    log.append(text(a.grad))
    hook = next(iter(a._backward_hooks.values()))
    attempt(log, lambda: hook(torch.ones(2)))
    h.remove()
    with reg((a,), lambda gs: log.append("x")):
        a.sum().backward()
    a.sum().backward()


@program
def multi_replaces_nothing(torch: Any, log: Log) -> None:
    reg = torch.autograd.graph.register_multi_grad_hook
    a = torch.ones(2, requires_grad=True)
    reg((a,), lambda gs: torch.zeros(2))
    reg((a,), lambda g: torch.zeros(2), mode="any")
    attempt(log, lambda: a.sum().backward())
    log.append(text(a.grad))


@program
def multi_reentrant(torch: Any, log: Log) -> None:
    reg = torch.autograd.graph.register_multi_grad_hook
    a = torch.ones((), requires_grad=True)
    b = a * 2
    c = b * 3

    def hook(gs):
        log.append(text(gs))
        w = torch.ones((), requires_grad=True)
        with torch.enable_grad():
            (w * 5).backward()
        log.append(text(w.grad))

    reg((a, b), hook)
    c.backward()


@program
def reentrant(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    y = x * 2

    def h(g: Any) -> Any:
        with torch.enable_grad():
            (w * g).sum().backward()
        return w.grad

    y.register_hook(h)
    (y * 3).sum().backward()
    log.extend([text(x.grad), text(w.grad), torch.is_grad_enabled()])


@program
def second_backward_in_hook(torch: Any, log: Log) -> None:
    x = torch.ones((), requires_grad=True)
    y = x * x

    def h(g: Any) -> Any:
        if len(log) < 2:
            log.append("in")
            attempt(log, lambda: y.backward(retain_graph=True))

    x.register_hook(h)
    attempt(log, lambda: y.backward())
    log.append(text(x.grad))


@program
def register_in_hook(torch: Any, log: Log) -> None:
    x = torch.ones((), requires_grad=True)
    y = x * 2
    z = y * 3

    def h(g: Any) -> Any:
        log.append("z")
        y.register_hook(lambda g: log.append("y"))
        y.grad_fn.register_hook(lambda a, b: log.append("ynode"))
        x.register_hook(lambda g: log.append("x"))
        z.grad_fn.register_hook(lambda a, b: log.append("znode"))
        y.retain_grad()

    z.register_hook(h)
    z.backward()
    log.append(text(y.grad))


@program
def node_order(torch: Any, log: Log) -> None:
    x = torch.ones((), requires_grad=True)
    y = x * 2
    f = y.grad_fn
    f.register_hook(lambda a, b: log.append(("post1", text(a), text(b))))
    f.register_prehook(lambda a: log.append(("pre1", text(a))))
    y.register_hook(lambda g: log.append(("t", text(g))))
    f.register_hook(lambda a, b: (a[0] * 2, None))
    f.register_hook(lambda a, b: log.append(("post2", text(a), text(b))))
    f.register_prehook(lambda a: (a[0] * 7,))
    f.register_prehook(lambda a: log.append(("pre2", text(a))))
    y.retain_grad()
    (y * 1).backward()
    log.append(text(x.grad))
    log.append(text(y.grad))


@program
def node_removal(torch: Any, log: Log) -> None:
    x = torch.ones((), requires_grad=True)
    y = x * 2
    f = y.grad_fn
    f.register_hook(lambda a, b: None)
    f.register_hook(lambda a, b: log.append("two"))
    f.register_prehook(lambda a: None)
    y.backward(retain_graph=True)
    y.backward()


@program
def acc_grad_hooks(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    acc = y.grad_fn.next_functions[0][0]
    acc.register_prehook(lambda go: (go[0] * 10,))
    acc.register_hook(lambda gi, go: log.append((gi, text(go))))
    y.sum().backward()
    log.append(text(x.grad))
    acc.register_hook(lambda gi, go: (torch.ones(2),))
    attempt(log, lambda: (x * 2).sum().backward())
    log.append(text(x.grad))


@program
def acc_grad_lifetime(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    (x * 2).grad_fn.next_functions[0][0].register_hook(lambda a, b: log.append("lost"))
    (x * 2).sum().backward()
    acc = (x * 2).grad_fn.next_functions[0][0]
    acc.register_hook(lambda a, b: log.append("kept"))
    (x * 2).sum().backward()


@program
def capture_order(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    z = y * 2
    y.register_hook(lambda g: (log.append("y"), g * 7)[1])
    y.retain_grad()
    x.register_hook(lambda g: (log.append("x"), g * 5)[1])
    y.grad_fn.register_prehook(lambda g: log.append("pre"))
    y.grad_fn.register_hook(lambda a, b: log.append("post"))
    log.append(text(torch.autograd.grad(z.sum(), [x, y], retain_graph=True)))
    log.append(text(y.grad))
    log.append(text(torch.autograd.grad(z.sum(), [y], retain_graph=True)))
    log.append(text(y.grad))
    log.append(text(torch.autograd.grad(z.sum(), [x, x, y, y], retain_graph=True)))
    z.sum().backward(inputs=[y], retain_graph=True)
    log.append(text(y.grad))
    log.append(text(x.grad))
    z.sum().backward(inputs=[x, y], retain_graph=True)
    log.append(text(y.grad))
    log.append(text(x.grad))
    z.sum().backward()
    log.append(text(y.grad))
    log.append(text(x.grad))


@program
def hook_on_view(torch: Any, log: Log) -> None:
    x = torch.ones(4, requires_grad=True)
    y = x * 1
    v = y[:2]
    v.register_hook(lambda g: (log.append(text(g)), g * 3)[1])
    (v.sum() + y.sum()).backward()
    log.append(text(x.grad))


@program
def detach_clone_hooks(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    x.register_hook(len)
    log.extend(
        [
            str(x.detach()._backward_hooks),
            str(x.clone()._backward_hooks),
            str(x.data._backward_hooks),
        ]
    )


@program
def errors(torch: Any, log: Log) -> None:
    attempt(log, lambda: torch.ones(2).register_hook(len))
    attempt(log, lambda: torch.ones(2).retain_grad())
    x = torch.ones(2, requires_grad=True)
    attempt(log, lambda: x.retain_grad())
    attempt(log, lambda: x.retains_grad)
    y = x * 2

    def f():
        y.retains_grad = True

    attempt(log, f)
    with torch.no_grad():
        z = x * 2
    attempt(log, lambda: z.register_hook(len))
    attempt(log, lambda: y.grad_fn.register_hook(3).__class__.__name__)
    attempt(log, lambda: y.sum().backward())


@program
def gradient_edge(torch: Any, log: Log) -> None:
    G = torch.autograd.graph
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    z = y.sum()
    e = G.get_gradient_edge(y)
    log += [
        e.node is y.grad_fn,
        e.output_nr,
        e.ownership_token,
        isinstance(e, tuple),
        len(e),
        type(e).__name__,
        e == G.GradientEdge(y.grad_fn, 0),
    ]
    ex = G.get_gradient_edge(x)
    log += [
        ex.node.name(),
        ex.output_nr,
        ex.ownership_token,
        ex.node is y.grad_fn.next_functions[0][0],
    ]
    log.append(text(torch.autograd.grad(z, e, retain_graph=True)))
    log.append(text(torch.autograd.grad(z, [ex, y, e], retain_graph=True)))
    log.append(text(torch.autograd.grad(G.get_gradient_edge(z), x, retain_graph=True)))
    log.append(text(torch.autograd.grad([e], [x], grad_outputs=[torch.ones(2)], retain_graph=True)))
    attempt(log, lambda: torch.autograd.grad(e, x, retain_graph=True))
    attempt(log, lambda: torch.autograd.grad(e, x, torch.ones(3), retain_graph=True))
    attempt(log, lambda: G.get_gradient_edge(torch.ones(2)))
    torch.autograd.backward(e, torch.ones(2), retain_graph=True)
    log.append(text(x.grad))
    z.backward(inputs=ex, retain_graph=True)
    log.append(text(x.grad))
    z.backward(inputs=[ex], retain_graph=True)
    log.append(text(x.grad))
    attempt(log, lambda: z.backward(inputs=[e], retain_graph=True))
    log.append(text(x.grad))
    log.append(text(y.grad) if y.retains_grad else "no")
    attempt(
        log,
        lambda: torch.autograd.grad(
            z,
            [ex, G.get_gradient_edge(torch.ones(2, requires_grad=True))],
            allow_unused=True,
            retain_graph=True,
        ),
    )
    attempt(
        log,
        lambda: torch.autograd.grad(
            z,
            [G.get_gradient_edge(torch.ones(2, requires_grad=True))],
            materialize_grads=True,
            retain_graph=True,
        ),
    )
    attempt(
        log,
        lambda: torch.autograd.grad(
            z, [G.get_gradient_edge(torch.ones(2, requires_grad=True))], retain_graph=True
        ),
    )
    attempt(log, lambda: torch.autograd.grad(z, [G.GradientEdge(y.grad_fn, 0)], retain_graph=True))
    attempt(
        log,
        lambda: torch.autograd.grad(
            [G.GradientEdge(y.grad_fn, 0)], x, [torch.ones(2)], retain_graph=True
        ),
    )
    attempt(log, lambda: torch.autograd.grad([G.GradientEdge(z.grad_fn, 0)], x, retain_graph=True))
    attempt(log, lambda: torch.autograd.grad(z, [(y.grad_fn, 0)], retain_graph=True))
    attempt(log, lambda: torch.autograd.grad(z, [None], retain_graph=True))
    attempt(log, lambda: torch.autograd.grad(z, [3], retain_graph=True))
    with torch.no_grad():
        attempt(log, lambda: G.get_gradient_edge(x).node.name())


@program
def gradient_edge_multi(torch: Any, log: Log) -> None:
    G = torch.autograd.graph
    x = torch.ones(4, requires_grad=True)
    a, b = (x * 2).split(2)
    eb = G.get_gradient_edge(b)
    log.append(eb.output_nr)
    log.append(
        text(
            torch.autograd.grad([G.get_gradient_edge(a), eb], x, [torch.ones(2), torch.ones(2) * 3])
        )
    )
    x.retain_grad()
    y = x.max()
    G.get_gradient_edge(y)
    log.append(text(torch.autograd.grad(G.get_gradient_edge(y), x)))


@program
def variable(torch: Any, log: Log) -> None:
    V = torch.autograd.Variable
    x = torch.ones(2)
    attempt(log, lambda: type(V(x, requires_grad=True)).__name__)
    v = V(x, requires_grad=True)
    log += [
        v.requires_grad,
        x.requires_grad,
        v is x,
        v.data_ptr() == x.data_ptr(),
        isinstance(x, V),
        isinstance(3, V),
        v.is_leaf,
    ]
    (v * 2).sum().backward()
    log.append(text(v.grad))
    log.append(text(V(x).requires_grad))
    log.append(repr(V))
    y = v * 2
    attempt(log, lambda: V(y))
    attempt(log, lambda: V(3))
    attempt(log, lambda: V(torch.ones(2, dtype=torch.int64), requires_grad=True))
    attempt(log, lambda: torch.autograd.variable(x))
    attempt(log, lambda: V())
    attempt(log, lambda: V(v).requires_grad)
    attempt(log, lambda: V(v, requires_grad=True).grad_fn)
    attempt(log, lambda: torch.autograd.variable.Variable is V)


@program
def step_in_a_post_accumulate_hook(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)

    def step(leaf: Any) -> None:
        log.append(torch.is_grad_enabled())
        leaf.sub_(leaf.grad)
        log.append(leaf._version)

    x.register_post_accumulate_grad_hook(step)
    x.sum().backward()
    (x * x).sum().backward()
    log.append(text(x))


@program
def requires_grad_false_with_hooks(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: log.append("hook"))
    x.register_post_accumulate_grad_hook(lambda p: log.append("post"))
    w = torch.ones(2, requires_grad=True)
    y = (x * w).sum()
    x.requires_grad_(False)
    y.backward()
    log.append(text(x.grad))


@program
def deepcopy_hooks(torch: Any, log: Log) -> None:
    import copy

    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: g * 2)
    y = copy.deepcopy(x)
    y.sum().backward()
    log.extend([text(y.grad), str(y._backward_hooks)])


@program
def hook_returns_what_others_hold(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    c = torch.ones(2)
    x.register_hook(lambda g: c)
    (x * 2).sum().backward()
    log.append(x.grad is c)
    x.grad.zero_()
    log.append(text(c))


@program
def hook_returns_requires_grad(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: w)
    (y * 3).sum().backward()
    log.append(text(x.grad))
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: w)
    (x * 3).sum().backward()
    log.append(text(x.grad))
    log.append(x.grad is w)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: w)
    (y * 3).sum().backward()
    log.append(text(y.grad))


@program
def post_node_hook_shape(torch: Any, log: Log) -> None:
    x = torch.ones(2, 3, requires_grad=True)
    b = torch.ones(3, requires_grad=True)
    y = x + b
    y.grad_fn.register_hook(lambda gi, go: log.append([tuple(g.shape) for g in gi]))
    y.sum().backward()
    y = x + b
    y.grad_fn.register_hook(lambda gi, go: (gi[0], torch.ones(2, 3)))
    attempt(log, lambda: y.sum().backward())
    x = torch.ones(2, requires_grad=True)
    y = x.double()
    y.grad_fn.register_hook(lambda gi, go: log.append((str(gi[0].dtype), str(go[0].dtype))))
    y.sum().backward()


@program
def hook_gets(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(
        lambda g: log.append(
            (g.is_leaf, g.requires_grad, str(g.grad_fn), type(g).__name__, g._version)
        )
    )
    y.sum().backward()


@program
def no_args(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda: 3)
    attempt(log, lambda: x.sum().backward())
    y = x.detach().requires_grad_() * 2
    y.grad_fn.register_hook(lambda g: 3)
    attempt(log, lambda: y.sum().backward())


@program
def hooks_basic(torch: Any, log: Log) -> None:
    x = torch.ones(5, 5, requires_grad=True)
    y = torch.ones(5, 5) * 4
    y.requires_grad_(True)
    counter = [0]

    def bw_hook(inc, grad):
        log.append(type(grad).__name__)
        counter[0] += inc

    z = x**2 + x * 2 + x * y + y
    x.register_hook(lambda *args: bw_hook(0, *args))
    t = z.register_hook(lambda *a: bw_hook(1, *a))
    z.backward(torch.ones(5, 5), retain_graph=True)
    log.append(counter[0])
    t2 = z.register_hook(lambda *a: bw_hook(2, *a))
    z.backward(torch.ones(5, 5), retain_graph=True)
    log.append(counter[0])
    t2.remove()
    z.backward(torch.ones(5, 5), retain_graph=True)
    log.append(counter[0])

    def bw_hook_modify(grad):
        return grad.mul(2)

    t.remove()
    z.register_hook(bw_hook_modify)
    y.grad.zero_()
    z.backward(torch.ones(5, 5), retain_graph=True)
    log.append(text(y.grad[0, 0]))
    y.register_hook(bw_hook_modify)
    y.grad.zero_()
    z.backward(torch.ones(5, 5))
    log.append(text(y.grad[0, 0]))


@program
def hook_on_nonleaf_before_after_inplace(torch: Any, log: Log) -> None:
    a = torch.ones(1, requires_grad=True)
    b = a.clone()
    b.register_hook(lambda g: log.append(("0", text(g))))
    b.mul_(2)
    b.register_hook(lambda g: log.append(("1", text(g))))
    b.mul_(3)
    b.register_hook(lambda g: log.append(("2", text(g))))
    b.backward()
    log.append(text(a.grad))


@program
def retains_grad_observe_prehook(torch: Any, log: Log) -> None:

    def tensor_prehook(g):
        return g * 2

    a = torch.tensor([1.0], requires_grad=True)
    b = a.clone()
    b.register_hook(tensor_prehook)
    b.retain_grad()
    b.register_hook(tensor_prehook)
    b.clone().backward()
    log.append(text(b.grad))
    log.append(text(a.grad))
    a = torch.tensor([1.0], requires_grad=True)
    b = a.clone()
    b.retain_grad()
    b.register_hook(tensor_prehook)
    b.clone().backward()
    log.append(text(b.grad))
    log.append(text(a.grad))


@program
def retain_grad_after_backward(torch: Any, log: Log) -> None:
    x = torch.ones(3, requires_grad=True)
    h = x * 3
    out = (h * h).sum()
    out.backward(retain_graph=True)
    log.append(text(x.grad))
    h.retain_grad()
    out.backward(retain_graph=True)
    log.append(text(h.grad))
    out.backward(retain_graph=True)
    log.append(text(h.grad))
    h.grad = None
    out.backward()
    log.append(text(h.grad))


@program
def post_acc_order(torch: Any, log: Log) -> None:
    t = torch.ones(2, requires_grad=True)
    t.register_hook(lambda g: (log.append("pre"), torch.add(g, 2))[1])

    def post(p):
        log.append("post")
        p.grad = (p.grad + 1) * 2

    t.register_post_accumulate_grad_hook(post)
    acc = torch.autograd.graph.get_gradient_edge(t).node
    acc.register_prehook(lambda g: (log.append("accpre"), (g[0] * 10,))[1])
    acc.register_hook(lambda a, b: log.append("accpost"))
    (t * 3).sum().backward()
    log.append(text(t.grad))


@program
def post_acc_multi(torch: Any, log: Log) -> None:
    t = torch.ones(2, requires_grad=True)
    h1 = t.register_post_accumulate_grad_hook(lambda p: p.grad.add_(1) and None if False else None)
    t.register_post_accumulate_grad_hook(lambda p: log.append(text(p.grad)))
    (t * 2).sum().backward()
    h1.remove()
    (t * 2).sum().backward()


@program
def prehook_multi_outputs(torch: Any, log: Log) -> None:
    x = torch.ones(3, requires_grad=True) * 1
    a, b, _c = x.unbind(0)
    fn = a.grad_fn
    fn.register_prehook(lambda g: log.append(text(g)))
    fn.register_prehook(lambda g: (g[0] * 2 if g[0] is not None else None, *tuple(g[1:])))
    b.register_hook(lambda g: g * 3)
    x.retain_grad()
    (a + b).backward()
    log.append(text(x.grad))


@program
def prehook_remove(torch: Any, log: Log) -> None:
    a = torch.tensor([1.0], requires_grad=True)
    b = a.clone()
    hook = b.grad_fn.register_prehook(lambda g: (g[0] * 2,))
    h2 = b.grad_fn.register_prehook(lambda g: (g[0] * 3,))
    b.sum().backward(retain_graph=True)
    log.append(text(a.grad))
    a.grad = None
    hook.remove()
    b.sum().backward(retain_graph=True)
    log.append(text(a.grad))
    a.grad = None
    h2.remove()
    b.sum().backward()
    log.append(text(a.grad))


@program
def prehook_remove_self(torch: Any, log: Log) -> None:
    a = torch.tensor([1.0], requires_grad=True)
    b = a.clone()

    def f(g):
        log.append("x")
        h.remove()
        return g

    h = b.grad_fn.register_prehook(f)
    b.register_hook(lambda g: hh.remove())
    hh = b.register_hook(lambda g: log.append("never?"))
    b.backward(retain_graph=True)
    b.backward()


@program
def grad_fn_hooks_after_free(torch: Any, log: Log) -> None:
    a = torch.tensor([1.0], requires_grad=True)
    b = a * a
    f = b.grad_fn
    b.backward()
    h = f.register_hook(lambda a, b: log.append("h"))
    attempt(log, lambda: b.backward())
    h.remove()
    attempt(log, lambda: b.backward())


@program
def save_none_hooks(torch: Any, log: Log) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: None)
    y.sum().backward()
    log.append(text(x.grad))


@program
def hook_with_no_name(torch: Any, log: Log) -> None:

    class MyHook:
        def __call__(self, grad):
            return grad.clone()

    x = torch.randn(5, requires_grad=True).clone()
    x.register_hook(MyHook())
    x.sum().backward()

    class Bad:
        def __call__(self, grad):
            return grad[:2]

    x = torch.randn(5, requires_grad=True).clone()
    x.register_hook(Bad())
    attempt(log, lambda: x.sum().backward())


@program
def hook_dtype_names(torch: Any, log: Log) -> None:
    for d in (torch.float64, torch.float16, torch.int32, torch.int64):
        x = torch.ones(2, requires_grad=True)
        x.register_hook(lambda g: g.to(d))
        attempt(log, lambda: (x * 2).sum().backward())


@program
def multi_grad_thread_ids(torch: Any, log: Log) -> None:
    t2 = torch.ones(2, requires_grad=True)
    t3 = torch.ones(2, requires_grad=True)
    count = [0]
    res = [None]

    def hook(gs):
        count[0] += 1
        res[0] = [g is None for g in gs]

    h = torch.autograd.graph.register_multi_grad_hook([t2, t3], hook)
    out = t2 * t3
    out.sum().backward(inputs=(t2,), retain_graph=True)
    log.append((count[0], res[0]))
    out.sum().backward(inputs=(t2, t3), retain_graph=True)
    log.append((count[0], res[0]))
    out.sum().backward(retain_graph=True)
    log.append((count[0], res[0]))
    (t2 * 2).sum().backward()
    log.append((count[0], res[0]))
    h.remove()
    out.sum().backward(inputs=(t2,), retain_graph=True)
    log.append(count[0])


@program
def multi_partial_error(torch: Any, log: Log) -> None:
    a = torch.ones(2, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    y = a * 2
    y.register_hook(lambda g: 1 / 0 if flag[0] else None)
    flag = [True]
    torch.autograd.graph.register_multi_grad_hook([a, b], lambda gs: log.append(text(gs)))
    attempt(log, lambda: (y * b).sum().backward())
    flag[0] = False
    (a * b).sum().backward()


@program
def reentrant_deep(torch: Any, log: Log) -> None:
    x = torch.ones((), requires_grad=True)
    depth = [0]

    def h(g):
        if depth[0] < 20:
            depth[0] += 1
            with torch.enable_grad():
                y = x.detach().requires_grad_() * 2
                y.register_hook(h)
                y.backward()

    y = x * 2
    y.register_hook(h)
    y.backward()
    log.extend([depth[0], text(x.grad)])


@program
def hook_modifies_saved(torch: Any, log: Log) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 1
    z = y * y

    def h(g):
        with torch.no_grad():
            y.add_(1)

    z.register_hook(h)
    attempt(log, lambda: z.sum().backward())


@program
def grad_in_hook_then_zero(torch: Any, log: Log) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    x.register_hook(lambda g: x.grad.zero_() if x.grad is not None else None)
    (x * 3).backward()
    attempt(log, lambda: (x * 3).backward())
    log.append(text(x.grad))


@program
def leaf_hook_requires_grad_off_on(torch: Any, log: Log) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    x.register_hook(lambda g: g * 10)
    x.requires_grad_(False)
    x.requires_grad_(True)
    (x * 2).backward()
    log.append(text(x.grad))
    x.detach_()
    x.requires_grad_()
    (x * 2).backward()
    log.append(text(x.grad))


@program
def nonleaf_detach_hooks(torch: Any, log: Log) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 1
    y.register_hook(lambda g: log.append("y"))
    y.detach_()
    y.requires_grad_()
    (y * 2).backward()
    log.append(text(y.grad))
    y.register_hook(lambda g: log.append("y2"))
    (y * 2).backward()


@program
def data_set_hooks(torch: Any, log: Log) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    x.register_hook(lambda g: g * 10)
    x.data = torch.tensor([1.0, 2.0])
    (x * 2).sum().backward()
    log.append(text(x.grad))


@program
def saved_grad_version(torch: Any, log: Log) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(g))
    y = x * 3
    y.backward()
    x.grad.mul_(100)
    log.append(text(seen))


@program
def nodes_hashable(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    d = {y.grad_fn: 1}
    log.extend(
        [
            d[y.grad_fn],
            y.grad_fn is y.grad_fn,
            y.grad_fn == y.grad_fn,
            isinstance(y.grad_fn, torch.autograd.graph.Node),
        ]
    )


@program
def hook_sees_none_for_materialized(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    a, b = x.sort()
    a.register_hook(lambda g: log.append(text(g)))
    attempt(log, lambda: b.register_hook(len))
    log.append(b.requires_grad)
    a.sum().backward()


@program
def grad_hooks_shape_expand(torch: Any, log: Log) -> None:
    x = torch.ones(1, requires_grad=True)
    y = x.expand(3)
    y.register_hook(lambda g: log.append(text(g)))
    x.register_hook(lambda g: log.append(text(g)))
    y.sum().backward()


@program
def grad_tensor_repr_hook(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    (x * 2).register_hook(print)
    y = x * 2
    y.register_hook(lambda g: log.append(repr(g)))
    y.sum().backward()
    z = x * x
    z.register_hook(lambda g: log.append(repr(g)))
    torch.autograd.grad((z * z).sum(), x, create_graph=True)


# Custom functions


def two_outputs(torch: Any, log: Log) -> Any:

    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y, n):
            ctx.save_for_backward(x, y)
            return (x * y, x + y)

        @staticmethod
        def backward(ctx, a, b):
            x, y = ctx.saved_tensors
            log.append(("back", ctx.needs_input_grad, text(a), text(b)))
            return (a * y + b, a * x + b, None)

    return Two


@program
def function_hooks(torch: Any, log: Log) -> None:
    Two = two_outputs(torch, log)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    p, q = Two.apply(x, y, 3)
    f = p.grad_fn
    log.append(f is q.grad_fn)
    f.register_hook(lambda gi, go: log.append(("post", text(gi), text(go))))
    f.register_prehook(lambda go: log.append(("pre", text(go))))
    p.register_hook(lambda g: log.append(("p", text(g))))
    q.register_hook(lambda g: (log.append(("q", text(g))), None if g is None else g * 2)[1])
    q.retain_grad()
    p.sum().backward(retain_graph=True)
    (p + q).sum().backward(retain_graph=True)
    log.append(text(q.grad))
    (p * q).sum().backward(inputs=[x], retain_graph=True)
    log.append(text(torch.autograd.grad((p + q).sum(), [y], retain_graph=True)))
    log.append(text(torch.autograd.grad((p + q).sum(), [p, y], retain_graph=True)))
    h = f.register_hook(lambda gi, go: (gi[0] * 10, gi[1]))
    x.grad = None
    p.sum().backward(retain_graph=True)
    log.append(text(x.grad))
    h.remove()
    f.register_hook(lambda gi, go: (gi[0],))
    attempt(log, lambda: p.sum().backward())


@program
def function_none(torch: Any, log: Log) -> None:

    class N(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * 1 + y

        @staticmethod
        def backward(ctx, g):
            return (g, None)

    x = torch.ones(2, requires_grad=True)
    y = torch.ones(2, requires_grad=True)
    z = N.apply(x, y)
    z.grad_fn.register_hook(lambda gi, go: log.append(text(gi)))
    y.register_hook(lambda g: log.append(("y", text(g))))
    y.register_post_accumulate_grad_hook(lambda p: log.append("ypost"))
    z.sum().backward()
    log.append(text(y.grad))
    z = N.apply(x, y)
    attempt(log, lambda: torch.autograd.grad(z.sum(), [x, y]))
    z = N.apply(x, y)
    attempt(log, lambda: torch.autograd.grad(z.sum(), [x, y], allow_unused=True))
    z = N.apply(x, y)
    attempt(log, lambda: torch.autograd.grad(z.sum(), [x, y], materialize_grads=True))


@program
def function_raises(torch: Any, log: Log) -> None:

    class R(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ValueError("no")

    x = torch.ones(2, requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    z = R.apply(x) + w * 3
    z.register_hook(lambda g: log.append("z"))
    attempt(log, lambda: z.sum().backward(retain_graph=True))
    log += [text(w.grad), text(x.grad), torch.is_grad_enabled()]


@program
def function_edges(torch: Any, log: Log) -> None:
    Two = two_outputs(torch, log)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    p, q = Two.apply(x, y, 3)
    G = torch.autograd.graph
    e = G.get_gradient_edge(q)
    log.append((e.output_nr, e.node is p.grad_fn))
    attempt(log, lambda: torch.autograd.grad([e], [x], [torch.ones(2)], retain_graph=True))
    attempt(log, lambda: torch.autograd.grad((p * q).sum(), [e], retain_graph=True))
    G.register_multi_grad_hook((p, q, x), lambda gs: log.append(text(gs)))
    (p * q).sum().backward()


@program
def hook_in_backward(torch: Any, log: Log) -> None:

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                t = g.detach().requires_grad_()
                u = t * t
                u.register_hook(lambda g: log.append(("inner", text(g))))
                u.sum().backward()
                return t.grad

    x = torch.ones(2, requires_grad=True)
    F.apply(x).sum().backward()
    log.append(text(x.grad))


@program
def saved_tensors_hooks_and_hooks(torch: Any, log: Log) -> None:
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: (log.append("pack"), t)[1], lambda t: (log.append("unpack"), t)[1]
    ):
        y = x * x
    y.register_hook(lambda g: log.append("hook"))
    y.grad_fn.register_prehook(lambda g: log.append("pre"))
    y.sum().backward()


@program
def a_node_called_by_hand_gives_what_the_pass_is_asked_for(torch: Any, log: Log) -> None:
    def called(fn: Any, z: Any, like: Any, wanted: Any) -> None:
        z.register_hook(lambda g: log.append([text(one) for one in fn(torch.ones_like(like))]))
        torch.autograd.grad(z.sum(), wanted)

    a, b, c = [torch.ones(3, requires_grad=True) for _ in range(3)]
    for made in (a * b, torch.atan2(a, b), torch.cat([a, b])):
        called(made.grad_fn, c * 2, made, [c])
        called(made.grad_fn, c * a, made, [a])


@program
def a_pass_that_ends_at_a_freed_node_is_refused(torch: Any, log: Log) -> None:
    x = torch.tensor([-1.0, 2.0], requires_grad=True)
    y = x * x
    z = (y * y).mul_(2)
    z.sum().backward()
    for output, inputs in ((y, [y]), (z, [z]), (z, [y]), (y * y, [y]), (y * 3, [y, x])):
        attempt(log, lambda output=output, inputs=inputs: output.sum().backward(inputs=inputs))
        attempt(log, lambda output=output, inputs=inputs: torch.autograd.grad(output.sum(), inputs))
        log.append(text(x.grad))


@program
def hooks_of_saved_tensors_come_inputs_first(torch: Any, log: Log) -> None:
    x = torch.ones(3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: (log.append(text(t)), t)[1], lambda t: (log.append("unpack"), t)[1]
    ):
        y = torch.nn.functional.logsigmoid(x)
    y.sum().backward()


@program
def hooks_stay_where_they_are_when_a_tensor_is_seen_otherwise(torch: Any, log: Log) -> None:
    for change in ("t_", "squeeze_", lambda y: y.unsqueeze_(0), lambda y: y.transpose_(0, 1)):
        for place in (slice(None), slice(1)):
            x = torch.ones(2, 3, requires_grad=True)
            y = (x * 2)[place]
            y.register_hook(lambda gradient: log.append(text(("early", gradient.shape))))
            y.retain_grad()
            getattr(y, change)() if isinstance(change, str) else change(y)
            y.register_hook(lambda gradient: log.append(text(("late", gradient.shape))))
            log.append(len(y._backward_hooks))
            y.sum().backward()
            log.append(text(y.grad))


@program
def hooks_of_a_leafs_node_see_what_others_make_of_its_new_gradient(torch: Any, log: Log) -> None:
    def change(leaf: Any) -> None:
        leaf.grad.add_(0.5)

    weights = torch.tensor([1.0, 2.0, 3.0])
    for loss in (lambda x: x.sum(), lambda x: (x * weights).sum(), lambda x: (x * x).sum()):
        x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
        kept: list[Any] = []
        node = x.view_as(x).grad_fn.next_functions[0][0]
        node.register_prehook(lambda gradients: (gradients[0] * 2,))
        x.register_post_accumulate_grad_hook(change)
        node.register_hook(lambda _, gradients, kept=kept: kept.append(gradients[0]))
        for _ in range(2):
            loss(x).backward()
            log.append(text((x.grad, kept)))
        x.grad.zero_()
        log.append(text(kept))


@pytest.mark.parametrize("program", programs, ids=lambda one: one.__name__)
def test_both_note_the_same(program: Program) -> None:
    same_notes(program)
