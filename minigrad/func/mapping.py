"""`vmap`: a function of tensors as one of tensors with a further dimension."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from minigrad.func.answers import answered
from minigrad.func.at_random import check_randomness
from minigrad.func.batched import Batched, Vmap
from minigrad.func.custom import custom
from minigrad.func.trees import dims_for
from minigrad.functions import cat
from minigrad.overrides.asking import Unseen
from minigrad.random import get_rng_state, set_rng_state
from minigrad.tensor import Tensor
from minigrad.utils._pytree import (
    TreeSpec,
    tree_flatten,
    tree_leaves,
    tree_structure,
    tree_unflatten,
)

Function = Callable[..., Any]


def vmap(
    func: Function,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """Return a function that maps `func` over a dimension of its arguments.

    `func` is called once, with tensors that look as if that dimension was not there; what it
    computes with them is computed for all slices.

    Args:
        func: takes tensors, or lists, tuples and dictionaries of them, and returns such.
        in_dims: the dimension of each argument, None where it is the same for all slices: a number
            for all tensors, or a tuple with one for each argument, itself a number or a tree of
            them as the argument is.
        out_dims: where the dimension is in what `func` returned: a number, or a tree of them; None
            for what is the same for all slices.
        randomness: what random functions do: raise an "error", or draw "different" numbers for each
            slice or the "same" for all.
        chunk_size: how many slices to compute at once; all by default.

    Raises:
        ValueError, RuntimeError: for arguments that do not fit, and by what is returned for inputs
            or outputs that do not, or if `func` depends on values: ``if x > 0``, ``x.item()``.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.vmap.html

    >>> import minigrad as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.vmap(torch.dot)(x, x)
    tensor([ 5., 25.])
    >>> torch.vmap(torch.func.grad(lambda x: (x**3).sum()))(x)
    tensor([[ 3., 12.],
            [27., 48.]])
    """
    check_randomness(randomness)
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        mapping = Mapping(func, in_dims, out_dims, randomness)
        mapping.check_out_dims()
        return mapping.called(args, kwargs, chunk_size)

    return mapped


class Mapping:
    """A function that is to be mapped, and how."""

    def __init__(self, func: Function, in_dims: Any, out_dims: Any, randomness: str) -> None:
        self.func, self.in_dims, self.out_dims = func, in_dims, out_dims
        self.randomness = randomness
        self.name = name_of(func)

    def called(self, args: tuple[Any, ...], kwargs: dict[str, Any], chunk_size: int | None) -> Any:
        """Return what the function gives for all slices.

        Raises:
            ValueError: for inputs or outputs that do not fit.
            AssertionError: if there is no slice, and they are computed in chunks.
        """
        tensors, dims, spec = self.inputs(args)
        size = self.size(tensors, dims)
        if chunk_size is None:
            return self.of_slices(tensors, dims, spec, kwargs, size)
        state = get_rng_state() if self.randomness == "same" else None
        chunks = []
        for start in range(0, size, chunk_size):
            count = min(chunk_size, size - start)
            with Unseen():
                parts = [
                    one if dim is None else one.narrow(dim, start, count)
                    for one, dim in zip(tensors, dims, strict=True)
                ]
            if state is not None:
                set_rng_state(state)
            chunks.append(self.of_slices(parts, dims, spec, kwargs, count))
        if not chunks:
            raise AssertionError("arg_spec must not be None")
        leaves, outputs = zip(*map(tree_flatten, chunks), strict=True)
        places = dims_for(self.out_dims, outputs[0]) or []
        joined = [cat(parts, dim) for *parts, dim in zip(*leaves, places, strict=True)]
        return tree_unflatten(joined, outputs[0])

    def of_slices(
        self, tensors: list[Any], dims: list[Any], spec: TreeSpec, kwargs: Any, size: int
    ) -> Any:
        """Call the function once, with tensors that stand for all slices."""
        mode = Vmap(size, self.randomness, answered, custom)
        with Unseen():
            given = [
                one if dim is None else self.input(mode, one, dim)
                for one, dim in zip(tensors, dims, strict=True)
            ]
        with mode:
            result = self.func(*tree_unflatten(given, spec), **kwargs)
        with Unseen():
            return self.outputs(mode, result)

    def input(self, mode: Vmap, one: Tensor, dim: int) -> Batched:
        """Return the tensor that stands for the slices of an input."""
        batched = mode.of(one.movedim(dim, 0) if dim else one)
        batched.in_dim = dim
        return batched

    def refuse(self, text: str) -> NoReturn:
        raise ValueError(f"vmap({self.name}, in_dims={self.in_dims}, ...)(<inputs>): {text}")

    def inputs(self, args: tuple[Any, ...]) -> tuple[list[Any], list[int | None], TreeSpec]:
        """Return what is in the arguments, the dimension of each, and the form of their tree.

        Raises:
            ValueError: if they do not fit each other.
        """
        if not isinstance(self.in_dims, (int, tuple)):
            self.refuse(
                "expected `in_dims` to be int or a (potentially nested) tuple matching the "
                f"structure of inputs, got: {type(self.in_dims)}."
            )
        if not args:
            raise ValueError(
                f"vmap({self.name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or "
                "you are trying to vmap over a function with no inputs. The latter is unsupported."
            )
        leaves, spec = tree_flatten(args)
        dims = dims_for(self.in_dims, spec)
        if dims is None:
            self.refuse(
                "in_dims is not compatible with the structure of `inputs`. in_dims has structure "
                f"{tree_structure(self.in_dims)} but inputs has structure {spec}."
            )
        return leaves, [self.dim_of(*pair) for pair in zip(leaves, dims, strict=True)], spec

    def dim_of(self, one: Any, dim: Any) -> int | None:
        """Return the dimension of an input, not negative."""
        if dim is None:
            return None
        if not isinstance(dim, int):
            self.refuse(
                f"Got in_dim={dim} for an input but in_dim must be either an integer dimension or "
                "None."
            )
        if not isinstance(one, Tensor):
            self.refuse(
                f"Got in_dim={dim} for an input but the input is of type {type(one)}. We cannot "
                "vmap over non-Tensor arguments, please use None as the respective in_dim"
            )
        if dim < -one.dim() or dim >= one.dim():  # as often as in PyTorch, where modes see it
            count = one.dim()
            self.refuse(
                f"Got in_dim={dim} for some input, but that input is a Tensor of dimensionality "
                f"{count} so expected in_dim to satisfy -{count} <= in_dim < {count}."
            )
        return dim % one.dim() if dim < 0 else dim

    def size(self, tensors: Sequence[Any], dims: Sequence[int | None]) -> int:
        """Return how many slices there are.

        Raises:
            ValueError: if there is no tensor to map over, or they differ in that.
        """
        pairs = zip(tensors, dims, strict=True)
        sizes = [one.size(dim) for one, dim in pairs if dim is not None]
        if not sizes:
            raise ValueError("vmap: Expected at least one Tensor to vmap over")
        if len(set(sizes)) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, got "
                f"sizes {sizes} for the mapped dimension"
            )
        return int(sizes[0])

    def check_out_dims(self) -> None:
        """Refuse numbers of dimensions that are none.

        Raises:
            ValueError: with PyTorch's text.
        """
        for one in [] if isinstance(self.out_dims, int) else tree_leaves(self.out_dims):
            if not (one is None or isinstance(one, int)):
                raise ValueError(
                    f"vmap({self.name}, ..., out_dims={self.out_dims}): `out_dims` must be an int, "
                    "None or a python collection of ints representing where in the outputs the "
                    "vmapped dimension should appear."
                )

    def outputs(self, mode: Vmap, result: Any) -> Any:
        """Return what the function returned, with the dimension where it is wanted.

        Raises:
            ValueError: if `out_dims` does not fit it.
        """
        leaves, spec = tree_flatten(result)
        out_dims = self.out_dims
        if isinstance(result, Tensor) and isinstance(out_dims, tuple) and len(out_dims) == 1:
            (out_dims,) = out_dims
        dims = dims_for(out_dims, spec)
        if dims is None or not all(one is None or isinstance(one, int) for one in dims):
            raise ValueError(
                f"vmap({self.name}, ..., out_dims={self.out_dims})(<inputs>): out_dims is not "
                "compatible with the structure of `outputs`. out_dims has structure "
                f"{tree_structure(self.out_dims)} but outputs has structure {spec}."
            )
        pairs = zip(leaves, dims, strict=True)
        return tree_unflatten([self.output(mode, one, dim) for one, dim in pairs], spec)

    def output(self, mode: Vmap, one: Any, dim: int | None) -> Any:
        """Return one output of the function.

        Raises:
            ValueError: if it is no tensor, or a batched one where there is to be no dimension.
        """
        start = f"vmap({self.name}, ...): `{self.name}`"
        if dim is None:
            if type(one) is Batched:
                raise ValueError(f"{start} can not return a BatchedTensor when out_dim is None")
            return one
        if not isinstance(one, Tensor):
            raise ValueError(
                f"{start} must only return Tensors, got type {type(one)}. Did you mean to set "
                "out_dims= to None for output?"
            )
        if mode.has(one):
            return one.batch.movedim(0, dim) if dim else one.batch  # type: ignore[attr-defined]
        shape = list(one.shape)
        shape.insert(dim if dim >= 0 else len(shape) + 1 + dim, mode.size)
        return one.expand(shape)


def name_of(func: Any) -> str:
    """Return what to call a function in a text."""
    if hasattr(func, "__name__"):
        return str(func.__name__)
    if isinstance(func, functools.partial):
        return f"functools.partial({name_of(func.func)}, ...)"
    return repr(func)
