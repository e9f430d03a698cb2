"""One declaration makes an operation: computed, recorded, differentiated, with its saved values."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import minigrad as torch
from minigrad.ops import declare
from minigrad.ops.bind import bind, bound
from minigrad.ops.declare import op
from minigrad.ops.registry import public, registry
from tests.ops.nudge import check_gradients, leaf


@pytest.fixture(autouse=True)
def undeclared() -> Iterator[None]:
    """What a test declares is forgotten after it."""
    names, rules, attributes = list(registry), list(declare.rules), dict(bound)
    members = {kind: dict(vars(kind)) for kind in torch.Tensor.__mro__[:-1]}
    yield
    registry[:], declare.rules[:] = names, rules
    bound.clear()
    bound.update(attributes)
    for kind, known in members.items():
        for name, member in dict(vars(kind)).items():
            if name not in known:
                delattr(kind, name)
            elif member is not known[name]:
                setattr(kind, name, known[name])


def declared_cube() -> Any:
    return op(
        "cube",
        "CubeBackward0",
        lambda self: self**3,
        variants="function method inplace",
        self=lambda grad, self: grad * (self * self * 3),
    )


def test_a_declaration_is_all_an_operation_needs() -> None:
    declared_cube()
    functions = bind()
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for y in (functions["cube"](x), x.cube(), (x * 1).cube_()):
        assert str(y) == "tensor([1., 8.], grad_fn=<CubeBackward0>)"
        x.grad = None
        y.sum().backward()
        assert x.grad is not None
        assert x.grad.tolist() == [3.0, 12.0]
    check_gradients(functions["cube"], [1.0, -2.0, 0.5])


def test_only_the_asked_forms_are_made() -> None:
    op("only_function", "A", np.abs, variants="function")
    op("only_method", "B", np.abs, variants="method")
    op("", "C", np.abs)
    functions = bind()
    assert "only_function" in functions
    assert not hasattr(torch.Tensor, "only_function")
    assert "only_method" not in functions
    assert hasattr(torch.Tensor, "only_method")
    assert not hasattr(torch.Tensor, "only_method_")
    assert "" not in functions


def test_a_public_function_is_composed_of_operations() -> None:
    @public("hypotenuse", "function method")
    def hypotenuse(self: Any, other: Any) -> Any:
        return (self * self + other * other).sqrt()

    functions = bind()
    x = torch.tensor(3.0, requires_grad=True)
    y = functions["hypotenuse"](x, torch.tensor(4.0))
    assert y.grad_fn.name() == "SqrtBackward0"
    assert y.item() == x.hypotenuse(torch.tensor(4.0)).item() == 5
    y.backward()
    assert x.grad is not None
    assert x.grad.item() == pytest.approx(0.6)


def test_only_what_a_needed_formula_names_is_saved() -> None:
    weigh = op(
        "",
        "WeighBackward0",
        lambda self, weight, scale: self * weight * scale,
        self=lambda grad, weight, scale: grad * weight * scale,
        weight=lambda grad, self, scale: grad * self * scale,
    )
    x, w = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0])
    node = weigh(x, w, 10).grad_fn
    assert node._saved_weight is w
    assert node._saved_self is None
    assert node._saved_scale == 10
    assert node.next_functions[1] == (None, 0)
    both = weigh(x, w.requires_grad_(), 10)
    assert both.grad_fn._saved_self is x
    both.sum().backward()
    assert (x.grad.tolist(), w.grad.tolist()) == ([30.0, 40.0], [10.0, 20.0])
    assert both.grad_fn._saved_scale == 10
    with pytest.raises(RuntimeError, match="second time"):
        both.grad_fn._saved_self  # noqa: B018


def test_a_formula_may_use_the_result_and_the_shape() -> None:
    double_exp = op(
        "",
        "DoubleExpBackward0",
        lambda self: np.exp(2 * self),
        promote="float",
        self=lambda grad, result: grad * result * 2,
    )
    check_gradients(double_exp, [0.3, -1.0])
    total = op(
        "",
        "TotalBackward0",
        lambda self: self.sum(),
        self=lambda grad, self_sym_sizes: grad * np.ones(self_sym_sizes),
    )
    x = leaf([[1.0, 2.0]])
    y = total(x)
    assert y.grad_fn._saved_self_sym_sizes == (1, 2)
    y.backward()
    assert x.grad.tolist() == [[1.0, 1.0]]


def test_several_outputs_share_a_node_and_get_their_own_gradients() -> None:
    both = op(
        "",
        "BothBackward0",
        lambda self: (self * 2, self * 3, self > 0),
        outputs="double triple positive",
        self=lambda grad: sum(
            one * factor for one, factor in zip(grad, (2, 3, 0), strict=True) if one is not None
        ),
    )
    x = torch.tensor([1.0, -1.0], requires_grad=True)
    double, triple, positive = both(x)
    assert double.grad_fn is triple.grad_fn
    assert (double.output_nr, triple.output_nr) == (0, 1)
    assert (positive.grad_fn, positive.requires_grad) == (None, False)
    assert torch.autograd.grad((double + triple).sum(), x, retain_graph=True)[0].tolist() == [5, 5]
    assert torch.autograd.grad(triple.sum(), x)[0].tolist() == [3.0, 3.0]


def test_a_list_of_tensors_has_one_formula_for_all() -> None:
    total = op(
        "",
        "TotalBackward0",
        lambda tensors: sum(tensors),
        tensors=lambda grad, tensors: [grad * (place + 1) for place in range(len(tensors))],
    )
    x, y, z = leaf([1.0]), torch.tensor([2.0]), leaf([3.0])
    result = total([x, y, z])
    assert [None if to is None else to.variable for to, _ in result.grad_fn.next_functions] == [
        x,
        None,
        z,
    ]
    result.sum().backward()
    assert (x.grad.tolist(), z.grad.tolist()) == ([1.0], [3.0])


def test_a_view_shares_memory_and_version_with_its_argument() -> None:
    ends = op(
        "", "EndsBackward0", lambda self: self[::2], view=True, self=lambda grad: (grad, grad)[0]
    )
    x = torch.tensor([1.0, 2.0, 3.0])
    view = ends(x)
    assert view._base is x
    view.add_(10)
    assert x.tolist() == [11.0, 2.0, 13.0]
    assert x._version == view._version == 1


@pytest.mark.parametrize("promote", ["common", "float"])
def test_operands_come_to_one_dtype(promote: str) -> None:
    seen: list[tuple[str, str]] = []

    def forward(self: Any, other: Any) -> Any:
        seen.append((str(self.dtype), str(other.dtype)))
        return self + other

    add = op("", "AddBackward9", forward, promote=promote)
    one, two = torch.tensor([1, 2]), torch.tensor([1, 2], dtype=torch.int8)
    add(one, two)
    add(two, one)
    add(two, 1)
    add(two, 1.5)
    add(1, torch.tensor(1.0, dtype=torch.float64))
    integers = ["int64", "int64", "int8"] if promote == "common" else ["float32"] * 3
    assert seen == [(name, name) for name in (*integers, "float32", "float64")]


def test_without_promotion_operands_are_left_alone() -> None:
    seen: list[Any] = []
    op("", "A", lambda self, other: seen.append((self.dtype, other)) or self)(
        torch.tensor([1]), 2.5
    )
    assert seen == [(np.dtype("int64"), 2.5)]


def test_an_operation_takes_arrays_as_formulas_do() -> None:
    cube = declared_cube()
    result = cube(np.array([1.0, 2.0]))
    assert type(result) is np.ndarray
    assert result.tolist() == [1.0, 8.0]


def test_formulas_get_arrays_or_under_create_graph_tensors() -> None:
    seen: list[list[type]] = []

    def formula(grad: Any, self: Any, result: Any) -> Any:
        seen.append([type(one) for one in (grad, self, result)])
        return grad * self * 2

    square = op("", "SquareBackward0", lambda self: self * self, self=formula)
    x = leaf([1.0, 2.0])
    torch.autograd.grad(square(x).sum(), x)
    (slope,) = torch.autograd.grad(square(x).sum(), x, create_graph=True)
    assert seen == [[np.ndarray] * 3, [torch.Tensor] * 3]
    assert torch.autograd.grad(slope.sum(), x)[0].tolist() == [2.0, 2.0]


def test_an_operation_without_formulas_is_not_recorded() -> None:
    sign = op("", "SignBackward9", np.sign)
    y = sign(torch.tensor([-2.0], requires_grad=True))
    assert (y.tolist(), y.requires_grad, y.grad_fn) == ([-1.0], False, None)


def test_an_operation_that_fails_leaves_nothing_behind() -> None:
    def forward(self: Any, other: Any) -> Any:
        raise ArithmeticError("no")

    fails = op("", "FailsBackward0", forward, self=lambda grad: grad, other=lambda grad: grad)
    x = torch.tensor([1.0], requires_grad=True)
    before = (x * 1).grad_fn._sequence_nr()  # type: ignore[union-attr]
    with pytest.raises(ArithmeticError, match="^no$"):
        fails(x, x)
    assert (x._version, x.grad, x.is_leaf) == (0, None, True)
    assert (x * 1).grad_fn._sequence_nr() == before + 1  # type: ignore[union-attr]


def test_a_formula_that_fails_leaves_the_leaf_and_the_mode() -> None:
    def formula(grad: Any) -> Any:
        raise ArithmeticError("no")

    fails = op("", "FailsBackward0", lambda self: self * 1, self=formula)
    x = torch.tensor([1.0], requires_grad=True)
    y = fails(x)
    for _ in range(2):
        with pytest.raises(ArithmeticError, match="^no$"):
            y.sum().backward()
    assert x.grad is None
    assert torch.is_grad_enabled()


def test_numpy_does_not_warn_in_what_is_declared() -> None:
    inverse = op(
        "", "InverseBackward0", lambda self: 1 / self, self=lambda grad, self: -grad / self / self
    )
    x = leaf([0.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y = inverse(x)
        y.sum().backward()
        torch.autograd.grad(inverse(x).sum(), x, create_graph=True)
    assert x.grad.tolist() == [-np.inf]


@pytest.mark.parametrize("wrong", [None, "a", [1.0], 3])
def test_arguments_that_are_no_tensors_are_refused(wrong: Any) -> None:
    cube = declared_cube()
    with pytest.raises(TypeError, match=r"^cube\(\): argument 'input' \(position 1\) must be Ten"):
        cube(wrong)


def test_shapes_that_cannot_be_broadcast_are_named() -> None:
    add = op("", "AddBackward9", np.add, promote="common")
    with pytest.raises(
        RuntimeError,
        match=r"^The size of tensor a \(3\) must match the size of tensor b \(4\) at non-singleton "
        r"dimension 1$",
    ):
        add(torch.ones(2, 3), torch.ones(2, 4))


def test_an_operation_on_one_tensor_takes_no_more() -> None:
    untouched = np.zeros(2, np.float32)
    for more in (untouched, torch.ones(2)):
        with pytest.raises(
            TypeError, match=r"^sin\(\) takes 1 positional argument but 2 were given$"
        ):
            torch.sin(torch.ones(2), more)
    assert not untouched.any()


def test_one_formula_may_serve_all_inputs() -> None:
    masks = []

    def backward(grad: Any, self: Any, other: Any, grad_input_mask: tuple[bool, bool]) -> Any:
        masks.append(grad_input_mask)
        return grad * other, grad * self if grad_input_mask[1] else None

    times = op("", "TimesBackward9", np.multiply, promote="common", self=backward, other=backward)
    a, b = leaf([2.0, 3.0]), leaf([4.0, 5.0])
    check_gradients(times, [2.0, 3.0], [4.0, 5.0])
    masks.clear()
    times(a, b.detach()).sum().backward()
    times(a, b).sum().backward()
    assert masks == [(True, False), (True, True)]
    assert a.grad.tolist() == [8.0, 10.0]
    assert times(a, b).grad_fn._saved_self is a
