"""Random numbers are PyTorch's, from the same seeds."""

from __future__ import annotations

import copy
import subprocess
import sys
from typing import Any

import pytest

# Expressions, each after manual_seed(0), and what PyTorch 2.13 prints for them.
DRAWS = """
torch.rand(3) -> tensor([0.4963, 0.7682, 0.0885])
torch.rand(2, dtype=torch.float64) -> tensor([0.9701, 0.7078], dtype=torch.float64)
torch.randn(2, 3) -> tensor([[1.5410, -0.2934, -2.1788], [0.5684, -1.0845, -1.3986]])
torch.randn(3, dtype=torch.float64) -> tensor([1.5410, -0.2934, -2.1788], dtype=torch.float64)
[torch.randn(1), torch.rand(2), torch.randn(1)][2] -> tensor([-0.2934])
torch.randn(17)[12:] -> tensor([1.3894, 1.5863, 0.9463, -0.8437, 0.9318])
torch.randn(32, dtype=torch.float64)[30:] -> tensor([-0.4484, -0.8910], dtype=torch.float64)
torch.randint(10, (5,)) -> tensor([4, 9, 3, 0, 3])
torch.randint(-5, 5, (2, 3)) -> tensor([[-1, 4, -2], [-5, -2, 4]])
torch.randint(high=2**40, size=(2,)) -> tensor([741280623151, 506137267392])
torch.randint(0, 2, (4,), dtype=torch.bool) -> tensor([False, True, True, False])
torch.randint(7, (3,), dtype=torch.float32) -> tensor([4., 3., 0.])
torch.randperm(6) -> tensor([2, 5, 3, 0, 1, 4])
torch.randn_like(torch.ones(2, 1)) -> tensor([[1.5410], [-0.2934]])
torch.rand_like(torch.ones(2, 2).t()) -> tensor([[0.4963, 0.0885], [0.7682, 0.1320]])
torch.normal(2.0, 3.0, (3,)) -> tensor([6.6230, 1.1197, -4.5364])
torch.normal(torch.tensor([0.0, 10.0]), 0.5) -> tensor([0.7705, 9.8533])
torch.normal(torch.zeros(2, 1), torch.ones(2)) -> tensor([[1.5410, -0.2934], [-2.1788, 0.5684]])
torch.bernoulli(torch.full((8,), 0.3)) -> tensor([0., 0., 1., 1., 0., 0., 0., 0.])
torch.empty(5).uniform_(-1, 1) -> tensor([-0.0075, 0.5364, -0.8230, -0.7359, -0.3852])
torch.empty(5).normal_(5.0, 0.1) -> tensor([5.1541, 4.9707, 4.7821, 5.0568, 4.8915])
torch.empty(4, 5).t().normal_()[0] -> tensor([1.5410, -1.3986, -0.5966, 0.1227])
torch.empty(6).bernoulli_(0.7) -> tensor([0., 0., 1., 0., 1., 0.])
torch.empty(3).bernoulli_(torch.tensor([0.0, 0.5, 1.0])) -> tensor([0., 0., 1.])
torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2) -> tensor([2, 1])
torch.multinomial(torch.ones(2, 5), 4, replacement=True) -> tensor([[4, 3, 2, 4], [3, 3, 0, 1]])
torch.multinomial(torch.ones(5, dtype=torch.float64), 1) -> tensor([2])
"""


@pytest.mark.parametrize("line", DRAWS.strip().splitlines())
def test_the_same_seed_draws_the_same_numbers(torch: Any, line: str) -> None:
    expression, printed = line.split(" -> ")
    torch.manual_seed(0)
    result = eval(expression, {"torch": torch})
    assert " ".join(repr(result).split()).replace("[ ", "[") == printed


@pytest.mark.parametrize("seed", [0, 1, -1, 2**32 + 5, 2**64 - 1])
def test_a_seed_and_a_state_reproduce_the_stream(torch: Any, seed: int) -> None:
    generator = torch.manual_seed(seed)
    torch.randn(3)  # leaves a normal number in reserve
    state = torch.get_rng_state()
    drawn = torch.randn(4)
    torch.set_rng_state(state)
    assert torch.equal(torch.randn(4), drawn)
    assert torch.equal(
        copy.deepcopy(generator).manual_seed(seed).set_state(state).get_state(), state
    )
    assert state.dtype is torch.uint8


def test_generators_have_streams_of_their_own(torch: Any) -> None:
    torch.manual_seed(0)
    own = torch.Generator().manual_seed(0)
    first = torch.rand(2, generator=own)
    assert torch.equal(torch.rand(2), first)
    fresh = torch.rand(2, generator=torch.Generator())
    assert torch.equal(
        torch.rand(2, generator=torch.Generator().manual_seed(67280421310721)), fresh
    )
    with torch.random.fork_rng():
        inside = torch.rand(2)
    assert torch.equal(torch.rand(2), inside)


def test_fresh_processes_draw_different_numbers() -> None:
    program = "import minigrad; print(minigrad.get_rng_state())"
    states = {subprocess.check_output([sys.executable, "-c", program]) for _ in range(2)}
    assert len(states) == 2


def test_samples_have_nodes_and_zero_gradients(torch: Any) -> None:
    x = torch.full((3,), 0.5, requires_grad=True)
    samples = {
        "BernoulliBackward0": torch.bernoulli(x),
        "NormalBackward1": torch.normal(x, 1.0),
        "NormalBackward2": torch.normal(0.0, x),
        "NormalBackward3": torch.normal(x, x),
        "UniformBackward0": (x * 2).uniform_(),
        "NormalBackward0": (x * 2).normal_(),
    }
    for name, sample in samples.items():
        assert type(sample.grad_fn).__name__ == name
        (grad,) = torch.autograd.grad(sample.sum(), x)
        assert grad.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("call", ["rand(2, ", "randn(2, ", "normal(0, 1, (2,), ", "rand_like(x, "])
def test_new_samples_are_leaves_that_were_not_changed(torch: Any, call: str) -> None:
    x = torch.ones(2)
    sample = eval(f"torch.{call}requires_grad=True)", {"torch": torch, "x": x})
    assert (sample.is_leaf, sample.requires_grad, sample._version) == (True, True, 0)


# Calls that are refused, and how the error begins.
REFUSED = """
torch.rand(-1) -> RuntimeError: Trying to create tensor with negative dimension -1: [-1]
torch.rand(2, dtype=torch.int64) -> NotImplementedError: "check_uniform_bounds" not implemented
torch.randint(5, 5, (2,)) -> RuntimeError: random_ expects 'from' to be less than 'to'
torch.randint(3.5, (2,)) -> TypeError:
torch.normal(0.0, -1.0, (2,)) -> RuntimeError: normal expects std >= 0.0, but found std -1
torch.normal(torch.zeros(2), torch.ones(3)) -> RuntimeError: The size of tensor a (2) must match
torch.multinomial(torch.arange(3), 2) -> RuntimeError: multinomial only supports floating-point
torch.multinomial(torch.ones(2), 3) -> RuntimeError: cannot sample n_sample > prob_dist.size(-1)
torch.multinomial(torch.tensor([1.0, -1.0]), 1) -> RuntimeError: probability tensor contains either
torch.set_rng_state(torch.zeros(3)) -> TypeError: RNG state must be a torch.ByteTensor
torch.empty(2, requires_grad=True).uniform_() -> RuntimeError: a leaf Variable that requires grad
torch.rand(2, device="cuda") -> AssertionError: Torch not compiled with CUDA enabled
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_a_refused_call_uses_up_no_numbers(torch: Any, line: str) -> None:
    call, error = line.split(" -> ")
    state = torch.manual_seed(0).get_state()
    with pytest.raises(Exception) as caught:  # noqa: PT011
        eval(call, {"torch": torch})
    assert f"{type(caught.value).__name__}: {caught.value}".startswith(error.strip())
    assert torch.equal(torch.get_rng_state(), state)
