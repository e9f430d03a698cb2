"""The backward pass: order, accumulation, targets, freeing, depth, and memory."""

import tracemalloc
import warnings
from typing import Any

import pytest


def test_calls_add_up_in_the_same_tensor(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    assert x.grad is first
    assert x.grad.tolist() == [6, 6]
    assert first._version == 1


def test_a_leaf_keeps_its_first_gradient_and_copies_what_others_refer_to(torch: Any) -> None:
    x, w = (torch.zeros(2, 3, requires_grad=True) for _ in range(2))
    gradient, seen = torch.ones(2, 3), []
    x.register_hook(seen.append)
    for _ in range(2):
        (x + w).t().backward(gradient.t())
    assert (x.grad + w.grad).unique().item() == 4
    assert torch.stack([gradient, *seen]).unique().item() == 1
    x.grad = w.grad = None
    w.register_hook(lambda grad: seen.append(grad.data_ptr()))
    (w * 2).sum().backward()
    assert w.grad.data_ptr() == seen[-1]


def test_newest_node_runs_first(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    order: list[str] = []
    early = x * 2
    late = x * 3
    for name, node in (("early", early.grad_fn), ("late", late.grad_fn)):
        node.register_prehook(lambda grads, name=name: order.append(name))
    (early + late).backward()
    assert order == ["late", "early"]


def test_a_leaf_runs_when_its_last_gradient_has_arrived(torch: Any) -> None:
    x, w = (torch.tensor(2.0, requires_grad=True) for _ in range(2))
    order: list[str] = []
    x.register_hook(lambda grad: order.append("x"))
    w.register_hook(lambda grad: order.append("w"))
    y = x * 2
    z = y * w
    z.backward()
    assert order == ["w", "x"]


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("(x * 2).backward()", "grad can be implicitly created only for scalar outputs"),
        ("x.detach().sum().backward()", "element 0 of tensors does not require grad"),
        ("(x * 2).backward(torch.ones(2))", "Mismatch in shape: grad_output[0] has a shape of"),
        ("x.sum().backward(inputs=[])", "`inputs` argument to `backward()` cannot be empty."),
        ("torch.autograd.grad(x.sum(), [])", "`inputs` argument to `grad()` cannot be empty."),
        ("torch.autograd.grad(x.sum(), w)", "The differentiated Tensor at index 0 appears to not"),
        ("torch.autograd.grad(x.sum(), x.detach())", "One of the differentiated Tensors does not"),
    ],
)
def test_refused_calls_change_nothing(torch: Any, program: str, text: str) -> None:
    x, w = (torch.ones(3, requires_grad=True) for _ in range(2))
    with pytest.raises(RuntimeError) as error:
        eval(program)
    assert str(error.value).startswith(text)
    assert x.grad is None
    assert w.grad is None


def test_a_graph_runs_once_if_it_saved_tensors(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    sums, squares = (x + 2).sum(), (x * x).sum()
    sums.backward()
    sums.backward()
    squares.backward(retain_graph=True)
    squares.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        squares.backward()
    assert x.grad.tolist() == [6, 6, 6]


def test_inputs_limit_where_gradients_are_stored(torch: Any) -> None:
    x, w = (torch.tensor(2.0, requires_grad=True) for _ in range(2))
    y = x * w
    (y * y).backward(inputs=[x, y])
    assert (x.grad.item(), y.grad.item(), w.grad) == (16, 8, None)


def test_grad_returns_and_stores_nothing(torch: Any) -> None:
    x, w = (torch.tensor(3.0, requires_grad=True) for _ in range(2))
    y = x * x
    dy_dx, unused = torch.autograd.grad(y, [x, w], allow_unused=True, retain_graph=True)
    assert (dy_dx.item(), unused, x.grad) == (6, None, None)
    assert torch.autograd.grad(y, [x, w], materialize_grads=True)[1].item() == 0


def test_derivatives_of_derivatives(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    value = x**4
    for expected in (32, 48, 48, 24):
        (value,) = torch.autograd.grad(value, x, create_graph=True)
        assert value.item() == expected


def test_broadcast_dimensions_are_summed(torch: Any) -> None:
    row = torch.ones(3, requires_grad=True)
    column = torch.ones(2, 1, requires_grad=True)
    scalar = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    (row * column * scalar).sum().backward()
    assert row.grad.tolist() == [2, 2, 2]
    assert column.grad.tolist() == [[3], [3]]
    assert (scalar.grad.item(), scalar.grad.dtype) == (6, torch.float64)


def test_a_leaf_lives_as_long_as_its_graph(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) * 2
    y.sum().backward()
    assert y.grad_fn.next_functions[0][0].variable.grad.tolist() == [2, 2]


def test_a_frozen_leaf_gets_no_gradient_from_an_old_graph(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = (x * 2).sum()
    x.requires_grad_(False)
    y.backward()
    assert x.grad is None


def test_deep_graphs_need_no_recursion() -> None:
    import minigrad as torch

    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.backward()
    assert x.grad.item() == 1
    del y


def test_steps_keep_memory_flat() -> None:
    import minigrad as torch

    p, g = torch.ones(3, requires_grad=True), torch.ones(3)

    def steps(count: int) -> int:
        with torch.no_grad():
            for _ in range(count):
                p.sub_(g)
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    before = steps(5_000)
    after = steps(5_000)
    tracemalloc.stop()
    assert after - before < 2_000
    assert p._version == 10_000


def test_a_program_is_told_once_of_the_cycle_that_create_graph_makes(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        (x**3).sum().backward(create_graph=True)
        assert type(x.grad.grad_fn).__name__ == "CopyBackwards"
        (x**3).sum().backward(create_graph=True)
    (warned,) = caught
    assert warned.category is UserWarning
    assert "Using backward() with create_graph=True will" in str(warned.message)
    assert "reference cycle" in str(warned.message)
