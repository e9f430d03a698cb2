"""Declaring an operation: one declaration gives everything else."""

from typing import Any

import numpy as np
import pytest

import minigrad as torch
from minigrad.op import declarations, op
from minigrad.public import functions
from minigrad.tensor import Tensor


@pytest.fixture
def cube() -> Any:
    """A new operation, as a contributor would declare it."""

    def forward(self: Any) -> Any:
        """The third power of each element."""
        return self * self * self

    yield op(
        "cube",
        "CubeBackward0",
        forward,
        kind="pointwise",
        variants="function method inplace",
        self=lambda grad, self: grad * (3 * self * self),
    )
    declarations.pop()
    del functions["cube"]
    for name in ("cube", "cube_"):
        delattr(Tensor, name)


def test_a_declaration_is_all_an_operation_needs(cube: Any) -> None:
    x = torch.tensor([2.0], requires_grad=True)
    y = x.cube()
    assert repr(y) == "tensor([8.], grad_fn=<CubeBackward0>)"
    assert y.grad_fn._saved_self is x
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert (g.item(), torch.autograd.grad(g, x)[0].item()) == (12, 12)
    assert torch.autograd.gradcheck(cube, torch.rand(3, dtype=torch.float64, requires_grad=True))
    assert (x * 1).cube_().grad_fn.name() == "CubeBackward0"
    assert cube.__doc__ == "The third power of each element."


def test_only_what_a_formula_names_is_saved() -> None:
    x, w = torch.ones(2, requires_grad=True), torch.ones(2)
    assert (x * w).grad_fn.saved == (w,)
    assert (x + w).grad_fn.saved == ()


def test_operations_on_arrays_give_arrays() -> None:
    assert type(torch.exp(np.zeros(2))) is np.ndarray


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("torch.tril(x, foo=1)", "tril() got an unexpected keyword argument 'foo'"),
        ("torch.tril()", "tril() missing 1 required positional argument: 'self'"),
        ("torch.mul(x)", "mul() missing 1 required positional argument: 'other'"),
        ("torch.exp('a')", "exp(): argument 'input' (position 1) must be Tensor, not str"),
        ("torch.mul(x, 'a')", "mul(): argument 'other' (position 2) must be Tensor, not str"),
        ("x + 'a'", "unsupported operand type(s) for +: 'Tensor' and 'str'"),
        ("x > None", "'>' not supported between instances of 'Tensor' and 'NoneType'"),
    ],
)
def test_wrong_calls_name_the_argument(program: str, text: str) -> None:
    with pytest.raises(TypeError) as error:
        eval(program, {"torch": torch, "x": torch.ones(2)})
    assert str(error.value) == text


def test_debuggers_and_help_see_the_real_signature() -> None:
    import inspect

    assert list(inspect.signature(torch.tril).parameters) == ["self", "diagonal"]
    for name, function in functions.items():
        assert inspect.getdoc(function), name


def test_errors_name_the_function_that_was_called(torch: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^sum\(\): argument 'input' \(position 1\) must be Tensor"
    ):
        torch.sum([1, 2])
    with pytest.raises(TypeError, match=r"^softmax\(\): argument 'input'"):
        torch.softmax([1.0], 0)


@pytest.mark.filterwarnings("ignore:__array_wrap__")  # of PyTorch's own
def test_numpys_functions_give_tensors(torch: Any) -> None:
    x = torch.tensor([0.0, 1.0])
    assert repr(np.exp(x)) == "tensor([1.0000, 2.7183])"
    assert (2 * np.float64(3) * x).tolist() == [0.0, 6.0]
    with pytest.raises(RuntimeError, match=r"Use tensor.detach\(\).numpy\(\) instead"):
        np.exp(x.requires_grad_())
