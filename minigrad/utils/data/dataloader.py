"""torch.utils.data.dataloader: the batches of a data set, in a new order for each pass."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from minigrad.creation import as_tensor, tensor
from minigrad.dtypes import float64
from minigrad.ops.joins import stack
from minigrad.tensor import Tensor
from minigrad.utils.data.dataset import IterableDataset
from minigrad.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, random_seed

__all__ = ["DataLoader", "default_collate", "get_worker_info"]
T = TypeVar("T", covariant=True)
EXCLUDES = "option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"


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
        f"{type(first)}"
    )


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
        pin_memory_device: str = "",
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


class _SingleProcessDataLoaderIter:
    """One pass over a loader. The name is PyTorch's, because errors show it."""

    def __init__(self, loader: DataLoader[Any]) -> None:
        self._loader, self._order = loader, iter(loader._order)
        random_seed(loader.generator)

    def __iter__(self) -> _SingleProcessDataLoaderIter:
        return self

    def __next__(self) -> Any:
        loader, data = self._loader, next(self._order)
        if loader._is_stream:
            return loader.collate_fn(data)
        if loader.batch_sampler is None:
            return loader.collate_fn(loader.dataset[data])
        return loader.collate_fn([loader.dataset[i] for i in data])
