"""Operators, methods and in-place methods: what they take, return, change and record."""

from __future__ import annotations

import inspect
import operator
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import functions
from minigrad.ops.registry import registry

# Operators

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
BITWISE: dict[str, Callable[[Any, Any], Any]] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


@pytest.mark.parametrize("symbol", BINARY)
def test_operators_compute_as_pythons_do(torch: Any, symbol: str) -> None:
    function = BINARY[symbol]
    for a, b in ((7.5, 2.0), (2.0, 2.0), (-3.0, 2.0), (9, 2), (2, 2), (5, 3)):
        expected = function(a, b)
        x, y = torch.tensor([a, a]), torch.tensor([b, b])
        for result in (function(x, y), function(x, b), function(a, y), function(x, y[0])):
            assert isinstance(result, torch.Tensor)
            assert result.tolist() == pytest.approx([expected] * 2)
        for result in (function(x[0], b), function(a, y[0]), function(x[0], y[0])):
            assert result.item() == pytest.approx(expected)


@pytest.mark.parametrize("symbol", BITWISE)
def test_bitwise_operators(torch: Any, symbol: str) -> None:
    function = BITWISE[symbol]
    for a, b in ((12, 10), (True, False), (True, True)):
        x, y = torch.tensor([a]), torch.tensor([b])
        for result in (function(x, y), function(x, b), function(a, y)):
            assert result.tolist() == [function(a, b)]
            assert result.dtype is x.dtype
    with pytest.raises(RuntimeError):
        function(torch.ones(1), 1)


def test_unary_operators(torch: Any) -> None:
    x = torch.tensor([1.5, -2.0])
    assert (-x).tolist() == [-1.5, 2.0]
    assert (+x).tolist() == [1.5, -2.0]
    assert abs(x).tolist() == [1.5, 2.0]
    assert (~torch.tensor([True, False])).tolist() == [False, True]
    assert (~torch.tensor([5])).tolist() == [-6]


def test_matrices_multiply(torch: Any) -> None:
    matrix, vector = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 10.0])
    assert (matrix @ vector).tolist() == [21.0, 43.0]
    assert (vector @ matrix).tolist() == [31.0, 42.0]
    assert (vector @ vector).item() == 101
    for wrong in (3, 2.5, "a", None):
        with pytest.raises(TypeError):
            matrix @ wrong
        with pytest.raises(TypeError):
            wrong @ matrix


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "//", "**", "<", ">="])
@pytest.mark.parametrize("wrong", ["a", None, [1.0, 2.0], {}, object()])
def test_operands_that_are_no_numbers_are_refused(torch: Any, symbol: str, wrong: Any) -> None:
    x = torch.ones(2)
    with pytest.raises(TypeError):
        BINARY[symbol](x, wrong)
    with pytest.raises(TypeError):
        BINARY[symbol](wrong, x)


def test_equality_with_something_else_is_false(torch: Any) -> None:
    x = torch.ones(2)
    for other in ("a", None, [1.0, 1.0], {}):
        assert (x == other) is False
        assert (x != other) is True


class Ours:
    """Something that knows how to be combined with a tensor."""

    def __radd__(self, other: Any) -> str:
        return "added"

    __rmul__ = __rsub__ = __rtruediv__ = __rmatmul__ = __rpow__ = __radd__

    def __add__(self, other: Any) -> str:
        return "added"


def test_an_unknown_operand_may_answer_itself(torch: Any) -> None:
    x = torch.ones(2)
    for symbol in ("+", "*", "-", "/", "**"):
        assert BINARY[symbol](x, Ours()) == "added"
    assert x @ Ours() == "added"
    assert Ours() + x == "added"


# In place

INPLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
}


@pytest.mark.parametrize("symbol", INPLACE)
def test_augmented_assignment_changes_the_tensor(torch: Any, symbol: str) -> None:
    for other in (2.0, 3, torch.tensor([2.0, 3.0]), torch.tensor(2)):
        x = torch.tensor([7.0, -4.0])
        alias, expected = x.view(2), BINARY[symbol[:-1]](x, other)
        result = INPLACE[symbol](x, other)
        assert result is x
        assert x.tolist() == alias.tolist() == expected.tolist()
        assert x._version == 1


def test_bitwise_augmented_assignment(torch: Any) -> None:
    for function, other, expected in (
        (operator.iand, 10, 8),
        (operator.ior, 10, 14),
        (operator.ixor, 10, 6),
    ):
        x = torch.tensor([12])
        assert function(x, other) is x
        assert x.tolist() == [expected]


# What in-place methods take besides the tensor, [0.5, 0.7, 2.0] times 1; those not listed take
# nothing. Those that draw random numbers, and those that are no operations, are tested elsewhere.
ARGUMENTS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "add_": ((2.0,), {"alpha": 3}),
    "sub_": ((2.0,), {}),
    "subtract_": ((2.0,), {}),
    "mul_": ((2.0,), {}),
    "multiply_": ((2.0,), {}),
    "div_": ((2.0,), {}),
    "divide_": ((2.0,), {}),
    "true_divide_": ((2.0,), {}),
    "remainder_": ((2.0,), {}),
    "fmod_": ((2.0,), {}),
    "pow_": ((2.5,), {}),
    "clamp_": ((0.6, 1.0), {}),
    "clip_": ((0.6, 1.0), {}),
    "clamp_min_": ((0.6,), {}),
    "clamp_max_": ((0.6,), {}),
    "fill_": ((3.0,), {}),
    "addcmul_": (("tensor", "tensor"), {"value": 2.0}),
    "addcdiv_": (("tensor", "tensor"), {"value": 2.0}),
    "atan2_": (("tensor",), {}),
    "ldexp_": (("tensor",), {}),
    "hypot_": (("tensor",), {}),
    "xlogy_": (("tensor",), {}),
    "copy_": (("tensor",), {}),
    "lerp_": (("tensor", 0.3), {}),
    "masked_fill_": (("mask", 3.0), {}),
    "masked_scatter_": (("mask", "tensor"), {}),
    "scatter_": ((0, "places", "two"), {}),
    "scatter_add_": ((0, "places", "two"), {}),
    "scatter_reduce_": ((0, "places", "two"), {"reduce": "sum"}),
    "index_add_": ((0, "places", "two"), {"alpha": 2.0}),
    "index_reduce_": ((0, "places", "two", "mean"), {}),
    "renorm_": ((2, 0, 1.0), {}),
    "index_copy_": ((0, "places", "two"), {}),
    "index_fill_": ((0, "places", 3.0), {}),
    "index_put_": (("indices", "two"), {"accumulate": True}),
    "put_": (("places", "two"), {}),
    "copysign_": (("tensor",), {}),
    "nextafter_": (("tensor",), {}),
    "arctan2_": (("tensor",), {}),
    "logit_": ((0.1,), {}),
}
ELSEWHERE = {
    "floor_divide_",  # it has no derivative
    "bernoulli_",
    "cauchy_",
    "exponential_",
    "geometric_",
    "log_normal_",
    "normal_",
    "random_",
    "uniform_",
    "detach_",
    "requires_grad_",
    "bitwise_and_",
    "bitwise_not_",
    "bitwise_or_",
    "bitwise_xor_",
    *(f"{prefix}{name}_" for prefix in ("a", "arc") for name in ("cosh", "sinh", "tanh")),
    "bitwise_left_shift_",  # those above PyTorch does not differentiate in place
    "bitwise_right_shift_",
    "gcd_",
    "lcm_",
    "heaviside_",
    "addmv_",
    "addr_",
    "baddbmm_",
    "fill_diagonal_",
    *("resize_", "resize_as_", "set_", "apply_", "map_", "as_strided_"),  # parity/test_by_hand.py
    *("squeeze_", "unsqueeze_", "t_", "transpose_", "swapaxes_", "swapdims_"),
    *(f"{name}_" for name in ("eq", "ne", "lt", "le", "gt", "ge", "not_equal")),
    *("less_", "less_equal_", "greater_", "greater_equal_"),
    *(f"logical_{name}_" for name in ("and", "or", "xor", "not")),
    *("cumsum_", "cumprod_", "addmm_"),
    *("index_reduce_", "renorm_"),  # parity/test_distances.py
    "float_power_",  # of float64 alone
    "tril_",  # of matrices
    "triu_",
}
METHODS = sorted(
    name
    for name in dir(minigrad.Tensor)
    if name.endswith("_") and not name.startswith("_") and name not in ELSEWHERE
)


def call(torch: Any, name: str, x: Any, other: Any) -> Any:
    """Call a method, in place or not, with arguments for it."""
    places = torch.tensor([0, 2])
    tensors = {"tensor": other, "two": other[1:], "places": places, "indices": (places,)}
    tensors["mask"] = torch.tensor([True, False, False])
    arguments, keywords = ARGUMENTS.get(name.removesuffix("_") + "_", ((), {}))
    taken = [tensors[one] if isinstance(one, str) else one for one in arguments]
    if name == "zero":
        return torch.fill(x, 0.0)
    if name == "fill":
        return torch.fill(x, *taken)
    if name == "copy":
        return x * 0 + other
    return getattr(x, name)(*taken, **keywords)


def elements(tensor: Any) -> Any:
    """Return the elements, those of PyTorch's zeros without memory too."""
    return (tensor.detach() + 0).tolist()


@pytest.mark.parametrize("name", METHODS)
def test_an_in_place_method_computes_and_differentiates_as_its_twin(torch: Any, name: str) -> None:
    x, other = (torch.tensor(v, requires_grad=True) for v in ([0.5, 0.7, 2.0], [0.3, 0.9, 1.5]))
    if name in ("asin_", "acos_", "arcsin_", "arccos_", "erfinv_"):
        x = (x / 3).detach().requires_grad_()
    start = x * 1
    result = call(torch, name, start, other)
    assert result is start
    assert (result._version, result.is_leaf, result.requires_grad) == (1, False, True)
    twin = call(torch, name.removesuffix("_"), x * 1, other)
    assert result.tolist() == twin.tolist()
    weight = torch.tensor([1.0, 10.0, 100.0])
    found, expected = (
        torch.autograd.grad(
            one, [x, other], weight, create_graph=True, materialize_grads=True, retain_graph=True
        )
        for one in (result, twin)
    )
    for one, same in zip(found, expected, strict=True):
        np.testing.assert_allclose(elements(one), elements(same), rtol=1e-6)
    seconds = [
        torch.autograd.grad(
            sum((one + x * 0).sum() for one in slopes), [x, other], materialize_grads=True
        )
        for slopes in (found, expected)
    ]
    for one, same in zip(*seconds, strict=True):
        np.testing.assert_allclose(elements(one), elements(same), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", METHODS)
def test_an_in_place_method_may_not_change_a_leaf_that_requires_grad(torch: Any, name: str) -> None:
    x, other = torch.tensor([0.5, 0.7, 0.9], requires_grad=True), torch.tensor([0.3, 0.9, 1.5])
    with pytest.raises(RuntimeError, match="^a leaf Variable that requires grad is being used in"):
        call(torch, name, x, other)
    with pytest.raises(RuntimeError, match="^a view of a leaf Variable that requires grad is"):
        call(torch, name, x.view(3), other)
    assert x.detach().tolist() == torch.tensor([0.5, 0.7, 0.9]).tolist()
    assert x._version == 0
    with torch.no_grad():
        assert call(torch, name, x, other) is x
    assert (x._version, x.is_leaf, x.requires_grad) == (1, True, True)


@pytest.mark.parametrize("name", METHODS)
def test_an_in_place_method_writes_into_the_memory_it_has(torch: Any, name: str) -> None:
    matrix = torch.tensor([[0.5, 9.0], [0.7, 9.0], [0.9, 9.0]])
    column, other = matrix[:, 0], torch.tensor([0.3, 0.9, 1.5])
    expected = call(torch, name.removesuffix("_"), column.clone(), other).tolist()
    call(torch, name, column, other)
    assert matrix[:, 0].tolist() == column.tolist() == expected
    assert matrix[:, 1].tolist() == [9.0, 9.0, 9.0]
    assert matrix._version == 1


def test_a_tensor_may_be_changed_by_itself(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0, 3.0, 4.0])
    x += x
    x *= x
    assert x.tolist() == [4.0, 16.0, 36.0, 64.0]
    x[2:] += x[:2]
    assert x.tolist() == [4.0, 16.0, 40.0, 80.0]


def test_a_result_changed_by_what_requires_grad_joins_the_graph(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    total = torch.zeros(2)
    for factor in (1.0, 10.0):
        total += x * factor
    assert (total.requires_grad, total.is_leaf, total._version) == (True, False, 2)
    total.sum().backward()
    assert x.grad.tolist() == [11.0, 11.0]


def test_a_chain_of_changes_is_differentiated(torch: Any) -> None:
    x = torch.tensor([0.5, 2.0], requires_grad=True)
    y = (x * 1).mul_(3).add_(1).div_(2).exp_()
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx(
        (1.5 * np.exp((3 * np.array([0.5, 2.0]) + 1) / 2)).tolist()
    )
    assert y._version == 4


@pytest.mark.parametrize(
    ("dtype", "change"),
    [
        ("int64", lambda torch, x: x.add_(1.5)),
        ("int64", lambda torch, x: x.div_(2)),
        ("bool", lambda torch, x: x.add_(1)),
        ("bool", lambda torch, x: x.mul_(torch.tensor([2, 3]))),
        ("int8", lambda torch, x: x.mul_(torch.ones(2))),
        ("int64", lambda torch, x: x.exp_()),
        ("int64", lambda torch, x: operator.itruediv(x, 2)),
    ],
)
def test_a_result_of_a_higher_category_does_not_fit(
    torch: Any, dtype: str, change: Callable[..., Any]
) -> None:
    x = torch.ones(2, dtype=getattr(torch, dtype))
    with pytest.raises(RuntimeError, match="^result type .* can't be cast to the desired output"):
        change(torch, x)
    assert (x.tolist(), x._version) == ([1, 1], 0)


def test_a_result_of_the_same_category_is_cast(torch: Any) -> None:
    x = torch.ones(2, dtype=torch.float16).add_(torch.ones(2, dtype=torch.float64))
    assert (x.dtype, x.tolist()) == (torch.float16, [2.0, 2.0])
    y = torch.ones(2, dtype=torch.int8).add_(torch.tensor([200, 1]))
    assert (y.dtype, y.tolist()) == (torch.int8, [-55, 2])
    z = torch.ones(2).add_(torch.tensor([1, 2])).mul_(True)
    assert (z.dtype, z.tolist()) == (torch.float32, [2.0, 3.0])


def test_a_change_does_not_change_the_shape(torch: Any) -> None:
    x = torch.ones(3)
    for wrong in (torch.ones(2, 3), torch.ones(3, 1), torch.ones(2)):
        with pytest.raises(RuntimeError):
            x.add_(wrong)
    assert (x.tolist(), x._version) == ([1.0] * 3, 0)
    x.add_(torch.ones(1)).add_(torch.tensor(1.0))
    assert x.tolist() == [3.0] * 3
    with pytest.raises(
        RuntimeError, match=r"^output with shape \[\] doesn't match the broadcast sh"
    ):
        torch.tensor(1.0).add_(torch.ones(1))


def test_elements_that_share_their_memory_are_not_changed_one_by_one(torch: Any) -> None:
    x = torch.ones(1).expand(3)
    for change in (lambda: x.add_(1), lambda: x.mul_(2), lambda: x.copy_(torch.ones(3))):
        with pytest.raises(RuntimeError, match="^unsupported operation: more than one element of"):
            change()
    assert (x.tolist(), x._version) == ([1.0] * 3, 0)


def test_a_gradient_that_shares_its_memory_is_not_changed_in_place(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    (gradient,) = torch.autograd.grad(x.sum(), x)
    with pytest.raises(RuntimeError, match="^unsupported operation: more than one element of"):
        gradient.add_(1)
    assert gradient.tolist() == [1.0] * 3
    x.sum().backward()
    assert x.grad.add_(1).tolist() == [2.0] * 3


# Names


@pytest.mark.parametrize("name", ["exp", "sum", "matmul", "reshape", "softmax", "clamp", "norm"])
def test_functions_and_methods_are_the_same_operation(torch: Any, name: str) -> None:
    x = torch.tensor([[0.5, 2.0], [3.0, 1.0]], requires_grad=True)
    arguments: list[Any] = {"matmul": [x], "reshape": [(4,)], "softmax": [0], "clamp": [0, 1]}.get(
        name, []
    )
    function, method = getattr(torch, name)(x, *arguments), getattr(x, name)(*arguments)
    assert function.tolist() == method.tolist()
    assert function.grad_fn.name() == method.grad_fn.name()


def test_a_name_that_is_missing_says_what_is_near() -> None:
    with pytest.raises(
        AttributeError, match=r"^module 'torch' has no attribute 'sofmax'\. Near it:"
    ):
        minigrad.sofmax  # noqa: B018
    with pytest.raises(AttributeError, match=r"softmax"):
        minigrad.sofmax  # noqa: B018
    with pytest.raises(AttributeError, match=r"^module 'torch' has no attribute 'qqqqqq'$"):
        minigrad.qqqqqq  # noqa: B018
    # A tensor leaves it to Python, which says in its traceback what is near: a `__getattr__` would
    # make every attribute of a tensor slower.
    with pytest.raises(AttributeError, match=r"^'Tensor' object has no attribute 'sofmax'$"):
        minigrad.ones(1).sofmax  # noqa: B018
    for module, name, near in (
        (minigrad.nn.functional, "sofmax", "softmax"),
        (minigrad.linalg, "nrom", "norm"),
    ):
        with pytest.raises(AttributeError, match=rf"has no attribute '{name}'\. Near it:.* {near}"):
            getattr(module, name)
    assert not hasattr(minigrad, "add_")
    assert not hasattr(minigrad, "size")  # though a module is called so


def test_functions_take_the_tensor_by_name(torch: Any) -> None:
    x = torch.tensor([1.0, 4.0])
    assert torch.sqrt(input=x).tolist() == [1.0, 2.0]
    assert torch.mul(input=x, other=2).tolist() == [2.0, 8.0]


def test_out_is_written_to_and_not_recorded(torch: Any) -> None:
    x, out = torch.tensor([1.0, 4.0]), torch.empty(2)
    assert torch.sqrt(x, out=out) is out
    assert out.tolist() == [1.0, 2.0]
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.sqrt(x.requires_grad_(), out=out)


def test_a_list_in_place_of_a_tensor_is_refused_by_name(torch: Any) -> None:
    with pytest.raises(TypeError, match=r"mean\(\): argument 'input' \(position 1\) must be Tens"):
        torch.mean([1.0, 2.0])


def test_every_public_name_says_in_one_line_what_it_returns() -> None:
    lines = {
        name: (function.__doc__ or "").partition("\n")[0]
        for name, function, variants in registry
        if variants != {"inplace"}  # which says so by itself
    }
    assert [name for name, line in lines.items() if not line.endswith((".", ":"))] == []
    assert minigrad.exp.__doc__ == "Return e raised to each element."
    assert minigrad.Tensor.exp.__doc__ == minigrad.exp.__doc__


def test_every_function_and_method_can_be_pickled() -> None:
    methods = [name for name in dir(minigrad.Tensor) if not name.startswith("_")]
    members = [getattr(minigrad.Tensor, name) for name in methods]
    called = [getattr(minigrad, name) for name in functions.__all__]
    for one in (*called, *filter(inspect.isfunction, members)):
        assert pickle.loads(pickle.dumps(one)) is one
