"""`torch.func` does in forward mode what it does on PyTorch: duals at levels that nest."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import minigrad
from tests.parity.expressions import lines
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

TRANSFORMS = ["grad", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp", "vmap"]
# What forward mode sees, and what a backward pass would not, or otherwise.
SEEN = lines(
    """
jvp(unrecorded, (x,), (v,))
jacfwd(unrecorded)(x)
hessian(lambda a: unrecorded(a).sum())(x)
linearize(unrecorded, x)[1](v)
jvp(lambda a: inferred(a) * a, (x,), (v,))
with_hook(lambda a: a * a, 100)
jvp(Scaled.apply, (x,), (v,))
linearize(Scaled.apply, x)[1](v)
jacfwd(Mapped.apply)(x)
jacfwd(Scaled.apply)(x)
hessian(lambda a: Scaled.apply(a).sum())(x)
hessian(lambda a: Mapped.apply(a).sum())(x)
jvp(grad(lambda a: Scaled.apply(a).sum()), (x,), (v,))
jvp(lambda a: jvp(Scaled.apply, (a,), (v,))[1], (x,), (v,))
vmap(lambda t: jvp(Mapped.apply, (x,), (t,)))(torch.eye(3))
jvp(NoTangent.apply, (x,), (v,))
jvp(lambda a: torch.zeros(3).index_put((twice,), a), (x,), (v,))
jvp(lambda a: torch.zeros(3).index_put((twice,), a, accumulate=True), (x,), (v,))
jvp(lambda a: torch.zeros(3).scatter(0, twice, a), (x,), (v,))
jacfwd(lambda a: torch.zeros(3).scatter(0, twice, a))(x)
hessian(lambda a: a.logcumsumexp(0))(x)
hessian(lambda a: a.logcumsumexp(0).sum())(x)
jacfwd(jacfwd(lambda a: a.logcumsumexp(0)))(x)
(jvp(doubled, (x,), (v,)), x, v)
(jacfwd(doubled)(x), x)
jacfwd(lambda a: a * a if a.sum() > 0 else -a)(x)
hessian(lambda a: (a * a).sum() if a.sum() > 0 else -a)(x)
jacfwd(lambda a: a * a[0].item())(x)
(lambda calls: (jacfwd(lambda a: (calls.append(1), a * a)[1])(x), calls))([])
jacfwd(lambda a, b: a * b.sqrt(), argnums=(0, 1))(x, torch.zeros(3))
"""
)
# What it returns.
RETURNED = lines(
    """
jvp(lambda a: a, (x,), (v,))[0] is x
jvp(lambda a: a, (x,), (v,))[1] is v
jvp(lambda a: w, (x,), (v,))
jvp(lambda a: a * a, (w,), (v,))
jvp(lambda a: a, (w,), (v,))
jvp(lambda a: a[1:], (w,), (v,))
jvp(lambda a: a * a, (x,), (w,))
(lambda found: (found, found[2] is w))(jvp(lambda a: (a * 2, w), (x,), (v,), has_aux=True))
jvp(lambda a: (a * 2, a), (x,), (v,), has_aux=True)
jvp(lambda a: (a * 2, 3), (x,), (v,), has_aux=True)
jvp(lambda a: (a * 2, {'b': [a]}), (x,), (v,), has_aux=True)
within(torch.no_grad(), lambda: jvp(lambda a: a * a * w, (x,), (v,)))
within(torch.inference_mode(), lambda: jvp(lambda a: a * a, (x,), (v,)))
within(torch.inference_mode(), lambda: hessian(lambda a: (a ** 3).sum())(x + 1))
jvp(lambda a: a.double(), (x,), (v,))
jacfwd(lambda a: a.double() * 2)(x)
jacfwd(lambda a: (a * 2, a.long()))(x)
jacfwd(lambda a: torch.ones(2))(x)
jacfwd(lambda a: a * 2)(x[:0])
jacfwd(lambda a: a[:0])(x)
jacfwd(lambda a, b: a * b, argnums=(0, 1))(x[:0], torch.tensor(2.))
jacfwd(lambda a: a * 2)(torch.ones(2, 0)).shape
jacfwd(lambda a: a * w)(x)
jacfwd(lambda a, b: a * b.exp(), argnums=(0, 1))(x, x)
jacfwd(lambda a: a * w)(torch.tensor(2.))
hessian(lambda a: (a ** 2 * w).sum())(x)
[one.requires_grad for one in jvp(grad(lambda a: a.logcumsumexp(0).sum()), (x,), (v,))]
(lambda p: (p(v), p(2 * v), p(torch.zeros(3))))(linearize(lambda a: a ** 3, x)[1])
"""
)
# One level, or another, is open already.
LEVELS = lines(
    """
jvp(lambda a: fwAD.make_dual(a, a), (x,), (v,))
jvp(lambda a: fwAD.unpack_dual(a * a).tangent, (x,), (v,))
jvp(lambda a: (a, fwAD.unpack_dual(a * a).tangent), (x,), (v,), has_aux=True)
jvp(lambda a: within(fwAD.dual_level(), lambda: a), (x,), (v,))
within(fwAD.dual_level(), lambda: jvp(torch.sin, (x,), (v,)))
within(fwAD.dual_level(), lambda: jacfwd(torch.sin)(x))
jvp(lambda a: within(fwAD._set_fwd_grad_enabled(False), lambda: a * a), (x,), (v,))
jvp(lambda a: within(fwAD._set_fwd_grad_enabled(False), lambda: nested(a)), (x,), (v,))
within(fwAD._set_fwd_grad_enabled(False), lambda: jvp(nested, (x,), (v,)))
attempts(lambda: jvp(fails, (x,), (v,)), lambda: jvp(torch.sin, (x,), (v,)))
attempts(lambda: jvp(lambda a: jvp(fails, (a,), (v,)), (x,), (v,)), lambda: fwAD.unpack_dual(x))
attempts(lambda: jvp(fails, (x,), (v,)), lambda: within(fwAD.dual_level(), lambda: x * 2))
"""
)
# What functions must not do.
REFUSED = lines(
    """
jvp(lambda a: a.requires_grad_(), (x,), (v,))
jacfwd(lambda a: (a * w).sum().backward())(x)
jvp(lambda a: torch.autograd.functional.jvp(torch.sin, (a,), (v,))[1], (x,), (v,))
jvp(lambda a: v.mul_(2), (x,), (x,))
jvp(lambda a: x.mul_(a), (v,), (v,))
jacfwd(lambda a, b: b.mul_(a))(x, v)
jvp(lambda a: torch.zeros(3).mul_(a).add_(a), (x,), (v,))
jvp(lambda a: jvp(lambda b: (b * 1).mul_(a), (a,), (v,))[1].mul_(2), (x,), (v,))
jvp(lambda a: jvp(lambda b: a.mul_(b), (v,), (v,))[1], (x,), (v,))
jvp(lambda a: grad(lambda b: changed(a * b).sum())(a), (x,), (v,))
jvp(WithContext.apply, (x,), (v,))
jacfwd(lambda a: a)(3.)
jacfwd(lambda a: 3.)(x)
linearize(lambda a: 3., x)
"""
)
# Perturbations are not confused.
NESTED = lines(
    """
jvp(lambda a: a * jvp(lambda b: a + b, (one,), (one,))[1], (one,), (one,))
jvp(lambda a: jvp(lambda b: a * b, (a,), (one,))[1], (one,), (one,))
jvp(lambda a: jvp(lambda b: a * a, (one,), (one,))[1], (one,), (one,))
jvp(lambda a: jvp(lambda b: a.exp() * b ** 2, (a,), (a,))[1], (one,), (one,))
jvp(lambda a: jvp(lambda b: b.detach() * b * a, (a,), (a,))[1], (x,), (v,))
jvp(lambda a: jvp(lambda b: jvp(lambda c: c ** 4, (b,), (v,))[1], (a,), (v,))[1], (x,), (v,))
jacfwd(jacfwd(jacfwd(lambda a: (a ** 4).sum())))(x[:2])
jacfwd(lambda a: a * jacfwd(lambda b: (a * b).sum())(a))(x)
jvp(lambda a: a * grad(lambda b: a + b)(one), (one,), (one,))
jvp(lambda a: grad(lambda b: a * b * b)(a), (one,), (one,))
jvp(lambda a: grad(lambda b: jvp(lambda c: a * b * c ** 2, (b,), (a,))[1])(a), (one,), (one,))
grad(lambda a: a * jvp(lambda b: a + b, (one,), (one,))[1])(one)
grad(lambda a: jvp(grad(lambda b: a * b ** 3), (a,), (a,))[1])(one)
grad(lambda t: jvp(grad(lambda b: (b ** 3).sum()), (x,), (t,))[1].sum())(v)
grad(lambda t: jvp(lambda a: jvp(torch.sin, (a,), (v,))[1], (x,), (t,))[1].sum())(v)
grad(lambda t: jvp(lambda a: jvp(torch.sin, (a,), (a,))[1], (x,), (t,))[1].sum())(v)
jacrev(lambda t: jvp(lambda a: a.cumsum(0) * t, (x,), (t,))[1])(v)
jvp(lambda a: vjp(torch.sin, a)[1](a), (x,), (v,))
jvp(lambda a: vjp(lambda b: a * b.sin(), x)[1](v), (x,), (v,))
vjp(lambda a: jvp(torch.sin, (a,), (a,)), x)[1]((v, v))
jvp(lambda a: jacrev(lambda b: a * b * b)(a), (x,), (v,))
jvp(lambda a: jacfwd(lambda b: a * b * b)(a), (x,), (v,))
vmap(lambda t: jvp(lambda a: jvp(f, (a,), (t,))[1], (x,), (t,)))(torch.eye(3))
vmap(lambda t: jvp(grad(f), (x,), (t,))[1])(torch.eye(3))
vmap(lambda a: jvp(lambda b: a * b.sin(), (a,), (x,)))(m)
vmap(lambda a, t: jvp(lambda b: a * b * x, (x,), (t,)))(m, m)
jvp(lambda a: vmap(lambda b: jvp(lambda c: (a * c).sum(), (b,), (a,))[1])(m), (x,), (v,))
jvp(lambda a: vmap(grad(lambda b: (a * b).sum() ** 2))(m), (x,), (v,))
jacfwd(lambda a: vmap(jacfwd(lambda b: (a * b).sum() ** 2))(m))(x)
vmap(vmap(lambda a, t: jvp(torch.sin, (a,), (t,))[1]))(m, m)
"""
)

# Functions of a vector, and in which ways their second derivatives are asked for.
SCALARS = lines(
    """
(a ** 3).sum() + a.prod().sin()
(a * w).exp().sum() + a.prod()
torch.softmax(a, 0)[0]
changed(a).prod()
torch.linalg.inv(square * a).sum()
a.sort()[0].cumprod(0).sum()
a.clone().tanh_().square().sum() + (a * a).exp_().prod()
vmap(lambda b: (b * a).prod())(m).sum()
F.cross_entropy(a.view(1, 3) * m, torch.tensor([0, 2]))
torch.zeros(3, dtype=torch.double).index_put((twice,), a * a).square().sum() + (a[twice] ** 2).sum()
torch.where(a > 1.5, a.exp(), a * w).prod()
torch.cat([a, a[1:]]).view(5, 1).mT.squeeze(0).flip(0).cumsum(0).square().sum()
F.gelu(a).sum() + F.softplus(a).prod() + torch.atan2(a, w).sum()
"""
)
HESSIANS = lines(
    """
hessian(f)(x)
jacrev(jacfwd(f))(x)
jacfwd(jacfwd(f))(x)
jacrev(jacrev(f))(x)
jacfwd(grad(f))(x)
vmap(lambda t: jvp(grad(f), (x,), (t,))[1])(eye)
vmap(lambda t: jvp(lambda a: jvp(f, (a,), (t,))[1], (x,), (t,))[1])(eye)
vmap(hessian(f))(m)
jvp(grad(f), (x,), (w,))[1]
grad(lambda a: jvp(f, (a,), (w,))[1])(x)
jvp(lambda a: jvp(f, (a,), (w,))[1], (x,), (w,))[1]
vjp(jacfwd(f), x)[1](w)[0]
jacfwd(hessian(f))(x)
grad(lambda a: hessian(f)(a).sum())(x)
"""
)

# What modes see, but for _make_dual and _unpack_dual, and what Jacobians are put together by.
SHOWN = lines(
    """
jvp(torch.sin, (x,), (v,))
jvp(lambda a: (a.cos(), a * w), (x,), (v,))
jvp(lambda a: jvp(torch.sin, (a,), (a,))[1], (x,), (v,))
jvp(lambda a: a.exp().clone().mul_(a), (x,), (v,))
vmap(lambda a: jvp(torch.sin, (a,), (a,))[1])(m)
"""
)


@pytest.mark.parametrize("call", SHOWN)
def test_modes_see_what_the_function_calls(call: str) -> None:
    import torch

    assert shown(minigrad, call) == shown(torch, call)


def shown(torch: Any, call: str) -> list[str]:
    seen = []

    class Names(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined,misc]
        def __torch_function__(self, func: Any, types: Any, args: Any, kwargs: Any = None) -> Any:
            seen.append(func.__name__)
            return func(*args, **(kwargs or {}))

    known = names(torch)
    with Names():
        eval(call, known)
    return [name for name in seen if name not in ("_make_dual", "_unpack_dual")]


@pytest.mark.parametrize("function", SCALARS)
def test_second_derivatives_in_every_way(function: str) -> None:
    import torch

    for hessian in HESSIANS:
        expected, found = [second(module, function, hessian) for module in (torch, minigrad)]
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10, err_msg=hessian)


def second(torch: Any, function: str, hessian: str) -> list[Any]:
    """Return a derivative of a function, and its gradient with respect to w."""
    known = {
        name: one.double().detach().requires_grad_(one.requires_grad)
        if isinstance(one, torch.Tensor) and one.is_floating_point()
        else one
        for name, one in names(torch).items()
    }
    known["f"] = eval(f"lambda a: {function}", known)
    result, w = eval(hessian, known), known["w"]
    if result.requires_grad:
        result.sum().backward()
    gradient = torch.zeros(3) if w.grad is None else w.grad
    return [result.tolist(), gradient.tolist(), result.requires_grad]


@pytest.mark.parametrize("expression", [*SEEN, *RETURNED, *LEVELS, *REFUSED, *NESTED])
def test_functions_are_transformed_in_forward_mode(expression: str) -> None:
    assert_same(lambda torch: eval(expression, names(torch)))


def names(torch: Any) -> dict[str, Any]:
    """Return what expressions find."""
    # What PyTorch's own Python warns of, not the user.
    warnings.filterwarnings("ignore", "`torch.jit.script` is deprecated|Attempted to insert")
    warnings.filterwarnings("ignore", "There is a performance drop")
    func, fwAD = torch.func, torch.autograd.forward_ad
    x, v = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 0.0, 0.5])

    def unrecorded(a: Any) -> Any:
        with torch.no_grad():
            b = a * 2
        return a * b

    def inferred(a: Any) -> Any:
        with torch.inference_mode():
            return a * 2

    def doubled(a: Any) -> Any:
        a.mul_(2)
        return a * a

    def changed(a: Any) -> Any:
        b = torch.zeros_like(a)
        b[1:] = a[:-1] * a[1:]
        b[0].add_(a[2])
        b.mul_(a)
        return b

    def fails(a: Any) -> Any:
        raise KeyError("f")

    def nested(a: Any) -> Any:
        return func.jvp(torch.sin, (a,), (a,))[1]

    def with_hook(f: Any, factor: int) -> Any:
        a = x.clone().requires_grad_()
        b = a * 1
        b.register_hook(lambda gradient: gradient * factor)
        return [one.detach() for one in func.jvp(lambda c: f(b) * c, (x,), (v,))]

    def within(mode: Any, call: Any) -> Any:
        with mode:
            return call()

    def attempts(first: Any, second: Any) -> Any:
        try:
            first()
        except KeyError:
            return second()

    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(a: Any) -> Any:
            return a * a

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient * 7

        @staticmethod
        def jvp(ctx: Any, tangent: Any) -> Any:
            return tangent * 5 * ctx.saved_tensors[0]

    class Mapped(Scaled):
        generate_vmap_rule = True

    class NoTangent(Scaled):
        jvp = torch.autograd.Function.jvp

    class WithContext(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            return a * a

    found = {
        "torch": torch, "F": torch.nn.functional, "fwAD": fwAD, "x": x, "v": v,
        "w": torch.tensor([1.0, -1.0, 0.5], requires_grad=True), "one": torch.tensor(1.0),
        "m": torch.arange(6.0).reshape(2, 3) + 1, "eye": torch.eye(3),
        "square": torch.tensor([[2.0, 1.0, 0.0], [0.5, 3.0, 1.0], [0.0, 1.0, 4.0]]),
        "twice": torch.tensor([0, 0, 1]), "f": lambda a: (a ** 3).sum() + a.prod().sin(),
        "unrecorded": unrecorded, "inferred": inferred, "doubled": doubled, "changed": changed,
        "fails": fails, "nested": nested, "with_hook": with_hook, "within": within,
        "attempts": attempts, "Scaled": Scaled, "Mapped": Mapped, "NoTangent": NoTangent,
        "WithContext": WithContext,
    }  # fmt: skip
    return found | {name: getattr(func, name) for name in TRANSFORMS}
