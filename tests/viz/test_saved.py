"""What a node keeps is read whatever state it is in."""

import pytest

from minigrad.viz.read.saved import read_saved


def states(node):
    return [(saved.name, saved.state) for saved in read_saved(node)]


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


def test_an_error_that_is_no_statement_about_the_tensor_is_not_hidden(fake):
    class Node(fake.Node):
        @property
        def _saved_self(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read_saved(Node("MulBackward0"))
