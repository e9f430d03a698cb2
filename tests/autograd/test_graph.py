"""What users may know of the graph: the base of all nodes, and versions they count themselves."""

from __future__ import annotations

from typing import Any

import pytest


def test_nodes_of_all_kinds_are_nodes(torch: Any) -> None:
    class Custom(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient * 2

    x = torch.ones(2, requires_grad=True)
    changed = x * 1
    changed[0] = 5
    nodes = [(x * 2).grad_fn, Custom.apply(x).grad_fn, changed.grad_fn]
    nodes.append(nodes[0].next_functions[0][0])
    for node in nodes:
        assert isinstance(node, torch.autograd.graph.Node)
        assert issubclass(type(node), torch.autograd.graph.Node)
    assert not isinstance(x, torch.autograd.graph.Node)
    assert not issubclass(dict, torch.autograd.graph.Node)


def test_nodes_are_not_made_by_hand(torch: Any) -> None:
    with pytest.raises(TypeError, match="Can't instantiate abstract class Node"):
        torch.autograd.graph.Node()


def test_metadata_is_kept_and_nothing_else(torch: Any) -> None:
    node = (torch.ones(2, requires_grad=True) * 2).grad_fn
    node.metadata["line"] = 3
    assert node.metadata == {"line": 3}
    with pytest.raises(AttributeError, match="'MulBackward0' object has no attribute 'line'"):
        node.line = 3
    with pytest.raises(AttributeError, match="'_saved_self' of 'MulBackward0' objects is not"):
        node._saved_self = 3


def test_a_node_can_be_called(torch: Any) -> None:
    x, y = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0])
    to_x, to_y = (x * y).grad_fn(torch.ones(2))
    assert to_x.tolist() == [3.0, 4.0]
    assert to_y is None
    assert x.exp().grad_fn(torch.zeros(2)).tolist() == [0.0, 0.0]


def test_versions_may_be_counted_by_hand(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True).exp()
    torch.autograd.graph.increment_version(y)
    assert y._version == 1
    torch.autograd.graph.increment_version([y, y])
    assert y._version == 3
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
    with pytest.raises(RuntimeError, match="expect a Iterable"):
        torch.autograd.graph.increment_version(3)
    with pytest.raises(RuntimeError, match="each element of the iterable to be a tensor"):
        torch.autograd.graph.increment_version([3])


def test_what_is_saved_may_be_changed_if_that_is_allowed(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        y = x.clone()
        z = (y * y).sum()
        y.zero_()
        y[0] = 7
        assert len(context.cloned) == 1
        z.backward()
        assert len(context.cloned) == 0
    assert x.grad.tolist() == [2.0, 4.0]


def test_changes_of_views_and_by_data_are_noticed(torch: Any) -> None:
    x, w = torch.ones(3, requires_grad=True), torch.ones(3)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        y = (x * w)[:2]
        z = (y * y).sum()
        w.data.zero_()
        y.mul_(5)
        z.backward()
    assert x.grad.tolist() == [2.0, 2.0, 0.0]


def test_a_result_is_written_to_what_is_saved(torch: Any) -> None:
    x, w = torch.ones(2, requires_grad=True), torch.full((2,), 3.0)
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        y = (x * w).sum()
        assert len(context.tid_to_weakhandle) == 1
        torch.sin(torch.zeros(2), out=w)
        assert len(context.cloned) == 1
        y.backward()
        assert len(context.tid_to_weakhandle) == 0
    assert x.grad.tolist() == [3.0, 3.0]


def test_the_backward_pass_belongs_into_the_block(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        y = (x * x).sum()
    with pytest.raises(AssertionError, match="Trying to backward outside of the"):
        y.backward()


def test_blocks_that_allow_changes_do_not_nest(torch: Any) -> None:
    allow = torch.autograd.graph.allow_mutation_on_saved_tensors
    with pytest.raises(RuntimeError, match="cannot be nested"), allow(), allow():
        pass
    with allow():
        pass
