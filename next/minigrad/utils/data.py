"""torch.utils.data: data sets, the order in which they are read, and batches of them."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from typing import Any

import numpy as np

from minigrad.op import functions
from minigrad.random import Generator, default_generator
from minigrad.tensor import Tensor


class Dataset:
    """Something with examples by number: subclass it with `__getitem__` and `__len__`."""

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset) -> ConcatDataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """Something with examples one after the other: subclass it with `__iter__`."""


class TensorDataset(Dataset):
    """The rows of tensors of the same length."""

    def __init__(self, *tensors: Tensor) -> None:
        if any(one.size(0) != tensors[0].size(0) for one in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple:
        return tuple(one[index] for one in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class ConcatDataset(Dataset):
    """Data sets one after the other."""

    def __init__(self, datasets: Any) -> None:
        self.datasets = list(datasets)
        self.cumulative_sizes = list(accumulate(len(one) for one in self.datasets))

    def __getitem__(self, index: int) -> Any:
        index += len(self) if index < 0 else 0
        place = int(np.searchsorted(self.cumulative_sizes, index, "right"))
        return self.datasets[place][index - ([0, *self.cumulative_sizes])[place]]

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


class Subset(Dataset):
    """Some examples of a data set, by their numbers."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence, generator: Any = default_generator) -> list:
    """Divide a data set by chance into parts of the lengths, or of the shares, given."""
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = [math.floor(total * share) for share in lengths]
        for i in range(total - sum(lengths)):
            lengths[i % len(lengths)] += 1
    if sum(lengths) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = functions["randperm"](total, generator=generator).tolist()
    return [
        Subset(dataset, order[end - length : end])
        for end, length in zip(accumulate(lengths), lengths)
    ]


# Orders


class Sampler:
    """An order of the numbers of examples: subclass it with `__iter__` and `__len__`."""

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __len__(self) -> int:
        return len(self.data_source)


class SequentialSampler(Sampler):
    """From the first to the last."""

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))


def drawn_seed(generator: Any) -> int:
    """A seed from the random numbers: this is what PyTorch takes of them."""
    return functions["empty"]((), dtype=functions["int64"]).random_(generator=generator).item()


class RandomSampler(Sampler):
    """By chance: each once, or with replacement."""

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Any = None,
    ) -> None:
        super().__init__(data_source)
        self.replacement, self.generator = replacement, generator
        self.num_samples = len(data_source) if num_samples is None else num_samples

    def __iter__(self) -> Iterator[int]:
        generator, size = self.generator, len(self.data_source)
        if generator is None:
            generator = Generator().manual_seed(drawn_seed(None))
        if self.replacement:
            for start in range(0, self.num_samples, 32):
                count = min(32, self.num_samples - start)
                yield from functions["randint"](size, (count,), generator=generator).tolist()
            return
        for start in range(0, self.num_samples, size):
            order = functions["randperm"](size, generator=generator).tolist()
            yield from order[: self.num_samples - start]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """Some numbers, by chance."""

    def __init__(self, indices: Sequence[int], generator: Any = None) -> None:
        super().__init__(indices)
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for i in functions["randperm"](len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]


class WeightedRandomSampler(Sampler):
    """By chance, some more often than others."""

    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, generator: Any = None
    ) -> None:
        self.weights = functions["as_tensor"](weights, dtype=functions["float64"])
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self) -> Iterator[int]:
        how = (self.num_samples, self.replacement)
        yield from functions["multinomial"](self.weights, *how, generator=self.generator).tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of as many numbers as make a batch."""

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        numbers = iter(self.sampler)
        while batch := list(islice(numbers, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        full, rest = divmod(len(self.sampler), self.batch_size)
        return full + (rest > 0 and not self.drop_last)


# Batches


def default_collate(batch: Sequence[Any]) -> Any:
    """Make one example of many: their tensors and numbers stacked, part by part."""
    first = batch[0]
    if isinstance(first, Tensor):
        return functions["stack"](list(batch))
    if isinstance(first, (np.ndarray, np.generic)):
        return functions["as_tensor"](np.stack(batch))
    if isinstance(first, float):
        return functions["tensor"](batch, dtype=functions["float64"])
    if isinstance(first, int):
        return functions["tensor"](batch)
    if isinstance(first, Mapping):
        return {key: default_collate([one[key] for one in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        parts = [default_collate(part) for part in zip(*batch)]
        return type(first)(*parts) if hasattr(first, "_fields") else parts
    return list(batch)


class DataLoader:
    """Batches of a data set, in an order of its own each time it is read through."""

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        *,
        generator: Any = None,
        **_: Any,
    ) -> None:
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.num_workers, self.generator = num_workers, generator
        self.collate_fn = collate_fn or default_collate
        if sampler is None and not isinstance(dataset, IterableDataset):
            sampler = SequentialSampler(dataset)
            if shuffle:
                sampler = RandomSampler(dataset, generator=generator)
        if batch_sampler is None and batch_size is not None and sampler is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.sampler, self.batch_sampler = sampler, batch_sampler

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __iter__(self) -> Iterator[Any]:
        drawn_seed(self.generator)  # PyTorch draws a seed for its workers, before the order
        return self._batches()

    def _batches(self) -> Iterator[Any]:
        if isinstance(self.dataset, IterableDataset):
            examples = iter(self.dataset)
            while batch := list(islice(examples, self.batch_size)):
                yield self.collate_fn(batch)
        elif self.batch_sampler is None:
            yield from (self.dataset[i] for i in self.sampler)
        else:
            for numbers in self.batch_sampler:
                yield self.collate_fn([self.dataset[i] for i in numbers])

    def __len__(self) -> int:
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)


dataset = sampler = dataloader = sys.modules[__name__]  # PyTorch divides this into modules
for name in ("dataset", "sampler", "dataloader"):
    sys.modules[f"{__name__}.{name}"] = dataset
