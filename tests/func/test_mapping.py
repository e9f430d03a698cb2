"""`vmap`: slices, what is the same for all, changes in place, randomness, refusals."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

import minigrad


def test_a_function_is_called_once_and_sees_one_slice(torch: Any) -> None:
    seen = []

    def f(x: Any) -> Any:
        seen.append((x.shape, x.dtype, x.ndim, len(x)))
        return x.sum()

    assert torch.vmap(f, in_dims=1)(torch.arange(6.0).reshape(2, 3)).tolist() == [3.0, 5.0, 7.0]
    assert seen == [((2,), torch.float32, 1, 2)]


def test_dimensions_in_and_out_are_where_they_are_said_to_be(torch: Any) -> None:
    x = torch.arange(24.0).reshape(2, 3, 4)
    for dim in (0, 1, 2, -1, -2, -3):
        found = torch.vmap(lambda x: x * 2, in_dims=dim, out_dims=dim)(x)
        assert torch.equal(found, x * 2)
    assert torch.vmap(lambda x, y: x, (None, 0), 1)(torch.ones(2, 1), x).shape == (2, 2, 1)


def test_slices_have_gradients_of_their_own(torch: Any) -> None:
    weight, x = torch.tensor([1.0, 2.0]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
    slope = torch.func.grad(lambda weight, x: (weight * x).sum() ** 2)
    found = torch.vmap(slope, in_dims=(None, 0))(weight, x)
    assert found.tolist() == [[2.0, 0.0], [0.0, 4.0], [24.0, 24.0]]
    assert found.tolist() == [slope(weight, one).tolist() for one in x]


def test_maps_within_maps_and_derivatives_within_those(torch: Any) -> None:
    vmap, x = torch.vmap, torch.tensor([1.0, 2.0, 3.0])
    assert vmap(lambda a: vmap(lambda b: a * b)(x))(x).tolist() == torch.outer(x, x).tolist()
    cube = torch.func.jacrev(lambda a: a**3)
    assert torch.equal(vmap(vmap(cube))(torch.ones(2, 2, 3))[1, 1], 3 * torch.eye(3))
    total = torch.func.grad(lambda y: vmap(lambda a: (a * y).sum() ** 2)(torch.eye(3)).sum())
    assert total(x).tolist() == [2.0, 4.0, 6.0]


def test_changes_in_place_reach_the_argument(torch: Any) -> None:
    x = torch.zeros(2, 3)

    def f(row: Any, number: Any) -> Any:
        row[1:] = number
        row.add_(1)
        return row

    torch.vmap(f)(x, torch.tensor([5.0, 7.0]))
    assert x.tolist() == [[1.0, 6.0, 6.0], [1.0, 8.0, 8.0]]


def test_what_is_shared_is_not_changed_by_slices(torch: Any) -> None:
    shared = torch.zeros(3)
    with pytest.raises(RuntimeError, match="inplace arithmetic"):
        torch.vmap(lambda row: shared.mul_(row))(torch.ones(2, 3))
    assert shared.tolist() == [0.0] * 3


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda x: x if x.sum() > 0 else -x, "data-dependent control flow"),
        (lambda x: x * x.sum().item(), "calling .item()"),
        (lambda x: x[x > 1], "indexing with a boolean mask"),
        (lambda x: x.nonzero(), "dynamic shape"),
        (lambda x: x.sum().backward(), "called inside a functorch transform"),
        (lambda x: x.requires_grad_(), "attempting to call Tensor.requires_grad_"),
    ],
)
def test_what_depends_on_values_is_refused(torch: Any, function: Any, told: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.vmap(function)(torch.ones(2, 3))
    assert told in str(caught.value)


def test_values_of_what_is_not_mapped_over_may_decide(torch: Any) -> None:
    flag = torch.tensor(1.0)
    assert torch.vmap(lambda x: x * 2 if flag > 0 else x)(torch.ones(2)).tolist() == [2.0, 2.0]


def test_a_tensor_that_escaped_is_refused(torch: Any) -> None:
    kept: list[Any] = []

    def keeping(x: Any) -> Any:
        kept.append(x)
        return x

    torch.vmap(keeping)(torch.ones(2))
    with pytest.raises(RuntimeError, match="may have escaped"):
        kept[0] + 1


def test_random_numbers_are_the_same_or_different_or_refused(torch: Any) -> None:
    def noisy(x: Any) -> Any:
        return x + torch.rand(3)

    torch.manual_seed(0)
    different = torch.vmap(noisy, randomness="different")(torch.zeros(2, 3))
    torch.manual_seed(0)
    assert torch.equal(different, torch.rand(2, 3))
    first, second = torch.vmap(noisy, randomness="same")(torch.zeros(2, 3))
    assert torch.equal(first, second)
    with pytest.raises(RuntimeError, match="randomness error mode"):
        torch.vmap(noisy)(torch.zeros(2, 3))
    torch.rand(1)  # outside it is allowed again


def test_chunks_give_what_all_slices_give(torch: Any) -> None:
    x = torch.arange(10.0).reshape(5, 2)
    for size in (1, 2, 5, 7):
        found = torch.vmap(lambda x: (x * 2, x.sum()), out_dims=(1, 0), chunk_size=size)(x)
        assert torch.equal(found[0], (x * 2).T)
        assert torch.equal(found[1], x.sum(1))


def test_operations_without_a_rule_work_slice_by_slice(torch: Any) -> None:
    x = torch.tensor([[3.0, 1.0, 2.0], [1.0, 2.0, 0.0]])
    values, places = torch.vmap(lambda x: x.sort())(x)
    assert (values.tolist(), places.tolist()) == ([[1, 2, 3], [0, 1, 2]], [[1, 2, 0], [2, 0, 1]])
    assert torch.vmap(torch.diag)(x)[1].tolist() == torch.diag(x[1]).tolist()
    assert torch.vmap(lambda x: x.cumsum(0))(x[:0]).shape == (0, 3)


def test_dimensions_decide_on_dtypes_as_they_do_for_slices(torch: Any) -> None:
    numbers, vector = torch.ones(2, dtype=torch.float64), torch.ones(3)
    assert torch.vmap(lambda number: number * vector)(numbers).dtype == torch.float32


def test_stacked_models_are_called_at_once(torch: Any) -> None:
    torch.manual_seed(0)
    models = [torch.nn.Linear(2, 1) for _ in range(3)]
    parameters, buffers = torch.func.stack_module_state(models)
    assert all(one.is_leaf and one.requires_grad for one in parameters.values())
    x = torch.tensor([1.0, 2.0])

    def call(parameters: Any, x: Any) -> Any:
        return torch.func.functional_call(models[0], (parameters, buffers), x)

    found = torch.vmap(call, (0, None))(parameters, x)
    assert torch.allclose(found, torch.stack([model(x) for model in models]))
    found.sum().backward()
    assert parameters["weight"].grad.tolist() == [[[1.0, 2.0]]] * 3
    assert models[0].weight.grad is None


def test_a_function_of_ones_own_says_how_it_is_mapped(torch: Any) -> None:
    class Cube(torch.autograd.Function):  # type: ignore[misc]
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any) -> Any:
            return x**3

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 3 * ctx.saved_tensors[0] ** 2

    x = torch.tensor([1.0, 2.0])
    assert torch.vmap(torch.func.grad(Cube.apply))(x).tolist() == [3.0, 12.0]
    Cube.generate_vmap_rule = False
    with pytest.raises(RuntimeError, match="does not have vmap support"):
        torch.vmap(Cube.apply)(x)


def test_libraries_find_it_under_its_first_name(torch: Any) -> None:
    internals = importlib.import_module(f"{torch.__name__}._vmap_internals")
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.stack([x.sum(), x.prod()])
    (basis,) = torch.autograd.functional._construct_standard_basis_for((y,), (2,))
    rows = internals._vmap(lambda row: torch.autograd.grad(y, x, row, retain_graph=True)[0])
    assert rows(basis).tolist() == [[1.0, 1.0], [2.0, 1.0]]


def test_only_what_is_pytorchs_is_named(torch: Any) -> None:
    ours = {name for name in dir(minigrad.func) if not name.startswith("_")}
    assert ours <= set(dir(torch.func))
    assert torch.vmap is torch.func.vmap
