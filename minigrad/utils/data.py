"""torch.utils.data: data sets, the order in which they are read, and batches of them.

Source: https://docs.pytorch.org/docs/stable/data.html
"""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

from minigrad.creation import as_tensor, tensor
from minigrad.dtypes import float64
from minigrad.missing import module_hooks
from minigrad.ops.shapes import stack
from minigrad.random import Generator, default_generator, multinomial, randint, randperm
from minigrad.tensor import Tensor

EXCLUDES = "option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
T = TypeVar("T", covariant=True)


# Data sets: examples by index, or one after the other, and parts of them


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

    def __getitem__(self, index: int) -> Any:
        index += len(self) if index < 0 else 0
        for dataset in self.datasets:
            if index < len(dataset):
                return dataset[index]
            index -= len(dataset)
        raise IndexError("list index out of range")

    def __len__(self) -> int:
        return sum(map(len, self.datasets))


class Subset(Dataset[T]):
    """The examples of a data set at some indices."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
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


# Samplers: the order in which the examples of a data set are read


class Sampler(Iterable[T]):
    """An order of indices. Subclasses define `__iter__`, and `__len__` where it is needed.

    The samplers here draw random numbers when they are asked for the first index, as PyTorch's do.
    """


class SequentialSampler(Sampler[int]):
    """From the first index to the last."""

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """A random order: a permutation of the indices, or independent draws with `replacement`.

    It is as long as the data source, unless there is a number `num_samples`. If that needs more
    than one permutation, they follow one another. Without a `generator`, each order gets a
    generator of its own, with a seed from the default generator.
    """

    def __init__(
        self,
        data_source: Any,
        replacement: Any = False,
        num_samples: Any = None,
        generator: Any = None,
    ) -> None:
        self.data_source, self.replacement = data_source, replacement
        self.num_samples = len(data_source) if num_samples is None else num_samples
        self.generator = generator
        check_positive("num_samples", self.num_samples)

    def __iter__(self) -> Iterator[int]:
        size, generator = len(self.data_source), self.generator
        generator = generator or Generator().manual_seed(random_seed(None))
        if self.replacement:
            yield from randint(size, (self.num_samples,), generator=generator).tolist()
            return
        # PyTorch draws a permutation for a rest of 0 indices, too.
        for start in range(0, self.num_samples + 1, size):
            yield from randperm(size, generator=generator).tolist()[: self.num_samples - start]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Some indices, in random order."""

    def __init__(self, indices: Sequence[int], generator: Any = None) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for i in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Indices that are drawn with these weights, which don't have to sum up to 1."""

    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, generator: Any = None
    ) -> None:
        check_positive("num_samples", num_samples)
        self.weights = as_tensor(weights, dtype=float64)
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self) -> Iterator[int]:
        draws = (self.num_samples, self.replacement)
        yield from multinomial(self.weights, *draws, generator=self.generator).tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of `batch_size` indices from another sampler. The last one may be shorter.

    >>> from minigrad.utils.data import BatchSampler
    >>> list(BatchSampler(range(5), batch_size=2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        check_positive("batch_size", batch_size)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        full, rest = divmod(len(self.sampler), self.batch_size)
        return full + (rest > 0 and not self.drop_last)


def random_seed(generator: Generator | None) -> int:
    """Draw a seed for another generator: a 64-bit integer that isn't negative."""
    return int((generator or default_generator)._words(1, wide=True)[0] % 2**63)


def check_positive(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")


# Batches


def default_collate(batch: Sequence[Any]) -> Any:
    """Make one batch from a list of examples, part by part.

    Tensors, numpy arrays and numbers are stacked; Python's floats become float64. Texts stay as
    they are. Mappings, tuples and lists become mappings and lists of batches.

    >>> import minigrad as torch
    >>> torch.utils.data.default_collate([(0, {"x": 1.5}), (1, {"x": 2.5})])
    [tensor([0, 1]), {'x': tensor([1.5000, 2.5000], dtype=torch.float64)}]

    Raises:
        TypeError: if an example is something else, such as None.
        RuntimeError: if the examples differ in size.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch)
    if isinstance(first, np.ndarray | np.generic) and first.dtype.kind in "biuf":
        return stack([as_tensor(array) for array in batch])
    if isinstance(first, float | int):
        return tensor(batch, dtype=float64 if isinstance(first, float) else None)
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        mapping: Any = copy.copy(first)  # it may be a defaultdict, for example
        mapping.update({key: default_collate([one[key] for one in batch]) for key in first})
        return mapping
    if isinstance(first, Sequence):
        if any(len(one) != len(first) for one in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        parts = [default_collate(part) for part in zip(*batch, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else parts
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
        f"{type(first)}"
    )


class DataLoader(Generic[T]):
    """The batches of a data set. Each pass over the loader is a new iteration.

    Loading stays in this process: `num_workers` and the other arguments about processes and memory
    are accepted without effect, and `worker_init_fn` is not called. Each iteration draws one random
    number, as PyTorch does for the seeds of its workers, and then what the sampler draws.

    Args:
        dataset: has `__getitem__` and `__len__` (a `Dataset`, a list, a tensor), or is an
            `IterableDataset`.
        batch_size: the number of examples in a batch; None for single examples without a batch.
        shuffle: whether to read the examples in a new random order each time.
        sampler: an order of indices, instead of `shuffle`.
        batch_sampler: an order of lists of indices, instead of `batch_size`, `shuffle`, `sampler`
            and `drop_last`.
        collate_fn: makes a batch from a list of examples; `default_collate` if it is None.
        drop_last: whether to leave out the last batch if it isn't full.
        generator: where the random order comes from.

    Raises:
        ValueError: if arguments exclude each other.

    >>> from minigrad.utils.data import DataLoader
    >>> list(DataLoader([1, 2, 3], batch_size=2))
    [tensor([1, 2]), tensor([3])]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Any = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
    ) -> None:
        self._is_stream = isinstance(dataset, IterableDataset)
        options = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
        extra = [f"{k} option, but got {k}={v}" for k, v in options.items() if v is not None]
        if self._is_stream and extra:
            raise ValueError(f"DataLoader with IterableDataset: expected unspecified {extra[0]}")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(f"batch_sampler {EXCLUDES}")
            batch_size = None
        elif self._is_stream:
            sampler = dataset  # whose examples are batched like indices
        elif sampler is None and shuffle:
            sampler = RandomSampler(dataset, generator=generator)
        elif sampler is None:
            sampler = SequentialSampler(dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.sampler, self.batch_sampler, self.generator = sampler, batch_sampler, generator
        self.num_workers, batched = num_workers, batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if batched else lambda data: data)
        self._order = batch_sampler if batched else sampler

    def __iter__(self) -> _SingleProcessDataLoaderIter:
        return _SingleProcessDataLoaderIter(self)

    def __len__(self) -> int:
        return len(self._order)


class _SingleProcessDataLoaderIter(Iterator[Any]):
    """One pass over a loader. The name is PyTorch's, because errors show it."""

    def __init__(self, loader: DataLoader[Any]) -> None:
        self._loader, self._order = loader, iter(loader._order)
        random_seed(loader.generator)

    def __next__(self) -> Any:
        loader, data = self._loader, next(self._order)
        if loader._is_stream:
            return loader.collate_fn(data)
        if loader.batch_sampler is None:
            return loader.collate_fn(loader.dataset[data])
        return loader.collate_fn([loader.dataset[i] for i in data])


# PyTorch divides this into modules, which programs import.
dataset = sampler = dataloader = sys.modules[__name__]
for _name in ("dataset", "sampler", "dataloader"):
    sys.modules[f"{__name__}.{_name}"] = dataset

__all__ = ["BatchSampler", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset"]
__all__ += ["RandomSampler", "Sampler", "SequentialSampler", "Subset", "SubsetRandomSampler"]
__all__ += ["TensorDataset", "WeightedRandomSampler", "dataloader", "dataset"]
__all__ += ["default_collate", "random_split", "sampler"]
__dir__, __getattr__ = module_hooks(__name__, __all__)
