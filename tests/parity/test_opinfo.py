"""PyTorch's own samples of operations, and of wrong calls, do on minigrad what they do there.

PyTorch tests its operations with inputs that it keeps beside them. Where the engines differ is in
`KNOWN`, and what is in `KNOWN` differs.
"""

from __future__ import annotations

import functools
import itertools
import re
import warnings
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import minigrad
from tests.parity.compare import ULPS, Constant, largest, observe, precision, same

pytestmark = pytest.mark.parity

SAMPLES = 3  # of each function for each dtype; of its methods the first

# Why something differs: operations, what of them was seen to differ first, and for which samples.
KNOWN = {
    "signs of eigenvectors": "linalg.eigh results: float64/0",
    "which product is a sum": "tensordot results: float32/1 float64/1",
    "the derivative of a determinant without elements is differentiated": (
        "linalg.det second derivatives: float32/0 float32/1 float64/0 float64/1"
    ),
}
KNOWN_ERRORS = {
    "an `out` that does not own its memory, which numpy does not tell": (
        "cat exception: 6 8, gather exception: 7"
    ),
    "the shape that is warned of is one before PyTorch takes its dimension away": (
        "kthvalue warnings: 0"
    ),
}
# What need not differ on every machine.
UNSURE = {
    "what was in the memory before": (
        "empty results, empty_like results, empty_strided results, new_empty results, "
        "new_empty_strided results"
    ),
    "how sums of large numbers are rounded": (
        "nn.functional.layer_norm gradients, nn.functional.normalize second derivatives"
    ),
}
# What minigrad says itself that it lacks, by the names that it says.
LACKING = {
    "of images and volumes": (
        "channels_last", "fractional_max_pool2d", "fractional_max_pool3d",
        "max_pool2d_with_indices",
        "minigrad pads with constants alone, not in mode circular",
        "minigrad pads with constants alone, not in mode reflect",
        "minigrad pads with constants alone, not in mode replicate",
    ),
    "of larger networks than those of the lessons": (
        "embedding_bag", "multi_head_attention_forward",
    ),
    "dtypes and layouts that numpy has not": ("bfloat16", "chalf", "to_sparse"),
    "of memory": ("resize_as_",),
    "of linear algebra and analysis": ("pca_lowrank", "svd_lowrank"),
}  # fmt: skip
LACKING_IN_ERRORS = ("minigrad has no complex numbers",)


@pytest.fixture(scope="module")
def operations() -> list[Any]:
    """What PyTorch knows of its operations."""
    import torch

    torch.set_warn_always(True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db
    return [one for one in op_db if [*forms(one)]]


def forms(operation: Any) -> Iterator[tuple[Any, str]]:
    """Yield PyTorch's functions for an operation that minigrad has, too, and where they are."""
    name = operation.name
    functions = {
        name: operation.op,
        f"Tensor.{name}": operation.method_variant,
        f"Tensor.{name}_": operation.inplace_variant,
    }
    for path, function in functions.items():
        if function and version(minigrad, function, path):
            yield function, path


def version(engine: Any, function: Any, path: str) -> Any:
    """Return an engine's version of a function of PyTorch's, or of its tests; None if none is."""
    if isinstance(function, functools.partial):
        inner = version(engine, function.func, path.removeprefix("Tensor.").removesuffix("_"))
        return inner and functools.partial(inner, *function.args, **function.keywords)
    if isinstance(function, FunctionType) and "testing" in function.__module__:
        code, names = function.__code__, {**function.__globals__, "torch": engine}
        return FunctionType(code, names, "", function.__defaults__, function.__closure__)
    for owner in (engine, engine.Tensor):
        found = functools.reduce(lambda one, name: getattr(one, name, None), path.split("."), owner)
        if callable(found):  # dtypes have names like operations
            return found
    return None


def translated(engine: Any, value: Any, tensors: Iterator[Any]) -> Any:
    """Return an argument for an engine, whose tensors take the places of PyTorch's."""
    import torch

    again = functools.partial(translated, engine, tensors=tensors)
    if isinstance(value, torch.Tensor):
        return next(tensors)
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
        return getattr(engine, str(value).removeprefix("torch."))
    if isinstance(value, torch.nn.Module):
        return getattr(engine.nn, type(value).__name__)()
    if isinstance(value, torch.device):
        return engine.device(str(value))
    if isinstance(value, slice):
        return slice(*map(again, (value.start, value.stop, value.step)))
    if isinstance(value, dict):
        return {name: again(one) for name, one in value.items()}
    return type(value)(map(again, value)) if isinstance(value, (list, tuple)) else value


def tensors_in(value: Any) -> Iterator[Any]:
    """Yield the tensors in an argument, in the order in which `translated` takes them."""
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, slice):
        yield from tensors_in((value.start, value.stop, value.step))
    elif isinstance(value, (list, tuple, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from tensors_in(one)


def difference(function: Any, path: str, sample: Any) -> tuple[str, str]:
    """Return what differs first of what the engines make of a sample, and how; empty if nothing.

    What minigrad itself says that it lacks is told as "lacking".
    """
    import torch

    given = [sample.input, *sample.args], sample.kwargs
    tensors = [*tensors_in(given)]
    known = {*map(str, minigrad.dtypes.ALL)}.issuperset([str(one.dtype) for one in tensors])
    if not known or any(one.ndim > 64 or one.layout is not torch.strided for one in tensors):
        return "", ""
    arrays = [one.detach().numpy() for one in tensors]
    pairs = zip(tensors, arrays, strict=True)
    inputs = [array if one.requires_grad else Constant(array) for one, array in pairs]

    def program(engine: Any, *own: Any) -> Any:
        arguments, keywords = translated(engine, given, iter(own))
        if path.endswith("_") and hasattr(arguments[0], "clone"):
            arguments[0] = arguments[0].clone()  # which may be changed in place, a leaf may not
        engine.manual_seed(42)  # as what draws at random does it for PyTorch's tests
        return version(engine, function, path)(*arguments, **keywords)

    ours, theirs = (observe(engine, program, inputs) for engine in (minigrad, torch))
    kind, text = ours["exception"] or ("", "")
    name = re.match(r"(?:module 'torch|type object 'Tensor|'Tensor' object).*? '(\w+)'", text)
    if kind == "AttributeError" and name:
        return "lacking", name[1]
    if kind == "NotImplementedError" and text.startswith("minigrad "):
        return "lacking", text
    for seen in (ours, theirs):
        seen.pop("graph of the gradients", None)
    try:
        same("", ours, theirs, ULPS * precision([ours, theirs, *arrays]) * largest(theirs))
    except AssertionError as error:
        place = re.search("/([a-z ,]+)", str(error))
        assert place
        return f"{path.removeprefix('Tensor.')} {place[1]}", f"{given}: {str(error)[-500:]}"
    return "", ""


def expanded(groups: dict[str, str]) -> set[str]:
    """Return what is known to differ: each sample with its operation."""
    listed = [one.partition(": ") for group in groups.values() for one in group.split(", ")]
    return {f"{where} {sample}" for where, _, samples in listed for sample in samples.split()}


def check(
    known: dict[str, str],
    pairs: Iterable[tuple[Any, dict[str, Any]]],
    methods: bool,
    lacking: Iterable[str],
) -> None:
    """Fail unless just what is known differs, and just what is listed is lacking.

    `pairs` are operations and their samples, by names; methods get all of these, or the first.
    """
    seen: dict[str, str] = {}
    missed = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what making the samples warns of; programs are recorded
        for operation, samples in pairs:
            for function, path in forms(operation):
                alone = path.startswith("Tensor.") and not methods
                for name, sample in itertools.islice(samples.items(), 1 if alone else None):
                    where, how = difference(function, path, sample)
                    if where == "lacking":
                        missed.add(how)
                    elif where:
                        seen.setdefault(f"{where} {name}", how)
    expected, unsure = expanded(known), ", ".join(UNSURE.values()).split(", ")
    new = {one: how for one, how in seen.items() if one.rpartition(" ")[0] not in unsure}
    unknown = [f"{where} {how}" for where, how in new.items() if where not in expected]
    assert not unknown, "\n".join(unknown)
    assert not expected - seen.keys(), f"differ no longer: {expected - seen.keys()}"
    assert missed == set(lacking)


def test_samples_do_the_same(operations: list[Any]) -> None:
    import torch

    def samples_of(operation: Any, dtype: Any) -> dict[str, Any]:
        np.random.seed(0)
        torch.manual_seed(0)
        differentiable = operation.supports_autograd and dtype.is_floating_point
        samples = operation.sample_inputs("cpu", dtype, requires_grad=differentiable)
        name = str(dtype).removeprefix("torch.")
        chosen = enumerate(itertools.islice(samples, SAMPLES))
        return {f"{name}/{number}": one for number, one in chosen}

    dtypes = [torch.float32, torch.float64, torch.int64, torch.bool]
    pairs = [(one, dtype) for one in operations for dtype in dtypes if dtype in one.dtypes]
    samples = ((one, samples_of(one, dtype)) for one, dtype in pairs)
    check(KNOWN, samples, False, itertools.chain(*LACKING.values()))


def test_wrong_calls_are_refused_the_same(operations: list[Any]) -> None:
    def samples_of(operation: Any) -> dict[str, Any]:
        errors = enumerate(operation.error_inputs("cpu"))
        return {str(number): one.sample_input for number, one in errors}

    pairs = ((one, samples_of(one)) for one in operations if one.error_inputs_func)
    check(KNOWN_ERRORS, pairs, True, LACKING_IN_ERRORS)
