"""How the graph is walked: in which order, how often, with which gradients, and what is left."""

from __future__ import annotations

import gc
import inspect
import math
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad.ops.declare import op
from tests.autograd.watching import nodes_below, passed, watch

# In which order nodes run


def test_the_operation_recorded_last_runs_first(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    a = x.exp()
    b = x.tanh()
    c = x.sin()
    reached = watch(a=a, b=b, c=c)
    (c + a + b).sum().backward()
    assert reached == ["c", "b", "a"]


def test_it_is_the_time_of_recording_that_counts_not_the_depth(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    early = x.exp()
    late = x.tanh().sin().cos()
    reached = watch(early=early, late=late, x=x)
    (early * late).sum().backward()
    assert reached == ["late", "early", "x"]


def test_a_leaf_takes_its_gradient_as_soon_as_it_is_complete(torch: Any) -> None:
    x, y, z = (torch.ones(2, requires_grad=True) for _ in range(3))
    a = x.exp()
    b = a * y
    c = b * z
    reached = watch(x=x, y=y, z=z, a=a, b=b)
    c.sum().backward()
    assert reached == ["z", "b", "y", "a", "x"]


def test_four_leaves_of_one_operation_run_as_a_binary_heap_gives_them(torch: Any) -> None:
    leaves = [torch.ones(1, requires_grad=True) for _ in range(4)]
    reached = watch(**{str(place): leaf for place, leaf in enumerate(leaves)})
    torch.cat(leaves).sum().backward()
    assert reached == ["0", "2", "1", "3"]


def test_a_node_waits_for_every_gradient_that_can_reach_it(torch: Any) -> None:
    x = torch.tensor(3.0, requires_grad=True)
    top = x * 2
    left, right = top * 5, top.exp()
    reached = watch(x=x, top=top, left=left, right=right)
    gradients: list[float] = []
    top.register_hook(lambda gradient: gradients.append(gradient.item()))
    (left + right).backward()
    assert reached == ["right", "left", "top", "x"]
    assert gradients == [pytest.approx(5 + math.exp(6))]


def test_a_chain_of_diamonds_runs_each_node_once(torch: Any) -> None:
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    runs = []
    for _ in range(60):
        y = y + y
        runs.append(passed(y.grad_fn))
    y.backward()
    assert x.grad.item() == 2.0**60
    assert [len(seen) for seen in runs] == [1] * 60


def test_one_tensor_used_by_many_gets_the_sum(torch: Any) -> None:
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    shared = x * 1
    seen = passed(shared.grad_fn)
    sum(shared * factor for factor in range(1, 11)).sum().backward()
    assert len(seen) == 1
    assert x.grad.tolist() == [55.0, 55.0]


def test_nodes_that_lead_to_no_wanted_input_do_not_run(torch: Any) -> None:
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    a, b = x.exp(), y.exp()
    to_x, to_y = passed(a.grad_fn), passed(b.grad_fn)
    torch.autograd.grad((a * b).sum(), x)
    assert (len(to_x), len(to_y)) == (1, 0)


# Where walks start


def test_backward_on_a_leaf_gives_it_the_gradient(torch: Any) -> None:
    x = torch.tensor(5.0, requires_grad=True)
    x.backward()
    assert x.grad.item() == 1
    x.backward(torch.tensor(2.5))
    assert x.grad.item() == 3.5


def test_the_same_root_twice_counts_twice(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    seen = passed(y.grad_fn)
    torch.autograd.backward([y, y], [torch.tensor(1.0), torch.tensor(10.0)])
    assert x.grad.tolist() == [22.0, 44.0]
    assert [incoming.item() for _, (incoming,) in seen] == [11.0]


def test_a_root_below_another_root_waits_for_it(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    inner = x * 3
    outer = inner * inner
    reached = watch(inner=inner, outer=outer, x=x)
    torch.autograd.backward([inner, outer])
    assert reached == ["outer", "inner", "x"]
    assert x.grad.item() == 3 + 2 * 6 * 3


def test_a_leaf_may_be_one_of_several_roots(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    torch.autograd.backward([x, x * 2], [torch.ones(3), torch.ones(3)])
    assert x.grad.tolist() == [3.0, 3.0, 3.0]


def test_roots_are_two_outputs_of_one_node(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    first, second = (x * x).split(2)
    seen = passed(first.grad_fn)
    torch.autograd.backward([first.sum(), second.sum()], [torch.tensor(1.0), torch.tensor(10.0)])
    assert x.grad.tolist() == [2.0, 4.0, 60.0, 80.0]
    assert len(seen) == 1


@pytest.mark.parametrize("dtype", ["float16", "float64", "int64"])
def test_the_first_gradient_is_cast_to_the_dtype_of_its_root(torch: Any, dtype: str) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    seen = passed(y.grad_fn)
    y.backward(torch.tensor([3, 4], dtype=getattr(torch, dtype)))
    assert seen[0][1][0].dtype is torch.float32
    assert x.grad.dtype is torch.float32
    assert x.grad.tolist() == [6.0, 8.0]


# Gradients on the way


def test_outputs_that_were_not_used_have_undefined_gradients(torch: Any) -> None:
    x = torch.arange(6.0).requires_grad_()
    parts = x.split(2)
    seen = passed(parts[0].grad_fn)
    before: list[Any] = []
    parts[0].grad_fn.register_prehook(lambda gradients: before.append(gradients))
    (parts[1] * 3).sum().backward()
    ((grad_inputs, grad_outputs),) = seen
    assert [one is None for one in grad_outputs] == [True, False, True]
    assert grad_outputs[1].tolist() == [3.0, 3.0]
    assert [one is None for one in before[0]] == [True, False, True]
    assert grad_inputs[0].tolist() == [0.0, 0.0, 3.0, 3.0, 0.0, 0.0]


def test_parts_that_are_0d_pass_their_gradients_on(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    first, _, last = x
    (first * last).backward()
    assert x.grad.tolist() == [3.0, 0.0, 1.0]


def test_an_undefined_gradient_passes_through_a_whole_chain(torch: Any) -> None:
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    cut = x * 2
    cut.grad_fn.register_hook(lambda grad_inputs, _: (None, None))
    deep = (cut * 3).exp()
    assert deep.requires_grad
    below = x.sin()
    below.grad_fn.register_hook(lambda grad_inputs, _: (None,))
    (cut.exp() + below * y).sum().backward()
    assert x.grad is None
    assert y.grad.tolist() == pytest.approx([math.sin(1)] * 2)


def test_inputs_without_gradient_have_empty_edges(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    product = x * torch.ones(3)
    seen = passed(product.grad_fn)
    assert product.grad_fn.next_functions[1] == (None, 0)
    product.sum().backward()
    assert seen[0][0][1] is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((), (3,)),
        ((3,), (2, 3)),
        ((2, 1), (1, 3)),
        ((1,), ()),
        ((3,), (1, 3)),
        ((1, 1, 1), (2, 3)),
        ((0,), (1,)),
        ((1,), (0,)),
        ((2, 0), (2, 1)),
        ((0, 1), (1, 0)),
    ],
)
def test_broadcasting_is_undone_on_each_edge(
    torch: Any, left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    a, b = torch.ones(left, requires_grad=True), torch.full(right, 2.0, requires_grad=True)
    size = math.prod(np.broadcast_shapes(left, right))
    product = a * b
    seen = passed(product.grad_fn)
    product.sum().backward()
    for gradients in (
        (a.grad, b.grad),
        seen[0][0],
        torch.autograd.grad((a * b).sum(), [a, b]),
        torch.autograd.grad((a * b).sum(), [a, b], create_graph=True),
    ):
        for leaf, factor, gradient in zip((a, b), (2.0, 1.0), gradients, strict=True):
            assert gradient.shape == leaf.shape
            assert gradient.sum().item() == factor * size


@pytest.mark.parametrize("wide", ["float64", "float32"])
@pytest.mark.parametrize("narrow", ["float32", "float16"])
@pytest.mark.parametrize("shape", [(), (2,), (0,)])
def test_a_gradient_has_the_dtype_of_its_tensor(
    torch: Any, wide: str, narrow: str, shape: tuple[int, ...]
) -> None:
    a = torch.ones(shape, dtype=getattr(torch, wide), requires_grad=True)
    b = torch.ones(shape, dtype=getattr(torch, narrow), requires_grad=True)
    ((a * b).exp() * 2.5).sum().backward()
    assert a.grad.dtype is a.dtype
    assert b.grad.dtype is b.dtype


def test_a_0d_tensor_of_a_wider_dtype_gets_its_gradient_in_its_own_dtype(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    factor = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    product = x * factor
    assert product.dtype is torch.float32
    product.sum().backward()
    assert (x.grad.dtype, factor.grad.dtype) == (torch.float32, torch.float64)
    assert factor.grad.item() == 3


def test_a_formula_that_returns_the_wrong_shape_is_named() -> None:
    wrong = op("", "WrongBackward0", lambda self: self * 1, self=lambda grad: grad[:2])
    x = minigrad.ones(3, requires_grad=True)
    with pytest.raises(
        RuntimeError,
        match=r"^Function WrongBackward0 returned an invalid gradient at index 0 - got \[2\] but "
        r"expected shape compatible with \[3\]$",
    ):
        wrong(x).sum().backward()
    assert x.grad is None


# What is added up, and where


def test_gradients_of_several_passes_add_up_in_the_same_tensor(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    kept = x.grad
    version = kept._version
    (x * 3).sum().backward()
    assert x.grad is kept
    assert kept.tolist() == [5.0, 7.0]
    assert kept._version == version + 1


def test_a_gradient_the_user_put_there_is_added_to(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    mine = torch.tensor([10.0, 20.0])
    x.grad = mine
    view = mine.view(2, 1)
    (x * x).sum().backward()
    assert x.grad is mine
    assert view.tolist() == [[12.0], [24.0]]


def test_a_gradient_whose_elements_share_their_memory_is_not_added_to(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    x.grad = torch.ones(1).expand(3)
    with pytest.raises(RuntimeError, match="^unsupported operation: more than one element of"):
        (x * 1).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
def test_under_create_graph_the_sum_is_a_new_tensor(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    kept = x.grad
    (x * x).sum().backward(create_graph=True)
    assert x.grad is not kept
    assert kept.tolist() == [2.0, 4.0]
    assert x.grad.tolist() == [4.0, 8.0]
    assert x.grad.requires_grad
    x.grad = None


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("through", ["the leaf", "an operation", "a broadcast"])
def test_the_first_store_is_not_the_gradient_the_user_gave(
    torch: Any, create_graph: bool, through: str
) -> None:
    x = torch.ones(3, requires_grad=True)
    given = torch.tensor([1.0, 2.0, 3.0])
    output = {"the leaf": x, "an operation": x + 1, "a broadcast": x + torch.ones(1)}[through]
    output.backward(given, create_graph=create_graph)
    with torch.no_grad():
        x.grad.mul_(10)
    assert given.tolist() == [1.0, 2.0, 3.0]
    x.grad = None


def test_two_leaves_of_a_sum_do_not_share_their_gradient(torch: Any) -> None:
    a, b = (torch.ones(3, requires_grad=True) for _ in range(2))
    total = a + b
    total.retain_grad()
    total.sum().backward()
    a.grad.mul_(5)
    assert b.grad.tolist() == total.grad.tolist() == [1.0, 1.0, 1.0]


def test_a_retained_gradient_is_not_the_leafs(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    middle = x + 0
    outer = middle + 0
    middle.retain_grad()
    outer.retain_grad()
    outer.sum().backward()
    middle.grad.zero_()
    assert x.grad.tolist() == outer.grad.tolist() == [1.0, 1.0, 1.0]
    (x + 0).sum().backward()
    assert outer.grad.tolist() == [1.0, 1.0, 1.0]


def test_adding_up_does_not_write_into_what_a_formula_returned(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    given = torch.tensor([1.0, 2.0, 3.0])
    both = x + x
    seen = passed(both.grad_fn)
    both.backward(given)
    assert x.grad.tolist() == [2.0, 4.0, 6.0]
    assert [one.tolist() for one in seen[0][0]] == [[1.0, 2.0, 3.0]] * 2
    assert given.tolist() == [1.0, 2.0, 3.0]


def test_adding_up_does_not_write_into_a_saved_tensor(torch: Any) -> None:
    a, b = (torch.tensor([2.0, 3.0], requires_grad=True) for _ in range(2))
    (a * b + a * b).sum().backward()
    assert a.tolist() == b.tolist() == [2.0, 3.0]
    assert a.grad.tolist() == [4.0, 6.0]


def test_a_leaf_reached_without_a_gradient_keeps_none(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.grad_fn.register_hook(lambda *_: (None, None))
    y.sum().backward()
    assert x.grad is None


@pytest.mark.parametrize("shape", [(), (1,), (0,), (2, 3)])
def test_a_gradient_has_the_shape_of_its_leaf_and_can_be_written(
    torch: Any, shape: tuple[int, ...]
) -> None:
    x = torch.ones(shape, requires_grad=True)
    x.sum().backward()
    assert x.grad.shape == x.shape
    x.grad.add_(1)
    assert x.grad.tolist() == torch.full(shape, 2.0).tolist()


# Walking again


@pytest.mark.parametrize(
    "forward",
    [
        lambda x: x + 2,
        lambda x: x - 2,
        lambda x: -x,
        lambda x: x.view(3, 1).t().expand(2, 3),
        lambda x: x.sum(0) + x.mean(),
        lambda x: x[1:],
    ],
)
def test_what_saved_no_tensor_may_be_walked_again(
    torch: Any, forward: Callable[[Any], Any]
) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = forward(x).sum()
    y.backward()
    once = x.grad.clone()
    y.backward()
    assert x.grad.tolist() == (2 * once).tolist()


@pytest.mark.parametrize(
    "forward",
    [
        lambda x: x * x,
        lambda x: x * 2,
        lambda x: x / 2,
        lambda x: x**2,
        lambda x: x.exp(),
        lambda x: x.relu(),
        lambda x: x @ x,
        lambda x: x.max(),
    ],
)
def test_what_saved_a_tensor_is_walked_again_only_if_it_was_retained(
    torch: Any, forward: Callable[[Any], Any]
) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = forward(x).sum()
    y.backward(retain_graph=True)
    once = x.grad.clone()
    y.backward()
    assert x.grad.tolist() == (2 * once).tolist()
    with pytest.raises(RuntimeError, match="^Trying to backward through the graph a second time"):
        y.backward()
    assert x.grad.tolist() == (2 * once).tolist()


def test_only_what_was_walked_is_freed(torch: Any) -> None:
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    shared = x * x
    to_y = y.exp()
    total = (shared + to_y).sum()
    torch.autograd.grad(total, y)
    torch.autograd.grad(shared.sum(), x)
    with pytest.raises(RuntimeError, match="a second time"):
        torch.autograd.grad(to_y.sum(), y)


def test_two_graphs_that_share_a_part_free_it_for_both(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    shared = x * x
    first, second = shared.sum(), (shared + 1).sum()
    first.backward()
    with pytest.raises(RuntimeError, match="a second time"):
        second.backward()


def test_create_graph_retains_the_graph_unless_told_otherwise(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    torch.autograd.grad(y, x, create_graph=True)
    torch.autograd.grad(y, x, create_graph=True, retain_graph=False)
    with pytest.raises(RuntimeError, match="a second time"):
        torch.autograd.grad(y, x)


# When something goes wrong on the way


class Stop(Exception):
    """What hooks raise here."""


def stop(_: Any) -> None:
    raise Stop


def test_an_exception_in_a_hook_leaves_what_was_not_reached_as_it_was(torch: Any) -> None:
    x, y, z = (torch.ones(2, requires_grad=True) for _ in range(3))
    x.grad = torch.tensor([7.0, 7.0])
    kept, version = x.grad, x.grad._version
    middle = x * y
    total = (middle * z).sum()
    hook = middle.register_hook(stop)
    with pytest.raises(Stop):
        total.backward(retain_graph=True)
    assert torch.is_grad_enabled()
    assert (x.grad is kept, kept.tolist(), kept._version) == (True, [7.0, 7.0], version)
    assert y.grad is None
    assert z.grad.tolist() == [1.0, 1.0]
    assert [one._version for one in (x, y, z, middle, total)] == [0] * 5
    hook.remove()
    total.backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([8.0, 8.0], [1.0, 1.0])
    assert z.grad.tolist() == [2.0, 2.0]


@pytest.mark.parametrize("inside", ["no_grad", "enable_grad"])
def test_an_exception_leaves_the_grad_mode_as_it_was(torch: Any, inside: str) -> None:
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    x.register_hook(stop)
    with getattr(torch, inside)():
        before = torch.is_grad_enabled()
        for create_graph in (False, True):
            with pytest.raises(Stop):
                torch.autograd.grad(y, x, create_graph=create_graph, retain_graph=True)
            assert torch.is_grad_enabled() is before


def test_a_modified_tensor_stops_the_walk_before_its_node_and_changes_nothing(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    with torch.no_grad():
        x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()
    assert x.grad is None
    assert x.tolist() == [2.0, 3.0]
    assert x._version == 1


# Modes, walks inside walks, threads


def test_hooks_run_with_recording_on_only_under_create_graph(torch: Any) -> None:
    modes: list[tuple[bool, bool]] = []
    for create_graph in (False, True):
        x = torch.tensor(2.0, requires_grad=True)
        y = x**3
        x.register_hook(
            lambda gradient: modes.append((torch.is_grad_enabled(), gradient.requires_grad))
        )
        torch.autograd.grad(y, x, create_graph=create_graph)
    assert modes == [(False, False), (True, True)]


def test_create_graph_records_inside_no_grad(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    with torch.no_grad():
        (slope,) = torch.autograd.grad(y, x, create_graph=True)
        assert not torch.is_grad_enabled()
    assert torch.autograd.grad(slope, x)[0].item() == 12


def test_a_hook_may_walk_another_graph_and_the_same_one(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    inner: list[Any] = []

    def walk_again(gradient: Any) -> None:
        with torch.enable_grad():
            other = torch.tensor(3.0, requires_grad=True)
            (other**2).backward()
            inner.append(other.grad.item())
        inner.append(torch.autograd.grad(y, x, retain_graph=True)[0].item())

    y = x * x
    (y * 5).register_hook(walk_again)
    outer = y * 5
    outer.register_hook(walk_again)
    outer.backward()
    assert inner == [6.0, 4.0]
    assert x.grad.item() == 20


def test_threads_walk_graphs_of_their_own_at_the_same_time(torch: Any) -> None:
    found: dict[int, float] = {}
    together = threading.Barrier(4)

    def work(number: int) -> None:
        together.wait()
        for _ in range(30):
            x = torch.tensor(float(number), requires_grad=True)
            y = x
            for _ in range(30):
                y = y + x
            y.backward()
            found[number] = found.get(number, 0.0) + x.grad.item()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(4), 30 * 31.0)


# Depth


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Reference counting alone: what is not freed by it stays, and is seen to."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def chain(x: Any, length: int) -> Any:
    y = x
    for _ in range(length):
        y = y + 1.0
    return y


@pytest.fixture
def shallow() -> Iterator[None]:
    """A recursion limit just above what the test itself needs."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 60)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.usefixtures("no_collector", "shallow")
def test_a_graph_of_a_million_nodes_is_built_walked_and_freed() -> None:
    length = 1_000_000
    x = minigrad.tensor(1.0, requires_grad=True)
    y = chain(x, length)
    oldest = weakref.ref(x)
    middle = weakref.ref(nodes_below(y)[length // 2])
    y.backward()
    assert x.grad is not None
    assert x.grad.item() == 1
    assert y.item() == length + 1
    assert middle() is not None
    del y, x
    assert middle() is None
    assert oldest() is None


@pytest.mark.usefixtures("no_collector", "shallow")
def test_a_deep_graph_is_differentiated_twice_and_searched_for_inputs() -> None:
    x = minigrad.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(5_000):
        y = y * 1.0
    (slope,) = minigrad.autograd.grad(y * y, x, create_graph=True)
    (second,) = minigrad.autograd.grad(slope, x)
    assert (slope.item(), second.item()) == (2.0, 2.0)


# Memory


def train(torch: Any, keep: Callable[..., Any]) -> None:
    weight, bias = keep(torch.ones(3, 2, requires_grad=True)), torch.zeros(2, requires_grad=True)
    optimizer = torch.optim.SGD([weight, bias], lr=0.1, momentum=0.9)
    for _ in range(2):
        optimizer.zero_grad()
        hidden = keep(torch.tanh(torch.ones(4, 3) @ weight + bias))
        loss = keep(torch.nn.functional.mse_loss(hidden, torch.zeros(4, 2)))
        loss.backward()
        keep(weight.grad)
        optimizer.step()


def forward_only(torch: Any, keep: Callable[..., Any]) -> None:
    x = keep(torch.ones(3, requires_grad=True))
    keep((keep(x.exp()) * keep(x.tanh())).softmax(0).max(0)[0])


def backward_once(torch: Any, keep: Callable[..., Any]) -> None:
    x = keep(torch.ones(3, requires_grad=True))
    keep((keep(x * x).exp() + x.sigmoid()).sum()).backward()
    keep(x.grad)


def higher_derivatives(torch: Any, keep: Callable[..., Any]) -> None:
    x = keep(torch.ones(3, requires_grad=True))
    y = keep((x.exp() * x.tanh() / x).sum())
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(keep(first).sum(), x, create_graph=True)
    keep(torch.autograd.grad(keep(second).sum(), x)[0])


def hooks_of_every_kind(torch: Any, keep: Callable[..., Any]) -> None:
    x = keep(torch.ones(3, requires_grad=True))
    y = keep(x * x)
    x.register_hook(lambda gradient: gradient * 2)
    y.register_hook(lambda gradient: gradient * 2)
    y.retain_grad()
    y.grad_fn.register_hook(lambda grad_inputs, _: grad_inputs)
    y.grad_fn.register_prehook(lambda grad_outputs: grad_outputs)
    y.sum().backward()
    keep(y.grad)


def saved_values_looked_at(torch: Any, keep: Callable[..., Any]) -> None:
    x = keep(torch.ones(3, requires_grad=True))
    y = keep(x.exp())
    keep(y.grad_fn._saved_result)
    assert keep(y.grad_fn._saved_result).grad_fn is y.grad_fn


def stopped_in_the_middle(torch: Any, keep: Callable[..., Any]) -> None:
    x = keep(torch.ones(3, requires_grad=True))
    y = keep(x.exp())
    y.register_hook(stop)
    for options in ({}, {"create_graph": True}):
        try:
            torch.autograd.grad(keep((y * y).sum()), x, **options)
        except Stop:
            continue
        raise AssertionError


def operation_refused(torch: Any, keep: Callable[..., Any]) -> None:
    x = keep(torch.ones(3, requires_grad=True))
    for refused in (lambda: x + torch.ones(4), lambda: x.add_(1), lambda: x.exp().backward()):
        try:
            refused()
        except RuntimeError:
            continue
        raise AssertionError


def changed_in_place(torch: Any, keep: Callable[..., Any]) -> None:
    x = keep(torch.ones(3, requires_grad=True))
    y = keep(x * 1)
    y.mul_(2).add_(x).exp_()
    y.sum().backward()
    with torch.no_grad():
        x.view(3)[0] = 2.0
    keep(x.detach()).zero_()


def printed(torch: Any, keep: Callable[..., Any]) -> None:
    x = keep(torch.ones(3, requires_grad=True))
    assert "grad_fn" in repr(keep(x * 2))


@pytest.mark.parametrize(
    "program",
    [
        train,
        forward_only,
        backward_once,
        higher_derivatives,
        hooks_of_every_kind,
        saved_values_looked_at,
        stopped_in_the_middle,
        operation_refused,
        changed_in_place,
        printed,
    ],
)
@pytest.mark.usefixtures("no_collector")
def test_everything_is_freed_without_the_garbage_collector(
    torch: Any, program: Callable[..., None]
) -> None:
    references: list[weakref.ref[Any]] = []

    def keep(thing: Any) -> Any:
        references.append(weakref.ref(thing))
        return thing

    program(torch, keep)
    gc.collect()  # what the first run imports or caches is no leak
    references.clear()
    program(torch, keep)
    assert references
    assert [reference() for reference in references if reference() is not None] == []
    assert gc.collect() == 0


@pytest.mark.usefixtures("no_collector")
def test_nodes_are_freed_with_their_last_tensor() -> None:
    x = minigrad.ones(3, requires_grad=True)
    y = (x.exp() * x).sum()
    nodes = [weakref.ref(node) for node in nodes_below(y)]
    assert len(nodes) == 4
    y.backward(retain_graph=True)
    assert all(node() is not None for node in nodes)
    del y
    assert [node() for node in nodes] == [None] * 4


@pytest.mark.usefixtures("no_collector")
def test_what_was_saved_is_freed_by_the_backward_pass(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    middle = x.exp() * x
    saved = weakref.ref(middle)
    y = (middle * middle).sum()
    del middle
    assert saved() is not None
    y.backward()
    assert saved() is None
    assert x.grad is not None


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
def test_the_circle_of_create_graph_is_broken_by_dropping_the_gradient() -> None:
    gc.collect()
    gc.disable()
    x = minigrad.ones(3, requires_grad=True)
    (x * x).sum().backward(create_graph=True)
    references = [weakref.ref(x), weakref.ref(x.grad)]
    x.grad = None
    del x
    gc.enable()
    assert [one() for one in references] == [None, None]


# numpy's own warnings


def overflow(torch: Any, x: Any) -> Any:
    return (x * 1e30 * 1e30).exp() / 0


def divided_by_zero(torch: Any, x: Any) -> Any:
    return x / (x - x) + (x - x).log() + (x - x) ** -1.0


def not_a_number(torch: Any, x: Any) -> Any:
    return (-x).sqrt() + (-x).log() + (x / 0 - x / 0) + (x - x) / (x - x) + (-x) ** 0.5


def reduced(torch: Any, x: Any) -> Any:
    huge = x * 3e38
    return huge.sum() + huge.mean() + huge.var() + huge.prod() + huge.norm() + (huge @ huge)


def losses(torch: Any, x: Any) -> Any:
    huge = x * 3e38
    return (
        torch.nn.functional.mse_loss(huge, -huge)
        + torch.softmax(huge * 10, 0).sum()
        + torch.logsumexp(huge * 10, 0)
        + torch.nn.functional.binary_cross_entropy_with_logits(huge, x * 0)
    )


def narrowed(torch: Any, x: Any) -> Any:
    return (x * 1e30).half() * 1e9 + torch.tensor(1e300) + x * 1e300


def empty_reduced(torch: Any, x: Any) -> Any:
    nothing = x[:0]
    return nothing.mean() + nothing.sum() + nothing.prod()


@pytest.mark.parametrize(
    "program",
    [overflow, divided_by_zero, not_a_number, reduced, losses, narrowed, empty_reduced],
)
@pytest.mark.parametrize("create_graph", [False, True])
def test_no_floating_point_error_of_numpy_reaches_the_user(
    torch: Any, program: Callable[..., Any], create_graph: bool
) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        before = np.geterr()
        y = program(torch, x)
        (slope,) = torch.autograd.grad(y.sum(), x, create_graph=create_graph)
        if slope.requires_grad:
            torch.autograd.grad(slope.sum(), x, allow_unused=True)
        assert np.geterr() == before


def test_adding_up_beyond_the_largest_number_is_silent(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with np.errstate(all="raise"):
        for _ in range(2):
            (x * 3e38 + x * 3e38).sum().backward()
        assert x.grad.tolist() == [math.inf, math.inf]
        x.grad.sub_(math.inf).add_(1)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("shape", [(), (2,), (1, 2), (3, 1)])
@pytest.mark.parametrize("create_graph", [False, True])
def test_summing_and_casting_a_gradient_for_its_tensor_is_silent(
    torch: Any, dtype: str, shape: tuple[int, ...], create_graph: bool
) -> None:
    x = torch.ones(shape, dtype=getattr(torch, dtype), requires_grad=True)
    factor = torch.full((3, 2), 1.5e308, dtype=torch.float64)
    with np.errstate(all="raise"):
        (slope,) = torch.autograd.grad((x * factor).sum(), x, create_graph=create_graph)
    assert slope.dtype is x.dtype
    assert torch.isinf(slope).all()


@pytest.mark.parametrize(
    "change",
    [
        lambda x, huge: x.div_(0).sqrt_(),
        lambda x, huge: x.mul_(huge),
        lambda x, huge: x.copy_(huge),
        lambda x, huge: x.fill_(huge[0]),
        lambda x, huge: x.__setitem__(0, huge[0]),
        lambda x, huge: x.__setitem__(slice(None), huge),
        lambda x, huge: x.half().copy_(x * 1e30),
        lambda x, huge: x.long().copy_(huge * 1e30),
    ],
)
def test_changes_that_overflow_are_silent(torch: Any, change: Callable[..., Any]) -> None:
    x, huge = torch.tensor([1.0, 2.0]), torch.tensor([1e300, 1e300], dtype=torch.float64)
    with np.errstate(all="raise"):
        change(x, huge)


def test_numbers_of_the_user_still_warn_as_the_user_wants(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    settings: list[Any] = []
    x.register_hook(lambda _: settings.append(np.geterr()))
    with np.errstate(over="call", divide="ignore", invalid="raise", under="print"):
        inside = np.geterr()
        (x * 1e38 * 10).exp().sum().backward()
        assert settings == [inside]
        with pytest.raises(FloatingPointError):
            np.array([-1.0]) ** 0.5
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.array([1.0]) / 0


# Leaves that change between forward and backward


def test_a_leaf_that_was_changed_in_place_takes_no_gradient_any_more(torch: Any) -> None:
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * 2
    x.requires_grad_(False).mul_(w)
    with pytest.raises(RuntimeError, match="leaf variable has been moved into the graph interior"):
        y.sum().backward(retain_graph=True)
    x.detach_()
    y.sum().backward()  # now it wants none


def test_a_leaf_of_another_shape_refuses_gradients_of_the_one_before(torch: Any) -> None:
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 2
    x.data = torch.zeros(3)
    with pytest.raises(RuntimeError, match=r"output with shape \[3\] doesn't match the broadcast"):
        y.sum().backward()
    assert x.grad is None
    with pytest.raises(RuntimeError, match=r"got \[3\] but expected shape compatible"):
        (x * 2).sum().backward()
    del y
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


def test_a_gradient_that_does_not_lie_as_its_leaf_does_is_warned_of(torch: Any) -> None:
    x = torch.ones(3, 2).t().requires_grad_()
    x.grad = torch.ones(2, 3)
    y = (x * 2).sum()
    if torch.__name__ == "torch":
        torch.set_warn_always(True)
    with pytest.warns(UserWarning, match="do not obey the gradient layout contract"):
        y.backward()
    assert x.grad.tolist() == [[3.0] * 3] * 2
