"""Custom functions: the same programs on both engines, down to names, texts and warnings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity.told import assert_same

pytestmark = pytest.mark.parity


def leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def made(
    torch: Any,
    forward: Callable[..., Any],
    backward: Callable[..., Any] = lambda ctx, *gradients: gradients[0],
    setup_context: Callable[..., Any] | None = None,
) -> Any:
    """Return a custom function called Out."""
    members: dict[str, Any] = {
        "forward": staticmethod(forward),
        "backward": staticmethod(backward),
    }
    if setup_context is not None:
        members["setup_context"] = staticmethod(setup_context)
    return type("Out", (torch.autograd.Function,), members)


def square(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx: Any, gradient: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * gradient

    return made(torch, forward, backward)


@pytest.mark.parametrize(
    "attribute",
    [
        "name()",
        "next_functions",
        "metadata",
        "saved_tensors",
        "saved_variables",
        "needs_input_grad",
        "requires_grad",
        "materialize_grads",
        "to_save",
        "dirty_tensors",
        "non_differentiable",
        "saved_for_forward",
        "__dict__",
        "foo",
        "_saved_self",
        "register_hook(print)",
        "register_prehook(print)",
        "apply(torch.ones(3))",
        "__setattr__('saved_tensors', 3)",
        "__setattr__('metadata', 3)",
        "__setattr__('next_functions', 3)",
        "__setattr__('needs_input_grad', 3)",
        "__setattr__('foo', 3)",
        "set_materialize_grads('a')",
        "set_materialize_grads(False)",
        "save_for_backward(1)",
        "mark_shared_storage(1)",
        "(torch.ones(3))",
    ],
)
def test_what_the_node_has(attribute: str) -> None:
    def program(torch: Any) -> Any:
        y = square(torch).apply(leaf(torch))
        dot = "" if attribute.startswith("(") else "."
        return eval(f"node{dot}{attribute}", {"node": y.grad_fn, "torch": torch}), y, y.grad_fn

    assert_same(program)


@pytest.mark.parametrize(
    "returned",
    [
        lambda gradient: (gradient, None, None),
        lambda gradient: (gradient, gradient),
        lambda gradient: (gradient, None, gradient),
        lambda gradient: (),
        lambda gradient: (None,),
        lambda gradient: None,
        lambda gradient: 1.0,
        lambda gradient: [gradient],
        lambda gradient: gradient[:2],
        lambda gradient: gradient.sum(),
        lambda gradient: gradient.double(),
        lambda gradient: gradient.long(),
        lambda gradient: gradient.expand(4, 3),
        lambda gradient: gradient.view(3, 1),
        lambda gradient: gradient.detach().numpy(),
    ],
)
def test_what_backward_returns(returned: Callable[[Any], Any]) -> None:
    def program(torch: Any) -> Any:
        x = leaf(torch)
        made(torch, lambda ctx, x: x * 2, lambda ctx, g: returned(g)).apply(x).sum().backward()
        return x.grad

    assert_same(program)


def test_gradients_of_arguments_that_are_no_tensors() -> None:
    def program(torch: Any) -> Any:
        x = leaf(torch)
        twice = made(torch, lambda ctx, x, n: x * n, lambda ctx, g: (g, g))
        twice.apply(x, 2).sum().backward()

    assert_same(program)


def test_fewer_gradients_than_arguments() -> None:
    def program(torch: Any) -> Any:
        x = leaf(torch)
        made(torch, lambda ctx, x, y: x * y, lambda ctx, g: g).apply(x, x).sum().backward()

    assert_same(program)


@pytest.mark.parametrize(
    "forward",
    [
        lambda ctx, x: 3,
        lambda ctx, x: None,
        lambda ctx, x: (x * 2, 3, None, "text"),
        lambda ctx, x: [x * 2, x],
        lambda ctx, x: (x * 2,),
        lambda ctx, x: (),
        lambda ctx, x: x,
        lambda ctx, x: (x, x),
        lambda ctx, x: x.view(3),
        lambda ctx, x: (x[1:], x * 2),
        lambda ctx, x: ctx.mark_non_differentiable(x) or x[1:],
        lambda ctx, x: x.detach(),
        lambda ctx, x: (lambda y: (y, y))(x * 2),
        lambda ctx, x: (x > 1, x * 2),
        lambda ctx, x: x.long(),
        lambda ctx, x: ctx.save_for_backward(3) or x * 2,
        lambda ctx, x: ctx.save_for_backward(x, None) or x * 2,
        lambda ctx, x: ctx.mark_non_differentiable(x) or x,
        lambda ctx, x: ctx.mark_non_differentiable(3) or x,
        lambda ctx, x: ctx.mark_dirty(3) or x,
        lambda ctx, x: ctx.mark_dirty(x) or x.mul_(2),
        lambda ctx, x: ctx.mark_dirty(x) or (x.mul_(2), x * 3),
        lambda ctx, x: ctx.mark_dirty(x) or x * 2,
        lambda ctx, x: x.mul_(2),
        lambda ctx, x: ctx.save_for_forward(3) or x,
        lambda ctx, x: (ctx.next_functions, ctx.needs_input_grad, ctx.name(), ctx.saved_tensors),
        lambda ctx, x: x.requires_grad,
        lambda ctx, x: x / "a",
        lambda ctx: ctx,
    ],
)
@pytest.mark.parametrize("argument", ["leaf", "result", "plain", "no_grad"])
def test_what_forward_returns(forward: Callable[..., Any], argument: str) -> None:
    def program(torch: Any) -> Any:
        x = leaf(torch)
        given = {"result": x * 1, "plain": torch.ones(3)}.get(argument, x)
        with torch.set_grad_enabled(argument != "no_grad"):
            output = made(torch, forward).apply(given)
        outputs = output if isinstance(output, tuple) else (output,)
        seen = [
            (
                one,
                one is given,
                one._is_view(),
                one._base is given,
                one.is_leaf,
                one.output_nr,
                one._version,
            )
            if isinstance(one, torch.Tensor)
            else one
            for one in outputs
        ]
        nodes = [getattr(one, "grad_fn", None) for one in outputs]
        saved = [node.saved_tensors for node in nodes if "Out" in str(node)]
        return seen, nodes, saved, given, given._version

    assert_same(program)


@pytest.mark.parametrize(
    "call",
    [
        "f(x, b=3)",
        "f(b=3, a=x)",
        "f(a=x)",
        "f(x, 3)",
        "f(x, b=x)",
        "f(x, c=3)",
        "f(c=3, b=2, a=x)",
        "f(x, a=x)",
        "f(x, e=3)",
        "f(x, d=3)",
        "f()",
        "f(c=3)",
        "f(x, 1, 2, 3)",
    ],
)
@pytest.mark.parametrize("separate", [False, True])
def test_arguments_by_name(call: str, separate: bool) -> None:
    def with_context(ctx: Any, a: Any, b: Any = 2, c: Any = 1, *, d: Any = 0) -> Any:
        print(a, b, c, d)
        return a * b

    def without(a: Any, b: Any = 2, c: Any = 1, *, d: Any = 0) -> Any:
        print(a, b, c, d)
        return a * b

    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        print(inputs, output)

    def program(torch: Any) -> Any:
        if separate:
            function = made(torch, without, setup_context=setup)
        else:
            function = made(torch, with_context)
        node = eval(call, {"f": function.apply, "x": leaf(torch)}).grad_fn
        return node.needs_input_grad, node.next_functions

    assert_same(program)


def views_returned(torch: Any) -> Any:
    for x in (leaf(torch), leaf(torch) * 1, torch.ones(3)):
        for forward in (lambda ctx, x: x.view(3), lambda ctx, x: x[1:]):
            y = made(torch, forward).apply(x)
            print(y, y.grad_fn, y._is_view(), y._base is x, y.is_leaf, y._version)


def views_changed_in_place(torch: Any) -> Any:
    x = leaf(torch)
    for forward in (
        lambda ctx, x: x,
        lambda ctx, x: x.view(3),
        lambda ctx, x: (x, x * 2),
        lambda ctx, x: (x.view(3), x * 2),
    ):
        y = made(torch, forward).apply(x * 1)
        try:
            (y[0] if isinstance(y, tuple) else y).add_(1)
        except RuntimeError as error:
            print(error)


def view_given_and_changed(torch: Any) -> Any:
    double = made(torch, lambda ctx, x: ctx.mark_dirty(x) or x.mul_(2), lambda ctx, g: g * 2)
    x = leaf(torch)
    t = x * 1
    view = t[1:]
    y = double.apply(view)
    print(y is view, t, view, view.grad_fn.next_functions, t.grad_fn.next_functions)
    t.sum().backward()
    return x.grad


def outputs_without_gradient_not_materialized(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2
        ctx.mark_non_differentiable(y)
        ctx._materialize_non_diff_grads = False
        return x * 3, y, x * 4

    function = made(torch, forward, lambda ctx, *gradients: print(gradients))
    function.apply(leaf(torch))[0].sum().backward()


def returned_as_is_and_saved(torch: Any) -> Any:
    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(output)

    return made(torch, lambda x: x, setup_context=setup).apply(leaf(torch))


def saved_by_setup_context(torch: Any) -> Any:
    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0], output)
        ctx.save_for_forward(inputs[0])

    return (
        made(torch, lambda x: x * 2, setup_context=setup).apply(leaf(torch)).grad_fn.saved_tensors
    )


def nothing_implemented(torch: Any) -> Any:
    return type("Nothing", (torch.autograd.Function,), {}).apply(leaf(torch))


def no_backward(torch: Any) -> Any:
    members = {"forward": staticmethod(lambda ctx, x: x * 2)}
    type("Half", (torch.autograd.Function,), members).apply(leaf(torch)).sum().backward()


def backward_and_vjp(torch: Any) -> Any:
    function = made(torch, lambda ctx, x: x * 2)
    function.vjp = staticmethod(lambda ctx, gradient: gradient)
    function.apply(leaf(torch)).sum().backward()


def vjp_alone(torch: Any) -> Any:
    members = {
        "forward": staticmethod(lambda ctx, x: x * 2),
        "vjp": staticmethod(lambda ctx, gradient: gradient * 2),
    }
    x = leaf(torch)
    type("Vjp", (torch.autograd.Function,), members).apply(x).sum().backward()
    return x.grad


def instance(torch: Any) -> Any:
    return square(torch)()


def call_of_an_instance(torch: Any) -> Any:
    return square(torch)()(leaf(torch))


def static_methods_of_the_base(torch: Any) -> Any:
    said = []
    for call in ("forward()", "backward(None)", "jvp(0)", "vmap(0, 0)", "setup_context(0, 0, 0)"):
        try:
            eval(f"function.{call}", {"function": torch.autograd.Function})
        except NotImplementedError as error:
            said.append(str(error))
    return said, torch.autograd.Function, type(torch.autograd.Function)


def freed(torch: Any) -> Any:
    y = square(torch).apply(leaf(torch))
    y.sum().backward()
    return y.grad_fn.saved_tensors


def walked_twice(torch: Any) -> Any:
    y = square(torch).apply(leaf(torch)).sum()
    y.backward()
    y.backward()


def walked_twice_with_nothing_saved(torch: Any) -> Any:
    x = leaf(torch)
    y = made(torch, lambda ctx, x: x * 2).apply(x).sum()
    y.backward()
    y.backward()
    return x.grad, y.grad_fn.next_functions[0][0].saved_tensors


def input_changed(torch: Any) -> Any:
    t = leaf(torch) * 1
    y = square(torch).apply(t)
    t.mul_(2)
    y.sum().backward()


def output_changed(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    y = made(torch, forward, lambda ctx, g: g * ctx.saved_tensors[0]).apply(leaf(torch))
    saved = y.grad_fn.saved_tensors[0]
    print(saved, saved is y, saved.grad_fn is y.grad_fn)
    y.mul_(2)
    y.sum().backward()


def differentiated_twice_though_marked(torch: Any) -> Any:
    once = torch.autograd.function.once_differentiable
    function = made(torch, lambda ctx, x: x * 2, once(lambda ctx, g: g * 2))
    x = leaf(torch)
    print(*torch.autograd.grad(function.apply(x).sum(), x, create_graph=True))
    (g,) = torch.autograd.grad((function.apply(x) ** 2).sum(), x, create_graph=True)
    print(g, g.grad_fn, g.grad_fn.name(), g.grad_fn.next_functions)
    g.sum().backward()


def differentiated_twice(torch: Any) -> Any:
    x = leaf(torch)
    (g,) = torch.autograd.grad(square(torch).apply(x).sum(), x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x), g.grad_fn.next_functions


def materialized(torch: Any) -> Any:
    def forward(ctx: Any, x: Any, flag: bool) -> Any:
        ctx.set_materialize_grads(flag)
        y = x * 3
        ctx.mark_non_differentiable(y)
        return x * 1, x > 1, 3, x.double() * 2, y

    def backward(ctx: Any, *gradients: Any) -> Any:
        print(gradients)
        return gradients[0], None

    for flag in (True, False):
        made(torch, forward, backward).apply(leaf(torch), flag)[0].sum().backward()


def no_gradient_arrives(torch: Any) -> Any:
    x = leaf(torch)
    inner = made(torch, lambda ctx, x: x * 1, lambda ctx, g: print(g) or g)
    outer = made(torch, lambda ctx, x: x * 1, lambda ctx, g: None)
    outer.apply(inner.apply(x).exp()).sum().backward()
    return x.grad


def hooks(torch: Any) -> Any:
    x = leaf(torch)
    y = square(torch).apply(x)
    y.grad_fn.register_hook(lambda *gradients: print("after", gradients))
    y.grad_fn.register_prehook(lambda gradients: print("before", gradients))
    y.register_hook(lambda gradient: gradient * 2)
    y.retain_grad()
    y.sum().backward()
    return x.grad, y.grad


def grad_mode_inside(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        print(torch.is_grad_enabled(), x.requires_grad)
        return x * 1

    def backward(ctx: Any, gradient: Any) -> Any:
        print(torch.is_grad_enabled(), gradient.requires_grad)
        return gradient

    function = made(torch, forward, backward)
    x = leaf(torch)
    function.apply(x).sum().backward()
    torch.autograd.grad(function.apply(x).sum(), x, create_graph=True)


def a_backward_in_a_backward(torch: Any) -> Any:
    def backward(ctx: Any, gradient: Any) -> Any:
        with torch.enable_grad():
            inner = torch.ones(3, requires_grad=True)
            (inner * inner).sum().backward()
        return gradient * inner.grad

    x = leaf(torch)
    made(torch, lambda ctx, x: x * 1, backward).apply(x).sum().backward()
    return x.grad, torch.is_grad_enabled()


def hooks_of_what_is_changed_in_place(torch: Any) -> Any:
    double = made(torch, lambda ctx, x: ctx.mark_dirty(x) or x.mul_(2), lambda ctx, g: g * 2)
    x = leaf(torch)
    y = x * 1
    y.register_hook(lambda gradient: print("first", gradient))
    y.retain_grad()
    double.apply(y)
    y.register_hook(lambda gradient: print("second", gradient))
    y.sum().backward()
    return y, y.grad, x.grad


def something_else_marked_dirty(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2
        ctx.mark_dirty(y)
        return y

    return made(torch, forward).apply(leaf(torch))


def plain_tensor_changed_in_place(torch: Any) -> Any:
    def forward(ctx: Any, t: Any, w: Any) -> Any:
        ctx.mark_dirty(t)
        return t.mul_(w)

    t = torch.ones(3)
    y = made(torch, forward).apply(t, leaf(torch))
    return y is t, t, t.requires_grad, t.is_leaf, t._version


def view_changed_with_two_outputs(torch: Any) -> Any:
    function = made(torch, lambda ctx, x: ctx.mark_dirty(x) or (x.mul_(2), x * 2))
    return function.apply((leaf(torch) * 1)[1:])


def view_of_a_leaf_changed(torch: Any) -> Any:
    return made(torch, lambda ctx, x: ctx.mark_dirty(x) or x.mul_(2)).apply(leaf(torch)[1:])


def attributes_of_any_name(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        for name in ("edges", "hooks", "outputs", "values", "run", "release", "saved", "context"):
            setattr(ctx, name, name)
        return x * 2

    def backward(ctx: Any, gradient: Any) -> Any:
        print(ctx.edges, ctx.hooks, ctx.outputs, ctx.values, ctx.run, ctx.release, ctx.saved)
        return gradient

    x = leaf(torch)
    y = made(torch, forward, backward).apply(x)
    y.sum().backward()
    return x.grad, y.grad_fn.context, vars(y.grad_fn)


def context_outlives_the_output(torch: Any) -> Any:
    node = square(torch).apply(leaf(torch) * 1).grad_fn
    node.foo = 3
    return node.next_functions, node.saved_tensors, node.foo, node


def one_list_of_gradients(torch: Any) -> Any:
    function = made(torch, lambda ctx, x: (x, x * 2), lambda ctx, gradients: print(gradients))
    function.boxed_grads_call = True
    function.apply(leaf(torch) * 1)[1].sum().backward()


def saved_tensors_accessed_once(torch: Any) -> Any:
    function = square(torch)
    function.clear_saved_tensors_on_access = True
    node = function.apply(leaf(torch)).grad_fn
    print(node.saved_tensors)
    return node.saved_tensors


def saved_twice(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.save_for_backward(x * 2, x)
        return x * 2

    return made(torch, forward).apply(leaf(torch)).grad_fn.saved_tensors


@pytest.mark.parametrize(
    "program",
    [
        value
        for name, value in list(globals().items())
        if getattr(value, "__module__", None) == __name__
        and not name.startswith("test_")
        and name not in ("leaf", "made", "square")
    ],
    ids=lambda program: program.__name__,
)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program)
