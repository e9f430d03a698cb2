"""torch.utils.data.dataloader: the batches of a data set, in a new order for each pass."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

from minigrad.creation import as_tensor, tensor
from minigrad.dtypes import float64
from minigrad.ops.joins import stack
from minigrad.random import Generator
from minigrad.tensor import Tensor
from minigrad.utils.data.dataset import IterableDataset, fetch
from minigrad.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, random_seed
from minigrad.warn import warn

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]
T = TypeVar("T", covariant=True)


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
    if isinstance(first, np.ndarray) and first.dtype.kind in "biuf":
        return stack([as_tensor(array) for array in batch])
    if isinstance(first, np.number | np.bool_):
        return as_tensor(np.array(batch))
    if isinstance(first, float):
        return tensor(batch, dtype=float64)
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        return put_into(first, [default_collate([one[key] for one in batch]) for key in first])
    if isinstance(first, Sequence):
        if any(len(one) != len(first) for one in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return put_into(first, [default_collate(part) for part in zip(*batch, strict=True)])
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
        f"{first.dtype if isinstance(first, np.ndarray) else type(first)}"
    )


def default_convert(data: Any) -> Any:
    """Make tensors of the numpy arrays in one example, where there are no batches."""
    if isinstance(data, np.ndarray | np.generic) and data.dtype.kind in "biuf":
        return as_tensor(data)
    if isinstance(data, Mapping):
        return put_into(data, [default_convert(data[key]) for key in data])
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return put_into(data, [default_convert(part) for part in data])
    return data


def put_into(container: Any, parts: list[Any]) -> Any:
    """Return a mapping or named tuple with other parts. Other sequences become lists."""
    if isinstance(container, Mapping):
        clone: Any = copy.copy(container)  # it may be a defaultdict, for example
        clone.update(zip(container, parts, strict=True))
        return clone
    return type(container)(*parts) if hasattr(container, "_fields") else parts


def get_worker_info() -> None:
    """Return None, as in PyTorch's main process: all examples are loaded there."""


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

    Source: https://docs.pytorch.org/docs/stable/data.html

    >>> from minigrad.utils.data import DataLoader
    >>> list(DataLoader([1, 2, 3], batch_size=2))
    [tensor([1, 2]), tensor([3])]
    """

    _ready = False

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Sequence[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError(
                "num_workers option should be non-negative; use num_workers=0 to disable "
                "multiprocessing."
            )
        check_order(dataset, batch_size, shuffle, sampler, batch_sampler, drop_last)
        if sampler is None and not isinstance(dataset, IterableDataset):
            sampler = SequentialSampler(dataset)
            if shuffle:
                sampler = RandomSampler(dataset, generator=generator)
        if batch_sampler is not None:
            batch_size = None
        elif batch_size is not None:
            batch_sampler = BatchSampler(() if sampler is None else sampler, batch_size, drop_last)
        batched = batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if batched else default_convert)
        self.num_workers, self.pin_memory, self.generator = num_workers, pin_memory, generator
        self._keeps_seed, self._iterations = persistent_workers and num_workers > 0, 0
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.sampler, self.batch_sampler, self._ready = sampler, batch_sampler, True

    def __setattr__(self, name: str, value: Any) -> None:
        fixed = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset")
        if self._ready and name in fixed:
            owner = type(self).__name__
            raise ValueError(f"{name} attribute should not be set after {owner} is initialized")
        super().__setattr__(name, value)

    def __iter__(self) -> _SingleProcessDataLoaderIter:
        return _SingleProcessDataLoaderIter(self)

    def __len__(self) -> int:
        if not isinstance(self.dataset, IterableDataset):
            return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
        length = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return length
        return (length if self.drop_last else length + self.batch_size - 1) // self.batch_size


def check_order(
    dataset: Any, batch_size: Any, shuffle: Any, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    """Raise ValueError if the arguments of a loader that decide about its order don't fit."""
    if isinstance(dataset, IterableDataset):
        options = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
        for name, value in options.items():
            if value is not None:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified {name} option, but "
                    f"got {name}={value}"
                )
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    others = batch_size != 1 or shuffle or sampler is not None or drop_last
    if batch_sampler is not None and others:
        raise ValueError(
            "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
            "drop_last"
        )
    if batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
        )


class _SingleProcessDataLoaderIter:
    """One pass over a loader. The name is PyTorch's, because errors show it."""

    def __init__(self, loader: DataLoader[Any]) -> None:
        if loader.pin_memory:
            warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device "
                "pinned memory won't be used."
            )
        self._loader = loader
        order = loader.sampler if loader.batch_sampler is None else loader.batch_sampler
        self._indices: Iterator[Any] = iter(() if order is None else order)
        if not (loader._keeps_seed and loader._iterations):
            random_seed(loader.generator)
        loader._iterations += 1
        is_iterable = isinstance(loader.dataset, IterableDataset)
        self._examples = iter(loader.dataset) if is_iterable else None

    def __iter__(self) -> _SingleProcessDataLoaderIter:
        return self

    def __len__(self) -> int:
        return len(self._loader)

    def __next__(self) -> Any:
        loader = self._loader
        if self._examples is None:
            index = next(self._indices)
            one = loader.batch_sampler is None
            data = loader.dataset[index] if one else fetch(loader.dataset, index)
        elif loader.batch_size is None:
            data = next(self._examples)
        else:
            data = list(islice(self._examples, loader.batch_size))
            if not data or (loader.drop_last and len(data) < loader.batch_size):
                raise StopIteration
        return loader.collate_fn(data)
