"""A tensor beside a numpy array: operators are numpy's, and give tensors of numpy's dtypes."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np
import pytest

from tests.parity.printed import agree_in_print
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

TENSORS = ["ones(2)", "tensor(2.0)", "tensor([1, 2])", "tensor([True, False])", "ones(2, 2)"]
TENSORS += ["ones(2, dtype=torch.float16)", "ones(2, requires_grad=True)", "ones(0)"]
ARRAYS = [
    np.array([0.1, 2.0]),
    np.array([1, 2]),
    np.array(1.0),
    np.float64(1),
    np.array([True, False]),
    np.ones((2, 1), np.float32),
    np.ones(3),
    np.array(["a", "b"]),
    np.array([None, 1]),
]
OPERATORS = ["eq", "ne", "lt", "ge", "add", "sub", "mul", "truediv", "pow", "mod", "matmul", "and_"]
OPERATORS += ["lshift", "iadd", "imul"]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("given", TENSORS)
@pytest.mark.parametrize("array", ARRAYS, ids=repr)
def test_operators(name: str, given: str, array: Any) -> None:
    def program(torch: Any, turned: bool) -> Any:
        tensor = eval(f"torch.{given}", {"torch": torch})
        operands = (array.copy(), tensor) if turned else (tensor, array)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of __array_wrap__, by numpy
            result = getattr(operator, name)(*operands)
        return type(result), result, tensor

    assert_same(lambda torch: program(torch, False))
    if not (name == "truediv" and array.dtype.kind in "UO"):  # who refuses the text is not told
        assert_same(lambda torch: program(torch, True))


def test_functions_of_numpy_that_call_methods() -> None:
    agree_in_print(
        """
        import numpy as np
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        for one in (x, x.requires_grad_()):
            for function in (np.mean, np.sum, np.prod, np.max, np.argmax, np.cumsum, np.any):
                attempt(lambda: function(one))
        attempt(lambda: x.mean(axis=0, foo=1))
        attempt(lambda: x.sum(axis=0, keepdims=True, foo=1))
        attempt(lambda: torch.sum(x, 0, dim=0))
        attempt(lambda: torch.sum(x, 0, axis=0))
        attempt(lambda: x.argmax(axis=1, dim=1))
        """
    )
