"""What modes see of `torch.func`, on minigrad and on PyTorch: the user's calls, and some of its."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

GIVEN = """
from warnings import filterwarnings
filterwarnings("ignore", "There is a performance drop")
grad, vmap, vjp, jacrev = torch.func.grad, torch.func.vmap, torch.func.vjp, torch.func.jacrev
x, m = torch.tensor([1.0, 2.0, 3.0]), torch.arange(6.0).reshape(2, 3)
class Names(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print(torch.overrides.resolve_name(func), func.__name__)
        return func(*args, **(kwargs or {}))
"""
CALLS = [
    "grad(lambda a: a.sin().sum())(x)",
    "grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x)",
    "grad(lambda a: (a.sum(), a), has_aux=True)(x)",
    "torch.func.grad_and_value(lambda a: a.sum())(x)",
    "vjp(torch.sin, x)",
    "product(x)",
    "vmap(torch.sin)(x)",
    "vmap(torch.sin, in_dims=1, out_dims=1)(m)",
    "vmap(torch.sin, in_dims=-1)(m)",
    "vmap(lambda a: x)(m)",
    "vmap(torch.mul, in_dims=(0, None))(m, x)",
    "vmap(torch.dot)(m, m)",
    "vmap(lambda a: a.sort()[0])(m)",
    "vmap(lambda a: a.clone().clamp_(0, 1))(m)",
    "vmap(grad(lambda a: a.sin().sum()))(m)",
    "grad(lambda a: grad(lambda b: (b * a).sum())(a).sum())(x)",
    "grad(lambda a: vmap(torch.sin)(a).sum())(x)",
]


@pytest.mark.parametrize("call", CALLS)
def test_modes_see_the_calls_of_transforms(call: str) -> None:
    agree_in_print(
        GIVEN
        + f"""
_, product = vjp(torch.sin, x)
with Names():
    found = {call}
print(found if isinstance(found, torch.Tensor) else None)
"""
    )


@pytest.mark.parametrize("disabled", ["DisableTorchFunction", "DisableTorchFunctionSubclass"])
def test_vmap_maps_where_modes_are_disabled(disabled: str) -> None:
    agree_in_print(
        GIVEN
        + f"""
def f(a):
    with torch._C.{disabled}():
        b = (a * 2).sin()
        with Names():
            b = b + 1
    return b * a
print(vmap(f)(x), vmap(vmap(f))(m), vmap(grad(f))(x))
with Names():
    found = vmap(f)(x)
print(found)
with torch._C.{disabled}():
    print(vmap(f)(x), torch.overrides.has_torch_function((x,)))
print(vmap(lambda a: torch.overrides.has_torch_function((a,)), out_dims=None)(x))
"""
    )
