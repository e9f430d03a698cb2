"""Data sets: what has examples by their numbers."""

from __future__ import annotations

from types import GenericAlias
from typing import Any, NoReturn

from minigrad.ops.bind import missing
from minigrad.tensor import Tensor


class Dataset:
    """The base class of what has examples by their numbers."""

    __class_getitem__ = classmethod(GenericAlias)  # type: ignore[var-annotated]

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset):
    """Examples that lie in several tensors, along their first dimensions.

    Raises:
        AssertionError: if these are of several sizes.

    >>> import minigrad as torch
    >>> data = torch.utils.data.TensorDataset(torch.tensor([1.0, 2.0]), torch.tensor([0, 1]))
    >>> len(data), data[1]
    (2, (tensor(2.), tensor(1)))
    """

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class DataLoader:
    """What would load data in batches.

    Raises:
        NotImplementedError: always.
    """

    __class_getitem__ = classmethod(GenericAlias)  # type: ignore[var-annotated]

    def __init__(self, dataset: Any, *args: Any, **options: Any) -> NoReturn:
        raise NotImplementedError(
            "minigrad has no data loaders: take parts of tensors, as torch.randperm orders them"
        )


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.utils.data'", name, globals())
