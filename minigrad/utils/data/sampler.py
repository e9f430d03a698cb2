"""torch.utils.data.sampler: the order in which the examples of a data set are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any, Generic, TypeVar

from minigrad.creation import as_tensor, empty
from minigrad.dtypes import float64, int64
from minigrad.random import Generator, multinomial, randint, random_, randperm

__all__ = ["BatchSampler", "RandomSampler", "Sampler", "SequentialSampler", "SubsetRandomSampler"]
__all__ += ["WeightedRandomSampler"]
T = TypeVar("T", covariant=True)


class Sampler(Generic[T]):
    """An order of indices. Subclasses define `__iter__`, and `__len__` where it is needed.

    The samplers here draw random numbers when they are asked for the first index, as PyTorch's do.
    """

    def __iter__(self) -> Iterator[T]:
        raise NotImplementedError


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
        else:
            whole, rest = divmod(self.num_samples, size)
            for count in [size] * whole + [
                rest
            ]:  # PyTorch draws a permutation for a rest of 0, too
                yield from randperm(size, generator=generator).tolist()[:count]

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

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        check_positive("batch_size", batch_size)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        full, rest = divmod(len(self.sampler), self.batch_size)  # type: ignore[arg-type]
        return full + (rest > 0 and not self.drop_last)


def random_seed(generator: Generator | None) -> int:
    """Draw a seed for another generator: a 64-bit integer that isn't negative."""
    return int(random_(empty((), dtype=int64), generator=generator).item())


def check_positive(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")
