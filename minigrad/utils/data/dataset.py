"""torch.utils.data.dataset: examples by index, or one after the other, and parts of them."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice
from typing import Any, Generic, TypeVar

from minigrad.random import randperm
from minigrad.tensor import Tensor

__all__ = ["ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split"]
T = TypeVar("T", covariant=True)


class Dataset(Generic[T]):
    """Examples by index. Subclasses define `__getitem__`, and `__len__` for most purposes."""

    def __getitem__(self, index: Any) -> T:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[Any]) -> ConcatDataset[Any]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T], Iterable[T]):
    """Examples one after the other, as from a stream. Subclasses define `__iter__`."""


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """The rows of tensors of the same length: example i is a tuple with row i of each tensor.

    >>> import minigrad as torch
    >>> torch.utils.data.TensorDataset(torch.eye(2), torch.tensor([3, 4]))[1]
    (tensor([0., 1.]), tensor(4))
    """

    def __init__(self, *tensors: Any) -> None:
        if any(tensor.size(0) != tensors[0].size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self) -> int:
        return len(self.tensors[0])


class ConcatDataset(Dataset[T]):
    """The examples of several data sets, one data set after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        self.cumulative_sizes = list(accumulate(len(dataset) for dataset in self.datasets))

    def __getitem__(self, index: int) -> T:
        index += len(self) if index < 0 else 0
        number = bisect.bisect_right(self.cumulative_sizes, index)
        start = self.cumulative_sizes[number - 1] if number else 0
        example: T = self.datasets[number][index - start]
        return example

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


class Subset(Dataset[T]):
    """The examples of a data set at some indices."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Any, generator: Any = None) -> list[Subset[Any]]:
    """Divide a data set at random into parts with these lengths, or these shares of it.

    Shares have a sum of 1. They are rounded down, and the first parts get the examples left over.

    Raises:
        ValueError: if the lengths don't sum up to the length of the data set.
    """
    sizes = list(lengths)
    if math.isclose(sum(sizes), 1) and sum(sizes) <= 1:
        sizes = [math.floor(len(dataset) * share) for share in sizes]
        for i in range(len(dataset) - sum(sizes)):
            sizes[i % len(sizes)] += 1
    if sum(sizes) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = iter(randperm(len(dataset), generator=generator).tolist())
    return [Subset(dataset, list(islice(order, size))) for size in sizes]
