"""Hooks of tensors and nodes: when they run, what they see, what they may replace."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import minigrad

# Of tensors


def test_a_hook_sees_the_whole_gradient_once(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    seen: list[Any] = []
    y.register_hook(lambda gradient: seen.append(gradient.tolist()))
    (y * 2 + y).sum().backward()
    assert seen == [[3.0, 3.0]]
    assert x.grad.tolist() == [9.0, 9.0]


def test_what_a_hook_returns_takes_the_gradients_place(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.register_hook(lambda gradient: gradient * 10)
    y.register_hook(lambda gradient: gradient + 1)
    y.sum().backward()
    assert x.grad.tolist() == [33.0, 33.0]


def test_a_hook_of_a_leaf_sees_what_arrives_not_what_is_stored(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    seen: list[Any] = []
    x.register_hook(lambda gradient: seen.append(gradient.tolist()) or gradient * 2)
    for _ in range(2):
        (x * 3).sum().backward()
    assert seen == [[3.0, 3.0], [3.0, 3.0]]
    assert x.grad.tolist() == [12.0, 12.0]


def test_a_hook_of_a_leaf_outlives_the_graph_it_was_registered_with(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    before = x * 2
    x.register_hook(lambda gradient: gradient * 100)
    before.sum().backward()
    del before
    (x * 3).sum().backward()
    assert x.grad.tolist() == [500.0, 500.0]


def test_a_hook_changes_what_grad_returns(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.register_hook(lambda gradient: gradient * 7)
    (to_y,) = torch.autograd.grad(y.sum(), y)
    (to_x,) = torch.autograd.grad((x * 3).sum(), x)
    x.register_hook(lambda gradient: gradient * 5)
    (hooked,) = torch.autograd.grad((x * 3).sum(), x)
    assert (to_y.tolist(), to_x.tolist()) == ([7.0, 7.0], [3.0, 3.0])
    assert hooked.tolist() == [15.0, 15.0]


def test_a_target_on_the_way_to_another_is_captured_before_its_hooks(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.register_hook(lambda gradient: gradient * 7)
    (to_y, to_x) = torch.autograd.grad(y.sum(), [y, x])
    assert (to_y.tolist(), to_x.tolist()) == ([1.0, 1.0], [21.0, 21.0])


def tenfold(gradient: Any) -> None:
    gradient.mul_(10)


def test_a_hook_that_returns_nothing_may_change_the_gradient_in_place(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.register_hook(tenfold)
    (y * 2).sum().backward()
    assert x.grad.tolist() == [60.0, 60.0]


def test_a_hook_belongs_to_one_output_of_a_node(torch: Any) -> None:
    x = torch.ones(4, requires_grad=True)
    first, second = (x * 1).split(2)
    second.register_hook(lambda gradient: gradient * 10)
    (first + second).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 10.0, 10.0]


def test_a_hook_sees_none_where_no_gradient_arrived(torch: Any) -> None:
    x = torch.ones(4, requires_grad=True)
    first, second = (x * 1).split(2)
    seen: list[Any] = []
    first.register_hook(seen.append)
    first.retain_grad()
    second.sum().backward()
    assert seen == [None]
    assert first.grad is None
    assert x.grad.tolist() == [0.0, 0.0, 1.0, 1.0]


def test_a_hook_registered_before_an_in_place_operation_stays_with_what_was(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    seen: list[Any] = []
    y.register_hook(lambda gradient: seen.append(("before", gradient.tolist())))
    y.mul_(2)
    y.register_hook(lambda gradient: seen.append(("after", gradient.tolist())))
    y.sum().backward()
    assert seen == [("after", [1.0, 1.0]), ("before", [2.0, 2.0])]


def test_a_tensor_without_gradient_takes_no_hook(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't"):
        torch.ones(2).register_hook(lambda gradient: None)


# Of nodes


def test_a_node_hook_sees_and_replaces_the_gradients_of_the_inputs(torch: Any) -> None:
    a, b = (torch.tensor([2.0, 3.0], requires_grad=True) for _ in range(2))
    product = a * b
    seen: list[Any] = []

    def hook(grad_inputs: Any, grad_outputs: Any) -> Any:
        seen.append([[one.tolist() for one in group] for group in (grad_inputs, grad_outputs)])
        return (grad_inputs[0] * 10, grad_inputs[1])

    product.grad_fn.register_hook(hook)
    product.sum().backward()
    assert seen == [[[[2.0, 3.0], [2.0, 3.0]], [[1.0, 1.0]]]]
    assert (a.grad.tolist(), b.grad.tolist()) == ([20.0, 30.0], [2.0, 3.0])


def test_a_node_hook_sees_gradients_already_summed_for_each_edge(torch: Any) -> None:
    x, s = torch.ones(3, requires_grad=True), torch.tensor(2.0, requires_grad=True)
    total = x + s
    seen: list[Any] = []
    total.grad_fn.register_hook(lambda inputs, _: seen.append([one.tolist() for one in inputs]))
    doubled = total + total
    doubled.grad_fn.register_hook(lambda inputs, _: seen.append([one.tolist() for one in inputs]))
    doubled.sum().backward()
    assert seen == [[[1.0] * 3, [1.0] * 3], [[2.0] * 3, 6.0]]


@pytest.mark.parametrize("only", [False, True])
def test_a_hook_of_a_custom_function_sees_what_it_gave_for_every_input(
    torch: Any, only: bool
) -> None:
    class Both(torch.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a * b

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient, gradient.expand(3, 2)

    a, b = torch.ones(1, requires_grad=True), torch.ones(2)
    y = Both.apply(a, b)
    seen: list[Any] = []
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: seen.extend(grad_inputs))
    if only:
        torch.autograd.grad(y.sum(), a)
    else:
        y.sum().backward()
    assert [list(one.shape) for one in seen] == [[1], [3, 2]]  # summed for the edge that there is


def test_a_prehook_sees_and_replaces_the_sum_that_arrived(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    seen: list[Any] = []

    def prehook(grad_outputs: Any) -> Any:
        seen.append([one.tolist() for one in grad_outputs])
        return (grad_outputs[0] * 10,)

    y.grad_fn.register_prehook(prehook)
    y.grad_fn.register_prehook(prehook)
    (y + y).sum().backward()
    assert seen == [[[2.0, 2.0]], [[20.0, 20.0]]]
    assert x.grad.tolist() == [600.0, 600.0]


def test_a_node_hook_may_make_gradients_undefined(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    y.grad_fn.register_hook(lambda grad_inputs, _: (None, grad_inputs[1]))
    z = x.exp()
    z.grad_fn.register_prehook(lambda _: (None,))
    (y + z).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0]


def test_hooks_at_the_end_of_the_graph_run_around_the_accumulation(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    end = y.grad_fn.next_functions[0][0]
    seen: list[Any] = []

    def stored() -> Any:
        return None if x.grad is None else x.grad.tolist()

    end.register_prehook(lambda outputs: seen.append((stored(), outputs[0].tolist())))
    end.register_hook(lambda inputs, outputs: seen.append((inputs, stored())))
    y.sum().backward()
    assert seen == [(None, [3.0, 3.0]), ((), [3.0, 3.0])]


def test_hooks_run_in_the_order_tensor_retain_before_after(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    order: list[str] = []

    def note(name: str) -> Callable[..., None]:
        return lambda *_: order.append(f"{name} {'no' if y.grad is None else y.grad.tolist()}")

    y.grad_fn.register_hook(note("after"))
    y.grad_fn.register_prehook(note("before"))
    y.retain_grad()
    y.register_hook(note("tensor"))
    y.register_hook(lambda gradient: gradient * 2)
    y.sum().backward()
    assert order == ["tensor no", "before [2.0, 2.0]", "after [2.0, 2.0]"]


def test_a_target_of_grad_runs_its_tensor_hooks_and_no_other(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    order: list[str] = []
    for tensor, node in ((y, y.grad_fn), (x, y.grad_fn.next_functions[0][0])):
        tensor.register_hook(lambda gradient: order.append("tensor"))
        node.register_prehook(lambda outputs: order.append("before"))
        node.register_hook(lambda inputs, outputs: order.append("after"))
    z = y.sum()
    torch.autograd.grad(z, y, retain_graph=True)
    assert order == ["tensor"]
    order.clear()
    torch.autograd.grad(z, [x, y])
    assert order == ["tensor", "before", "after", "tensor"]


# Taking hooks away


def test_a_removed_hook_is_not_called(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    handles = [
        x.register_hook(lambda gradient: gradient * 10),
        y.register_hook(lambda gradient: gradient * 10),
        y.grad_fn.register_hook(lambda inputs, _: (inputs[0] * 10, None)),
        y.grad_fn.register_prehook(lambda outputs: (outputs[0] * 10,)),
    ]
    for handle in handles:
        handle.remove()
        handle.remove()
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_handle_is_a_context(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with x.register_hook(lambda gradient: gradient * 10):
        x.sum().backward()
    x.sum().backward()
    assert x.grad.tolist() == [11.0, 11.0]


def test_a_hook_may_remove_itself_and_add_others_while_it_runs(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    calls: list[str] = []

    def once(gradient: Any) -> None:
        calls.append("once")
        handle.remove()
        x.register_hook(lambda gradient: calls.append("added"))

    handle = x.register_hook(once)
    x.register_hook(lambda gradient: calls.append("always"))
    x.sum().backward()
    assert calls[:2] == ["once", "always"]
    calls.clear()
    x.sum().backward()
    assert calls == ["always", "added"]


# What hooks may not do


@pytest.mark.parametrize(
    ("replacement", "error"),
    [
        (lambda torch: 3, TypeError),
        (lambda torch: "a", TypeError),
        (lambda torch: torch.ones(3), RuntimeError),
        (lambda torch: torch.tensor(1.0), RuntimeError),
        (lambda torch: torch.ones(2, dtype=torch.float64), RuntimeError),
    ],
)
@pytest.mark.parametrize("kind", ["tensor", "after", "before"])
def test_a_replacement_that_does_not_fit_is_refused(
    torch: Any, replacement: Callable[[Any], Any], error: type[Exception], kind: str
) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    given = replacement(torch)
    if kind == "tensor":
        y.register_hook(lambda gradient: given)
    elif kind == "after":
        y.grad_fn.register_hook(lambda inputs, outputs: (given, None))
    else:
        y.grad_fn.register_prehook(lambda outputs: (given,))
    with pytest.raises(error):
        y.sum().backward()
    assert x.grad is None
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("given", [(), (None,) * 3, [None, None], 5])
def test_a_node_hook_returns_a_tuple_of_the_same_length(torch: Any, given: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.grad_fn.register_hook(lambda inputs, outputs: given)
    with pytest.raises((TypeError, RuntimeError)):
        y.sum().backward()
    assert x.grad is None


def test_a_gradient_that_is_undefined_cannot_be_replaced(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0], torch.ones(2)))
    with pytest.raises(RuntimeError, match="can't replace a None gradient with a non-None value"):
        y.sum().backward()


# Hooks while the walk is recorded


def test_what_a_hook_does_is_differentiated_under_create_graph(torch: Any) -> None:
    x = torch.tensor(3.0, requires_grad=True)
    y = x * 2
    y.register_hook(lambda gradient: gradient * x)
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    assert slope.item() == 6
    assert torch.autograd.grad(slope, x)[0].item() == 2


def test_hooks_get_the_recorded_gradients_under_create_graph(torch: Any) -> None:
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    seen: list[Any] = []
    y.grad_fn.register_hook(lambda inputs, outputs: seen.extend(inputs))
    torch.autograd.grad(y, x, create_graph=True)
    assert [one.requires_grad for one in seen] == [True, True]


# retain_grad


def test_retain_grad_keeps_the_gradient_of_a_non_leaf(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    assert not y.retains_grad
    y.retain_grad()
    y.retain_grad()
    assert y.retains_grad
    (y * 2).sum().backward()
    assert y.grad.tolist() == [2.0, 2.0]


def test_retained_gradients_add_up_in_a_new_tensor(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x + 3
    y.retain_grad()
    z = y.sum()
    z.backward()
    first = y.grad
    z.backward()
    assert y.grad is not first
    assert (first.tolist(), y.grad.tolist()) == ([1.0, 1.0], [2.0, 2.0])


def test_retain_grad_of_a_leaf_changes_nothing(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    x.retain_grad()
    assert not x.retains_grad
    x.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_retain_grad_needs_a_gradient(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="can't retain_grad on Tensor that has requires_grad=F"):
        torch.ones(2).retain_grad()


def test_outputs_of_one_node_retain_their_own_gradients(torch: Any) -> None:
    x = torch.ones(4, requires_grad=True)
    first, second = (x * 1).split(2)
    second.retain_grad()
    assert not first.retains_grad
    first.retain_grad()
    (first * 2 + second * 5).sum().backward()
    assert (first.grad.tolist(), second.grad.tolist()) == ([2.0, 2.0], [5.0, 5.0])


def test_retain_grad_follows_a_tensor_changed_in_place(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    y.retain_grad()
    y.mul_(2)
    (y * 3).sum().backward()
    assert y.retains_grad
    assert y.grad.tolist() == [3.0, 3.0]


def test_retain_grad_does_not_keep_its_tensor_alive(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.retain_grad()
    z = y.sum()
    del y
    z.backward()
    assert x.grad.tolist() == [3.0, 3.0]


# After accumulation


def test_a_post_accumulate_hook_sees_the_leaf_with_its_new_gradient(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    seen: list[Any] = []
    handle = x.register_post_accumulate_grad_hook(
        lambda leaf: seen.append((leaf is x, leaf.grad.tolist()))
    )
    (x * 2).sum().backward()
    x.sum().backward()
    handle.remove()
    x.sum().backward()
    assert seen == [(True, [2.0, 2.0]), (True, [3.0, 3.0])]


def test_a_post_accumulate_hook_is_not_called_where_nothing_accumulates(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    seen: list[Any] = []
    x.register_post_accumulate_grad_hook(seen.append)
    torch.autograd.grad((x * 2).sum(), x)
    assert seen == []


def test_each_leaf_may_be_stepped_as_soon_as_its_gradient_is_there(torch: Any) -> None:
    weights = [torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2)]
    optimizers = {weight: torch.optim.SGD([weight], lr=0.5) for weight in weights}

    def step(weight: Any) -> None:
        optimizers[weight].step()
        optimizers[weight].zero_grad()

    for weight in weights:
        weight.register_post_accumulate_grad_hook(step)
    (weights[0] * weights[1]).sum().backward()
    assert [weight.grad for weight in weights] == [None, None]
    assert [weight.tolist() for weight in weights] == [[0.5, 1.0], [0.5, 1.0]]


def test_only_a_leaf_takes_a_post_accumulate_hook(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="cannot be registered on non-leaf tensors"):
        (x * 2).register_post_accumulate_grad_hook(print)
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't"):
        torch.ones(2).register_post_accumulate_grad_hook(print)


def test_a_post_accumulate_hook_returns_nothing_but_the_leaf(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda leaf: leaf)
    x.register_post_accumulate_grad_hook(lambda leaf: leaf.grad)
    with pytest.raises(RuntimeError, match="hooks should return None"):
        x.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


# What lives how long


class Payload:
    """Something that a hook holds."""

    def __call__(self, *_: Any) -> None:
        pass


@pytest.mark.parametrize("kind", ["tensor", "leaf", "post", "before", "after", "retain"])
@pytest.mark.parametrize("walked", [False, True])
def test_hooks_die_with_what_they_were_registered_on(torch: Any, kind: str, walked: bool) -> None:
    def use() -> list[Any]:
        payload = Payload()
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        handle = {
            "tensor": lambda: y.register_hook(payload),
            "leaf": lambda: x.register_hook(payload),
            "post": lambda: x.register_post_accumulate_grad_hook(payload),
            "before": lambda: y.grad_fn.register_prehook(payload),
            "after": lambda: y.grad_fn.register_hook(payload),
            "retain": y.retain_grad,
        }[kind]()
        if walked:
            y.sum().backward()
        return [handle, [weakref.ref(one) for one in (payload, x, y)]]

    gc.collect()
    gc.disable()
    try:
        _handle, references = use()
        assert [reference() for reference in references] == [None, None, None]
    finally:
        gc.enable()


def test_a_multi_grad_hook_dies_with_its_tensors() -> None:  # in PyTorch it waits to be collected
    def use() -> list[Any]:
        payload = Payload()
        x = minigrad.ones(2, requires_grad=True)
        y = x * 2
        handle = minigrad.autograd.graph.register_multi_grad_hook((x, y), payload)
        y.sum().backward()
        return [handle, [weakref.ref(one) for one in (payload, x, y)]]

    gc.collect()
    gc.disable()
    try:
        _handle, references = use()
        assert [reference() for reference in references] == [None, None, None]
    finally:
        gc.enable()


def test_an_exception_in_a_hook_leaves_nothing_behind(torch: Any) -> None:
    def use() -> list[Any]:
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        y.register_hook(lambda gradient: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            y.sum().backward()
        return [x.grad, [weakref.ref(one) for one in (x, y)]]

    gc.collect()
    gc.disable()
    try:
        gradient, references = use()
        assert gradient is None
        assert [reference() for reference in references] == [None, None]
    finally:
        gc.enable()


def test_a_gradient_that_a_hook_gave_is_no_other_one_after_its_data_has_changed(torch: Any) -> None:
    for _ in range(50):  # of which a few would find the memory of the old data taken
        x = torch.ones(3, requires_grad=True)
        first = x * 2
        second = first * 3
        out = second * 4
        given = torch.full((3,), 5.0, requires_grad=True)

        def replace(gradient: Any, given: Any = given) -> Any:
            given.data = torch.zeros(3)
            return gradient * 1

        second.register_hook(lambda _, given=given: given)
        first.register_hook(replace)
        assert torch.autograd.grad(out.sum(), x)[0].tolist() == [30.0, 30.0, 30.0]
