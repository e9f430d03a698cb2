"""Nodes and their hooks: what a program can read and register."""

from typing import Any

import pytest


def test_nodes_tell_their_name_and_inputs(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y.exp()
    assert z.grad_fn.name() == "ExpBackward0"
    assert repr(z.grad_fn).startswith("<ExpBackward0 object at 0x")
    assert z.grad_fn.next_functions == ((y.grad_fn, 0),)
    ((leaf, number), constant) = y.grad_fn.next_functions
    assert (leaf.name(), number, constant) == ("torch::autograd::AccumulateGrad", 0, (None, 0))
    assert leaf.variable is x
    assert isinstance(z.grad_fn, torch.autograd.graph.Node)


def test_metadata_stays_with_the_node(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) * 2
    y.grad_fn.metadata["line"] = 3
    assert y.grad_fn.metadata == {"line": 3}


def test_saved_values_can_be_read(torch: Any) -> None:
    x, w = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0])
    y = x * w
    assert y.grad_fn._saved_other is w
    assert y.grad_fn._saved_self is None
    assert x.exp().grad_fn._saved_result.tolist() == x.exp().tolist()
    assert (x**3).grad_fn._saved_exponent == 3
    assert x.sum().grad_fn._saved_self_sym_sizes == (2,)
    assert not hasattr((x + w).grad_fn, "_saved_self")


@pytest.mark.parametrize(
    ("program", "saved"),
    [
        ("x.relu()", "self threshold"),
        ("F.leaky_relu(x)", "negative_slope self"),
        ("x.abs()", "result self"),
        ("x.tanh()", "grad_output output"),
        ("x.sigmoid()", "grad_output output"),
        ("x.softmax(0)", "dim grad_output output"),
        ("x.log_softmax(0)", "dim grad_output output"),
        ("F.softplus(x)", "beta grad_output self threshold"),
        ("F.mse_loss(x, 2 * x.detach())", "grad_output reduction self target"),
    ],
)
def test_the_node_of_a_gradient_saves_all(torch: Any, program: str, saved: str) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = eval(program, {"F": torch.nn.functional, "x": x})
    (slope,) = torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)
    node = slope.grad_fn
    if node.name() == "MulBackward0":  # of abs: the upstream gradient times the sign
        node = node.next_functions[1][0]
    names = [name for name in dir(node) if name.startswith("_saved_")]
    assert names == [f"_saved_{name}" for name in saved.split()]
    assert None not in [getattr(node, name) for name in names]


def test_saved_values_are_freed(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.sum().backward()
    with pytest.raises(RuntimeError, match="directly access saved tensors after they have already"):
        y.grad_fn._saved_result  # noqa: B018


def test_a_prehook_sees_the_sum_of_all_paths(torch: Any) -> None:
    seen: list[Any] = []
    y = torch.ones(1, requires_grad=True) * 2
    y.grad_fn.register_prehook(lambda outputs: seen.append(outputs[0].item()))
    (y * 3 + y * 4).sum().backward()
    assert seen == [7]


def test_removed_hooks_do_not_run(torch: Any) -> None:
    seen: list[Any] = []
    x = torch.ones(1, requires_grad=True)
    handle = x.register_hook(seen.append)
    with x.register_hook(seen.append):
        (x * 2).sum().backward()
    handle.remove()
    handle.remove()
    (x * 2).sum().backward()
    assert len(seen) == 2


def test_hooks_of_a_leaf_outlive_the_graph(torch: Any) -> None:
    seen: list[float] = []
    x = torch.ones(1, requires_grad=True)
    x.register_hook(lambda grad: seen.append(grad.item()))
    for factor in (2, 3):
        (x * factor).sum().backward()
    assert seen == [2, 3]


def test_node_hooks_do_not_run_where_a_gradient_is_only_captured(torch: Any) -> None:
    order: list[str] = []
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.grad_fn.register_prehook(lambda outputs: order.append("pre"))
    y.register_hook(lambda grad: order.append("tensor"))
    torch.autograd.grad((y * 3).sum(), y)
    assert order == ["tensor"]


@pytest.mark.parametrize(
    ("result", "error", "text"),
    [
        ("torch.ones(3)", RuntimeError, "hook 'hook' has changed the size of value"),
        ("grad.double()", RuntimeError, "hook 'hook' has changed the type of value"),
        ("3", TypeError, "expected Variable, but hook returned 'int'"),
    ],
)
def test_wrong_results_of_hooks(torch: Any, result: str, error: type, text: str) -> None:
    def hook(grad: Any) -> Any:
        return eval(result, {"torch": torch, "grad": grad})

    y = torch.ones(2, requires_grad=True) * 2
    y.register_hook(hook)
    with pytest.raises(error) as raised:
        y.sum().backward()
    assert str(raised.value).startswith(text[:40])


def test_a_node_can_be_called(torch: Any) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    assert (x * x).grad_fn(torch.tensor([1.0]))[0].tolist() == [2]
