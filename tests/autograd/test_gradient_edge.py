"""GradientEdge in place of tensors, and hooks on several tensors at once."""

from __future__ import annotations

from typing import Any

import pytest


def test_an_edge_names_node_and_output(torch: Any) -> None:
    x = torch.ones(4, requires_grad=True)
    first, second = (x * 2).split(2)
    edge = torch.autograd.graph.get_gradient_edge(second)
    assert edge == (first.grad_fn, 1, None)
    assert (edge.node, edge.output_nr) == (second.grad_fn, 1)
    end = torch.autograd.graph.get_gradient_edge(x)
    assert end.node.variable is x


def test_edges_stand_for_tensors_that_are_gone(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    edge = torch.autograd.graph.get_gradient_edge(y)
    total = torch.autograd.graph.get_gradient_edge(y.sum())
    del y
    assert torch.autograd.grad(total, edge, retain_graph=True)[0].tolist() == [1.0, 1.0]
    (gradient,) = torch.autograd.grad(edge, x, torch.ones(2), retain_graph=True)
    assert gradient.tolist() == [2.0, 4.0]
    torch.autograd.backward(total)
    assert x.grad.tolist() == [2.0, 4.0]


def test_an_edge_to_a_leaf_may_be_an_input_of_backward(torch: Any) -> None:
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    (x * y).sum().backward(inputs=torch.autograd.graph.get_gradient_edge(x))
    assert (x.grad.tolist(), y.grad) == ([1.0, 1.0], None)


def test_an_edge_needs_a_gradient_of_its_shape(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    edge = torch.autograd.graph.get_gradient_edge(x * 2)
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        torch.autograd.grad(edge, x)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        torch.autograd.grad(edge, x, torch.ones(3))


def test_there_is_no_edge_without_gradient(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="that does not require gradients"):
        torch.autograd.graph.get_gradient_edge(torch.ones(2))


def test_a_multi_grad_hook_waits_for_all_that_the_pass_computes(torch: Any) -> None:
    a, b = (torch.ones((), requires_grad=True) for _ in range(2))
    c, d = a * b, a * b
    seen: list[Any] = []

    def hook(gradients: Any) -> None:
        seen.append([None if one is None else one.item() for one in gradients])

    handle = torch.autograd.graph.register_multi_grad_hook((a, b, c, d), hook)
    (c * 2).backward(retain_graph=True)
    (c * 2).backward(inputs=(a,), retain_graph=True)
    (c + d).backward(retain_graph=True)
    handle.remove()
    (c * 2).backward()
    assert seen == [[2.0, 2.0, 2.0, None], [2.0, None, 2.0, None], [2.0, 2.0, 1.0, 1.0]]


def test_a_multi_grad_hook_may_want_the_first_gradient_alone(torch: Any) -> None:
    a, b = (torch.ones((), requires_grad=True) for _ in range(2))
    c = a * b
    seen: list[Any] = []
    tensors = (a, c, torch.ones(2))
    torch.autograd.graph.register_multi_grad_hook(tensors, seen.append, mode="any")
    for factor in (2.0, 3.0):
        (c * factor).backward(retain_graph=True)
    assert [one.item() for one in seen] == [2.0, 3.0]


def test_a_multi_grad_hook_is_called_in_backward_alone(torch: Any) -> None:
    a = torch.ones(2, requires_grad=True)
    torch.autograd.graph.register_multi_grad_hook((a,), print)
    (hook,) = a._backward_hooks.values()
    with pytest.raises(AssertionError, match="called inside a backward call"):
        hook(torch.ones(2))
    with pytest.raises(ValueError, match="Expects mode to be one of"):
        torch.autograd.graph.register_multi_grad_hook((a,), print, mode="some")


def test_an_edge_has_a_node_and_a_number(torch: Any) -> None:
    edge = torch.autograd.graph.GradientEdge
    text = r"^GradientEdge.__new__\(\) missing 1 required positional argument: 'output_nr'$"
    with pytest.raises(TypeError, match=text):
        edge(None)
    with pytest.raises(TypeError, match=r"^GradientEdge.__new__\(\) takes from 3 to 4 positional"):
        edge(None, 0, None, 1)
