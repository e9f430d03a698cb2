"""Custom functions that change tensors in place, or return views of what they changed."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

FUNCTION = """
def function(forward):
    class Mine(torch.autograd.Function):
        @staticmethod
        def backward(ctx, *gradients):
            print("backward", ctx.saved_tensors)
            return gradients[0] * 2
    Mine.forward = staticmethod(forward)
    return Mine.apply
"""


def test_a_view_of_what_forward_changed_itself() -> None:
    agree_in_print(
        FUNCTION
        + """
def one(ctx, x):
    view = x.clone()[:2]
    view += 2
    return view
def two(ctx, x):
    view = x.clone()[:2]
    view += 2
    part = view[:1]
    view *= 3
    return view, part
def change(y):
    y += 1
    return y
x = torch.ones(3, requires_grad=True)
y = function(one)(x)
print(y, y._version, y._is_view(), y.grad_fn)
attempt(lambda: change(y))
print(y)
y, part = function(two)(x)
print(y, part, y._version, part._version)
attempt(lambda: change(part))
print(y, part)
with torch.no_grad():
    y += 1
attempt(lambda: part.grad_fn)
"""
    )


@pytest.mark.parametrize("made", ["x.clone()", "x.clone()[:]", "x.view_as(x)"])
def test_marked_as_dirty_without_being_an_input(made: str) -> None:
    agree_in_print(
        FUNCTION
        + f"""
def forward(ctx, x):
    y = {made}
    y.add_(1)
    ctx.mark_dirty(y)
    return y
x = torch.ones(2, requires_grad=True)
for argument in (x.clone(), x.detach(), x, x.clone()[:]):
    attempt(lambda: function(forward)(argument))
with torch.no_grad():
    attempt(lambda: function(forward)(x))
"""
    )


def test_an_input_that_is_changed_and_saved() -> None:
    agree_in_print(
        FUNCTION
        + """
def forward(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    ctx.save_for_backward(x)
    return x
x = torch.ones(2, requires_grad=True)
for argument in (x.clone(), x.clone().view_as(x), x.clone()[:1]):
    y = function(forward)(argument)
    print(y is argument, y, y._version, y.grad_fn.next_functions)
    y.sum().backward()
    print(x.grad)
"""
    )


def test_pure_views() -> None:
    agree_in_print(
        FUNCTION
        + """
def part(ctx, x):
    ctx._is_pure_view = True
    return x[:1]
def of_its_own(ctx, x):
    ctx._is_pure_view = True
    return x.clone()[:1]
def twice(ctx, x):
    ctx._is_pure_view = True
    return x[:1], x[1:]
x = torch.ones(2, requires_grad=True)
for forward in (part, of_its_own, twice):
    base = x.clone()
    attempt(lambda: function(forward)(base))
    attempt(lambda: function(forward)(base).add_(3))
    attempt(lambda: base)
    base.sum().backward()
    print(x.grad)
"""
    )


def test_what_was_saved_may_be_detached() -> None:
    agree_in_print(
        """
        class Product(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one, other):
                ctx.save_for_backward(one, other)
                return one * other

            @staticmethod
            def backward(ctx, gradient):
                one, other = ctx.saved_tensors
                print(one)
                return gradient * other, gradient * one

        x = torch.tensor([1.0, 2.0], requires_grad=True)
        for change in ("detach_()", "detach_().add_(1)"):
            y = x * 3
            z = Product.apply(y, x)
            eval(f"y.{change}")
            attempt(lambda: torch.autograd.grad(z.sum(), x, create_graph=True))
        """
    )
