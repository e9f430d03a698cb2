"""What a node keeps is read whatever state it is in."""

import pytest

from minigrad.viz.saved import read_saved


def states(node):
    return [(saved.name, saved.state) for saved in read_saved(node)]


def test_held_then_freed(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * x
    assert states(y.grad_fn) == [("self", "held"), ("other", "held")]
    assert all(saved.tensor is x for saved in read_saved(y.grad_fn))
    y.sum().backward()
    assert states(y.grad_fn) == [("self", "freed"), ("other", "freed")]


def test_only_what_was_kept_is_listed(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    assert states(y.grad_fn) == [("other", "held")]
    y.sum().backward()
    assert states(y.grad_fn) == [("other", "freed")]
    assert states((x + 1).grad_fn) == []


def test_modified_in_place(torch):
    x = torch.ones(2, requires_grad=True)
    y = x.tanh()
    node = y.grad_fn
    y.mul_(2)
    assert states(node) == [("result", "modified")]


def test_settings_that_are_no_tensors_are_not_listed(torch):
    x = torch.ones(2, 2, requires_grad=True)
    assert states((x**2).grad_fn) == [("self", "held")]
    assert states(x.sum(0).grad_fn) == []


def test_a_tuple_of_saved_tensors(torch):
    x = torch.ones(3, requires_grad=True)
    assert states(x[[0, 2]].grad_fn) == [("indices[0]", "held")]


def test_a_packed_tensor_counts_as_held_and_its_hook_is_not_run(fake):
    def unpack(packed):
        raise AssertionError("the hook was run")

    packed = type("SavedTensor", (), {"unpack_hook": staticmethod(unpack)})()

    class Node(fake.Node):
        @property
        def _saved_self(self):
            raise AssertionError("the hook was run")

    (saved,) = read_saved(Node("MulBackward0", _raw_saved_self=packed))
    assert (saved.name, saved.state, saved.tensor) == ("self", "held", None)


def test_a_saved_tensors_hook_is_known_from_the_engine(torch):
    def unpack(packed):
        raise AssertionError("the hook was run")

    x = torch.ones(3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
        y = x.exp()
    assert states(y.grad_fn) == [("result", "held")]
    assert y.grad_fn._raw_saved_result.unpack_hook is unpack
    assert getattr(x.exp().grad_fn._raw_saved_result, "unpack_hook", None) is None


def test_an_error_that_is_no_statement_about_the_tensor_is_not_hidden(fake):
    class Node(fake.Node):
        @property
        def _saved_self(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read_saved(Node("MulBackward0"))
