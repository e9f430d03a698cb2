"""What `torch.func` refuses to do in a function that it transforms, on minigrad and on PyTorch."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

GIVEN = """
import copy
grad, vmap, vjp, jacrev = torch.func.grad, torch.func.vmap, torch.func.vjp, torch.func.jacrev
x, m = torch.tensor([1.0, 2.0, 3.0]), torch.ones(3, 3)
mask, places = torch.tensor([True, False, True]), torch.tensor([0, 1, 2])
TRANSFORMS = {
    "grad": lambda f: grad(lambda a: f(a).sum())(x),
    "vjp": lambda f: vjp(f, x)[0],
    "jacrev": lambda f: jacrev(f)(x),
    "vmap": lambda f: vmap(f)(x),
}
"""
DIFFERENTIATE = ("grad", "vjp", "jacrev")
# What changes `c`, a tensor that the function captures; `z` is its input.
CHANGES = [
    "c.add_(z)", "c.add_(1)", "c.sub_(1, alpha=2)", "c.mul_(z)", "c.div_(2)", "c.true_divide_(2)",
    "c.div_(2, rounding_mode='floor')", "c.__iadd__(1)", "c.__imul__(z)", "c.__ipow__(2)",
    "c.pow_(2)", "c.pow_(z)", "c.copy_(z)", "c.fill_(2.0)", "c.fill_(z[0])", "c.zero_()",
    "c.exp_()", "c.clamp_(0, 1)", "c.clamp_(z)", "c.clamp_min_(0)", "c.eq_(1)", "c.ge_(z)",
    "c.lerp_(z, 0.5)", "c.lerp_(z, z)", "c.masked_fill_(mask, 2.0)", "c.masked_fill_(mask, z[0])",
    "c.index_fill_(0, places, 2.0)", "c.index_add_(0, places, z)", "c.index_put_((places,), z)",
    "c.scatter_(0, places, z)", "c.scatter_(0, places, 2.0)", "c.addcmul_(z, z)",
    "c.bernoulli_()", "c.bernoulli_(z)", "c.normal_()", "c.uniform_()", "nn.init.normal_(c)",
    "c.unsqueeze_(0)", "c.transpose_(0, 0)", "c.t_()", "c.squeeze_()", "c.resize_(2)", "c.set_(z)",
    "c.__setitem__(0, z[0])", "c.__setitem__(0, 5)", "c.__setitem__(places, z)", "c.relu_()",
    "c.__setitem__(mask, 2.0)", "c.view(3).mul_(2)", "c[:2].mul_(2)", "c.detach().mul_(2)",
    "c.data.mul_(2)", "torch.relu_(c)", "F.relu(c, inplace=True)", "w.mul_(2)", "(w * 1).mul_(2)",
    "w.detach().mul_(2)", "made.mul_(2)",
]  # fmt: skip
# What changes tensors that were made inside, or that were given to the function.
ALLOWED = [
    "torch.ones(3).mul_(z)", "c.clone().mul_(z)", "torch.Tensor([1, 2, 3]).mul_(z)",
    "copy.deepcopy(c).mul_(z)", "(z * 2).data.mul_(2)", "(z * 2).detach().mul_(2)",
    "z.detach().mul_(1)", "torch.zeros(3).index_put_((places,), z)",
    "grad(lambda a: (a * a).sum())(z).mul_(z)", "vjp(torch.sin, z)[1](z)[0].mul_(z)",
    "torch.nn.Parameter(torch.ones(3)) * z", "torch.ones(3, requires_grad=True) * z",
]  # fmt: skip


def agree(program: str) -> None:
    agree_in_print(GIVEN + dedent(program))


@pytest.mark.parametrize("change", CHANGES)
def test_captured_tensors_are_not_changed(change: str) -> None:
    agree(
        f"""
        c, w = torch.ones(3), torch.ones(3, requires_grad=True)
        made = w * 2
        def f(z):
            {change}
            return z * c
        for name in {DIFFERENTIATE[:2]}:
            attempt(lambda: TRANSFORMS[name](f))
            print(c, w, made)
        """
    )


@pytest.mark.parametrize("allowed", ALLOWED)
def test_what_is_made_inside_may_be_changed(allowed: str) -> None:
    agree(
        f"""
        c = torch.ones(3)
        attempt(lambda: grad(lambda z: ({allowed}).sum())(x))
        attempt(lambda: grad(lambda z, c: c.mul_(2).sum() * z.sum())(x, c))
        print(x, c)
        """
    )


def test_captured_of_an_outer_transform() -> None:
    agree(
        """
        def outer(x):
            y, z = x * 1, torch.ones(3)
            attempt(lambda: grad(lambda a: (y.mul_(a) * a).sum())(x.detach()))
            attempt(lambda: grad(lambda a: z.mul_(x).sum())(x.detach()))
            vmap(lambda a: a + z.mul_(2).sum())(torch.ones(2))
            z.mul_(x)
            inner = grad(lambda a: (a * a).sum())(x)
            inner.mul_(2)
            return (z * inner).sum()
        print(grad(outer)(x))
        attempt(lambda: vmap(grad(lambda a: a * m.mul_(2).sum()))(x))
        print(m)
        """
    )


@pytest.mark.parametrize("transform", [*DIFFERENTIATE, "vmap"])
def test_methods_that_are_refused_inside(transform: str) -> None:
    agree(
        f"""
        transform = TRANSFORMS[{transform!r}]
        c = torch.ones(2, requires_grad=True)
        def after(one, z):
            return z * 2
        attempt(lambda: transform(lambda z: after(c.sum().backward(), z)))
        attempt(lambda: transform(lambda z: after(z.sum().backward(), z)))
        attempt(lambda: transform(lambda z: after(torch.autograd.backward(c.sum()), z)))
        attempt(lambda: transform(lambda z: after(torch.autograd.backward(3), z)))
        attempt(lambda: transform(lambda z: after(z.requires_grad_(), z)))
        attempt(lambda: transform(lambda z: after(c.requires_grad_(False), z)))
        attempt(lambda: transform(lambda z: after(torch.ones(2).long().requires_grad_(), z)))
        attempt(lambda: transform(lambda z: after(torch.ones(2).requires_grad_(3), z)))
        attempt(lambda: transform(lambda z: after(nn.BatchNorm1d(1).requires_grad_(), z)))
        attempt(lambda: transform(lambda z: after(torch.ones(2).retain_grad(), z)))
        attempt(lambda: transform(lambda z: after(c.retain_grad(), z)))
        print(c, c.grad, c.requires_grad_(False))
        """
    )


def test_retained_gradients() -> None:
    agree(
        """
        attempt(lambda: grad(lambda z: (z * 2).retain_grad())(x))
        attempt(lambda: jacrev(lambda z: (z * 2).retain_grad())(x))
        attempt(lambda: vmap(lambda z: (z * 2).retain_grad())(x))
        """
    )


@pytest.mark.parametrize("transform", [*DIFFERENTIATE, "vmap"])
def test_functions_without_setup_context(transform: str) -> None:
    agree(
        f"""
        transform = TRANSFORMS[{transform!r}]
        class Old(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2
            @staticmethod
            def backward(ctx, g):
                return g * 2
        attempt(lambda: transform(Old.apply))
        attempt(lambda: transform(lambda z: z * Old.apply(x).sum()))
        attempt(lambda: transform(lambda z: z * Old.apply(3.0)))
        checkpoint = torch.utils.checkpoint.checkpoint
        attempt(lambda: transform(lambda z: checkpoint(torch.sin, z, use_reentrant=True)))
        attempt(lambda: transform(lambda z: checkpoint(torch.sin, z, use_reentrant=False)))
        """
    )


def test_a_graph_that_is_not_retained() -> None:
    agree(
        """
        _, product = vjp(lambda a: a.sin().sum(), x)
        print(product(torch.tensor(1.0), retain_graph=True))
        print(product(torch.tensor(1.0), retain_graph=False))
        attempt(lambda: product(torch.tensor(1.0)))
        w = torch.ones(3, requires_grad=True)
        value, product = vjp(lambda a: (a * w).sin().sum(), x)
        (found,) = product(torch.tensor(1.0), retain_graph=False)
        found.sum().backward()
        print(w.grad)
        value.backward()
        print(w.grad)
        """
    )


def test_what_is_made_in_inference_mode() -> None:
    agree(
        """
        with torch.inference_mode():
            print(torch.Tensor(2).is_inference(), copy.deepcopy(x).is_inference())
        """
    )


def test_data_of_tensors_in_transforms() -> None:
    agree(
        """
        def read(a): return a.data * 2
        def write(a):
            a.data = torch.ones(3)
            return a
        def write_new(a):
            b = a * 1
            b.data = torch.ones(3)
            return b
        def read_captured(a): return m.data + a
        for function in (read, write, write_new, read_captured):
            attempt(lambda: vmap(function)(m.clone()))
            attempt(lambda: vmap(vmap(lambda one: function(one.expand(3))))(m))
            attempt(lambda: vmap(grad(lambda one: function(one).sum()))(m.clone()))
            attempt(lambda: grad(lambda one: function(one).sum())(x.clone()))
            attempt(lambda: jacrev(function)(x.clone()))
        """
    )
