"""Views within `vmap`, and what is written to them, on minigrad and on PyTorch."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

GIVEN = """
from warnings import filterwarnings
filterwarnings("ignore", "`torch.jit.script` is deprecated|There is a performance drop")
func = torch.func
grad, vmap, jvp, hessian = func.grad, func.vmap, func.jvp, func.hessian
s = torch.arange(18.0).reshape(2, 3, 3) + 1
"""
VIEWS = [
    "diagonal()", "unfold(0, 2, 1)", "split(2)[1]", "unsqueeze(0).expand(2, 3, 3)", "t()",
    "permute(1, 0)[0]", "narrow(1, 1, 2)", "unbind(1)[1]", "t().flatten()", "movedim(0, 1)",
    "chunk(2)[0]", "tensor_split(2, 1)[1]", "swapaxes(0, 1)[1]", "unflatten(0, (3, 1))", "mT",
    "as_strided((2,), (4,))", "squeeze()", "view_as(a)", "ravel()", "hsplit(3)[2]", "select(1, 1)",
    "diagonal(1).unsqueeze(0)",
]  # fmt: skip
SEVERAL = {"split", "unbind", "chunk"}


@pytest.mark.parametrize("view", VIEWS)
def test_views_of_slices(view: str) -> None:
    agree_in_print(
        GIVEN
        + dedent(
            f"""
            def f(a):
                return (a.{view} ** 2).sum() * a[0, 0]
            print(vmap(lambda a: a.{view}, in_dims=1)(s.transpose(0, 1)).detach())
            print(vmap(f)(s), vmap(vmap(f))(torch.stack([s, s * 2])))
            print(vmap(grad(f))(s), grad(lambda a: (vmap(f)(a) ** 2).sum())(s))
            print(vmap(hessian(f))(s).sum((1, 2)))
            print(vmap(lambda a: jvp(f, (a,), (a,)))(s), jvp(vmap(f), (s,), (s,)))
            w = s.clone().requires_grad_()
            vmap(f)(w).sum().backward()
            print(w.grad)
            """
        )
    )


@pytest.mark.parametrize("view", [one for one in VIEWS if "unfold" not in one])
def test_writes_into_views(view: str) -> None:
    agree_in_print(
        GIVEN
        + dedent(
            f"""
            def f(a):
                b = a.clone()
                attempt(lambda: b.{view}.mul_(a[0, 0]) is None)
                attempt(lambda: b.{view}.detach().add_(1) is None)
                return b * a
            print(vmap(f)(s), vmap(vmap(f))(torch.stack([s, s * 2])))
            if {view.partition("(")[0] not in SEVERAL}:
                print(vmap(grad(lambda a: f(a).sum()))(s))
            """
        )
    )


def test_inputs_are_changed_by_their_views() -> None:
    agree_in_print(
        GIVEN
        + """
z = s.clone()
print(vmap(lambda a, b: (a.t()[0].mul_(2) + b.diagonal().add_(1)).sum())(z, s.clone()), z)
w = s.clone().requires_grad_()
attempt(lambda: vmap(lambda a: a.t().add_(1))(w))
print(vmap(lambda a: a.t())(torch.ones(0, 2, 3)).shape)
places = torch.tensor([0, 2])
print(vmap(lambda a, place: a[place])(s, places), vmap(lambda a, place: a[1, place])(s, places))
print(vmap(lambda a, b: a.view_as(b).mul_(2))(s.clone(), s))
"""
    )


def test_a_function_is_told_where_its_inputs_are_mapped() -> None:
    agree_in_print(
        GIVEN
        + """
class Product(torch.autograd.Function):
    @staticmethod
    def forward(x, y):
        return x * y
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * y, g * x
    @staticmethod
    def vmap(info, in_dims, x, y):
        print(info, in_dims, x.shape, y.shape)
        front = [a if d is None else a.movedim(d, 0) for a, d in zip((x, y), in_dims)]
        return Product.apply(*front), 0
apply, m = Product.apply, torch.arange(6.0).reshape(2, 3)
print(vmap(apply)(m, m), vmap(apply, in_dims=1)(m, m), vmap(apply, in_dims=(1, 0))(m, m.t()))
print(vmap(apply, in_dims=(0, None))(m, m[0]), vmap(vmap(apply), in_dims=1)(m, m))
print(vmap(lambda a: apply(a * 2, a), in_dims=1)(m), vmap(lambda a: apply(a[None], a), -1)(m))
print(vmap(grad(lambda a: apply(a, a).sum()), in_dims=1)(m))
"""
    )


def test_inputs_of_jvp_are_changed_in_place_within_vmap() -> None:
    agree_in_print(
        GIVEN
        + dedent(
            """
            def copied(x, y):
                return x.copy_(y)

            def through_a_view(x, y):
                view = x[::2]
                view.mul_(y[::2])
                return x, view

            for f in (copied, through_a_view):
                for in_dims in (0, 1, (1, 1, None, None)):
                    given = [s[0] + place for place in range(4)]
                    if in_dims not in (0, 1):
                        given[2:] = [s[0, 0], s[0, 1]]
                    print(vmap(lambda x, t, y, u: jvp(f, (x, y), (t, u)), in_dims=in_dims)(*given))
                    print(given[:2])
            """
        )
    )
