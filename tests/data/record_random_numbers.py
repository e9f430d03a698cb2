"""Record the random numbers that PyTorch 2.13 draws, and how it refuses to.

    python -m tests.data.record_random_numbers

writes tests/data/random_numbers.json:

- ``draws``: programs of draws that follow one another from one seed. For each draw its expression,
  dtype, shape, and either its numbers or, for long results, the SHA-256 of their bytes. Those
  marked ``rounded``, which are 16 or more normals, are promised within 1e-6, since PyTorch computes
  them with approximations of its own: of many, only some are recorded. All others are promised to
  the bit.
- ``refusals``: expressions with the type and text of the error they raise.

Needs the extra `parity`; run from the root of the repository. The numbers are those of an x86
processor with AVX2 that is not Intel's: there, PyTorch lets a library of Intel's draw for
`bernoulli_(p)`, dropout and perhaps `exponential_`.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

ANSWERS = Path(__file__).with_name("random_numbers.json")
TORCH = "2.13"
SEEDS = (0, 1, 42, 2**32 - 1, 2**32 + 5, -1, 2**64 - 1)
SHORT = 20

# An expression marked ~ draws normals in blocks of 16.
PROGRAMS = {
    "as far as can be counted": """
        torch.empty(3).random_(0, None)
        torch.empty(3, dtype=torch.float64).random_(-5, None)
        torch.empty(3, dtype=torch.int8).random_(-128, None)
        torch.empty(3, dtype=torch.int64).random_(-(2**63), None)
        torch.empty(3, dtype=torch.bool).random_(1, None)
        torch.empty(3).log_normal_(1000.0, 1.0)
        torch.empty(0, dtype=torch.int64).normal_()
        torch.normal(1.0, torch.ones(0, dtype=torch.int64))
        torch.normal(torch.tensor(2), torch.tensor(3.0), (2,))
        torch.rand_like(torch.ones(2, 3).t(), memory_format=torch.contiguous_format)
    """,
    "first steps": """
        torch.rand(3)
        torch.randn(2, 3)
        torch.randint(10, (5,))
        torch.randperm(6)
        torch.randn(1)
        torch.rand((2, 2), dtype=torch.float64)
        torch.randn([3], dtype=torch.float64)
        torch.normal(2.0, 3.0, (3,))
        torch.bernoulli(torch.full((8,), 0.3))
        torch.rand(())
        torch.randn(())
    """,
    "a normal kept for later": """
        torch.randn(1)
        torch.randn(1, dtype=torch.float64)
        torch.randn(3)
        torch.rand(2)
        torch.randn(2)
        ~torch.randn(16)
        torch.randn(1)
        torch.randn(0)
        torch.empty(3).normal_(5.0, 0.1)
        torch.empty(3, dtype=torch.float64).normal_(5.0, 0.1)
        torch.rand(1)
    """,
    "normals, long ones": """
        torch.randn(15)
        ~torch.randn(16)
        ~torch.randn(17)
        ~torch.randn(31, 33)
        ~torch.empty(100).normal_(1.5, 0.3)
        torch.empty(4, 8).t().normal_()
        ~torch.randn(16, dtype=torch.float64)
        ~torch.randn(19, dtype=torch.float64)
        ~torch.empty(20, dtype=torch.float64).normal_(1.5, 0.3)
        torch.empty(3, 7, dtype=torch.float64).t().normal_(-1.0, 2.0)
        ~torch.randn(1000, dtype=torch.float16)
        torch.randn(5, dtype=torch.float16)
        ~torch.randn(100_000)
        torch.rand(1)
    """,
    "uniforms": """
        torch.empty(5).uniform_(-0.577, 0.577)
        torch.empty(5, dtype=torch.float64).uniform_(-0.577, 0.577)
        torch.empty(50_000).uniform_(1000, 1000.5)
        torch.empty(1000, dtype=torch.float64).uniform_(0.1, 0.2)
        torch.empty(1000, dtype=torch.float16).uniform_(-0.3, 0.9)
        torch.rand(100_000)
        torch.rand(1001, dtype=torch.float64)
        torch.empty(3).uniform_(2, 2)
        torch.empty(3).uniform_(-3)
        torch.empty(3).uniform_(to=3)
        torch.rand(size=(2, 1))
        torch.rand(0, 4)
        torch.rand(2)
    """,
    "in the order of memory": """
        torch.empty(3, 4).t().uniform_()
        torch.empty(3, 4)[:, ::2].uniform_()
        torch.empty(2, 3, 4).permute(2, 0, 1).uniform_()
        torch.empty(3, 4).t().bernoulli_(0.5)
        torch.empty(4, 3).t().bernoulli_(torch.rand(4))
        torch.bernoulli(torch.rand(3, 4).t())
        torch.rand_like(torch.empty(3, 4).t())
        torch.rand_like(torch.empty(1, 3).expand(2, 3))
        torch.randn_like(torch.empty(3, 7).t())
        torch.empty(3, 4, dtype=torch.int64).t().random_(100)
        torch.empty(3, 4).t().exponential_()
    """,
    "integers": """
        torch.randint(5, (7,))
        torch.randint(-5, 5, (2, 3))
        torch.randint(low=3, high=9, size=(4,))
        torch.randint(3, 9, size=(4,))
        torch.randint(0, 2**28 - 1, (4,))
        torch.randint(0, 2**28, (4,))
        torch.randint(-(2**63), 2**63 - 1, (4,))
        torch.randint(0, 256, (5,), dtype=torch.uint8)
        torch.randint(-128, 128, (5,), dtype=torch.int8)
        torch.randint(0, 2, (5,), dtype=torch.bool)
        torch.randint(-7, 7, (5,), dtype=torch.float32)
        torch.randint(0, 2**40, (5,), dtype=torch.float64)
        torch.randint(10, (10_000,))
        torch.randint_like(torch.empty(4), 10)
        torch.randint_like(torch.empty(2, 2), 5, 10)
        torch.empty(3, dtype=torch.int64).random_()
        torch.empty(3, dtype=torch.int32).random_()
        torch.empty(3, dtype=torch.uint8).random_()
        torch.empty(3, dtype=torch.bool).random_()
        torch.empty(3).random_()
        torch.empty(3, dtype=torch.float64).random_()
        torch.empty(5, dtype=torch.int16).random_(7)
        torch.empty(5, dtype=torch.int16).random_(-3, 7)
    """,
    "permutations": """
        torch.randperm(0)
        torch.randperm(1)
        torch.randperm(2)
        torch.randperm(10, dtype=torch.int32)
        torch.randperm(10, dtype=torch.float32)
        torch.randperm(10_000)
        torch.rand(1)
    """,
    "given probabilities": """
        torch.bernoulli(torch.rand(9))
        torch.bernoulli(torch.rand(9, dtype=torch.float64))
        torch.bernoulli(torch.ones(3, dtype=torch.int64), 0.5)
        torch.empty(9).bernoulli_()
        torch.empty(9, dtype=torch.bool).bernoulli_(0.2)
        torch.empty(2, 3).bernoulli_(torch.tensor([0.1, 0.5, 0.9]))
        torch.empty(10_000).bernoulli_(0.8)
        torch.empty(4).exponential_()
        torch.empty(4, dtype=torch.float64).exponential_(1.7)
        torch.empty(1000).exponential_(0.3)
    """,
    "normals around tensors": """
        torch.normal(torch.tensor([0.0, 10.0]), torch.tensor([0.1, 2.0]))
        torch.normal(torch.tensor([0.0, 10.0]))
        torch.normal(torch.tensor([0.0, 10.0]), 0.3)
        torch.normal(2.5, torch.tensor([0.1, 2.0]))
        torch.normal(torch.rand(2, 1), torch.rand(3))
        ~torch.normal(torch.rand(100), torch.rand(100))
        torch.normal(torch.rand(3, dtype=torch.float64), torch.rand(3))
        torch.normal(torch.rand(3), torch.rand(3, dtype=torch.float64))
        torch.normal(0, 1, (3,), dtype=torch.float64)
        torch.normal(mean=1.0, std=0.0, size=(2,))
    """,
}

REFUSALS = """
    torch.rand(-1)
    torch.rand(2, -3)
    torch.rand(2.0)
    torch.rand("a")
    torch.rand(True)
    torch.rand(2, dtype=torch.int64)
    torch.randn(2, dtype=torch.bool)
    torch.randn(-2)
    torch.randint(5, 5, (2,))
    torch.randint(-1, (2,))
    torch.randint(5, 2)
    torch.randint(5.0, (2,))
    torch.randint("a", (2,))
    torch.randint(True, (2,))
    torch.randint(0, 300, (2,), dtype=torch.uint8)
    torch.randint(-1, 2, (2,), dtype=torch.uint8)
    torch.randint(0, 3, (2,), dtype=torch.bool)
    torch.randint(0, 2**40, (2,), dtype=torch.int32)
    torch.randint(0, 5, (-2,))
    torch.randperm(-1)
    torch.randperm(5.0)
    torch.randperm(300, dtype=torch.uint8)
    torch.randperm(5, dtype=torch.bool)
    torch.normal(0.0, -1.0, (2,))
    torch.normal(torch.zeros(2), -1.0)
    torch.normal(torch.zeros(2), -torch.ones(2))
    torch.normal(torch.zeros(2), torch.ones(3))
    torch.normal(torch.zeros(2, dtype=torch.int64), 1.0)
    torch.normal(1.0, 2.0, (-1,))
    torch.bernoulli(torch.tensor([0.5, 2.0]))
    torch.bernoulli(torch.tensor([0.5, float("nan")]))
    torch.bernoulli(torch.tensor([1, 0]))
    torch.bernoulli(torch.tensor([1, 0]), 2)
    torch.bernoulli([0.5])
    torch.empty(2).bernoulli_(1.5)
    torch.empty(2).bernoulli_(torch.tensor([0.5, 0.5, 0.5]))
    torch.empty(2, requires_grad=True).uniform_()
    torch.empty(2, requires_grad=True).bernoulli_(0.5)
    torch.empty(2, dtype=torch.int64).uniform_()
    torch.empty(2, dtype=torch.int64).normal_()
    torch.empty(2).uniform_(2, 1)
    torch.empty(2).uniform_("a")
    torch.empty(2).uniform_(0, 1e39)
    torch.empty(2).uniform_(generator=4)
    torch.empty(2).normal_(0, -1)
    torch.empty(2).normal_("a")
    torch.empty(2).random_(5, 3)
    torch.empty(2).random_(0)
    torch.empty(2, dtype=torch.float16).random_(3000, None)
    torch.empty(2, dtype=torch.float16).random_(70000, None)
    torch.empty(2, dtype=torch.uint8).random_(-1, None)
    torch.empty(2, dtype=torch.int64).cauchy_(0, -1)
    torch.empty(2, dtype=torch.int64).log_normal_(0, -1)
    torch.randperm(2050, dtype=torch.float16)
    torch.normal([1], torch.ones(2))
    torch.normal(torch.tensor(2), torch.ones(0))
    torch.empty(2, dtype=torch.uint8).random_(300)
    torch.empty(2).exponential_(0)
    torch.rand_like([1])
    torch.rand_like(torch.ones(2, dtype=torch.int64))
    torch.randint_like(torch.ones(2), 5, 5)
    torch.manual_seed(2**64)
    torch.manual_seed(-(2**63) - 1)
    torch.manual_seed("a")
    torch.manual_seed(None)
    torch.Generator().manual_seed(1.5)
    torch.set_rng_state(torch.zeros(3, dtype=torch.uint8))
    torch.set_rng_state(torch.zeros(5056, dtype=torch.uint8))
    torch.set_rng_state(torch.zeros(3))
    torch.set_rng_state(5)
"""

Draw = dict[str, Any]


def lines(text: str) -> list[str]:
    """The expressions of a program."""
    return [line.strip() for line in text.strip().splitlines()]


def drawn(expression: str, torch: Any) -> Draw:
    """What an expression draws, where `torch` is PyTorch or minigrad."""
    tensor = eval(expression.removeprefix("~"), {"torch": torch})
    array = np.ascontiguousarray(tensor.detach().numpy())
    answer: Draw = {
        "draw": expression.removeprefix("~"),
        "dtype": str(tensor.dtype),
        "shape": list(tensor.shape),
    }
    if expression.startswith("~"):
        answer["rounded"] = True
        array = array.reshape(-1)[:: 1 + array.size // SHORT]
    if array.size <= SHORT:
        answer["numbers"] = array.tolist()
    else:
        answer["sha256"] = hashlib.sha256(array.tobytes()).hexdigest()
    return answer


def state_hash(torch: Any) -> str:
    """The SHA-256 of the default generator's state."""
    return hashlib.sha256(torch.get_rng_state().numpy().tobytes()).hexdigest()


def played(name: str, seed: int, torch: Any) -> dict[str, Any]:
    """What a program draws from a seed, and the state it leaves behind."""
    torch.manual_seed(seed)
    draws = [drawn(expression, torch) for expression in lines(PROGRAMS[name])]
    return {"program": name, "seed": seed, "draws": draws, "state": state_hash(torch)}


def refused(expression: str, torch: Any) -> dict[str, str]:
    """How an expression is refused."""
    try:
        eval(expression, {"torch": torch})
    except Exception as error:
        return {"call": expression, "error": type(error).__name__, "text": str(error)}
    raise AssertionError(f"{expression} is not refused")


def portable(torch: Any) -> bool:
    """Whether this PyTorch draws `bernoulli_(p)` as the others do: two words for each number."""
    generator = torch.Generator().manual_seed(0)
    torch.empty(4).bernoulli_(0.5, generator=generator)
    after = torch.rand(1, generator=generator)
    return bool(after == torch.rand(9, generator=generator.manual_seed(0))[-1])


def record(torch: Any) -> dict[str, list[dict[str, Any]]]:
    """What PyTorch says."""
    return {
        "draws": [played(name, seed, torch) for name in PROGRAMS for seed in SEEDS],
        "refusals": [refused(expression, torch) for expression in lines(REFUSALS)],
    }


def compact(answers: dict[str, list[dict[str, Any]]]) -> str:
    """JSON with one line for each program, each draw and each refusal."""
    text = json.dumps(answers, ensure_ascii=False, separators=(",", ":"))
    for first in ("program", "draw", "call"):
        text = text.replace(f'{{"{first}":', f'\n{{"{first}":')
    return text


def main() -> None:
    """Write the answers; RuntimeError if PyTorch or the processor is not the one promised."""
    import torch

    if not torch.__version__.startswith(TORCH + "."):
        raise RuntimeError(f"the answers are PyTorch {TORCH}'s, but this is {torch.__version__}")
    if not portable(torch):
        raise RuntimeError("on this processor PyTorch draws numbers that it draws nowhere else")
    ANSWERS.write_text(compact(record(torch)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
