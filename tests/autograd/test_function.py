"""Functions with a derivative of one's own: both styles, what they keep, and how long it lives."""

from __future__ import annotations

import gc
import math
import weakref
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Switch the garbage collector off: what is freed is freed by counting references."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def exponential(torch: Any) -> Any:
    """Return a function that saves its output."""

    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            result = x.exp()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            (result,) = ctx.saved_tensors
            return gradient * result

    return Exp


def scaled(torch: Any) -> Any:
    """Return a function in two parts, with an argument that is no tensor."""

    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(x: Any, factor: float = 3.0) -> Any:
            return x * factor

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            _, ctx.factor = inputs

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient * ctx.factor, None

    return Scaled


def test_its_derivative_is_used(torch: Any) -> None:
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    y = exponential(torch).apply(x)
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx([1.0, math.e])


def test_it_is_part_of_the_graph_under_its_own_name(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = exponential(torch).apply(x * 2)
    assert repr(y).endswith("grad_fn=<ExpBackward>)")
    assert y.grad_fn.name() == "ExpBackward"
    assert (y + 1).grad_fn.next_functions[0] == (y.grad_fn, 0)
    assert y.grad_fn.next_functions[0][0].name() == "MulBackward0"
    assert isinstance(y.grad_fn, torch.autograd.graph.Node)


def test_the_context_is_the_node(torch: Any) -> None:
    contexts = []

    class Identity(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            contexts.append(ctx)
            ctx.remark = "here"
            return x.clone()

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            contexts.append(ctx)
            return gradient

    y = Identity.apply(torch.ones(2, requires_grad=True))
    y.sum().backward()
    assert contexts == [y.grad_fn, y.grad_fn]
    assert y.grad_fn.remark == "here"


def test_setup_context_gets_defaults_too(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    (scaled(torch).apply(x) + scaled(torch).apply(x, factor=4.0)).sum().backward()
    assert x.grad.tolist() == [7.0, 7.0]


@pytest.mark.parametrize("make", [exponential, scaled])
def test_it_is_differentiated_twice(torch: Any, make: Any) -> None:
    x = torch.tensor(1.0, requires_grad=True)
    y = make(torch).apply(x) ** 2
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    expected = 4 * math.exp(2) if make is exponential else 18.0
    assert second.item() == pytest.approx(expected)


def test_a_saved_output_is_part_of_the_graph_again(torch: Any) -> None:
    y = exponential(torch).apply(torch.ones(2, requires_grad=True))
    (saved,) = y.grad_fn.saved_tensors
    assert saved is not y
    assert saved.grad_fn is y.grad_fn


def test_saved_inputs_are_the_inputs(torch: Any) -> None:
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, None, y)
            return x * y

    x, y = torch.ones(2, requires_grad=True) * 1, torch.ones(2)
    first, nothing, second = Product.apply(x, y).grad_fn.saved_tensors
    assert first is x
    assert nothing is None
    assert second is y


def test_what_was_saved_is_freed_by_backward(torch: Any) -> None:
    y = exponential(torch).apply(torch.ones(2, requires_grad=True))
    y.sum().backward(retain_graph=True)
    assert len(y.grad_fn.saved_tensors) == 1
    y.sum().backward()
    with pytest.raises(RuntimeError, match="after they have already been freed"):
        _ = y.grad_fn.saved_tensors


def test_without_recording_there_is_no_node(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        y = exponential(torch).apply(x)
    assert y.grad_fn is None
    assert not y.requires_grad
    assert exponential(torch).apply(torch.ones(2)).grad_fn is None


def test_a_wrong_shape_names_the_function(torch: Any) -> None:
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient[:1].expand(7)

    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="Function WrongBackward returned an invalid gradient"):
        Wrong.apply(x).sum().backward()
    assert x.grad is None


def test_one_gradient_given_twice_names_the_place_that_cannot_take_it(torch: Any) -> None:
    class First(torch.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a.clone()

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient, gradient

    y = First.apply(torch.ones(2, requires_grad=True), torch.ones(5, requires_grad=True))
    with pytest.raises(
        RuntimeError, match=r"gradient at index 1 - got \[2\] but expected .* \[5\]"
    ):
        y.sum().backward()


def test_a_function_with_two_inputs_and_outputs(torch: Any) -> None:
    class Rotate(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any, turn: float) -> Any:
            ctx.turn = turn
            return x * turn, y * -turn

        @staticmethod
        def backward(ctx: Any, to_x: Any, to_y: Any) -> Any:
            assert ctx.needs_input_grad == (True, False, False)
            return to_x * ctx.turn, None, None

    x = torch.ones(2, requires_grad=True)
    a, b = Rotate.apply(x, torch.ones(2), 5.0)
    assert (a.output_nr, b.output_nr) == (0, 1)
    (a * b).sum().backward()
    assert x.grad.tolist() == [-25.0, -25.0]


def test_a_context_that_is_kept_keeps_the_graph(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    node = exponential(torch).apply(x * 3).grad_fn
    node.remark = "kept"
    (saved,) = node.saved_tensors
    assert saved.grad_fn is node
    del node
    assert saved.grad_fn.remark == "kept"
    saved.sum().backward()
    assert x.grad.tolist() == pytest.approx([3 * math.exp(3)] * 2)


def fails(torch: Any) -> Any:
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x, x * 2)
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            raise ValueError("on purpose")

    return Fails


def forward_alone(torch: Any, x: Any) -> None:
    exponential(torch).apply(x)


def forward_and_backward(torch: Any, x: Any) -> None:
    exponential(torch).apply(x * 1).sum().backward()


def twice(torch: Any, x: Any) -> None:
    (first,) = torch.autograd.grad(exponential(torch).apply(x).sum(), x, create_graph=True)
    torch.autograd.grad(first.sum(), x)


def with_an_exception(torch: Any, x: Any) -> None:
    with pytest.raises(ValueError, match="on purpose"):
        fails(torch).apply(x.exp()).sum().backward()


def with_hooks(torch: Any, x: Any) -> None:
    y = exponential(torch).apply(x)
    y.register_hook(lambda gradient: gradient * 2)
    y.grad_fn.register_hook(lambda *gradients: None)
    y.grad_fn.metadata["remark"] = "any"
    y.sum().backward()


@pytest.mark.parametrize(
    "use", [forward_alone, forward_and_backward, twice, with_an_exception, with_hooks]
)
def test_nothing_is_left_of_it(torch: Any, no_collector: None, use: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    alive = weakref.ref(x)
    use(torch, x)
    assert alive() is x
    x.grad = None
    del x
    assert alive() is None


def test_the_context_dies_with_the_output(torch: Any, no_collector: None) -> None:
    y = exponential(torch).apply(torch.ones(2, requires_grad=True))
    context = weakref.ref(y.grad_fn)
    assert context() is y.grad_fn
    del y
    assert context() is None


def test_a_long_chain_is_walked_and_freed(torch: Any) -> None:
    function = scaled(torch)
    x = torch.ones(1, requires_grad=True)
    y = x
    for _ in range(20_000):
        y = function.apply(y, 1.0)
    y.sum().backward()
    assert x.grad.item() == 1
    del y


def test_a_gradient_that_requires_grad_stays_so_until_something_is_computed_of_it(
    torch: Any,
) -> None:
    weight = torch.full((2,), 5.0, requires_grad=True)

    class Weighed(torch.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 5

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            with torch.enable_grad():
                return gradient * weight

    x = torch.ones(2, requires_grad=True)
    seen: list[bool] = []
    x.register_hook(lambda gradient: seen.append(gradient.requires_grad))
    y = Weighed.apply(x)
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append(inputs[0].requires_grad))
    (gradient,) = torch.autograd.grad(y.sum(), x, retain_graph=True)
    gradient.sum().backward()
    assert weight.grad.tolist() == [1.0, 1.0]
    y.sum().backward()
    assert seen == [True] * 4
    assert not x.grad.requires_grad
    (further,) = torch.autograd.grad(Weighed.apply(z := x * 2).sum(), x)
    assert not further.requires_grad
    assert z.requires_grad


def test_a_seed_that_requires_grad_is_captured_as_it_is(torch: Any) -> None:
    x, seed = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * 1
    of_x, of_y = torch.autograd.grad(y, [x, y], seed)
    assert of_y is seed
    assert not of_x.requires_grad


@pytest.mark.parametrize("name", ["to_save", "dirty_tensors", "non_differentiable"])
def test_what_a_context_was_told_stays_a_tuple(torch: Any, name: str) -> None:
    class Told(torch.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            setattr(ctx, name, [x])
            return x * 2

    with pytest.raises(RuntimeError, match=f"{name} attribute is expected to be a tuple but is"):
        Told.apply(torch.ones(2, requires_grad=True))


def test_what_cannot_be_recorded_leaves_no_trace(torch: Any, recwarn: Any) -> None:
    class Same(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

    base = torch.ones(2, requires_grad=True).clone()
    first, _ = base.unbind()
    base.mul_(2)
    with pytest.raises(RuntimeError, match="and its base or another view"):
        Same.apply(first)
    assert not recwarn.list  # nor was anything wrong while the node that was begun went away
