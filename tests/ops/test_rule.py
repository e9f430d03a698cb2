"""What a node keeps of its operation: looked at, freed, or modified in the meantime."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MODIFIED = "^one of the variables needed for gradient computation has been modified by an inplace"
FREED = "^Trying to backward through the graph a second time"


def leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


# What is there


def test_a_saved_input_is_the_tensor_itself(torch: Any) -> None:
    x, y = leaf(torch), leaf(torch)
    node = (x * y).grad_fn
    assert node._saved_self is x
    assert node._saved_other is y
    assert node._saved_self is node._saved_self


def test_what_no_needed_formula_names_is_not_saved(torch: Any) -> None:
    x, other = leaf(torch), torch.ones(3)
    node = (x * other).grad_fn
    assert node._saved_self is None
    assert node._saved_other is other


def test_a_number_is_saved_as_a_0d_tensor(torch: Any) -> None:
    x = leaf(torch)
    assert str((x * 2).grad_fn._saved_other) == "tensor(2)"
    assert str((x * 2.5).grad_fn._saved_other) == "tensor(2.5000, dtype=torch.float64)"
    assert (x**3).grad_fn._saved_exponent == 3


def test_a_saved_result_is_equal_to_the_output_and_belongs_to_the_node(torch: Any) -> None:
    x = leaf(torch)
    y = x.exp()
    saved = y.grad_fn._saved_result
    assert saved is not y
    assert saved.grad_fn is y.grad_fn
    assert saved.requires_grad
    assert saved.tolist() == y.tolist()
    assert saved.data_ptr() == y.data_ptr()
    (to_x,) = torch.autograd.grad(saved.sum(), x)
    assert to_x.tolist() == y.tolist()


def test_a_saved_result_outlives_the_output(torch: Any) -> None:
    x = leaf(torch)
    y = x.exp()
    node, values = y.grad_fn, y.tolist()
    del y
    assert node._saved_result.tolist() == values


def test_other_arguments_are_saved_as_they_are(torch: Any) -> None:
    node = torch.ones(2, 3, requires_grad=True).sum(1, keepdim=True).grad_fn
    assert node._saved_keepdim is True
    assert node._saved_dim == (1,)
    assert node._saved_self_sym_sizes == (2, 3)


# Freed


@pytest.mark.parametrize(
    ("forward", "name"),
    [
        (lambda x: x * x, "_saved_self"),
        (lambda x: x * 2, "_saved_other"),
        (lambda x: x.exp(), "_saved_result"),
        (lambda x: x**2, "_saved_self"),
        (lambda x: x.sigmoid(), "_saved_result"),
        (lambda x: x.cumprod(0), "_saved_self"),
    ],
)
def test_saved_tensors_are_there_before_and_gone_after(
    torch: Any, forward: Callable[[Any], Any], name: str
) -> None:
    y = forward(leaf(torch))
    node = y.grad_fn
    y.sum().backward(retain_graph=True)
    assert isinstance(getattr(node, name), torch.Tensor)
    y.sum().backward()
    with pytest.raises(RuntimeError, match=FREED):
        getattr(node, name)
    with pytest.raises(RuntimeError, match=FREED):
        y.sum().backward()


def test_what_is_no_tensor_stays(torch: Any) -> None:
    x = leaf(torch)
    y, z = x.sum(0), x * 2
    y.backward()
    z.sum().backward()
    assert y.grad_fn._saved_self_sym_sizes == (3,)
    assert z.grad_fn._saved_self is None


# Modified

SAVES: dict[str, Callable[[Any], Any]] = {
    "mul": lambda x: x * x,
    "exp": lambda x: x.exp(),
    "tanh": lambda x: x.tanh(),
    "pow": lambda x: x**3,
    "div": lambda x: x / x,
    "matmul": lambda x: x @ x,
    "log": lambda x: x.log(),
    "sigmoid": lambda x: x.sigmoid(),
    "relu": lambda x: x.relu(),
    "max": lambda x: x.max(),
    "softmax": lambda x: x.softmax(0),
    "norm": lambda x: x.norm(),
    "sqrt": lambda x: x.sqrt(),
}
SAVES_RESULT = {"exp", "tanh", "sigmoid", "relu", "softmax", "sqrt"}
SAVES_INPUT = set(SAVES) - SAVES_RESULT


@pytest.mark.parametrize("name", sorted(SAVES_INPUT))
@pytest.mark.parametrize("create_graph", [False, True])
def test_changing_a_saved_input_is_seen(torch: Any, name: str, create_graph: bool) -> None:
    x = leaf(torch)
    shared = x * 1
    y = SAVES[name](shared).sum()
    shared.add_(1)
    with pytest.raises(RuntimeError, match=f"{MODIFIED}.*is at version 1; expected version 0"):
        torch.autograd.grad(y, x, create_graph=create_graph)
    assert x.grad is None


@pytest.mark.parametrize("name", sorted(SAVES_RESULT))
@pytest.mark.parametrize("create_graph", [False, True])
def test_changing_a_saved_result_is_seen(torch: Any, name: str, create_graph: bool) -> None:
    x = leaf(torch)
    y = SAVES[name](x)
    y.add_(1)
    with pytest.raises(RuntimeError, match=f"{MODIFIED}.*which is output 0 of"):
        torch.autograd.grad(y.sum(), x, create_graph=create_graph)


@pytest.mark.parametrize(
    "forward",
    [lambda x: x + 1, lambda x: x * 10, lambda x: x.sum(0), lambda x: -x, lambda x: x.clone()],
)
def test_changing_what_was_not_saved_is_allowed(torch: Any, forward: Callable[[Any], Any]) -> None:
    x = leaf(torch)
    shared = x * 1
    y = forward(shared).sum()
    (expected,) = torch.autograd.grad(forward(x).sum(), x)
    shared.add_(1)
    y.backward()
    assert x.grad.tolist() == expected.tolist()


CHANGES: dict[str, Callable[[Any, Any], Any]] = {
    "the leaf under no_grad": lambda torch, x: x.add_(1),
    "an element under no_grad": lambda torch, x: x.__setitem__(0, 7.0),
    "a view of the leaf": lambda torch, x: x.view(3, 1).mul_(2),
    "an element of a view": lambda torch, x: x[1:].__setitem__(0, 7.0),
    "what was detached": lambda torch, x: x.detach().zero_(),
    "a view of what was detached": lambda torch, x: x.detach()[1:].zero_(),
    "a copy into it": lambda torch, x: x.copy_(torch.zeros(3)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_versions_tell_of_every_change_of_the_memory(torch: Any, change: str) -> None:
    x = leaf(torch)
    product = x * x
    y = product.sum()
    with torch.no_grad():
        CHANGES[change](torch, x)
    with pytest.raises(RuntimeError, match=MODIFIED):
        y.backward()
    with pytest.raises(RuntimeError, match=MODIFIED):
        product.grad_fn._saved_self  # noqa: B018
    assert x.grad is None


def test_what_autograd_does_not_watch_is_silently_wrong(torch: Any) -> None:
    for change in (
        lambda x: x.data.mul_(10),
        lambda x: x.detach().numpy().__imul__(10),
        lambda x: setattr(x, "data", x.detach() * 10),
    ):
        x = leaf(torch)
        y = (x * x).sum()
        change(x)
        y.backward()
        assert x.grad.tolist() == [20.0, 40.0, 60.0]


def test_a_change_before_the_operation_does_not_matter(torch: Any) -> None:
    x = leaf(torch)
    with torch.no_grad():
        x.add_(1)
    (x * x).sum().backward()
    assert x.grad.tolist() == [4.0, 6.0, 8.0]
    assert (x * x).grad_fn._saved_self is x


def test_a_change_of_the_values_back_is_still_a_change(torch: Any) -> None:
    x = leaf(torch)
    y = (x * x).sum()
    with torch.no_grad():
        x.add_(1).sub_(1)
    with pytest.raises(RuntimeError, match="is at version 2; expected version 0"):
        y.backward()


def test_a_node_that_is_not_reached_does_not_complain(torch: Any) -> None:
    x, other = leaf(torch), leaf(torch)
    shared = other * 1
    y = (x * 3).sum() + (shared * shared).sum()
    shared.add_(1)
    assert torch.autograd.grad(y, x, retain_graph=True)[0].tolist() == [3.0, 3.0, 3.0]
    with pytest.raises(RuntimeError, match=MODIFIED):
        y.backward()


def test_freed_comes_before_modified(torch: Any) -> None:
    x = leaf(torch)
    y = (x * x).sum()
    y.backward()
    with torch.no_grad():
        x.add_(1)
    with pytest.raises(RuntimeError, match=FREED):
        y.backward()
