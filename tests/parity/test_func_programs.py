"""Programs such as experts write with `torch.func` print on minigrad what they print on PyTorch."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

# What each program finds: the transforms, and some tensors.
GIVEN = """
from warnings import filterwarnings
filterwarnings("ignore", "`torch.jit.script` is deprecated|There is a performance drop")
func = torch.func
grad, grad_and_value, vjp, jvp, vmap = func.grad, func.grad_and_value, func.vjp, func.jvp, func.vmap
jacrev, jacfwd, hessian = func.jacrev, func.jacfwd, func.hessian
functional_call = func.functional_call
x, m = torch.tensor([1.0, 2.0, 3.0]), torch.arange(6.0).reshape(2, 3)
s, w = torch.tensor(2.0), torch.tensor([1.0, -1.0, 0.5], requires_grad=True)
"""


def agree(*programs: str) -> None:
    """Assert that each of some programs prints the same on both."""
    for program in programs:
        agree_in_print(GIVEN + dedent(program))


def test_per_sample_gradients() -> None:
    agree(
        """
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
        params = {k: v.detach() for k, v in net.named_parameters()}
        buffers = {k: v.detach() for k, v in net.named_buffers()}

        def loss(params, buffers, x, y):
            p = functional_call(net, (params, buffers), (x.unsqueeze(0),))
            return F.cross_entropy(p, y.unsqueeze(0))
        xs = torch.randn(5, 3)
        ys = torch.tensor([0, 1, 1, 0, 1])
        g = vmap(grad(loss), in_dims=(None, None, 0, 0))(params, buffers, xs, ys)
        print({k: v.shape for k, v in g.items()})
        print(g["2.bias"])
        print(g["0.weight"][1])
        ft = vmap(grad_and_value(loss), in_dims=(None, None, 0, 0))
        gg, l = ft(params, buffers, xs, ys)
        print(l, gg["0.bias"])
        """,
    )


def test_an_ensemble_of_models() -> None:
    agree(
        """
        models = [nn.Linear(3, 2) for _ in range(4)]
        p, b = torch.func.stack_module_state(models)
        print(p, b)
        base = models[0]

        def f(p, b, x):
            return functional_call(base, (p, b), (x,))
        x = torch.randn(4, 6, 3)
        print(vmap(f, in_dims=(0, 0, None))(p, b, x[0]).shape)
        out = vmap(f)(p, b, x)
        print(out.shape, out.requires_grad)
        out.sum().backward()
        print(p["bias"].grad)
        print(torch.allclose(out, torch.stack([m(a) for m, a in zip(models, x)])))
        """,
        """
        a = nn.Linear(1, 1)
        a.weight.requires_grad_(False)
        print(torch.func.stack_module_state([nn.Linear(1, 1), a]))
        """,
        """
        ms = [nn.BatchNorm1d(2) for _ in range(2)]
        print(torch.func.stack_module_state(ms))
        """,
    )


def test_steps_within_a_loss_are_differentiated() -> None:
    agree(
        """
        net = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
        params = dict(net.named_parameters())

        def task(p, x, y):
            return ((functional_call(net, p, (x,)) - y) ** 2).mean()

        def inner(p, x1, y1, x2, y2):
            g = grad(task)(p, x1, y1)
            new = {k: p[k] - 0.1 * g[k] for k in p}
            return task(new, x2, y2)
        X = torch.randn(3, 5, 1)
        Y = torch.sin(X)
        l = vmap(inner, in_dims=(None, 0, 0, 0, 0))(params, X, Y, X + 0.1, Y + 0.1)
        print(l.detach(), l.requires_grad)
        l.mean().backward()
        print({k: v.grad for k, v in net.named_parameters()})
        """,
        """
        def step(p, g):
            return p - 0.1 * g

        def train(p, x, y):
            for _ in range(3):
                g = grad(lambda p: ((p * x - y) ** 2).sum())(p)
                p = step(p, g)
            return p
        print(train(s, x, 2 * x))
        print(grad(lambda s: train(s, x, 2 * x))(s))
        print(vmap(train, (0, None, None))(x, x, 2 * x))
        print(vmap(grad(train), (0, None, None))(x, x, 2 * x))
        """,
    )


def test_derivatives_of_networks_with_respect_to_inputs() -> None:
    agree(
        """
        net = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
        params = {k: v.detach() for k, v in net.named_parameters()}

        def u(x):
            return functional_call(net, params, (x.unsqueeze(0),)).squeeze()
        X = torch.linspace(0, 1, 5)
        print(vmap(u)(X))
        print(vmap(grad(u))(X))
        print(vmap(grad(grad(u)))(X))
        print(vmap(grad(grad(grad(u))))(X))
        """,
    )


def test_hessians_in_four_ways() -> None:
    agree(
        """
        A = torch.randn(3, 3)
        f = lambda x: x @ A @ x
        print(hessian(f)(x))
        print(torch.allclose(hessian(f)(x), A + A.T))
        print(jacrev(jacrev(f))(x))
        print(jacfwd(jacfwd(f))(x))
        print(jacrev(jacfwd(f))(x))
        """,
    )


def test_products_of_hessians_and_vectors() -> None:
    agree(
        """
        f = lambda x: (x ** 3).sum()
        hvp = lambda f, x, v: jvp(grad(f), (x,), (v,))[1]
        print(hvp(f, x, torch.ones(3)))
        print(vjp(grad(f), x)[1](torch.ones(3)))
        print(vmap(lambda v: hvp(f, x, v))(torch.eye(3)))
        """,
    )


def test_neural_tangent_kernels() -> None:
    agree(
        """
        net = nn.Linear(3, 2)
        p = {k: v.detach() for k, v in net.named_parameters()}
        f = lambda p, x: functional_call(net, p, (x,))

        def ntk(p, x1, x2):
            j1 = vmap(jacrev(f), (None, 0))(p, x1)
            j2 = vmap(jacrev(f), (None, 0))(p, x2)
            j1 = [j.flatten(2) for j in j1.values()]
            j2 = [j.flatten(2) for j in j2.values()]
            return sum((torch.einsum("Naf,Mbf->NMab", a, b) for a, b in zip(j1, j2)))
        print(ntk(p, torch.randn(2, 3), torch.randn(3, 3)))
        """,
    )


def test_neural_tangent_kernels_by_products() -> None:
    agree(
        """
        def ntk_vjp(func, p, x1, x2):

            def get(a, b):

                def f1(p):
                    return func(p, a)

                def f2(p):
                    return func(p, b)
                o, v = vjp(f1, p)

                def get_slice(vec):
                    return jvp(f2, (p,), v(vec))[1]
                return vmap(get_slice)(torch.eye(o.numel()))
            return vmap(vmap(get, (None, 0)), (0, None))(x1, x2)
        W = torch.randn(2, 3)
        print(ntk_vjp(lambda W, a: torch.tanh(W @ a), W, torch.randn(2, 3), torch.randn(3, 3)))
        """,
    )


def test_levels_are_not_confused() -> None:
    agree(
        """
        f = lambda x, y: torch.sin(x) * y
        print(grad(grad(f, 0), 1)(s, s + 1), grad(f, (0, 1))(s, s + 1))
        print(grad(lambda x: grad(f, 1)(x, x))(s))
        """,
        """
        def f(x):
            return x.sin()
        for d in range(4):
            g = f
            for _ in range(d):
                g = grad(g)
            print(g(s))
        """,
        """
        def f(x):
            with torch.no_grad():
                c = x ** 2
            return (x - c).sum()
        print(grad_and_value(f)(x))
        print(grad(lambda x: grad(f)(x).sum())(x))
        """,
        """
        def f(x):
            y = (x * x).sum()
            g, = torch.autograd.grad(y, x, create_graph=True)
            return g.sum()
        print(grad(f)(x))
        """,
    )


def test_dropout_within_vmap() -> None:
    agree(
        """
        net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 1))
        print(vmap(lambda a: net(a), randomness="different")(m))
        print(vmap(lambda a: net(a), randomness="same")(m))
        net.eval()
        print(vmap(lambda a: net(a))(m))
        net.train()
        print(vmap(net)(m))
        """,
    )


def test_newtons_method() -> None:
    agree(
        """
        def f(a):
            return (a**4).sum() + (a**2).sum()

        def newton(x):
            for _ in range(3):
                x = x - torch.linalg.solve(hessian(f)(x), grad(f)(x))
            return x
        print(newton(x))
        print(vmap(newton)(m))
        """,
    )


def test_functions_with_a_vmap_of_their_own_choice() -> None:
    agree(
        """
        class Sq(torch.autograd.Function):

            @staticmethod
            def forward(x):
                return x * x

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(*inputs)

            @staticmethod
            def backward(ctx, g):
                x, = ctx.saved_tensors
                return g * 2 * x
        print(grad(lambda x: Sq.apply(x).sum())(x))
        print(grad(lambda s: grad(Sq.apply)(s))(s))
        print(jacrev(Sq.apply)(x))
        print(vmap(Sq.apply)(m))
        """,
        """
        class Sq(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x):
                return x * x

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(*inputs)

            @staticmethod
            def backward(ctx, g):
                x, = ctx.saved_tensors
                return g * 2 * x
        print(vmap(Sq.apply)(m))
        print(vmap(grad(lambda a: Sq.apply(a).sum()))(m))
        """,
        """
        class Sq(torch.autograd.Function):

            @staticmethod
            def forward(x):
                return x * x

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(inputs[0])

            @staticmethod
            def backward(ctx, g):
                x, = ctx.saved_tensors
                return g * 2 * x

            @staticmethod
            def vmap(info, in_dims, x):
                return (x * x, None)
        print(vmap(Sq.apply)(m))
        """,
        """
        class Sq(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x):
                return x * x

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(inputs[0])

            @staticmethod
            def backward(ctx, g):
                x, = ctx.saved_tensors
                return g * 2 * x

            @staticmethod
            def vmap(info, in_dims, x):
                return (x * x, 0)
        print(vmap(Sq.apply)(m))
        """,
        """
        class Sq(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x):
                return (x * x, x + 1)

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(inputs[0])

            @staticmethod
            def backward(ctx, g, h):
                x, = ctx.saved_tensors
                return g * 2 * x + h
        print(vmap(Sq.apply)(m))
        print(vmap(grad(lambda a: sum((b.sum() for b in Sq.apply(a)))))(m))
        print(Sq.apply(x))
        """,
    )


def test_functions_are_called_once() -> None:
    agree(
        """
        calls = []

        def f(a):
            calls.append(a.shape)
            return a * 2
        vmap(f)(m)
        vmap(grad(lambda a: f(a).sum()))(m)
        jacrev(f)(x)
        jacfwd(f)(x)
        hessian(lambda a: f(a).sum())(x)
        print(calls)
        """,
        """
        def f(y):
            print(y.shape, y.dim(), y.size(0), len(y), y.dtype, y.requires_grad)
            return y
        print(vmap(f)(m))
        """,
        """
        def f(y):
            print(y)
            return y
        print(vmap(f)(m))
        """,
        """
        def f(y):
            print(y)
            return y
        print(vmap(vmap(f))(m))
        """,
    )


def test_changes_in_place() -> None:
    agree(
        """
        def f(a):
            b = a.clone()
            b[0] = b[1] * 2
            b[1:] += 1
            return b
        print(vmap(f)(m))
        print(grad(lambda a: f(a).prod())(x))
        print(vmap(grad(lambda a: f(a).prod()))(m))
        print(jacrev(f)(x))
        """,
        """
        def f(a):
            y = a.view(3, 1)
            y.mul_(2)
            return a
        print(vmap(f)(m.clone()))
        """,
        """
        def f(x):
            x.mul_(2)
            return x.sum()
        print(grad(f)(x))
        print(x)
        """,
        """
        def f(x, y):
            y.mul_(2)
            return (x * y).sum()
        print(grad(f)(x, x + 1))
        """,
        """
        def f(y):
            y[0] = 5
            return y
        print(vmap(f)(m))
        print(m)
        """,
        """
        def f(y):
            y.add_(x)
            return y
        print(vmap(f)(m))
        print(m)
        """,
        """
        def f(a):
            a += 1
            a -= 2
            a *= 3
            a /= 2
            a **= 2
            return a
        print(vmap(f)(m), m)
        """,
        """
        def f(a):
            a.masked_fill_(a > 2, 0.0)
            a.copy_(a * 2)
            return a.sub_(x)
        print(vmap(f)(m), m)
        """,
        """
        def f(a):
            a[0] = a[1]
            a[1:] = 7
            a[...] = a + 1
            return a
        print(vmap(f)(m.clone()))
        """,
        """
        def f(a, i):
            a[i] = 9
            return a
        print(vmap(f)(m.clone(), torch.tensor([0, 2])))
        """,
        """
        def f(a):
            a.unsqueeze_(0)
            return a
        print(vmap(f)(m.clone()))
        """,
        """
        def f(a):
            a.t_()
            return a
        print(vmap(f)(torch.arange(12.0).reshape(2, 2, 3)))
        """,
    )


def test_changes_that_differ_of_what_is_shared_are_refused() -> None:
    agree(
        """
        def f(y):
            x[0] = y[0]
            return x
        print(vmap(f)(m))
        """,
        """
        def f(y):
            z = torch.zeros(3)
            z.copy_(y)
            return z
        print(vmap(f)(m))
        """,
        """
        def f(y):
            z = torch.zeros(3)
            z[0] = y[0]
            return z
        print(vmap(f)(m))
        """,
        """
        def f(y):
            z = torch.zeros(3)
            z += y
            return z
        print(vmap(f)(m))
        """,
        """
        def f(y):
            z = torch.zeros_like(y)
            z += y
            return z
        print(vmap(f)(m))
        """,
        """
        def f(y):
            z = y.new_zeros(3)
            z += y
            return z
        print(vmap(f)(m))
        """,
        """
        def f(a):
            a[a > 2] = 0
            return a
        print(vmap(f)(m.clone()))
        """,
    )


def test_gradients_flow_out_of_transforms() -> None:
    agree(
        """
        w2 = torch.ones(3, requires_grad=True)
        y = grad(lambda a: (a * a * w2).sum())(x)
        y.sum().backward()
        print(w2.grad)
        """,
        """
        z = torch.tensor([1.0, 2.0], requires_grad=True)
        h = z ** 2
        g = grad(lambda a: (a * h).sum() ** 2)(torch.ones(2))
        g.sum().backward()
        print(z.grad)
        h.sum().backward()
        print(z.grad)
        """,
        """
        z = torch.tensor([1.0, 2.0], requires_grad=True)
        v, g = (None, None)
        g, v = grad_and_value(lambda a: (a ** 3).sum())(z)
        (g.sum() + v).backward()
        print(z.grad)
        """,
        """
        z = torch.tensor([1.0, 2.0], requires_grad=True)
        J = jacrev(lambda a: a ** 3)(z)
        J.sum().backward()
        print(z.grad)
        z.grad = None
        H = hessian(lambda a: (a ** 4).sum())(z)
        H.sum().backward()
        print(z.grad)
        z.grad = None
        o = vmap(lambda a: a ** 2)(z)
        o.sum().backward()
        print(z.grad)
        z.grad = None
        o = vmap(grad(lambda a: a ** 3))(z)
        o.sum().backward()
        print(z.grad)
        """,
        """
        o, f = vjp(lambda x: x * x * w, x)
        print(o, f(x), f(w), f(x, create_graph=False))
        """,
        """
        o, f = vjp(lambda x, y: x * y, x, w)
        print(o, f(x))
        """,
    )


def test_modes_around_transforms() -> None:
    agree(
        """
        with torch.no_grad():
            print(vmap(grad(lambda a: a ** 2))(x))
            print(jacrev(lambda a: a ** 2)(x))
            print(hessian(lambda a: (a ** 3).sum())(x))
            print(vmap(lambda a: a * w)(m))
        """,
        """
        with torch.inference_mode():
            print(grad(lambda a: a ** 2)(s))
            print(vmap(lambda a: a * 2)(x))
            print(jacrev(lambda a: a ** 2)(x))
            print(hessian(lambda a: (a ** 3).sum())(x))
        """,
        """
        with torch.inference_mode():
            q = torch.ones(2)
        print(grad(lambda a: (a ** 2).sum())(q))
        """,
        """
        with torch.no_grad():
            print(grad_and_value(lambda x: (x * x * w).sum())(x))
        """,
        """
        with torch.no_grad():
            o, f = vjp(lambda x: x * w, x)
            print(o, f(x))
        print(f(x))
        """,
        """
        with torch.no_grad():
            print(jvp(lambda x: x * x * w, (x,), (w,)))
        """,
        """
        def f(a):
            with torch.no_grad():
                b = a * 2
            return a * b
        print(vmap(grad(f))(x))
        print(jacrev(f)(x))
        """,
    )


def test_trees_of_inputs_and_outputs() -> None:
    agree(
        """
        o, f, aux = vjp(lambda a: (a.sin(), {"c": a.cos()}), x, has_aux=True)
        print(o, f(x), aux)
        """,
        """
        r = grad(lambda a, b: ((a * b).sum(), (a * 2, {"b": b})), has_aux=True)(x, s)
        print(r)
        """,
        """
        o, f = vjp(lambda x, y: {"o": x["a"] * y[0]}, {"a": x}, [s])
        print(o, f({"o": x}))
        """,
        """
        from collections import namedtuple
        P = namedtuple("P", "a b")
        print(vmap(lambda p: P(p.a * 2, p.b))(P(m, m)))
        """,
        """
        from collections import OrderedDict
        print(grad(lambda d: (d["b"] * d["a"]).sum())(OrderedDict(b=x, a=x + 1)))
        """,
        """
        print(grad(lambda l: sum(((a * a).sum() for a in l)))([x, s]))
        print(grad(lambda l: sum(((a * a).sum() for a in l)))((x, s)))
        """,
    )


def test_hooks_in_transforms() -> None:
    agree(
        """
        def f(a):
            a.register_hook(lambda g: g * 2)
            return (a * a).sum()
        print(grad(f)(x))
        """,
        """
        def f(a):
            b = a * 2
            b.register_hook(lambda g: g * 2)
            return (b * a).sum()
        print(grad(f)(x))
        print(vmap(grad(f))(m))
        """,
        """
        with torch.autograd.graph.saved_tensors_hooks(lambda a: a, lambda a: a):
            print(grad(lambda a: (a * a).sum())(x))
        """,
        """
        with torch.autograd.graph.save_on_cpu():
            print(grad(lambda a: (a * a).sum())(x))
        """,
    )


def test_values_may_decide_where_nothing_is_mapped() -> None:
    agree(
        """
        def f(x):
            if x.sum() > 0:
                return x * x
            return x
        print(jacfwd(f)(x), jacrev(f)(x), grad(lambda x: f(x).sum())(x), jvp(f, (x,), (x,)))
        """,
        """
        def f(x):
            y = (x * x).sum()
            y.backward()
            return y
        print(grad(f)(x))
        """,
    )


def test_passes_begin_at_batched_gradients() -> None:
    agree(
        """
        o, f = vjp(lambda a: a ** 2, x)
        print(vmap(f)(torch.eye(3)))
        """,
        """
        y = w ** 2
        print(vmap(lambda v: torch.autograd.grad(y, w, v, retain_graph=True)[0])(torch.eye(3)))
        """,
    )


def test_distributions_losses_and_layers() -> None:
    agree(
        """
        bn = nn.BatchNorm1d(3)
        print(vmap(bn)(torch.ones(2, 4, 3)))
        """,
        """
        bn = nn.BatchNorm1d(3).eval()
        print(vmap(bn)(torch.arange(24.0).reshape(2, 4, 3)).detach())
        """,
        """
        p = torch.distributions.Normal(0.0, 1.0)
        print(vmap(lambda a: p.log_prob(a).sum())(m))
        print(vmap(grad(lambda a: p.log_prob(a).sum()))(m))
        """,
        """
        crit = nn.MSELoss()
        print(vmap(lambda a: crit(a, x))(m))
        crit = nn.CrossEntropyLoss()
        print(vmap(lambda a, t: crit(a[None], t[None]))(m, torch.tensor([0, 1])))
        """,
    )


def test_trajectories_laplacians_and_divergences() -> None:
    agree(
        """
        def rollout(x0):
            xs = [x0]
            for _ in range(3):
                xs.append(xs[-1] + 0.1 * torch.sin(xs[-1]))
            return torch.stack(xs)
        print(vmap(rollout)(m).shape)
        print(vmap(jacrev(rollout))(m).shape)
        print(vmap(jacfwd(rollout))(m)[0, -1])
        """,
        """
        def laplacian(f):
            return lambda a: torch.trace(hessian(f)(a))
        print(vmap(laplacian(lambda a: (a ** 3).sum()))(m))
        """,
        """
        def divergence(f):
            return lambda a: sum((grad(lambda b: f(b)[i])(a)[i] for i in range(3)))
        print(vmap(divergence(lambda a: a ** 2))(m))
        """,
        """
        def div(f, a):
            _, vf = vjp(f, a)
            return sum((vf(e)[0][i] for i, e in enumerate(torch.eye(3))))
        print(vmap(lambda a: div(lambda b: b ** 2, a))(m))
        """,
    )


def test_modes_of_users_see_each_call_once() -> None:
    agree(
        """
        class Log(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                if func.__name__ in ("sin", "mul", "exp"):
                    print(func.__name__, args[0].shape)
                return func(*args, **(kwargs or {}))

        def f(a):
            return a.sin() * 2

        def logged(a):
            with Log():
                return f(a)

        print(vmap(logged)(m), grad(lambda a: logged(a).sum())(x))
        with Log():
            print(vmap(f)(m), vmap(vmap(torch.exp))(m))
            print(vmap(lambda a: vmap(lambda b: (b * a).exp())(x))(x).shape)
        """
    )


def test_threads_transform_at_the_same_time() -> None:
    agree(
        """
        import threading

        found = []

        def work():
            found.append(vmap(grad(lambda a: (a**3).sum()))(m))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        print(all(torch.equal(one, found[0]) for one in found), found[0])
        """
    )


def test_kernels_and_pairwise_distances() -> None:
    agree(
        """
        pairs = vmap(vmap(lambda a, b: ((a - b) ** 2).sum(), (None, 0)), (0, None))
        print(pairs(m, m + 1), grad(lambda a: pairs(a, m + 1).sum())(m))

        def kernel(a, b):
            return torch.exp(-((a - b) ** 2).sum())

        print(vmap(lambda a: vmap(lambda b: kernel(a, b))(m / 9))(m / 9))
        print(jacfwd(jacrev(kernel, 0), 1)(x, x + 1))
        """
    )


def test_an_integrator_by_gradients_of_the_energy() -> None:
    agree(
        """
        def energy(q):
            return (q**2).sum() / 2 + torch.cos(q).prod()

        def leap(q, p, dt=0.1):
            p = p - dt / 2 * grad(energy)(q)
            q = q + dt * p
            return q, p - dt / 2 * grad(energy)(q)

        print(leap(x, x), vmap(leap)(m, m))
        print(jacrev(lambda z: torch.cat(leap(z[:3], z[3:])))(torch.cat([x, x])))
        """
    )


def test_tangents_go_through_transforms() -> None:
    agree(
        """
        forward = torch.autograd.forward_ad
        with forward.dual_level():
            dual = forward.make_dual(x, torch.ones(3))
            print(forward.unpack_dual(grad(lambda a: (a**3).sum())(dual)))
            print(grad_and_value(lambda a: (a**3).sum())(dual))
            print(forward.unpack_dual(vmap(lambda a: a**2)(dual)), jacrev(lambda a: a**2)(dual))
            attempt(lambda: jvp(torch.sin, (x,), (x,)))
        print(jvp(torch.sin, (x,), (x,)))
        """
    )


def test_what_is_known_of_gradients_inside() -> None:
    agree(
        """
        def show(a):
            print(a.requires_grad, a.is_leaf, a.grad_fn is None, a.retains_grad, a.output_nr)
            return a
        vmap(lambda a: show(a * w))(m)
        vmap(grad(lambda a: show(show(a) * w).sum()))(m)
        grad(lambda a: vmap(lambda b: show(b))(show(a)).sum())(m)
        vmap(grad(lambda a: vmap(show)(a).sum()))(m)
        vmap(lambda a: show(w) * a)(m)
        print(vmap(show)(w) is w, vmap(lambda a: a)(m) is m)
        attempt(lambda: vmap(lambda a: a.mul_(2))(w))
        attempt(lambda: vmap(lambda a: (a * w).retain_grad())(m))
        """
    )


def test_tensors_that_are_made_of_slices() -> None:
    agree(
        """
        attempt(lambda: vmap(lambda a: torch.as_tensor(a))(m))
        attempt(lambda: vmap(lambda a: torch.as_tensor(a, dtype=torch.float64))(m))
        attempt(lambda: vmap(lambda a: torch.asarray(a))(m))
        attempt(lambda: vmap(lambda a: torch.as_tensor([a[0]]))(m))
        attempt(lambda: vmap(lambda a: torch.asarray([a[0]]))(m))
        attempt(lambda: vmap(lambda a: torch.scalar_tensor(a[0]))(m))
        attempt(lambda: vmap(lambda a: torch.linspace(a[0], 1, 3))(m))
        attempt(lambda: vmap(lambda a: torch.full((2,), a[0]))(m))
        attempt(lambda: vmap(lambda a: torch.full_like(a, a[0]))(m))
        attempt(lambda: vmap(lambda a: torch.full_like(a, 2.0))(m))
        attempt(lambda: vmap(lambda a: a.new_full((2,), a[0]))(m))
        attempt(lambda: vmap(lambda a: a.new_full((2,), 3.0) * a[0])(m))
        attempt(lambda: vmap(lambda a: a.new_tensor([a[0]]))(m))
        attempt(lambda: vmap(lambda a: a.new_tensor([2.0]) * a)(m))
        attempt(lambda: vmap(lambda a: a + torch.as_tensor(2.0))(m))
        """
    )


def test_an_ensemble_that_is_trained() -> None:
    agree(
        """
        models = [nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)) for _ in range(3)]
        p, b = func.stack_module_state(models)
        opt, X = optim.Adam(p.values(), lr=0.05), torch.randn(8, 3)
        Y = X.sum(1, keepdim=True)
        for _ in range(5):
            opt.zero_grad()
            losses = vmap(lambda p, b: F.mse_loss(functional_call(models[0], (p, b), X), Y))(p, b)
            losses.sum().backward()
            opt.step()
        print(losses, p["2.bias"].grad)
        for reduction in ("mean", "sum"):
            print(vmap(lambda a: F.mse_loss(a * w, x, reduction=reduction))(m))
            print(vmap(grad(lambda a: F.mse_loss(a, a.sin(), reduction=reduction)))(m))
            print(vmap(lambda a: F.mse_loss(a.sum(), a.prod(), reduction=reduction))(m))
        print(vmap(nn.MSELoss(reduction="none"))(m, m * 2))
        attempt(lambda: vmap(lambda a: F.mse_loss(a, a, reduction="foo"))(m))
        """
    )


def test_products_of_what_has_other_dimensions() -> None:
    agree(
        """
        q = torch.ones(2, 3, 3)
        for name in ("mm", "mv", "dot", "bmm"):
            for a, b in ((m, m), (q, m), (m, q), (q, q)):
                attempt(lambda: vmap(getattr(torch, name))(a, b).shape)
            attempt(lambda: vmap(getattr(torch, name), in_dims=(0, None))(m, x).shape)
        """
    )


def test_what_the_vmap_of_a_function_of_ones_own_returns() -> None:
    agree_in_print(
        """
        def function(returned):
            class Own(torch.autograd.Function):
                @staticmethod
                def forward(*args):
                    return args[0]

                @staticmethod
                def setup_context(ctx, inputs, output):
                    pass

                @staticmethod
                def vmap(info, in_dims, *args):
                    print(in_dims)
                    return returned(*args)

            return torch.vmap(Own.apply)

        x = torch.arange(6.0).view(2, 3)
        for returned in (
            lambda x: x,
            lambda x: (x, x, 0, 0),
            lambda x: [x, 0],
            lambda x: (x * 2, (None,)),
            lambda x: ([x * 2], (0,)),
            lambda x: ([x * 2], [0]),
            lambda x: ([x * 2, x], 0),
            lambda x: ({"one": x.T * 2}, {"one": 1}),
            lambda x: ((x * 2, (x.T * 3,)), (0, (1,))),
            lambda x: ((x, (x * 3,)), (0, 0)),
            lambda x: (x, 1),
            lambda x: (x, None),
            lambda x: (x * 2, None),
            lambda x: ((x, 3), (0, None)),
        ):
            attempt(lambda: function(returned)(x))
        attempt(lambda: function(lambda one, other: ((one * 2, other[0]), (0, 0)))(x, [x, x]))

        class Sum(torch.autograd.Function):
            @staticmethod
            def forward(one, *, other):
                return one + other

            @staticmethod
            def setup_context(ctx, inputs, output):
                pass

            @staticmethod
            def vmap(info, in_dims, one, *, other):
                return one + other, 0

        attempt(lambda: torch.vmap(Sum.apply)(x, other=x))
        attempt(lambda: torch.vmap(Sum.apply)(x, other=3.0))
        """
    )


def test_other_tensors_that_a_module_has_not() -> None:
    agree_in_print(
        """
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(1, 1)
                self.register_buffer("buffer", torch.ones(1))
                self.plain = torch.zeros(1)

            def forward(self):
                print([name for name, _ in self.named_parameters()])
                print([name for name, _ in self.named_buffers()])
                print(self.plain, getattr(self, "extra", None), "plain" in vars(self))

        for name in ("extra", "layer.extra", "buffer", "layer.weight", "plain"):
            for tensor in (torch.ones(1, 1), nn.Parameter(torch.ones(1, 1))):
                module = Module()
                torch.func.functional_call(module, {name: tensor}, ())
                module()
        """
    )


def test_masks_are_filled_with_a_value_for_each_slice() -> None:
    agree(
        """
        x, v = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([9.0, 8.0])
        mask, none = torch.tensor([True, False]), torch.zeros(2)
        attempt(lambda: vmap(lambda a, b: a.masked_fill(a > 2, b))(x, v))
        attempt(lambda: vmap(lambda a, b: a.masked_fill(a > 2, value=b))(x, v))
        attempt(lambda: vmap(lambda a, b: a.clone().masked_fill_(a > 2, b))(x, v))
        attempt(lambda: vmap(lambda a: a.masked_fill(a > 2, torch.tensor(7.0)))(x))
        attempt(lambda: vmap(lambda a: v.masked_fill(a > 2, 5.0))(x))
        attempt(lambda: vmap(lambda b: none.masked_fill(mask, b))(v))
        attempt(lambda: vmap(grad(lambda b: none.masked_fill(mask, b).sum()))(v))
        attempt(lambda: vmap(lambda a, b: a.masked_fill(a > 2, b))(x, x))
        attempt(lambda: vmap(lambda a, b: a.clone().masked_fill_(a > 2, b))(x, x))
        attempt(lambda: vmap(lambda a: a.clone().masked_fill_(a > 2, 1.0))(x))
        """
    )


def test_levels_are_shown_around_what_they_hold() -> None:
    agree(
        """
        def shown(*tensors):
            for one in tensors:
                print(one, f"{one}", [one])
            return tensors[-1].sum()

        grad(lambda x: shown(x, x * 2, x[0], x > 1, m, m * 2, torch.ones(2), x))(x)
        grad(lambda x: grad(lambda y: shown(x, y, x * y, x * 2))(x).sum())(x)
        vjp(lambda x: shown(x, x.sum()), x)
        jvp(lambda x: shown(x, x[1], x * s, s), (x,), (x,))
        jacrev(jacrev(lambda x: shown(x, x * x)))(x)
        jacfwd(jacfwd(lambda x: shown(x, x * x)))(x)
        hessian(lambda x: shown(x, x * x))(x)
        vmap(lambda x: shown(x, x * 2, s))(m)
        vmap(grad(lambda x: shown(x, x * 2, s * 2)))(m)
        grad(lambda x: vmap(lambda y: shown(x, y, x * 2, s, x * y))(m).sum())(x)
        vmap(lambda y: grad(lambda x: shown(x, y, y * y, x * y))(x))(m)
        vmap(jacfwd(lambda x: shown(x, x * x)))(m)
        """
    )


def test_what_graphs_outside_know_of_a_tensor_is_shown_within() -> None:
    agree(
        """
        def function(x):
            with torch.no_grad():
                print(x * 2)
            print(x, x * 2, x * w, w, w * 2, x.max(0))
            return x.sum()

        grad(function)(w)
        with torch.no_grad():
            grad(function)(w)
        print(w, w * 2)
        """
    )


def test_custom_functions_that_change_their_input() -> None:
    agree(
        """
        class Exponential(torch.autograd.Function):
            @staticmethod
            def forward(x):
                return x.exp_()

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.mark_dirty(inputs[0])
                ctx.save_for_backward(output)
                ctx.save_for_forward(output)

            @staticmethod
            def backward(ctx, gradient):
                return gradient * ctx.saved_tensors[0]

            @staticmethod
            def jvp(ctx, tangent):
                return tangent.mul_(ctx.saved_tensors[0])

            @staticmethod
            def vmap(info, in_dims, x):
                return Exponential.apply(x), in_dims[0]

        def f(x):
            return Exponential.apply(x.clone())

        print(jvp(f, (x,), (x,)), torch.func.jacfwd(f)(x))
        print(torch.func.hessian(lambda x: f(x).sum())(x))
        print(torch.func.jacfwd(torch.func.jacrev(f))(x), jvp(grad(f), (x[0],), (x[0],)))
        y = x.double().requires_grad_()
        print(torch.autograd.gradgradcheck(f, y, check_fwd_over_rev=True))
        """,
        """
        class Power(torch.autograd.Function):
            @staticmethod
            def forward(x, power=2):
                return x**power

            @staticmethod
            def setup_context(ctx, inputs, output):
                print(inputs)

            @staticmethod
            def vmap(info, in_dims, x, power):
                print(in_dims, power)
                return Power.apply(x, power), in_dims[0]

        print(vmap(Power.apply)(m), vmap(lambda x: Power.apply(x, power=3))(m))
        """,
    )


def test_custom_functions_that_return_their_input() -> None:
    agree(
        """
        class Scaled(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x):
                return x

            @staticmethod
            def setup_context(ctx, inputs, output):
                pass

            @staticmethod
            def backward(ctx, gradient):
                return gradient * 3

        class ScaledView(Scaled):
            @staticmethod
            def forward(x):
                return x.view(-1)

        for function in (Scaled, ScaledView):
            print(vmap(function.apply)(m))
            print(vmap(grad(lambda x: function.apply(x).sum()))(m))
            print(grad(lambda x: vmap(function.apply)(x).sum())(m))
        """
    )
