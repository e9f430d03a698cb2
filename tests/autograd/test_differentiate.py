"""backward() and autograd.grad(): what they take and give, and derivatives of derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

# What they start with


def test_a_tensor_of_one_element_starts_with_1(torch: Any) -> None:
    for shape in ((), (1,), (1, 1)):
        x = torch.full(shape, 3.0, requires_grad=True)
        (x * x).backward()
        assert x.grad.tolist() == torch.full(shape, 6.0).tolist()


@pytest.mark.parametrize("shape", [(2,), (0,), (1, 2)])
def test_others_need_a_vector(torch: Any, shape: tuple[int, ...]) -> None:
    x = torch.ones(shape, requires_grad=True)
    for start in (lambda: (x * 2).backward(), lambda: torch.autograd.grad(x * 2, x)):
        with pytest.raises(RuntimeError, match="^grad can be implicitly created only for scalar"):
            start()
    assert x.grad is None
    (x * 2).backward(torch.ones(shape))
    assert x.grad.tolist() == torch.full(shape, 2.0).tolist()


@pytest.mark.parametrize("shape", [(3,), (), (1, 2), (2, 1)])
def test_the_vector_has_the_shape_of_the_output(torch: Any, shape: tuple[int, ...]) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"^Mismatch in shape: grad_output\[0\] has a shape of"):
        (x * 2).backward(torch.ones(shape))
    assert x.grad is None


@pytest.mark.parametrize("gradient", [1, 1.0, [1.0, 1.0], "a"])
def test_the_vector_is_a_tensor(torch: Any, gradient: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(TypeError):
        (x * 2).backward(gradient)
    assert x.grad is None


def test_a_vector_jacobian_product(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = torch.stack([x[0] * x[1], x[2] ** 2])
    (product,) = torch.autograd.grad(y, x, torch.tensor([10.0, 100.0]))
    assert product.tolist() == [20.0, 10.0, 600.0]


def test_several_outputs_are_weighted_and_summed(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    outputs = [(x * x).sum(), x * 3, x.prod()]
    given = [None, torch.tensor([10.0, 100.0]), torch.tensor(2.0)]
    (gradient,) = torch.autograd.grad(outputs, x, given)
    assert gradient.tolist() == [2 + 30 + 4, 4 + 300 + 2]


def test_one_output_that_needs_no_gradient_is_refused(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    with pytest.raises(RuntimeError, match="^element 1 of tensors does not require grad"):
        torch.autograd.backward([x * 2, torch.tensor(1.0)])
    assert x.grad is None


def test_as_many_gradients_as_outputs(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    outputs = [x * 2, x * 3]
    for vectors in ([], [torch.tensor(1.0)]):
        with pytest.raises(RuntimeError, match=f"^got 2 tensors and {len(vectors)} gradients$"):
            torch.autograd.backward(outputs, vectors)
    assert x.grad is None


def test_without_outputs_nothing_happens(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    torch.autograd.backward([])
    assert torch.autograd.grad([], x, allow_unused=True) == (None,)
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        torch.autograd.grad([], x)


# What grad gives


def test_grad_returns_a_tuple_and_touches_no_grad(torch: Any) -> None:
    x, y = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0))
    z = x * y
    gradients = torch.autograd.grad(z, [y, x, y])
    assert isinstance(gradients, tuple)
    assert [one.item() for one in gradients] == [2.0, 3.0, 2.0]
    assert not any(one.requires_grad for one in gradients)
    assert (x.grad, y.grad) == (None, None)


def test_grad_with_respect_to_what_was_computed(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y * y
    assert [one.item() for one in torch.autograd.grad(z, [x, y, z])] == [36.0, 12.0, 1.0]


def test_grad_of_one_output_of_several(torch: Any) -> None:
    x = torch.arange(4.0).requires_grad_()
    first, second = (x * x).split(2)
    total = (first * 2 + second * 5).sum()
    gradients = torch.autograd.grad(total, [second, first, x])
    assert [one.tolist() for one in gradients] == [[5.0] * 2, [2.0] * 2, [0.0, 4.0, 20.0, 30.0]]


def test_grad_of_a_leaf_with_respect_to_itself(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    given = torch.tensor([3.0, 4.0])
    assert torch.autograd.grad(x, x, given)[0].tolist() == [3.0, 4.0]
    assert x.grad is None


def test_grad_takes_inputs_by_name(torch: Any) -> None:
    x, y = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0))
    gradients = torch.autograd.grad(x * y, {"weight": x, "bias": y})
    assert {name: one.item() for name, one in gradients.items()} == {"weight": 3.0, "bias": 2.0}


def test_an_input_that_was_not_used(torch: Any) -> None:
    x, unused = torch.tensor(2.0, requires_grad=True), torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="^The differentiated Tensor at index 1 appears to not"):
        torch.autograd.grad(x * 2, [x, unused])
    gradients = torch.autograd.grad(x * 2, [unused, x], allow_unused=True)
    assert gradients[0] is None
    assert gradients[1].item() == 2
    zeros, two = torch.autograd.grad(x * 2, [unused, x], materialize_grads=True)
    assert (zeros.tolist(), two.item()) == ([0.0, 0.0, 0.0], 2.0)
    with pytest.raises(ValueError, match="^Expected allow_unused to be True or not passed"):
        torch.autograd.grad(x * 2, unused, allow_unused=False, materialize_grads=True)


def test_a_view_of_an_input_is_not_the_input(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    view = x.view(2)
    (gradient,) = torch.autograd.grad((x * x).sum(), view, allow_unused=True)
    assert gradient is None


def test_an_input_that_requires_no_gradient_is_refused(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    with pytest.raises(RuntimeError, match="^One of the differentiated Tensors does not require"):
        torch.autograd.grad(y, [x, torch.tensor(1.0)])
    assert torch.autograd.grad(y, x)[0].item() == 4


@pytest.mark.parametrize("function", ["grad", "backward"])
def test_inputs_may_not_be_empty(torch: Any, function: str) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    with pytest.raises(RuntimeError, match="argument to `(grad|backward)..` cannot be empty"):
        getattr(torch.autograd, function)(x * 2, inputs=[])


# What backward does with inputs


def test_backward_accumulates_into_its_inputs_alone(torch: Any) -> None:
    x, y, z = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 5.0))
    middle = x * y
    total = middle * z
    total.backward(inputs=[middle, x])
    assert (middle.grad.item(), x.grad.item()) == (5.0, 15.0)
    assert (y.grad, z.grad) == (None, None)
    x.grad = None
    (x * y).backward(inputs=y)
    assert (x.grad, y.grad.item()) == (None, 2.0)


def test_inputs_that_were_not_used_keep_none(torch: Any) -> None:
    x, unused = (torch.tensor(2.0, requires_grad=True) for _ in range(2))
    (x * 2).backward(inputs=[unused])
    assert (x.grad, unused.grad) == (None, None)


@pytest.mark.parametrize("given", ["no grad", "a number"])
def test_inputs_of_backward_are_tensors_that_require_grad(torch: Any, given: str) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    wrong = {"no grad": torch.tensor(1.0), "a number": 3}[given]
    with pytest.raises(RuntimeError):
        y.backward(inputs=[x, wrong])
    assert x.grad is None
    y.backward()
    assert x.grad.item() == 4


def test_backward_refused_changes_nothing(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad = torch.tensor([5.0, 6.0])
    kept = x.grad
    y = x * x
    for refused in (
        lambda: y.backward(),
        lambda: y.backward(torch.ones(3)),
        lambda: y.backward(inputs=[]),
        lambda: torch.autograd.backward([y.sum(), torch.ones(2)]),
        lambda: torch.autograd.grad(y.sum(), [torch.ones(2)]),
    ):
        with pytest.raises(RuntimeError):
            refused()
    assert x.grad is kept
    assert (kept.tolist(), kept._version, x._version, y._version) == ([5.0, 6.0], 0, 0, 0)
    y.sum().backward()
    assert kept.tolist() == [7.0, 10.0]


# Derivatives of derivatives

FUNCTIONS: dict[str, tuple[Callable[[Any], Any], list[Callable[[Any], Any]]]] = {
    "cube": (lambda x: x**3, [lambda x: 3 * x**2, lambda x: 6 * x, lambda x: 6 + 0 * x]),
    "exp": (lambda x: (2 * x).exp(), [lambda x, n=n: 2**n * np.exp(2 * x) for n in (1, 2, 3)]),
    "log": (lambda x: x.log(), [lambda x: 1 / x, lambda x: -1 / x**2, lambda x: 2 / x**3]),
    "sin": (lambda x: x.sin(), [np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x)]),
    "reciprocal": (
        lambda x: 1 / x,
        [lambda x: -1 / x**2, lambda x: 2 / x**3, lambda x: -6 / x**4],
    ),
    "tanh": (
        lambda x: x.tanh(),
        [
            lambda x: 1 - np.tanh(x) ** 2,
            lambda x: -2 * np.tanh(x) * (1 - np.tanh(x) ** 2),
            lambda x: (1 - np.tanh(x) ** 2) * (6 * np.tanh(x) ** 2 - 2),
        ],
    ),
    "sigmoid": (
        lambda x: x.sigmoid(),
        [
            lambda x: (s := 1 / (1 + np.exp(-x))) * (1 - s),
            lambda x: (s := 1 / (1 + np.exp(-x))) * (1 - s) * (1 - 2 * s),
            lambda x: (s := 1 / (1 + np.exp(-x))) * (1 - s) * (1 - 6 * s + 6 * s * s),
        ],
    ),
    "product": (
        lambda x: x * x * x * x,
        [lambda x: 4 * x**3, lambda x: 12 * x**2, lambda x: 24 * x],
    ),
    "sqrt": (
        lambda x: x.sqrt(),
        [lambda x: x**-0.5 / 2, lambda x: -(x**-1.5) / 4, lambda x: 3 * x**-2.5 / 8],
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@given(values=st.lists(st.floats(0.2, 2.0), min_size=1, max_size=4))
def test_first_second_and_third_derivatives(torch: Any, name: str, values: list[float]) -> None:
    function, derivatives = FUNCTIONS[name]
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    y = function(x)
    for derivative in derivatives:
        (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        expected = derivative(np.array(values))
        np.testing.assert_allclose(y.detach().numpy(), expected, rtol=1e-9, atol=1e-9)


def test_mixed_partial_derivatives(torch: Any) -> None:
    x, y = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (2.0, 3.0))
    (to_x, to_y) = torch.autograd.grad(x**2 * y**3, [x, y], create_graph=True)
    of_x = torch.autograd.grad(to_x, [x, y], retain_graph=True)
    of_y = torch.autograd.grad(to_y, [x, y])
    assert [one.item() for one in of_x] == [54.0, 108.0]
    assert [one.item() for one in of_y] == [108.0, 72.0]


def test_a_hessian_row_by_row(torch: Any) -> None:
    matrix = np.array([[2.0, 1.0], [5.0, -3.0]])
    x = torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(x @ torch.tensor(matrix) @ x, x, create_graph=True)
    rows = [torch.autograd.grad(one, x, retain_graph=True)[0].tolist() for one in slope]
    assert rows == (matrix + matrix.T).tolist()


def test_the_derivative_with_respect_to_the_vector(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    vector = torch.ones(2, requires_grad=True)
    (product,) = torch.autograd.grad(x**2, x, vector, create_graph=True)
    (jacobian_row,) = torch.autograd.grad(product, vector, torch.tensor([0.0, 1.0]))
    assert jacobian_row.tolist() == [0.0, 4.0]


def test_a_penalty_on_the_gradient_trains(torch: Any) -> None:
    weight = torch.tensor([3.0, 4.0], requires_grad=True)
    (slope,) = torch.autograd.grad((weight**2).sum() / 2, weight, create_graph=True)
    slope.norm().backward()
    assert weight.grad.tolist() == pytest.approx([0.6, 0.8])


def test_a_gradient_that_does_not_depend_on_the_input_is_no_part_of_the_graph(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    (slope,) = torch.autograd.grad((x + 3).sum(), x, create_graph=True)
    assert not slope.requires_grad
    assert slope.grad_fn is None


def test_without_create_graph_gradients_are_leaves(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    (slope,) = torch.autograd.grad((x**2).sum(), x)
    assert (slope.requires_grad, slope.grad_fn) == (False, None)
    with pytest.raises(RuntimeError, match="does not require grad"):
        torch.autograd.grad(slope.sum(), x)


def test_materialized_zeros_can_be_differentiated_again(torch: Any) -> None:
    x, unused = torch.tensor(2.0, requires_grad=True), torch.ones(3, requires_grad=True)
    slope, zeros = torch.autograd.grad(x**2, [x, unused], materialize_grads=True, create_graph=True)
    assert zeros.requires_grad
    assert torch.autograd.grad(slope + zeros.sum(), x)[0].item() == 2


def test_backward_under_create_graph_warns_of_the_circle(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    with pytest.warns(UserWarning, match="^Using backward.. with create_graph=True will create a"):
        (x**3).backward(create_graph=True)
    assert x.grad.item() == 12
    slope, x.grad = x.grad, None
    assert torch.autograd.grad(slope, x)[0].item() == 12


def test_backward_through_a_gradient_adds_to_the_same_leaf(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    (slope,) = torch.autograd.grad(x**3, x, create_graph=True)
    (slope**2).backward()
    assert x.grad.item() == 2 * 12 * 12


@given(order=st.integers(1, 6), at=st.floats(-2, 2))
def test_derivatives_of_any_order(torch: Any, order: int, at: float) -> None:
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    y = x**6
    for _ in range(order):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
    expected = math.perm(6, order) * at ** (6 - order)
    assert y.item() == pytest.approx(expected, rel=1e-9, abs=1e-9)
