"""Nodes: what they say of themselves, where their edges lead, how long they live."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import minigrad
from tests.autograd.watching import nodes_below


def test_a_node_has_the_name_that_pytorch_gives_it(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    assert (x + 1).grad_fn.name() == "AddBackward0"
    assert (1 - x).grad_fn.name() == "RsubBackward1"
    assert (x + 1).sum(0).grad_fn.name() == "SumBackward1"


def test_edges_lead_to_the_producers_of_the_inputs(torch: Any) -> None:
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    a = x * y
    b = a + torch.ones(2)
    assert b.grad_fn.next_functions == ((a.grad_fn, 0), (None, 0))
    (to_x, number), (to_y, _) = a.grad_fn.next_functions
    assert number == 0
    assert to_x.variable is x
    assert to_y.variable is y


def test_an_edge_says_which_output_it_belongs_to(torch: Any) -> None:
    parts = torch.ones(6, requires_grad=True).split(2)
    assert [part.output_nr for part in parts] == [0, 1, 2]
    assert torch.cat(parts[::-1]).grad_fn.next_functions == tuple(
        (parts[0].grad_fn, number) for number in (2, 1, 0)
    )


def test_a_tensor_used_twice_has_two_edges_to_one_node(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    first, second = (x * x).grad_fn.next_functions
    assert first == second
    assert len(nodes_below(x * x)) == 2


def test_the_end_of_the_graph_is_the_leaf(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    ((end, _), _) = (x + 1).grad_fn.next_functions
    assert end.name() == "torch::autograd::AccumulateGrad"
    assert end.variable is x
    assert end.next_functions == ()
    assert end._sequence_nr() == 2**64 - 1


def test_a_leaf_has_one_end_as_long_as_a_graph_holds_it(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    first, second = x.exp(), x.tanh()
    end = first.grad_fn.next_functions[0][0]
    assert second.grad_fn.next_functions[0][0] is end
    end.metadata["seen"] = True
    del first, end
    assert second.grad_fn.next_functions[0][0].metadata == {"seen": True}
    del second
    assert x.sin().grad_fn.next_functions[0][0].metadata == {}


def test_the_end_of_the_graph_keeps_the_leaf_alive(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) + 2
    assert y.grad_fn.next_functions[0][0].variable.tolist() == [1.0, 1.0]


def test_a_node_is_the_same_object_at_each_look(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) + 2
    assert y.grad_fn is y.grad_fn
    assert y.grad_fn.next_functions[0][0] is y.grad_fn.next_functions[0][0]
    assert len({y.grad_fn, y.grad_fn}) == 1


def test_metadata_is_the_users_and_nothing_else_is(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    node, other = (x + 2).grad_fn, (x + 2).grad_fn
    node.metadata["line"] = 7
    assert node.metadata == {"line": 7}
    assert other.metadata == {}
    for name in ("line", "next_functions"):
        with pytest.raises(AttributeError):
            setattr(node, name, 7)


def test_nodes_are_nodes_to_isinstance(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) + 2
    node = y.grad_fn
    end = node.next_functions[0][0]
    assert isinstance(node, torch.autograd.graph.Node)
    assert isinstance(end, torch.autograd.graph.Node)
    assert issubclass(type(node), torch.autograd.graph.Node)
    assert not isinstance(y, torch.autograd.graph.Node)


def test_a_node_prints_as_one_of_pytorchs(torch: Any) -> None:
    node = (torch.ones(2, requires_grad=True) + 2).grad_fn
    assert repr(node).startswith("<AddBackward0 object at 0x")
    end = node.next_functions[0][0]
    assert repr(end).startswith("<AccumulateGrad object at 0x")


def test_nodes_are_numbered_as_they_are_recorded(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    first, second = x + 1, x + 1
    with torch.no_grad():
        x + 1
    torch.ones(2) + 1
    third = x + 1
    numbers = [one.grad_fn._sequence_nr() for one in (first, second, third)]
    assert numbers == list(range(numbers[0], numbers[0] + 3))


def test_each_thread_numbers_its_nodes_from_0(torch: Any) -> None:
    numbers: list[list[int]] = []

    def record() -> None:
        x = torch.ones(2, requires_grad=True)
        made = [x.exp(), x.tanh()]
        numbers.append([one.grad_fn._sequence_nr() for one in made])

    for _ in range(2):
        thread = threading.Thread(target=record)
        thread.start()
        thread.join()
    assert numbers == [[0, 1], [0, 1]]


def test_nothing_is_recorded_without_a_tensor_that_requires_grad(torch: Any) -> None:
    y = torch.ones(2) * 2
    assert y.grad_fn is None
    assert y.is_leaf
    assert not y.requires_grad


@pytest.mark.parametrize(
    "forward",
    [
        lambda x: x > 1,
        lambda x: x == x,
        lambda x: x.argmax(),
        lambda x: x.max(0)[1],
        lambda x: x.long(),
        lambda x: x.bool(),
        lambda x: x.detach(),
        lambda x: x.isnan(),
    ],
)
def test_results_that_have_no_gradient_are_leaves(torch: Any, forward: Any) -> None:
    y = forward(torch.ones(2, requires_grad=True))
    assert (y.grad_fn, y.requires_grad, y.is_leaf) == (None, False, True)


def test_only_the_floating_point_outputs_have_a_node(torch: Any) -> None:
    largest, place = torch.tensor([1.0, 3.0], requires_grad=True).max(0)
    assert largest.grad_fn.name() == "MaxBackward0"
    assert place.grad_fn is None


def test_a_node_has_the_attributes_of_its_class_alone() -> None:
    node = (minigrad.ones(2, requires_grad=True) + 2).grad_fn
    assert node is not None
    assert not hasattr(node, "__dict__")
    assert type(node).__module__ == "builtins"


def test_calling_a_node_takes_no_gradient_for_indices(torch: Any) -> None:
    node = torch.tensor([1.0, 3.0], requires_grad=True).max(0)[0].grad_fn
    assert node(torch.tensor(2.0)).tolist() == [0.0, 2.0]
    with pytest.raises(TypeError, match="expected 1 arguments, got 2 instead"):
        node(torch.tensor(2.0), None)


def test_a_sequence_number_that_is_set_says_which_node_runs_first(torch: Any) -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient * 2

    x = torch.ones(2, requires_grad=True)
    order: list[str] = []
    first, second, third = x * 2, x.exp(), Double.apply(x)
    for name, made in (("first", first), ("second", second), ("third", third)):
        made.register_hook(lambda gradient, name=name: order.append(name))
    for made, number in ((third, 1), (second, 2), (first, 3)):
        made.grad_fn._set_sequence_nr(number)
        assert made.grad_fn._sequence_nr() == number
    (first + second + third).sum().backward()
    assert order == ["first", "second", "third"]
    assert torch.equal(x.grad, 4 + x.exp())


@pytest.mark.parametrize("number", ["1", 1.0, -1, 2**64])
def test_a_sequence_number_has_64_bits(torch: Any, number: Any) -> None:
    node = torch.ones(2, requires_grad=True).exp().grad_fn
    before = node._sequence_nr()
    with pytest.raises((TypeError, OverflowError)):
        node._set_sequence_nr(number)
    assert node._sequence_nr() == before


def test_nodes_of_one_name_have_one_class(torch: Any) -> None:
    classes = torch._C._functions
    x = torch.ones(2, requires_grad=True)
    for made in (
        *(x + x, torch.add(x, x, alpha=2), x - x, torch.sub(x, x, alpha=2)),
        *(x.div(2, rounding_mode="floor"), x.div(2, rounding_mode=None), x.clone()),
    ):
        assert type(made.grad_fn) is getattr(classes, made.grad_fn.name())
    assert torch.add(x, x, alpha=2).grad_fn._saved_alpha == 2
    assert (x + x).grad_fn._saved_alpha == 1
    y = x * 1
    y[:1].mul_(2)
    assert type(y.grad_fn) is classes.CopySlices
    for name in ("", "Nope"):
        with pytest.raises(AttributeError, match=f"_functions' has no attribute '{name}'"):
            getattr(classes, name)


def test_every_node_takes_a_sequence_number(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) * 1
    leaf = y.grad_fn.next_functions[0][0]
    y[:1].mul_(2)
    for node in (y.grad_fn, leaf):
        node._set_sequence_nr(True)
        assert node._sequence_nr() == 1


def test_a_node_is_taken_away_by_assigning_none(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) * 1
    assert y._grad_fn is y.grad_fn
    with pytest.raises(RuntimeError, match="^Deletion of _grad_fn not allowed. Detach tensor ins"):
        del y._grad_fn
    with pytest.raises(RuntimeError, match="^_grad_fn can be only set to None"):
        y._grad_fn = y.grad_fn
    y._grad_fn = None
    assert y.is_leaf
    assert not y.requires_grad
