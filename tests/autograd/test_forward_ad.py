"""Forward mode: which tensors have tangents, and which tangents these are."""

from __future__ import annotations

import gc
import math
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

import minigrad as torch
import minigrad.autograd.forward_ad as fwAD
from minigrad.nn import functional as F


@pytest.fixture(autouse=True)
def level() -> Iterator[None]:
    with fwAD.dual_level():
        yield


def dual(*values: float, tangent: Any = None) -> Any:
    x = torch.tensor(values)
    return fwAD.make_dual(x, torch.ones_like(x) if tangent is None else torch.tensor(tangent))


def tangent(tensor: Any) -> Any:
    found = fwAD.unpack_dual(tensor).tangent
    return None if found is None else found.tolist()


def test_tangents_end_with_their_level() -> None:
    x = dual(1.0)
    reference = weakref.ref(fwAD.unpack_dual(x).tangent)
    fwAD.exit_dual_level()
    assert tangent(x) is None
    assert str(x) == "tensor([1.])"
    assert reference() is None
    assert fwAD.enter_dual_level() == 0
    assert tangent(x) is None


def test_a_tangent_is_freed_with_its_tensor() -> None:
    gc.disable()
    try:
        x = dual(1.0)
        reference = weakref.ref(fwAD.unpack_dual(x).tangent)
        del x
        assert reference() is None
    finally:
        gc.enable()


def test_nothing_is_followed_outside_of_levels_from_the_second_call_on() -> None:
    from minigrad.ops.pointwise import exp, mul

    followed = exp.__code__, mul.operator.__code__, torch.Tensor.__mul__.__code__
    fwAD.exit_dual_level()
    x = torch.ones(2)
    exp(x), x * x
    assert not {exp.__code__, mul.operator.__code__, torch.Tensor.__mul__.__code__} & {*followed}
    fwAD.enter_dual_level()


def test_levels_do_not_nest() -> None:
    with pytest.raises(RuntimeError, match="^Nested forward mode AD is not supported at the mo"):
        fwAD.enter_dual_level()
    with pytest.raises(RuntimeError, match="that was not the last one that was created"):
        fwAD.exit_dual_level(level=1)
    assert tangent(dual(1.0)) == [1.0]


def test_a_level_decorates_functions() -> None:
    fwAD.exit_dual_level()

    @fwAD.dual_level()
    def slope(x: float) -> Any:
        return tangent(dual(x).sin())

    assert slope(0.0) == slope(0.0) == [1.0]
    fwAD.enter_dual_level()


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda x: fwAD.make_dual(x, torch.ones(3)), "Tensor is of size \\[1\\] while the given"),
        (lambda x: fwAD.make_dual(dual(1.0), x), "based on a Tensor that already has a forward"),
        (lambda x: fwAD.make_dual(x, dual(1.0)), "Setting a forward grad that itself has a forw"),
        (lambda x: fwAD.make_dual(x, x, level=1), "Invalid level given to _make_dual"),
        (lambda x: fwAD.make_dual(x.long(), x), "Expected primal to be floating point or complex"),
        (lambda x: fwAD.make_dual(x, x.long()), "Expected tangent to be floating point or compl"),
        (lambda x: fwAD.unpack_dual(x, level=1), "Invalid level given to _fw_primal"),
        (lambda x: torch.add(dual(1.0), x, out=x), "with add_out that does not support it because"),
        (lambda x: dual(1.0).resize_(2), "cannot resize variables that has a forward grad"),
    ],
)
def test_what_is_refused(make: Any, text: str) -> None:
    x = torch.zeros(1)
    with pytest.raises((RuntimeError, ValueError), match=text):
        make(x)
    assert tangent(x) is None
    assert x.tolist() == [0.0]


def test_a_tangent_is_kept_as_it_is_if_it_lies_as_the_tensor_does() -> None:
    x, v = torch.ones(2, 3), torch.ones(2, 3)
    assert fwAD.unpack_dual(fwAD.make_dual(x, v)).tangent is v
    turned = fwAD.unpack_dual(fwAD.make_dual(x.t(), torch.ones(3, 2))).tangent
    assert turned is not None
    assert turned.stride() == (1, 3)


def test_what_has_no_tangent() -> None:
    x = dual(1.0, 2.0)
    none = [x.detach(), x.data, x.argmax(), x > 1, x.long(), torch.zeros_like(x), torch.ones(2) * 2]
    assert [tangent(one) for one in none] == [None] * len(none)
    with torch.inference_mode():
        assert tangent(x * 2) is None
    assert tangent(x.floor()) == [0.0, 0.0]


def test_tangents_do_not_heed_no_grad() -> None:
    with torch.no_grad():
        assert tangent(dual(3.0) ** 2) == [6.0]


def test_a_view_has_a_view_of_the_tangent() -> None:
    x = dual(1.0, 2.0, 3.0, 4.0, tangent=[1.0, 2.0, 3.0, 4.0])
    row = x.view(2, 2)[1]
    found = fwAD.unpack_dual(row).tangent
    assert found is not None
    assert found.data_ptr() == fwAD.unpack_dual(x).tangent[2].data_ptr()  # type: ignore[index]
    row.mul_(10)
    assert tangent(x) == [1.0, 2.0, 30.0, 40.0]


def test_writing_into_a_view_gives_the_base_a_tangent() -> None:
    base = torch.zeros(2, 2)
    other = base[1]
    base[0] = dual(5.0, 6.0)
    assert tangent(base) == [[1.0, 1.0], [0.0, 0.0]]
    assert tangent(other) == [0.0, 0.0]
    other += dual(1.0, 1.0, tangent=[7.0, 8.0])
    assert tangent(base) == [[1.0, 1.0], [7.0, 8.0]]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda x: x.mul_(x), [2.0, 4.0]),
        (lambda x: x.zero_(), [0.0, 0.0]),
        (lambda x: x.copy_(torch.ones(2)), [0.0, 0.0]),
        (lambda x: x.normal_(), [0.0, 0.0]),
        (lambda x: x.__setitem__(0, 5.0), [0.0, 1.0]),
        (lambda x: x.__setitem__(torch.tensor([True, False]), x[1] * 3), [3.0, 1.0]),
        (lambda x: x.unsqueeze_(0), [[1.0, 1.0]]),
        (lambda x: F.relu(x, inplace=True), [1.0, 1.0]),
    ],
)
def test_a_tangent_is_changed_in_place(change: Any, expected: Any) -> None:
    x = dual(1.0, 2.0)
    before = fwAD.unpack_dual(x).tangent
    change(x)
    assert tangent(x) == expected
    assert fwAD.unpack_dual(x).tangent is before


def test_the_tangent_of_a_copy_is_a_copy() -> None:
    x = dual(1.0)
    x.clone().mul_(3)
    (x + 0).mul_(3)
    assert tangent(x) == [1.0]


def test_a_primal_is_differentiable() -> None:
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    primal = fwAD.unpack_dual(fwAD.make_dual(w, torch.ones(2))).primal
    assert str(primal) == "tensor([1., 2.], grad_fn=<Identity>)"
    (slope,) = torch.autograd.grad((primal**2).sum(), w)
    assert slope.tolist() == [2.0, 4.0]
    assert tangent(slope) is None


def test_a_primal_changes_alone() -> None:
    y = dual(1.0, 2.0) * 2
    primal = fwAD.unpack_dual(y).primal
    assert tangent(primal) is tangent(primal[0]) is None
    primal.mul_(dual(1.0, 1.0))
    assert tangent(y) == [2.0, 2.0]


def test_random_numbers_are_drawn_once() -> None:
    x = torch.ones(8)
    torch.manual_seed(1)
    expected, next_one = F.dropout(x), torch.rand(1)
    torch.manual_seed(1)
    dropped = F.dropout(fwAD.make_dual(x, x.clone()))
    assert dropped.tolist() == expected.tolist() == tangent(dropped)
    assert torch.rand(1).equal(next_one)


def test_running_statistics_are_updated_once() -> None:
    norm = torch.nn.BatchNorm1d(1)
    y = norm(fwAD.make_dual(torch.tensor([[1.0], [3.0]]), torch.tensor([[1.0], [0.0]])))
    assert tangent(y) is not None
    assert norm.running_mean is not None
    assert norm.running_mean.tolist() == pytest.approx([0.2])


def test_forward_over_reverse_is_a_product_with_the_hessian() -> None:
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    x = fwAD.make_dual(w, torch.tensor([1.0, 0.0]))
    (slope,) = torch.autograd.grad((x[0] ** 2 * x[1]).exp(), w)
    vector = torch.tensor([1.0, 0.0])
    with fwAD._set_fwd_grad_enabled(False):
        _, expected = torch.autograd.functional.hvp(
            lambda x: (x[0] ** 2 * x[1]).exp(), w.detach(), vector
        )
    assert tangent(slope) == pytest.approx(expected.tolist())
    assert not slope.requires_grad


def test_reverse_over_forward_differentiates_tangents() -> None:
    w, v = torch.tensor(3.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)
    found = fwAD.unpack_dual(fwAD.make_dual(w, v) ** 3).tangent
    assert found.item() == 54  # type: ignore[union-attr]
    assert [one.item() for one in torch.autograd.grad(found, [w, v])] == [36.0, 27.0]


def test_tangents_of_what_was_changed_in_place_are_differentiable() -> None:
    w, v = torch.tensor([2.0, 3.0], requires_grad=True), torch.ones(2, requires_grad=True)
    x = fwAD.make_dual(w, v)
    y = x * x
    y.mul_(x)
    y[0].mul_(x[1])  # then it is x[0] ** 3 * x[1] and x[1] ** 3
    found = fwAD.unpack_dual(y).tangent
    slopes = torch.autograd.grad(found.sum(), [w, v])  # type: ignore[union-attr]
    assert [one.tolist() for one in slopes] == [[48.0, 30.0], [36.0, 35.0]]


def test_tangents_of_results_that_were_saved_are_differentiable() -> None:
    w = torch.tensor(0.5, requires_grad=True)
    y = fwAD.make_dual(w, torch.tensor(1.0)).clone().exp_()
    (slope,) = torch.autograd.grad(fwAD.unpack_dual(y).tangent, w)
    assert slope.item() == pytest.approx(math.exp(0.5))


def test_gradients_that_are_accumulated_have_tangents_of_what_is_added() -> None:
    w = torch.tensor(3.0, requires_grad=True)
    x = fwAD.make_dual(w, torch.tensor(1.0))
    (x**2).backward()
    kept = w.grad
    assert tangent(kept) is None
    (x**2).backward()
    assert w.grad is kept
    assert (w.grad.item(), tangent(w.grad)) == (12.0, 2.0)  # type: ignore[union-attr]


def test_modes_see_calls_but_not_what_follows_them() -> None:
    seen = []

    class Names(torch.overrides.TorchFunctionMode):
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(func.__name__)
            return func(*args, **(kwargs or {}))

    x = dual(1.0, 2.0)
    with Names():
        y = F.cross_entropy(x[None] * 2 + x, torch.tensor([1]))
    assert seen == ["__getitem__", "mul", "add", "tensor", "cross_entropy"]
    assert tangent(y) == pytest.approx(0.0)
    assert tangent(x + x) == [2.0, 2.0]


def test_a_mode_that_outlives_its_level_goes_on_seeing() -> None:
    seen: list[Any] = []

    class Counts(torch.overrides.TorchFunctionMode):
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(func)
            return func(*args, **(kwargs or {}))

    x = torch.ones(1)
    with Counts():
        x + x
        fwAD.exit_dual_level()
        x + x
    assert len(seen) == 2
    fwAD.enter_dual_level()
    assert tangent(dual(1.0) + x) == [1.0]


def test_levels_are_for_all_threads() -> None:
    x, found = dual(2.0), []
    thread = threading.Thread(target=lambda: found.append(tangent(x * x)))
    thread.start()
    thread.join()
    assert found == [[4.0]]


def test_parameters_of_a_module_may_be_dual() -> None:
    layer = torch.nn.Linear(2, 1, bias=False)
    x, direction = torch.tensor([[2.0, 3.0]]), torch.tensor([[1.0, 10.0]])
    weight = layer.weight
    duals = {"weight": fwAD.make_dual(weight, direction)}
    assert tangent(torch.func.functional_call(layer, duals, x)) == [[32.0]]
    del layer.weight
    layer.weight = duals["weight"]
    assert tangent(layer(x)) == [[32.0]]


class Square(torch.autograd.Function):
    seen: Any = None

    @staticmethod
    def forward(ctx: Any, x: Any, factor: Any) -> Any:
        ctx.save_for_forward(x)
        return x * x * factor

    @staticmethod
    def jvp(ctx: Any, x: Any, factor: Any) -> Any:
        Square.seen = ctx.saved_tensors, x, factor
        return 2 * ctx.saved_tensors[0] * x


def test_a_custom_function_has_its_jvp() -> None:
    x = dual(3.0)
    y = Square.apply(x, 1.0)
    assert tangent(y) == [6.0]
    (saved,), given, factor = Square.seen
    assert saved is x
    assert given is fwAD.unpack_dual(x).tangent
    assert factor is None
    assert tangent(Square.apply(torch.ones(1), x)) == [0.0]


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (None, "Expected both tensor and its forward grad to be floating point"),
        (torch.ones(2), "Tensor is of size \\[1\\] while the given forward gradient is of size"),
        ((torch.ones(1),) * 2, r"invalid number of forward gradients \(expected 1 but got 2\)"),
        (3, r"expected Variable or None \(got int\) for grad output 0"),
    ],
)
def test_what_a_jvp_must_not_return(found: Any, text: str) -> None:
    class Wrong(Square):
        @staticmethod
        def jvp(ctx: Any, *tangents: Any) -> Any:
            return found

    with pytest.raises(RuntimeError, match=text):
        Wrong.apply(dual(1.0), 1.0)


def test_a_custom_function_without_jvp_is_refused() -> None:
    class Alone(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

    assert Alone.apply(torch.ones(1)).item() == 2
    with pytest.raises(NotImplementedError, match="You must implement the jvp function for cust"):
        Alone.apply(dual(1.0))
