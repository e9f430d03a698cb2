"""Any program of draws leaves the same numbers and the same state on minigrad and on PyTorch."""

import json
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import minigrad
from tests.data.record_random_numbers import (
    ANSWERS,
    PROGRAMS,
    REFUSALS,
    lines,
    played,
    portable,
    refused,
)
from tests.data.record_random_numbers import SEEDS as RECORDED_SEEDS
from tests.parity.printed import agree_in_print

# Without PyTorch these tests are deselected by their marker, and are not to count as skipped.
torch: Any = import_module("torch") if find_spec("torch") else None
pytestmark = pytest.mark.parity

# What PyTorch lets Intel's library draw, on Intel's processors: not comparable there.
NATIVE = ("bernoulli_(", "exponential")
PORTABLE = torch is not None and portable(torch)

FLOATING = ("float16", "float32", "float64")
INTEGERS = {"uint8": 8, "int8": 7, "int16": 15, "int32": 31, "int64": 63}
SEEDS = st.integers(-(2**63), 2**64 - 1)
SHAPES = st.lists(st.integers(0, 9), max_size=3).map(tuple) | st.integers(0, 700).map(
    lambda length: (length,)
)
# Bounds below 1e-32 of the width are lost before the last rounding.
NUMBERS = st.floats(-1e4, 1e4).map(lambda number: round(number, 9))


@st.composite
def targets(draw: st.DrawFn, dtypes: tuple[str, ...]) -> str:
    """A tensor to draw into: of any shape, perhaps transposed, perhaps with gaps."""
    shape, dtype = draw(SHAPES), draw(st.sampled_from(dtypes))
    expression = f"torch.empty({shape}, dtype=torch.{dtype})"
    if len(shape) > 1:
        expression += f".permute{tuple(draw(st.permutations(range(len(shape)))))}"
    if shape and draw(st.booleans()):
        expression += "[::2]"
    return expression


@st.composite
def ranges(draw: st.DrawFn) -> tuple[str, int, int]:
    """A dtype and a range of integers that it holds."""
    dtype = draw(st.sampled_from([*INTEGERS, "float32", "float64", "bool"]))
    bits = INTEGERS.get(dtype, {"float32": 24, "float64": 53, "bool": 1}.get(dtype))
    bottom = 0 if dtype in ("uint8", "bool") else -(2**bits)
    top = 2**bits - (dtype in ("int64", "bool"))
    low = draw(st.integers(bottom, top - 1))
    return dtype, low, draw(st.integers(low + 1, top))


@st.composite
def draws(draw: st.DrawFn) -> str:
    """One expression that draws a tensor."""
    comparable = [kind for kind in FORMS if PORTABLE or kind not in NATIVE]
    return FORMS[draw(st.sampled_from(comparable))](draw)


def uniform(draw: st.DrawFn) -> str:
    low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
    return f"{draw(targets(FLOATING))}.uniform_({low}, {high})"


def normal(draw: st.DrawFn) -> str:
    return f"{draw(targets(FLOATING))}.normal_({draw(NUMBERS)}, {abs(draw(NUMBERS))})"


def integers(draw: st.DrawFn) -> str:
    dtype, low, high = draw(ranges())
    return f"torch.randint({low}, {high}, {draw(SHAPES)}, dtype=torch.{dtype})"


def integers_in_place(draw: st.DrawFn) -> str:
    dtype, low, high = draw(ranges())
    return f"{draw(targets((dtype,)))}.random_({low}, {high})"


FORMS: dict[str, Any] = {
    "rand": lambda draw: f"torch.rand({draw(SHAPES)})",
    "randn": lambda draw: f"torch.randn({draw(SHAPES)})",
    "doubles": lambda draw: f"torch.rand({draw(SHAPES)}, dtype=torch.float64)",
    "double normals": lambda draw: f"torch.randn({draw(SHAPES)}, dtype=torch.float64)",
    "like": lambda draw: f"torch.rand_like({draw(targets(FLOATING))})",
    "normal like": lambda draw: f"torch.randn_like({draw(targets(FLOATING))})",
    "uniform": uniform,
    "normal": normal,
    "randint": integers,
    "random": integers_in_place,
    "all integers": lambda draw: f"{draw(targets((*INTEGERS, *FLOATING, 'bool')))}.random_()",
    "randperm": lambda draw: f"torch.randperm({draw(st.integers(0, 300))})",
    "bernoulli_(": lambda draw: (
        f"{draw(targets((*INTEGERS, *FLOATING, 'bool')))}.bernoulli_({draw(st.floats(0, 1))})"
    ),
    "bernoulli of": lambda draw: f"torch.bernoulli({draw(targets(FLOATING))}.uniform_())",
    "exponential": lambda draw: (
        f"{draw(targets(FLOATING))}.exponential_({draw(st.floats(0.01, 100))})"
    ),
    "around tensors": lambda draw: (
        f"torch.normal(torch.rand({draw(st.integers(1, 40))}), {abs(draw(NUMBERS))})"
    ),
}


def drawn(expression: str, engine: Any) -> np.ndarray[Any, Any]:
    """What an expression draws on minigrad or PyTorch."""
    array: np.ndarray[Any, Any] = eval(expression, {"torch": engine}).numpy()
    return array


def tolerance(expression: str, array: np.ndarray[Any, Any]) -> dict[str, float]:
    """How far apart numbers may be: not at all, but for 16 normals and more of float16.

    These are promised within 1e-6 of their standard deviation, and then rounded.
    """
    normals = array.size >= 16 and any(map(expression.count, ("randn", "normal")))
    if array.dtype != np.float16 or not normals:
        return {"rtol": 0.0, "atol": 0.0}
    parameter = expression.rpartition(", ")[2].rstrip(")")
    spread = float(parameter) if "normal" in expression else 1.0
    return {"rtol": float(np.finfo(array.dtype).eps), "atol": 1e-6 * spread}


@settings(max_examples=300)
@given(SEEDS, st.lists(draws(), min_size=1, max_size=8))
@example(0, ["torch.randn(1)", "torch.randn(16)", "torch.randn(1, dtype=torch.float64)"])
@example(1, ["torch.randn(1_000_003)", "torch.rand(1_000_003)", "torch.randperm(100_003)"])
def test_a_program_draws_the_same_numbers(seed: int, program: list[str]) -> None:
    minigrad.manual_seed(seed)
    torch.manual_seed(seed)
    for expression in program:
        ours, theirs = drawn(expression, minigrad), drawn(expression, torch)
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        allowed = tolerance(expression, ours)
        np.testing.assert_allclose(ours, theirs, err_msg=expression, **allowed)
    assert minigrad.get_rng_state().tolist() == torch.get_rng_state().tolist()


@given(SEEDS, st.integers(0, 700), st.integers(0, 3))
def test_states_are_exchanged_with_pytorch(seed: int, words: int, normals: int) -> None:
    theirs, ours = torch.Generator(), minigrad.Generator()
    theirs.manual_seed(seed)
    torch.empty(words).uniform_(generator=theirs)
    torch.randn(normals, generator=theirs)
    ours.set_state(minigrad.from_numpy(theirs.get_state().numpy()))
    assert ours.get_state().tolist() == theirs.get_state().tolist()
    assert ours.initial_seed() == theirs.initial_seed()
    for _ in range(2):
        assert (
            minigrad.randn(3, generator=ours).tolist() == torch.randn(3, generator=theirs).tolist()
        )


def test_the_recorded_numbers_are_those_of_the_installed_pytorch() -> None:
    recorded = json.loads(ANSWERS.read_text(encoding="utf-8"))
    programs = [name for name in PROGRAMS if PORTABLE or not any(map(PROGRAMS[name].count, NATIVE))]
    assert programs
    assert [answer for answer in recorded["draws"] if answer["program"] in programs] == [
        played(name, seed, torch) for name in programs for seed in RECORDED_SEEDS
    ]
    assert recorded["refusals"] == [refused(expression, torch) for expression in lines(REFUSALS)]


@given(
    st.integers(0, 2**32),
    st.lists(st.floats(0.01, 1), min_size=3, max_size=30),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(["float32", "float64"]),
)
def test_places_are_drawn_as_by_pytorch(
    seed: int, chances: list[float], count: int, replacement: bool, dtype: str
) -> None:
    replacement = replacement or not PORTABLE
    rows = np.array([chances, chances[::-1]], dtype)
    drawn = []
    for engine in (minigrad, torch):
        engine.manual_seed(seed)
        places = engine.multinomial(
            engine.from_numpy(rows.copy()), count + replacement, replacement
        )
        drawn.append([places.tolist(), engine.rand(1).item()])
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(
    "expression",
    lines(
        """
torch.multinomial(torch.ones(3), 4)
torch.multinomial(torch.ones(3), 0)
torch.multinomial(torch.zeros(3), 1)
torch.multinomial(torch.tensor([-0.1, 0.2]), 1)
torch.multinomial(torch.tensor([1, 2]), 1)
torch.multinomial(torch.ones(2, 2, 2), 1)
"""
    ),
)
def test_places_that_cannot_be_drawn_are_refused_as_by_pytorch(expression: str) -> None:
    assert refused(expression, minigrad) == refused(expression, torch)


@pytest.mark.parametrize("expression", ["torch.randint(9, (2,), **k)", "torch.randperm(5, **k)"])
def test_integers_are_drawn_before_they_are_refused_a_gradient(expression: str) -> None:
    seen = []
    for engine in (minigrad, torch):
        engine.manual_seed(0)
        with pytest.raises(RuntimeError) as error:
            eval(expression, {"torch": engine, "k": {"requires_grad": True}})
        seen.append([str(error.value), engine.rand(1).item()])
    assert seen[0] == seen[1]


def test_random_numbers_are_written_to_tensors_of_any_dtype_and_shape() -> None:
    agree_in_print(
        """
        for size in (3, 17):
            for dtype in (torch.float16, torch.float64):
                out = torch.empty(size, dtype=dtype)
                print(torch.normal(0.0, 1.0, (size,), out=out))
                print(torch.normal(torch.ones(size), 2.0, out=out))
                print(torch.normal(1.0, torch.ones(size), out=out))
        attempt(lambda: torch.normal(0.0, 1.0, (3,), out=torch.empty(3, dtype=torch.int64)))
        print(torch.normal(0.0, 1.0, (3,), out=torch.empty(2)))
        print(torch.bernoulli(torch.full((3,), 0.5), out=torch.empty(2)))
        print(torch.multinomial(torch.ones(4), 2, out=torch.empty(3, dtype=torch.int64)))
        print(isinstance(torch.default_generator, torch._C.Generator))
        """
    )


def test_integers_below_the_largest_of_all_and_slopes_at_random_are_exact() -> None:
    agree_in_print(
        """
        for dtype in (torch.float32, torch.float64):
            print(torch.randint(0, 2**63 - 1, (4,), dtype=dtype).tolist())
            print(torch.empty(4, dtype=dtype).random_(2**62, 2**63 - 1).tolist())
            print(F.rrelu(-torch.ones(20, dtype=dtype), 0.1, 0.7, True).tolist())
            print(F.rrelu(-torch.ones(5, dtype=dtype), training=True).tolist())
        """
    )
