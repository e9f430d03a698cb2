"""Sums of floats, means and running sums are PyTorch's to the last digit."""

from __future__ import annotations

import itertools
import math

import hypothesis
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import strategies as st

import minigrad
from minigrad.summing import SHARED

Array = npt.NDArray[np.floating]
LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 40, 64, 70]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Array, tuple[int, ...], bool]:
    """Write an array, contiguous, permuted or sliced, and dimensions to add up."""
    shape = draw(st.lists(st.sampled_from(LENGTHS), min_size=1, max_size=4))
    hypothesis.assume(math.prod(shape) < SHARED)
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    seed = draw(st.integers(0, 1000))
    array = np.random.default_rng(seed).standard_normal(shape).astype(dtype)
    array = array.transpose(draw(st.permutations(range(array.ndim))))
    steps = draw(st.lists(st.integers(1, 3), min_size=array.ndim, max_size=array.ndim))
    array = array[tuple([slice(None, None, step) for step in steps])]
    some = st.sets(st.integers(0, array.ndim - 1), min_size=1)
    return array, tuple(sorted(draw(some))), draw(st.booleans())


@pytest.mark.parity
@hypothesis.settings(max_examples=400, deadline=None)
@hypothesis.given(cases())
def test_sums_along_dimensions_have_all_digits(case: tuple[Array, tuple[int, ...], bool]) -> None:
    import torch

    array, dims, keepdim = case
    ours = minigrad.from_numpy(array).sum(dims, keepdim)
    theirs = torch.from_numpy(array).sum(dims, keepdim)
    np.testing.assert_array_equal(ours.numpy(), theirs.numpy(), strict=True)


@pytest.mark.parity
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_and_means_of_any_length_have_all_digits(dtype: type) -> None:
    import torch

    generator = np.random.default_rng(0)
    for length in (*range(1, 140), 255, 256, 500, 512, 1000, 2000, 4095, 8192, 20000, 32767):
        array = generator.standard_normal(length).astype(dtype)
        ours, theirs = minigrad.from_numpy(array), torch.from_numpy(array)
        for name in ("sum", "mean"):
            found = getattr(ours, name)().item()
            assert found == getattr(theirs, name)().item(), (name, length)
        np.testing.assert_array_equal(ours.cumsum(0).numpy(), theirs.cumsum(0).numpy())


@pytest.mark.parity
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_norms_have_all_digits(dtype: type) -> None:
    import torch

    generator = np.random.default_rng(1)
    for length in (*range(1, 70), 100, 333, 2000):
        array = generator.standard_normal(length).astype(dtype)
        ours, theirs = minigrad.from_numpy(array), torch.from_numpy(array)
        assert ours.norm().item() == theirs.norm().item(), length
    for some in ([math.inf, 1.0], [math.nan, 0.0, 1.0], [-math.inf], [0.0], [-0.0, -0.0]):
        found, wanted = minigrad.tensor(some).norm(), torch.tensor(some).norm()
        np.testing.assert_array_equal(found.numpy(), wanted.numpy())
    base = generator.standard_normal((40, 33)).astype(dtype)
    for array in (base.T, base[::2], base[:, ::2], base[:, 0], base.reshape(4, 10, 33)[:, ::3]):
        ours, theirs = minigrad.from_numpy(array), torch.from_numpy(array)
        for kind in (1, 2):
            assert ours.norm(kind).item() == theirs.norm(kind).item(), (array.strides, kind)
            for dim in range(array.ndim):
                found, wanted = ours.norm(kind, dim).numpy(), theirs.norm(kind, dim).numpy()
                np.testing.assert_array_equal(found, wanted, strict=True)
    for shape in ((3, 5), (20, 9), (9, 20), (40, 33), (4, 7, 11)):
        array = generator.standard_normal(shape).astype(dtype)
        ours, theirs = minigrad.from_numpy(array), torch.from_numpy(array)
        for dim in range(-1, len(shape)):
            for keepdim in (False, True):
                found = ours.norm(dim=dim, keepdim=keepdim).numpy()
                wanted = theirs.norm(dim=dim, keepdim=keepdim).numpy()
                np.testing.assert_array_equal(found, wanted, strict=True)


@pytest.mark.parity
@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_losses_of_classes_have_all_digits(reduction: str) -> None:
    import torch

    generator = np.random.default_rng(2)
    for length in (1, 2, 3, 10, 17, 18, 33, 100, 256, 257, 258, 600):
        chances = np.log(generator.dirichlet(np.ones(5), length)).astype(np.float32)
        classes = generator.integers(0, 5, length)
        ours, theirs = (
            engine.nn.functional.nll_loss(
                engine.from_numpy(chances), engine.from_numpy(classes), reduction=reduction
            ).item()
            for engine in (minigrad, torch)
        )
        assert ours == theirs, length


@pytest.mark.parity
def test_softmax_of_small_whole_numbers_has_all_digits() -> None:
    import torch

    rows = np.array(list(itertools.product([0, 1, 2], repeat=4)), np.float32)
    for dim in (0, 1):
        ours = minigrad.softmax(minigrad.from_numpy(rows), dim).numpy()
        theirs = torch.softmax(torch.from_numpy(rows), dim).numpy()
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parity
@pytest.mark.parametrize("target", ["float16", "float32", "float64", "int32", "uint8", "bool"])
@pytest.mark.parametrize("source", ["float16", "float32", "float64", "int64", "bool"])
@pytest.mark.parametrize("name", ["sum", "nansum", "mean"])
@pytest.mark.parametrize("dim", [None, 0, -1])
def test_sums_are_of_the_dtype_they_are_told(
    name: str, source: str, target: str, dim: int | None
) -> None:
    import torch

    found = []
    for engine in (minigrad, torch):
        x = engine.full((4096, 2), 1.75).to(getattr(engine, source))
        try:
            found.append(repr(getattr(x, name)(dim, dtype=getattr(engine, target))))
        except RuntimeError as error:
            found.append(str(error))
    assert found[0] == found[1]


EXPANDED = """
x.expand(20, 33).sum(0)
x.expand(20, 33).sum(1)
x.expand(20, 33).sum()
x[:7].expand(9, 7).sum(0)
x.t().expand(33, 20).sum()
"""


@pytest.mark.parity
@pytest.mark.parametrize("code", EXPANDED.strip().splitlines())
def test_sums_of_expanded_tensors_have_all_digits(code: str) -> None:
    import torch

    array = np.random.default_rng(3).standard_normal(33).astype(np.float32)
    column = "x.t()" in code
    given = array.reshape(1, 33) if column else array
    ours, theirs = (eval(code, {"x": engine.from_numpy(given)}) for engine in (minigrad, torch))
    assert ours.tolist() == theirs.tolist()


LINE = """
torch.manual_seed(4)
x = torch.linspace(-1, 1, {points}).reshape({shape})
y = 3 * x + 0.5 + torch.randn({points}).reshape({shape}) / 8
w, b = torch.randn({size}, requires_grad=True), torch.zeros({size}, requires_grad=True)
for step in range(25):
    loss = ((w * x + b - y) ** 2).mean()
    loss.backward()
    print(step, loss.item(), w.grad.tolist(), b.grad.tolist())
    with torch.no_grad():
        for p in (w, b):
            p -= 0.1 * p.grad
            p.grad = None
"""
SEVERAL = """
torch.manual_seed(5)
x, y = torch.randn(100, 10), torch.randn(100)
w, b = torch.randn(10, requires_grad=True), torch.zeros(10, requires_grad=True)
for step in range(5):
    ((x * w + b).sum(1) - y).square().mean().backward()
print(w.grad.tolist(), b.grad.tolist())
"""


@pytest.mark.parity
def test_gradients_of_what_was_added_to_every_row_have_all_digits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    import torch

    printed = []
    for engine in (minigrad, torch):
        exec(SEVERAL, {"torch": engine})
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


@pytest.mark.parity
@pytest.mark.parametrize("shape", ["-1", "-1, 1"])
@pytest.mark.parametrize("size", ["()", "1"])
@pytest.mark.parametrize("points", [10, 100, 600])
def test_a_line_that_is_fitted_prints_all_digits_of_its_losses(
    points: int, size: str, shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import torch

    printed = []
    for engine in (minigrad, torch):
        exec(LINE.format(points=points, size=size, shape=shape), {"torch": engine})
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
