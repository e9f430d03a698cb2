"""Loaders read data sets in PyTorch's order, and use up the random numbers that PyTorch uses up."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest

Point = collections.namedtuple("Point", "x label")


@pytest.fixture
def data(torch: Any) -> Any:
    """torch.utils.data, after manual_seed(0)."""
    torch.manual_seed(0)
    return torch.utils.data


# Arguments of a loader over range(7), and its batches in two passes after manual_seed(0); after
# each pass there is a random number, which shows how many were used up. All are PyTorch 2.13's.
ORDERS = """
batch_size=3 -> [[0, 1, 2], [3, 4, 5], [6]], 933, [[0, 1, 2], [3, 4, 5], [6]], 379
batch_size=3, drop_last=True -> [[0, 1, 2], [3, 4, 5]], 933, [[0, 1, 2], [3, 4, 5]], 379
batch_size=3, shuffle=True -> [[0, 4, 1], [5, 2, 6], [3]], 963, [[2, 3, 1], [4, 6, 0], [5]], 683
batch_size=4, shuffle=True, num_workers=1 -> \
    [[0, 4, 1, 5], [2, 6, 3]], 963, [[2, 3, 1, 4], [6, 0, 5]], 683
batch_size=None, shuffle=True -> [0, 4, 1, 5, 2, 6, 3], 963, [2, 3, 1, 4, 6, 0, 5], 683
batch_size=4, sampler=[5, 1, 0] -> [[5, 1, 0]], 933, [[5, 1, 0]], 379
batch_sampler=[[5, 1], [0]] -> [[5, 1], [0]], 933, [[5, 1], [0]], 379
shuffle=True, batch_size=4, generator=torch.Generator().manual_seed(3) -> \
    [[3, 4, 2, 0], [1, 6, 5]], 44, [[6, 1, 2, 3], [4, 0, 5]], 239
batch_size=3, sampler=data.RandomSampler(range(7), replacement=True, num_samples=5) -> \
    [[0, 1, 1], [1, 1]], 963, [[2, 0, 1], [4, 5]], 683
batch_size=4, sampler=data.RandomSampler(range(3), num_samples=7) -> \
    [[0, 2, 1, 0], [1, 2, 0]], 963, [[2, 1, 0, 2], [0, 1, 2]], 683
batch_size=2, sampler=data.SubsetRandomSampler([4, 5, 6]) -> \
    [[6, 5], [4]], 963, [[5, 6], [4]], 683
batch_size=6, sampler=data.WeightedRandomSampler([0, 1, 1, 0, 5], 6) -> \
    [[4, 4, 4, 4, 4, 2]], 878, [[4, 2, 4, 4, 4, 4]], 480
batch_size=3, sampler=data.WeightedRandomSampler([1, 1, 1, 1], 3, replacement=False) -> \
    [[1, 3, 0]], 101, [[1, 3, 0]], 119
batch_sampler=data.BatchSampler(data.RandomSampler(range(7)), 3, True) -> \
    [[0, 4, 1], [5, 2, 6]], 963, [[2, 3, 1], [4, 6, 0]], 683
"""


@pytest.mark.parametrize("line", ORDERS.strip().splitlines())
def test_batches_come_in_pytorchs_order(torch: Any, data: Any, line: str) -> None:
    options, expected = line.split(" -> ")
    loader = eval(f"data.DataLoader(range(7), {options})", {"torch": torch, "data": data})
    passes: list[Any] = []
    for _ in range(2):
        passes.append([batch.tolist() if hasattr(batch, "tolist") else batch for batch in loader])
        passes.append(torch.randint(1000, ()).item())
    assert passes == list(eval(expected))
    assert len(loader) == len(passes[0])


def test_a_first_look_uses_up_the_numbers_of_an_order(torch: Any, data: Any) -> None:
    loader = data.DataLoader(torch.arange(5), batch_size=2, shuffle=True)
    iterator = iter(loader)
    assert next(iterator).tolist() == [1, 4]
    assert torch.randint(1000, ()).item() == 963
    assert [batch.tolist() for batch in iterator] == [[2, 3], [0]]
    with pytest.raises(StopIteration):
        next(iterator)


def test_tensor_data_sets_are_read_by_rows(torch: Any, data: Any) -> None:
    pairs = data.TensorDataset(torch.arange(6.0).view(3, 2), torch.arange(3))
    assert len(pairs) == 3
    assert [part.tolist() for part in pairs[1]] == [[2.0, 3.0], 1]
    assert [part.tolist() for part in pairs[:2]] == [[[0.0, 1.0], [2.0, 3.0]], [0, 1]]
    with pytest.raises(AssertionError, match="Size mismatch between tensors"):
        data.TensorDataset(torch.ones(2), torch.ones(3))


def test_data_sets_are_joined_and_divided(data: Any) -> None:
    joined = data.Subset([10, 11, 12], [2, 0]) + data.Subset("ab", [1])
    assert [joined[i] for i in (0, 1, 2, -1)] == [12, 10, "b", "b"]
    assert list(joined) == [12, 10, "b"]
    with pytest.raises(NotImplementedError, match="should implement __getitem__"):
        data.Dataset()[0]


def test_random_split_draws_pytorchs_parts(torch: Any, data: Any) -> None:
    a, b = data.random_split(range(10), [7, 3], generator=torch.Generator().manual_seed(42))
    assert (a.indices, b.indices) == ([2, 6, 1, 8, 4, 5, 0], [9, 3, 7])
    torch.manual_seed(0)
    parts = data.random_split(range(10), [0.55, 0.25, 0.2])
    assert [part.indices for part in parts] == [[4, 1, 7, 5, 3, 9], [0, 8], [6, 2]]
    with pytest.raises(ValueError, match="Sum of input lengths does not equal the length"):
        data.random_split(range(10), [7, 2])


def test_iterable_data_sets_come_in_their_own_order(data: Any) -> None:
    class Countdown(data.IterableDataset):  # type: ignore[misc, name-defined]
        def __iter__(self) -> Any:
            return iter(range(5, 0, -1))

        def __len__(self) -> int:
            return 5

    for drop_last, batches in ((False, [[5, 4], [3, 2], [1]]), (True, [[5, 4], [3, 2]])):
        loader = data.DataLoader(Countdown(), batch_size=2, drop_last=drop_last)
        assert [batch.tolist() for batch in loader] == batches
        assert len(loader) == len(batches)
    assert list(data.DataLoader(Countdown(), batch_size=None)) == [5, 4, 3, 2, 1]
    with pytest.raises(ValueError, match="expected unspecified shuffle option, but got shuffle=T"):
        data.DataLoader(Countdown(), shuffle=True)
    with pytest.raises(TypeError, match="abstract"):
        data.IterableDataset()


# Examples, and the batch of two of them as text.
BATCHES = """
1 -> tensor([1, 1])
True -> tensor([True, True])
0.5 -> tensor([0.5000, 0.5000], dtype=torch.float64)
np.float32(0.5) -> tensor([0.5000, 0.5000])
np.ones(1, np.uint8) -> tensor([[1], [1]], dtype=torch.uint8)
torch.tensor(2.0) -> tensor([2., 2.])
"a" -> ['a', 'a']
(1, "a") -> [tensor([1, 1]), ('a', 'a')]
[1, (2,)] -> [tensor([1, 1]), [tensor([2, 2])]]
{"a": [1], "b": "c"} -> {'a': [tensor([1, 1])], 'b': ['c', 'c']}
Point(1.0, 2) -> Point(x=tensor([1., 1.], dtype=torch.float64), label=tensor([2, 2]))
collections.OrderedDict(a=1) -> OrderedDict([('a', tensor([1, 1]))])
"""


@pytest.mark.parametrize("line", BATCHES.strip().splitlines())
def test_batches_are_made_part_by_part(torch: Any, line: str) -> None:
    example, text = line.split(" -> ")
    value = eval(example, {**globals(), "torch": torch})
    batch = torch.utils.data.default_collate([value, value])
    assert " ".join(repr(batch).split()) == text


def test_examples_that_make_no_batch_are_refused(torch: Any, data: Any) -> None:
    collate = data.default_collate
    for example in (None, np.array(["a"]), object()):
        with pytest.raises(TypeError, match="default_collate: batch must contain tensors, numpy"):
            collate([example])
    with pytest.raises(RuntimeError, match="each element in list of batch should be of equal size"):
        collate([[1, 2], [3]])
    with pytest.raises(RuntimeError, match="stack expects each tensor to be equal size, but got"):
        collate([torch.ones(2), torch.ones(3)])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"batch_size": 0}, "batch_size should be a positive integer value, but got batch_size=0"),
        ({"batch_size": 2.5}, "batch_size should be a positive integer value"),
        ({"sampler": [1], "shuffle": True}, "sampler option is mutually exclusive with shuffle"),
        ({"batch_sampler": [[1]], "batch_size": 2}, "batch_sampler option is mutually exclusive"),
        ({"dataset": [], "shuffle": True}, "num_samples should be a positive integer value"),
    ],
)
def test_contradicting_arguments_are_refused(data: Any, options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        data.DataLoader(**{"dataset": range(3), **options})


def test_loaders_are_no_iterators(data: Any) -> None:
    loader = data.DataLoader(range(3))
    with pytest.raises(TypeError, match="'DataLoader' object is not an iterator"):
        next(loader)
    with pytest.raises(
        AttributeError, match="_SingleProcessDataLoaderIter' object has no attribut"
    ):
        iter(loader).next()
