"""Hooks of every kind, retained gradients and graphs, and second derivatives."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.programs import assert_same, statements, templates

START = (
    "x = torch.tensor([1.0, 2.0], requires_grad=True)",
    "y = torch.tensor([0.5, -1.0], requires_grad=True)",
    "a = x * y",
    "b = a + x",
    "c = b.split(1)[0] * 2",
    "d = torch.tensor([3.0, 4.0])",
    "handles, edges, graph = [], [], torch.autograd.graph",
    """class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input**3
    @staticmethod
    def backward(ctx, grad):
        (input,) = ctx.saved_tensors
        show('Cube', grad, ctx.needs_input_grad)
        return grad * 3 * input**2""",
)
RESULTS = templates("""
    $t = $x + $y; $t = $x * $y; $t = $x - 2 * $y; $t = $x.clone(); $t = $x.sum() * $y
    $t = $x.tanh(); $t = sum($x.split(1)) + $y; $t = $x.split(1)[-1] + $y; $t = $x.max(0)[0] + $y
    $t = $x + $x; $t = $x.view(-1) * $y; $t = ($x * 1)[:1]; $t = $x @ $y; $t = $x.detach()
    $t = Cube.apply($x); $t = torch.cat([$x, $y]); $t = $x.expand(2, 2).sum(0); $t = $x ** 2
    $t = $x.grad if $x.grad is not None else $x; $t = torch.where($x > 1, $x, $y)
    $t = torch.ones(2, requires_grad=True); $t = $x / $y
""")
HOOKS = templates("""
    $x.register_hook(lambda g: show('hook $x', g))
    handles.append($x.register_hook(lambda g: show('handle', g))); $x.register_hook(lambda g: g * 2)
    $x.retain_grad()
    $x.grad_fn.register_hook(lambda inputs, outputs: show('post $x', inputs, outputs))
    $x.grad_fn.register_prehook(lambda outputs: show('pre $x', outputs))
    $x.register_post_accumulate_grad_hook(lambda leaf: show('accumulated $x', leaf.grad))
    $x.grad_fn.register_hook(lambda ins, outs: tuple(g if g is None else g * 2 for g in ins))
    $x.grad_fn.register_prehook(lambda outs: tuple(g if g is None else g * 2 for g in outs))
    $x.grad_fn.next_functions[0][0].register_hook(lambda ins, outs: show('below $x', ins, outs))
    $x.grad_fn.next_functions[0][0].register_prehook(lambda outs: show('into $x', outs))
    (edges := [*edges, graph.get_gradient_edge($x)])[-1].node.register_prehook(show)
    graph.register_multi_grad_hook([$x, $y], lambda g: show('multi $x $y', g))
    graph.register_multi_grad_hook([$x, $y], lambda g: show('any', g), mode='any')
    $x.register_hook(lambda g: show(g.requires_grad, torch.is_grad_enabled()))
    $x.register_hook(lambda g: g.double()); $x.register_hook(lambda g: g.sum())
    handles.pop().remove(); $x.register_hook(lambda g: 1 / 0); $x.register_hook(lambda g: 3)
    $x.register_hook(lambda g: g); $x.grad_fn.register_hook(lambda ins, outs: ins + ins)
""")
PASSES = templates("""
    $x.sum().backward(retain_graph=True); $x.sum().backward(); $x.backward()
    ($x * $y).sum().backward(); $x.sum().backward(inputs=[$y], retain_graph=True)
    $x.sum().backward(inputs=[$y, $z]); $x.backward(torch.ones_like($y))
    torch.autograd.backward([$x.sum(), $y.sum()]); $x.sum().backward(create_graph=True)
    show(torch.autograd.grad($x.sum(), [$y, $z], allow_unused=True, retain_graph=True))
    show(torch.autograd.grad($x.sum(), $y, create_graph=True, allow_unused=True))
    show(torch.autograd.grad([$x, $y], [x, y], [torch.ones_like($x)] * 2, allow_unused=True))
    show(torch.autograd.grad($x.sum(), [$y, $z], materialize_grads=True, retain_graph=True))
    $t = torch.autograd.grad($x.sum(), $y, create_graph=True)[0]
    show(torch.autograd.grad($x.sum(), graph.get_gradient_edge($y), allow_unused=True))
""")
OTHERS = templates("""
    $x.mul_(2); $x.add_($y); $x.grad = None; $x.grad.zero_(); $x.grad = $y.detach().clone()
    d.detach_(); d.requires_grad_(False); show($x.grad_fn._saved_self)
    show($x.grad_fn._saved_other); show($x.grad_fn(torch.ones_like($x))); $x.data = $x.data * 2
    del $x; with torch.no_grad(): $x.add_(1); with torch.no_grad(): $t = $x * $y
    with graph.saved_tensors_hooks(lambda s: show(s) or s * 2, lambda s: s): $t = $x * $y
    with graph.saved_tensors_hooks(lambda s: s.tolist(), torch.tensor): $t = $x * $y
""")
NAMES, BOUND = "abcdxy", "abcd"
END = ("(a.sum() + b.sum()).backward()", "(c.sum() + d.sum()).backward()")
programs = st.lists(
    statements([*RESULTS, *HOOKS, *HOOKS, *PASSES, *OTHERS], NAMES, BOUND), min_size=1, max_size=14
)


@pytest.mark.parity
@given(programs, st.booleans())
def test_hooks_run_as_in_pytorch(pytorch: Any, program: list[str], every: bool) -> None:
    assert_same(pytorch, [*START, *program, *END], NAMES, every=every)


# In the order in which a pass runs them; hooks of one kind run as they were registered.
KINDS = ("of y", "before the node of y", "after the node of y", "of leaf x", "accumulated in x")


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(1, 3)), max_size=8))
def test_hooks_run_in_the_order_of_their_kinds(torch: Any, hooks: list[tuple[str, int]]) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 5
    log: list[tuple[str, int]] = []

    def add_hook(kind: str, factor: int, number: int) -> None:
        def of_tensor(grad: Any) -> Any:
            log.append((kind, number))
            return grad * factor

        def of_node(grads: Any, outputs: Any = None) -> Any:
            return (of_tensor(grads[0]), *grads[1:])

        def of_leaf(leaf: Any) -> None:
            assert leaf.grad is not None
            log.append((kind, number))

        node = y.grad_fn
        places = (y.register_hook, node.register_prehook, node.register_hook, x.register_hook)
        functions = (of_tensor, of_node, of_node, of_tensor, of_leaf)
        place = KINDS.index(kind)
        (*places, x.register_post_accumulate_grad_hook)[place](functions[place])

    for number, (kind, factor) in enumerate(hooks):
        add_hook(kind, factor, number)
    y.retain_grad()
    assert y.retains_grad
    y.sum().backward()
    registered = [(kind, number) for number, (kind, _) in enumerate(hooks)]
    assert log == sorted(registered, key=lambda one: KINDS.index(one[0]))
    assert y.grad.tolist() == [math.prod(factor for kind, factor in hooks if kind == "of y")] * 2
    factors = [factor for kind, factor in hooks if kind != "accumulated in x"]
    assert x.grad.tolist() == [5 * math.prod(factors)] * 2
