"""The dtype that the gradient of a leaf must have: the leaf's own, unless somebody wants another.

Source: https://docs.pytorch.org/docs/stable/generated/torch.Tensor.grad_dtype.html
"""

from __future__ import annotations

from typing import Any

from minigrad import dtypes
from minigrad.autograd.tensor_hooks import TensorHooks
from minigrad.c_code import type_name

THERE_IS_ONE = (
    "Cannot set grad_dtype to '{}' because there is already a gradient with dtype '{}'. Please "
    "clear the gradient (.grad = None) before changing grad_dtype, or ensure the new grad_dtype "
    "matches the existing gradient's dtype."
)


class GradDtype(TensorHooks):
    """What Tensor knows of its gradient's dtype."""

    _value: Any
    # numpy's dtype, which edges to the leaf carry; None: any; False: the leaf's own.
    _edge_dtype: Any = False

    @property
    def grad_dtype(self) -> dtypes.dtype | None:
        """The dtype of a leaf's gradients, to which they are cast; None where any will do.

        Graphs recorded before it is set go on as they are.

        Raises:
            RuntimeError: if the tensor is no leaf; when it is set, if there is a gradient of
                another dtype, or it is no dtype.

        >>> import minigrad as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> x.grad_dtype = torch.float64
        >>> (x * 3).sum().backward()
        >>> x.grad
        tensor([3., 3.], dtype=torch.float64)
        """
        if self._find_edge() is not None:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        return self._wanted_dtype()

    @grad_dtype.setter
    def grad_dtype(self, wanted: dtypes.dtype | None) -> None:
        if self._find_edge() is not None:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        if not (wanted is None or isinstance(wanted, dtypes.dtype)):
            raise RuntimeError(
                f"grad_dtype must be a torch.dtype or None, but got {type_name(wanted)}"
            )
        there = self._grad
        if wanted is not None and there is not None and there.dtype is not wanted:
            raise RuntimeError(THERE_IS_ONE.format(wanted.scalar_name, there.dtype.cpp_name))
        self._edge_dtype = None if wanted is None else wanted.numpy_dtype

    def _wanted_dtype(self) -> dtypes.dtype | None:
        """Return the dtype that the gradient of this tensor must have, leaf or not."""
        dtype = self._edge_dtype
        if dtype is None:
            return None
        return dtypes.of_numpy(self._value.dtype if dtype is False else dtype)
