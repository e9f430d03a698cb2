"""Random numbers are PyTorch's, as recorded in tests/data/random_numbers.json, and well behaved."""

import copy
import inspect
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad as torch
from tests.data.record_random_numbers import ANSWERS, PROGRAMS, SEEDS, Draw, drawn, refused
from tests.data.record_random_numbers import state_hash as state_of

RECORDED = json.loads(ANSWERS.read_text(encoding="utf-8"))


def differences(answer: Draw, expected: Draw) -> list[str]:
    """In what an answer differs from the recorded one."""
    wrong = [key for key in expected if key != "numbers" and answer.get(key) != expected[key]]
    if "numbers" in expected and not wrong:
        tolerance = 1e-6 if expected.get("rounded") else 0.0
        same = np.allclose(answer["numbers"], expected["numbers"], rtol=0.0, atol=tolerance)
        wrong += [] if same else ["numbers"]
    return [f"{expected['draw']}: {key} {answer.get(key)}, not {expected[key]}" for key in wrong]


@pytest.mark.parametrize(
    "played", RECORDED["draws"], ids=lambda one: f"{one['program']}-{one['seed']}"
)
def test_draws_pytorchs_numbers(played: dict[str, Any]) -> None:
    torch.manual_seed(played["seed"])
    wrong: list[str] = []
    for expected in played["draws"]:
        mark = "~" if expected.get("rounded") else ""
        wrong += differences(drawn(mark + expected["draw"], torch), expected)
    assert not wrong
    assert state_of(torch) == played["state"]


def test_every_program_is_recorded() -> None:
    recorded = {(played["program"], played["seed"]) for played in RECORDED["draws"]}
    assert recorded == {(name, seed) for name in PROGRAMS for seed in SEEDS}


@pytest.mark.parametrize("refusal", RECORDED["refusals"], ids=lambda one: one["call"])
def test_refuses_what_pytorch_refuses_and_draws_nothing(refusal: dict[str, str]) -> None:
    torch.manual_seed(0)
    torch.randn(1)
    before = state_of(torch)
    assert refused(refusal["call"], torch) == refusal
    assert state_of(torch) == before


# The generator


def test_manual_seed_returns_the_default_generator() -> None:
    generator = torch.manual_seed(5)
    assert generator is torch.random.default_generator
    assert isinstance(generator, torch.Generator)
    assert torch.initial_seed() == generator.initial_seed() == 5


def test_a_generator_prints_as_pytorchs() -> None:
    assert repr(torch.Generator()).startswith("<torch._C.Generator object at 0x")


def test_a_new_generator_starts_from_pytorchs_seed() -> None:
    assert torch.Generator().initial_seed() == 67280421310721


@pytest.mark.parametrize(
    ("seed", "initial"), [(-1, 2**64 - 1), (-(2**63), 2**63), (2**64 - 1,) * 2]
)
def test_negative_seeds_count_from_above(seed: int, initial: int) -> None:
    assert torch.manual_seed(seed).initial_seed() == initial


def test_only_the_lowest_32_bits_of_a_seed_choose_the_numbers() -> None:
    torch.manual_seed(7)
    few = torch.rand(3).tolist()
    torch.manual_seed(7 + 2**40)
    assert torch.rand(3).tolist() == few


def test_seed_returns_a_new_seed_that_can_be_used_again() -> None:
    seed = torch.seed()
    numbers = torch.rand(3).tolist()
    assert seed != torch.seed()
    torch.manual_seed(seed)
    assert torch.rand(3).tolist() == numbers


def test_a_generator_of_ones_own_leaves_the_default_one_alone() -> None:
    before = state_of(torch)
    generator = torch.Generator().manual_seed(3)
    own = torch.randn(4, generator=generator).tolist()
    torch.empty(3).uniform_(generator=generator)
    assert state_of(torch) == before
    assert torch.manual_seed(3) is not generator
    assert torch.randn(4).tolist() == own


def test_fork_rng_restores_the_state() -> None:
    torch.manual_seed(1)
    torch.randn(1)
    before = state_of(torch)
    with pytest.raises(RuntimeError), torch.random.fork_rng():
        torch.empty(torch.rand(3).numel()).uniform_(2, 1)
    assert state_of(torch) == before
    with torch.random.fork_rng(enabled=False):
        torch.rand(1)
    assert state_of(torch) != before


@given(st.integers(-(2**63), 2**64 - 1), st.lists(st.integers(0, 700), max_size=5))
def test_numbers_go_on_from_a_saved_state(seed: int, counts: list[int]) -> None:
    generator = torch.Generator().manual_seed(seed)
    for count in counts:
        torch.randn(count, generator=generator)
    state = generator.get_state()
    following = torch.randn(5, generator=generator).tolist()
    other = torch.Generator()
    other.set_state(state)
    assert torch.randn(5, generator=other).tolist() == following
    assert other.initial_seed() == generator.initial_seed() == seed % 2**64


def test_a_saved_state_is_a_copy() -> None:
    generator = torch.Generator()
    state = generator.get_state()
    kept = state.tolist()
    torch.rand(700, generator=generator)
    assert state.tolist() == kept
    generator.set_state(state)
    torch.rand(700, generator=generator)
    assert state.tolist() == kept


def test_importing_minigrad_does_not_import_numpys_random_numbers() -> None:
    program = (
        "import sys, numpy; before = 'numpy.random' in sys.modules\n"
        "import minigrad; print(before or 'numpy.random' not in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("True\n", "")


# What is drawn, whatever the seed

SEED = st.integers(0, 2**32 - 1)
FLOATING = st.sampled_from([torch.float16, torch.float32, torch.float64])
SIZES = st.lists(st.integers(0, 9), max_size=3).map(tuple)


@given(SEED, FLOATING, SIZES, st.floats(-100, 100), st.floats(0, 100))
def test_uniforms_stay_below_their_upper_end(
    seed: int, dtype: Any, size: tuple[int, ...], low: float, width: float
) -> None:
    torch.manual_seed(seed)
    numbers = torch.empty(size, dtype=dtype).uniform_(low, low + width).numpy()
    kind = dtype.numpy_dtype.type
    assert numbers.shape == size
    assert (numbers >= kind(low)).all()
    assert (numbers < kind(low + width)).all() or kind(low) == kind(low + width)


@given(SEED, SIZES, st.integers(-(2**63), 2**63 - 2), st.integers(1, 2**63 - 1))
def test_integers_stay_in_their_range(
    seed: int, size: tuple[int, ...], low: int, width: int
) -> None:
    torch.manual_seed(seed)
    high = min(low + width, 2**63 - 1)
    numbers = torch.randint(low, high, size).numpy()
    assert numbers.shape == size
    assert (numbers >= low).all()
    assert (numbers < high).all()


@given(SEED, st.integers(0, 300))
def test_permutations_hold_each_integer_once(seed: int, n: int) -> None:
    torch.manual_seed(seed)
    assert sorted(torch.randperm(n).tolist()) == list(range(n))


@given(SEED, st.lists(st.floats(0, 1, width=32), min_size=1, max_size=20))
def test_bernoulli_is_sure_of_zero_and_one(seed: int, chances: list[float]) -> None:
    torch.manual_seed(seed)
    drawn = torch.bernoulli(torch.tensor(chances)).tolist()
    assert set(drawn) <= {0.0, 1.0}
    assert all(one == p for one, p in zip(drawn, chances, strict=True) if p in (0, 1))


def test_samples_have_the_promised_moments() -> None:
    torch.manual_seed(0)
    for dtype in (torch.float32, torch.float64):
        normals = torch.empty(100_000, dtype=dtype).normal_(3.0, 2.0).numpy()
        assert normals.mean() == pytest.approx(3.0, abs=0.03)
        assert normals.std() == pytest.approx(2.0, abs=0.03)
        assert torch.empty(100_000, dtype=dtype).exponential_(4.0).numpy().mean() == pytest.approx(
            0.25, abs=0.005
        )
        assert torch.empty(100_000, dtype=dtype).bernoulli_(0.3).numpy().mean() == pytest.approx(
            0.3, abs=0.01
        )


def test_infinite_spread_makes_infinite_numbers_without_a_warning(
    recwarn: pytest.WarningsRecorder,
) -> None:
    for size in (4, 20):
        assert np.isinf(torch.empty(size).normal_(0.0, float("inf")).numpy()).all()
        assert np.isinf(torch.empty(size).normal_(0.0, 1e300).numpy()).any()
        assert np.isnan(torch.empty(size).normal_(float("nan"), 1.0).numpy()).all()
    assert not recwarn


def test_uniforms_between_huge_bounds_are_finite() -> None:
    numbers = torch.empty(100, dtype=torch.float64).uniform_(-1e308, 7e307).numpy()
    assert (numbers >= -1e308).all()
    assert (numbers < 7e307).all()


# Tensors


def test_new_tensors_are_leaves() -> None:
    for tensor in (torch.rand(2, requires_grad=True), torch.randn(2, requires_grad=True)):
        assert tensor.is_leaf
        assert tensor.requires_grad
    assert not torch.rand(2).requires_grad


def test_python_types_stand_for_dtypes() -> None:
    assert torch.rand(2, dtype=float).dtype is torch.float64
    assert torch.randint(2, (2,), dtype=bool).dtype is torch.bool


def test_drawing_in_place_counts_as_a_change_and_returns_the_tensor() -> None:
    tensor = torch.zeros(3)
    for draw in (
        tensor.uniform_,
        tensor.normal_,
        tensor.random_,
        tensor.bernoulli_,
        tensor.exponential_,
    ):
        version = tensor._version
        assert draw() is tensor
        assert tensor._version == version + 1


def test_drawing_into_a_view_changes_the_base() -> None:
    base = torch.zeros(3, 2)
    base[1].uniform_(1, 2)
    assert (base.numpy()[1] >= 1).all()
    assert not base.numpy()[[0, 2]].any()


def test_a_leaf_that_requires_grad_may_be_filled_without_recording() -> None:
    weight = torch.zeros(3, requires_grad=True)
    with torch.no_grad():
        weight.uniform_(1, 2)
    assert weight.is_leaf
    assert (weight.detach().numpy() >= 1).all()


@pytest.mark.parametrize(
    ("draw", "node"),
    [
        (lambda x: x.uniform_(), "UniformBackward0"),
        (lambda x: x.normal_(), "NormalBackward0"),
        (lambda x: x.random_(2, 5), "RandomBackward0"),
        (lambda x: x.random_(5), "RandomBackward1"),
        (lambda x: x.random_(), "RandomBackward2"),
        (lambda x: x.exponential_(), "ExponentialBackward0"),
        (lambda x: x.bernoulli_(), "BernoulliBackward2"),
        (lambda x: x.bernoulli_(torch.tensor([0.5, 0.5])), "BernoulliBackward1"),
        (lambda x: torch.bernoulli(x), "BernoulliBackward0"),
        (lambda x: torch.normal(x, 1.0), "NormalBackward1"),
        (lambda x: torch.normal(1.0, x), "NormalBackward2"),
        (lambda x: torch.normal(x, x), "NormalBackward3"),
    ],
)
def test_what_was_drawn_is_recorded_and_passes_no_gradient_on(draw: Any, node: str) -> None:
    leaf = torch.tensor([0.25, 0.5], requires_grad=True)
    drawn_tensor = draw(leaf * 1)
    assert drawn_tensor.grad_fn.name() == node
    drawn_tensor.sum().backward()
    assert leaf.grad.tolist() == [0.0, 0.0]


def test_a_wrong_dtype_or_device_is_refused() -> None:
    with pytest.raises(TypeError, match=r"rand\(\) .* got \(int, dtype=int\), but expected"):
        torch.rand(2, dtype=5)
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        torch.rand(2, device="cuda")
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        torch.Generator("cuda")
    with pytest.raises(TypeError, match=r"^normal\(\) .* got .*dtype=int"):
        torch.normal(0.0, 1.0, (2,), dtype=5)
    with pytest.raises(TypeError, match=r"^normal\(\) .* got .*, foo=int\), but"):
        torch.normal(0.0, 1.0, (2,), foo=5)
    with pytest.raises(TypeError, match=r"got \(int, generator=int\), but expected"):
        torch.randn(2, generator=5)
    with pytest.raises(TypeError, match=r"got \(Tensor, float, dtype=torch.dtype\), but"):
        torch.normal(torch.zeros(2), 1.0, dtype=torch.float64)


@pytest.mark.parametrize(
    ("expression", "error", "text"),
    [
        ("torch.empty(2).uniform_(-3e38, 3e38)", RuntimeError, "uniform_ expects to-from <= std::"),
        (
            "torch.empty(2, dtype=torch.int64).exponential_()",
            RuntimeError,
            "Exponential distribution is",
        ),
        ("torch.empty(2).random_(2.5)", TypeError, "got .float., but expected one of"),
        (
            "torch.empty(2).random_(1, 2, 3)",
            TypeError,
            "2 positional arguments but 3 were given",
        ),
        ("torch.normal(0.0, 1.0, 3)", TypeError, "got .float, float, int., but expected"),
        ("torch.normal(0.0, 1.0)", TypeError, "got .float, float., but expected one of"),
        ("torch.randint_like(torch.ones(2), 2.5)", TypeError, "got .Tensor, float., but expected"),
    ],
)
def test_refusals_whose_texts_begin_so(expression: str, error: type[Exception], text: str) -> None:
    torch.manual_seed(0)
    before = state_of(torch)
    with pytest.raises(error, match=text):
        eval(expression, {"torch": torch})
    assert state_of(torch) == before


def test_threads_draw_and_seed_one_after_the_other() -> None:
    expected = sorted(torch.manual_seed(0) and [torch.randn(5).tolist() for _ in range(800)])
    torch.manual_seed(0)
    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(lambda _: torch.randn(5).tolist(), range(800)))
    assert sorted(drawn) == expected


def test_a_copied_generator_goes_on_by_itself() -> None:
    generator = torch.Generator().manual_seed(3)
    for duplicate in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        twin = duplicate(generator)
        assert torch.rand(2, generator=twin).equal(torch.rand(2, generator=generator))


def test_public_functions_say_what_they_do() -> None:
    for name in ("rand", "randn", "rand_like", "randn_like", "randint", "randperm", "normal"):
        function = getattr(torch, name)
        assert function.__name__ == name
        assert inspect.getdoc(function)


@pytest.mark.parametrize("name", ["rand", "randn", "randint", "multinomial"])
def test_nothing_is_drawn_for_what_cannot_be_written(name: str) -> None:
    generator = torch.Generator().manual_seed(1)
    before = generator.get_state()
    given: dict[str, tuple[object, ...]] = {"randint": (3, (2,)), "multinomial": (torch.ones(3), 2)}
    options = {} if name == "multinomial" else {"dtype": torch.float32}
    out = torch.zeros(2, dtype=torch.float64)
    with pytest.raises(RuntimeError):
        getattr(torch, name)(*given.get(name, (2,)), generator=generator, out=out, **options)
    assert torch.equal(generator.get_state(), before)
    assert out.tolist() == [0, 0]
