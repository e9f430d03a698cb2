"""What packages written for PyTorch use of it, and it answers the same: each in a few lines."""

from __future__ import annotations

import copy
import io
import pickle
from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

import pytest

from tests.parity.expressions import lines
from tests.parity.told import assert_same
from tests.test_dtypes import DTYPES, WITHOUT_TENSORS

pytestmark = pytest.mark.parity


@pytest.mark.parametrize("name", [*DTYPES, *WITHOUT_TENSORS, "chalf", "cfloat", "cdouble"])
@pytest.mark.parametrize(
    "asked", ["abbr", "is_signed", "to_real()", "to_complex()", "finfo", "iinfo"]
)
def test_every_dtype_says_what_it_is(name: str, asked: str) -> None:
    def program(torch: Any) -> Any:
        dtype = getattr(torch, name)
        print(dtype, dtype.itemsize, dtype.is_floating_point, dtype.is_complex)
        print(type(dtype) is torch.dtype, hasattr(dtype, "foo"), len({dtype, torch.float32}))
        print(copy.deepcopy(dtype) is dtype, pickle.loads(pickle.dumps(dtype)) is dtype)
        return getattr(torch, asked)(dtype) if "info" in asked else eval(f"dtype.{asked}")

    assert_same(program)


COMPILING = lines(
    """
[torch.jit.is_scripting(), torch.jit.is_tracing(), torch.jit.annotate(int, 3)]
[torch.compiler.is_compiling(), torch.compiler.is_dynamo_compiling(), torch.compiler.is_exporting()]
torch.compiler.reset()
torch.distributed.is_initialized()
torch.jit.Final[int]
torch.jit.ignore(3)
torch.jit.ignore(drop=3)
torch.jit.script(3)
torch.jit.script('a')
torch.jit.annotate(int)
torch.jit.script_if_tracing(torch.sin)(torch.ones(2))
torch.compile(torch.sin, mode='a')
torch.compile(torch.sin, mode='default', options={})
torch.compile(mode='a')(torch.sin)
torch.compile(torch.sin, backend='eager', mode='a')(torch.ones(2))
torch.compile(torch.sin, foo=3)
torch.compiler.disable(3)
torch.compiler.disable(torch.sin, reason='slow')(torch.ones(2))
torch.autograd.profiler.record_function()
torch.autograd.profiler.record_function('a').name
torch.autograd.profiler.record_function('a')(torch.sin)(torch.ones(2))
torch.autograd.profiler.record_function('a')(torch.sin).__name__
torch.profiler.record_function('a') is torch.autograd.profiler.record_function('a')
"""
)


@pytest.mark.parametrize("expression", COMPILING)
def test_what_compilers_and_profilers_are_asked(expression: str) -> None:
    assert_same(lambda torch: eval(expression, {"torch": torch}))


DATA = lines(
    """
data.Dataset()[0]
len(data.Dataset())
data.TensorDataset(torch.ones(2), torch.ones(3))
data.TensorDataset(torch.tensor(1.0))
data.TensorDataset(torch.ones(2), torch.zeros(2, 3))[1]
data.TensorDataset(torch.ones(2))[:1]
data.TensorDataset(torch.ones(2))[5]
len(data.TensorDataset(torch.ones(2)))
[type(one) for one in data.TensorDataset(torch.ones(2)).tensors]
issubclass(data.TensorDataset, data.Dataset[int].__origin__)
issubclass(data.DataLoader[int].__origin__, torch.nn.DataParallel)
"""
)


@pytest.mark.parametrize("expression", DATA)
def test_what_data_sets_are_asked(expression: str) -> None:
    assert_same(lambda torch: eval(expression, {"torch": torch, "data": torch.utils.data}))


@pytest.mark.parametrize("asked", ["size", "stride"])
@pytest.mark.parametrize("dim", [0, -1, 1, 5, True, "a", 2.0, None])
@pytest.mark.parametrize("shape", [(), (2, 3)])
def test_one_dimension_is_asked_for(asked: str, dim: Any, shape: tuple[int, ...]) -> None:
    assert_same(lambda torch: getattr(torch.ones(shape), asked)(dim))


def test_parameters_of_own_classes_are_shown_as_parameters() -> None:
    def program(torch: Any) -> None:
        class Own(torch.nn.Parameter):  # type: ignore[name-defined, misc]
            pass

        class Kind(torch.Tensor):  # type: ignore[name-defined, misc]
            pass

        class Both(Kind, torch.nn.Parameter):  # type: ignore[name-defined, misc]
            def __repr__(self) -> str:
                return f"own {torch.Tensor.__repr__(self)}"

        for one in (
            torch.nn.Parameter(torch.ones(2)),
            Own(torch.ones(2)),
            torch.nn.Parameter(Kind([1.0, 2.0])),
            torch.Tensor._make_subclass(Both, torch.ones(2), True),
        ):
            print(one, torch.Tensor.__repr__(one), hasattr(one, "_is_param"))

    assert_same(program)


@pytest.mark.parametrize("name", ["bfloat16", "complex64", "quint8", "float32"])
def test_a_saved_dtype_is_loaded(name: str) -> None:
    def program(torch: Any) -> Any:
        file = io.BytesIO()
        torch.save({"dtype": getattr(torch, name)}, file)
        file.seek(0)
        return torch.load(file)

    assert_same(program)


def test_trees_are_told_apart_by_their_form_alone() -> None:
    def program(torch: Any) -> None:
        pytree, x = torch.utils._pytree, torch.ones(2)
        named = namedtuple("named", "a b")
        for tree in (
            *(1, None, [], (), [1], (1,), [[1, [2]], (3, [x])], {"a": x, "b": [2, {}]}),
            *(OrderedDict(a=x), defaultdict(list, {"x": 1}), deque([1, 2]), deque([1], 3)),
            *(named(1, [x]), torch.ones(2, 2).max(0), [[[1, 2], 3], [4, [5]]]),
        ):
            leaves, spec = pytree.tree_flatten(tree)
            print(spec, spec.num_leaves, spec == pytree.tree_flatten(tree)[1], spec.context)
            print(pytree.tree_unflatten(leaves, spec), pytree.tree_map(lambda one: [one], tree))
        forms = [pytree.tree_flatten(tree)[1] for tree in ({"a": x}, {"b": x}, [x], (x,))]
        print([[one == other for one in forms] for other in forms])

    assert_same(program)
