"""Random numbers: the same as PyTorch's for the same seed, whatever was drawn before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.properties.programs import templates

SEEDS = st.one_of(st.integers(0, 99), st.integers(-(2**63), 2**64 - 1))
# Around 16 elements normals are drawn in another way, beyond 624 words the generator turns over.
SIZES = st.one_of(st.integers(0, 40), st.integers(600, 700))
SHAPES = st.one_of(SIZES.map(lambda n: (n,)), st.lists(st.integers(0, 5), max_size=3).map(tuple))
PLACES = {
    "shape": SHAPES,
    "n": SIZES,
    "dtype": st.sampled_from(("torch.float32", "torch.float64")),
    "low": st.integers(-9, 9),
    "high": st.one_of(st.integers(10, 99), st.integers(10, 2**40)),
    "p": st.sampled_from((0.5, 0.0, 1.0, 0.25, 0.9)),
    "scale": st.sampled_from((1.0, 0.0, 2.5, 0.01)),
    "seed": SEEDS,
}
DRAWS = templates("""
    torch.rand({shape}); torch.randn({shape}); torch.rand({shape}, dtype={dtype})
    torch.randn({shape}, dtype={dtype}); torch.randint({low}, {high}, {shape}); torch.randperm({n})
    torch.randint({high}, {shape}); torch.rand_like(torch.empty({shape}, dtype={dtype}))
    torch.randn_like(torch.empty({shape}, dtype={dtype})); torch.normal({low}, {scale}, {shape})
    torch.normal(torch.zeros({shape}), {scale})
    torch.normal(torch.rand({shape}), torch.rand({shape}))
    torch.bernoulli(torch.full({shape}, {p})); torch.multinomial(torch.rand({n} + 3), 3)
    torch.multinomial(torch.rand(2, {n} + 1), 5, replacement=True)
    torch.empty({shape}).uniform_({low}, {high})
    torch.empty({shape}, dtype={dtype}).normal_({low}, {scale})
    torch.empty({shape}).bernoulli_({p}); torch.nn.functional.dropout(torch.ones({shape}), {p})
    torch.nn.Linear({n} + 1, 3).weight.detach(); torch.nn.Embedding({n} + 1, 3).weight.detach()
    torch.nn.init.kaiming_normal_(torch.empty({n} + 1, 2))
    torch.nn.init.xavier_uniform_(torch.empty({n} + 1, 2))
    torch.rand(1, generator=torch.manual_seed({seed}))
    torch.rand({n}, generator=torch.Generator().manual_seed({seed}))
    torch.randperm({n}, generator=torch.Generator().manual_seed({seed})); torch.randn({n}).t()[::2]
""")
draws = st.builds(
    lambda template, places: template.format(**places),
    st.sampled_from(DRAWS),
    st.fixed_dictionaries(PLACES),
)


def drawn(torch: Any, seed: int, program: list[str]) -> list[np.ndarray[Any, Any]]:
    torch.manual_seed(seed)
    return [eval(expression, {"torch": torch}).numpy() for expression in program]


@pytest.mark.parity
@given(SEEDS, st.lists(draws, min_size=1, max_size=6))
def test_random_numbers_are_pytorchs(pytorch: Any, seed: int, program: list[str]) -> None:
    pairs = zip(drawn(minigrad, seed, program), drawn(pytorch, seed, program), strict=True)
    for expression, (ours, theirs) in zip(program, pairs, strict=True):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), expression
        # Four units in the last place: the logarithm of normals is rounded differently.
        tolerance = 0 if ours.dtype.kind != "f" else 4 * np.finfo(ours.dtype).eps
        largest = np.abs(theirs).max(initial=0)
        np.testing.assert_allclose(ours, theirs, tolerance, tolerance * largest, err_msg=expression)


@given(SEEDS, st.lists(draws, min_size=1, max_size=4))
def test_a_seed_repeats_what_was_drawn(torch: Any, seed: int, program: list[str]) -> None:
    for first, second in zip(*[drawn(torch, seed, program) for _ in range(2)], strict=True):
        np.testing.assert_array_equal(first, second)
