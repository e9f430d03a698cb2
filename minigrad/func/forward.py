"""Jacobian-vector products of functions, Jacobians by their columns, and Hessians: by forward mode.

A function is called with dual tensors, at levels of `minigrad.autograd.forward_ad` that nest.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from minigrad.autograd import forward_ad
from minigrad.autograd.forward_ad.following import dual_level_within
from minigrad.autograd.forward_ad.tangents import DualLevel
from minigrad.creation import eye
from minigrad.func.at_random import Refusing, check_randomness
from minigrad.func.batched import Batched, plain, spread
from minigrad.func.captured import Scope
from minigrad.func.reverse import jacrev
from minigrad.func.trees import Argnums, chosen, output_and_aux, output_tensors, replaced
from minigrad.memory import is_repeated
from minigrad.ops.check import check
from minigrad.overrides.asking import Unseen, modes
from minigrad.tensor import Tensor
from minigrad.utils._pytree import TreeSpec, tree_flatten, tree_leaves, tree_unflatten

Function = Callable[..., Any]

JVP = "jvp(f, primals, tangents)"
NO_TENSOR = "Expected tensors, got unsupported type {}"
INDEPENDENT = (
    "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is "
    "not allowed with strict=True."
)


def jvp(
    func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """Return what `func` gives for some arguments, and the product of its Jacobian with a vector.

    Args:
        func: takes tensors, or trees of them, and returns such.
        primals: the tuple of its arguments.
        tangents: the vector: a tensor for each of `primals`, in a tree as they are.
        strict: raise if an output does not depend on the arguments, rather than give zeros.
        has_aux: whether `func` returns a pair, of which only the first is differentiated; the other
            is returned as third.

    Raises:
        RuntimeError, ValueError: for arguments or vectors that do not fit, or are no tensors of
            floating point dtype; if `func` returns anything else; or if `strict`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.jvp.html

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.func.jvp(lambda x: (x * x).sum(), (x,), (torch.tensor([1.0, 0.0]),))
    (tensor(5.), tensor(2.))
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    inputs, spec = tree_flatten(primals)
    vectors, given = tree_flatten(tangents)
    if spec != given:
        raise RuntimeError(
            f"{JVP}: Expected primals and tangents to have the same python structure. For example, "
            "if primals is a tuple of 3 tensors, tangents also must be. Got primals with structure "
            f"{spec} and tangents with structure {given}"
        )
    check_tensors(inputs, "primals")
    check_tensors(vectors, "tangents")
    outputs, product, spec, aux = push(func, primals, None, vectors, None, strict, has_aux)
    result = tree_unflatten(outputs, spec), tree_unflatten(product, spec)
    return (*result, aux) if has_aux else result


def check_tensors(given: Sequence[Any], name: str) -> None:
    """Refuse anything but tensors."""
    if not given:
        raise RuntimeError(f"{JVP}: Expected {name} to contain at least one Tensor.")
    for one in given:
        if not isinstance(one, Tensor):
            raise RuntimeError(f"{JVP}: Expected {name} to only contain Tensors, got {type(one)}")


class Pushed:
    """What is known of the tensors of a function that is called with dual ones."""

    level: DualLevel
    inputs: list[tuple[Any, Any]]  # dual tensors and what they stand for

    def gave(self, one: Any) -> bool:
        """Return whether a tensor has a tangent."""
        return tangent_of(self.level, one) is not None

    def value_of(self, one: Any) -> Any:
        """Return a tensor as it is outside: what an input stands for, and others themselves."""
        return next((outer for dual, outer in self.inputs if dual is one), one)


def push(
    func: Function,
    args: tuple[Any, ...],
    argnums: Argnums,
    vectors: Sequence[Tensor],
    count: int | None,
    strict: bool,
    has_aux: bool,
) -> tuple[list[Tensor], list[Tensor], TreeSpec, Any]:
    """Call a function with dual tensors.

    Args:
        func, strict, has_aux: as for `jvp`.
        args: its arguments.
        argnums: which to differentiate by: a place, a tuple of places, or None for all.
        vectors: the tangents of these.
        count: how many directions the tangents have, along a first dimension of theirs; None for
            one, without that dimension.

    Returns:
        The tensors that `func` returned, their tangents, the form of the tree that they were in,
        and what it returned besides.

    Raises:
        RuntimeError, ValueError: as `jvp` does.
    """
    check(forward_ad._current_level < 0, forward_ad.NESTED)
    inputs, spec = tree_flatten(args if argnums is None else chosen(args, argnums))
    for one, tangent in zip(inputs, vectors, strict=True):
        forward_ad.check_dual(one, tangent if count is None else one)
    scope, seen = Scope(1 if count is None else 2), modes.on  # PyTorch maps over directions
    scope.admit((args, vectors))  # a tangent is changed with its tensor
    pushed = Pushed()
    with Unseen(), scope.running(pushed), dual_level_within(count) as level:
        duals = [
            dual(level, spread(one), vector) for one, vector in zip(inputs, vectors, strict=True)
        ]
        pushed.level, pushed.inputs = level, list(zip(duals, inputs, strict=True))
        given = tree_unflatten(duals, spec)
        args, modes.on = given if argnums is None else replaced(args, argnums, given), seen
        result, aux = func(*args), None
        modes.on = False
        if has_aux:
            result, aux = output_and_aux(result, JVP)
            for one in tree_leaves(aux):
                check(isinstance(one, Tensor), NO_TENSOR, type(one))
        leaves, spec = output_tensors(result, JVP)
        found = [tangent_of(level, one) for one in leaves]
    check(not strict or not any(one is None for one in found), INDEPENDENT)
    with Unseen():
        outputs = [one[...] for one in leaves]
        filled = [
            one.new_zeros((*level.lead, *one.shape)) if tangent is None else tangent
            for one, tangent in zip(outputs, found, strict=True)
        ]
        return outputs, filled, spec, aux


def dual(level: DualLevel, one: Any, tangent: Any) -> Any:
    """Return a view of an input with a tangent, mapped over as that is."""
    if not isinstance(one, Batched):
        return forward_ad.dual_at(level, one, level.expanded(tangent, one.shape))
    if not level.lead:
        tangent = one.vmap.batch_of(tangent)
    # What is the same for all slices has tangents that are not; any other is changed in place.
    batch = one.batch.contiguous() if is_repeated(plain(one)._array) else one.batch
    return one.like(dual(level, batch, tangent))


def tangent_of(level: DualLevel, one: Any, vmaps: int = 0) -> Any:
    """Return the tangent of a tensor, mapped over as that is, None if it has none.

    `vmaps` is how many there are around those that map it: many directions come behind theirs.
    """
    if isinstance(one, Batched):
        tangent = tangent_of(level, one.batch, vmaps + 1)
        return None if tangent is None else one.like(tangent)
    tangent = level.tangent_of(one)
    return tangent.movedim(0, vmaps) if tangent is not None and level.lead and vmaps else tangent


def jacfwd(
    func: Function, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Function:
    """Return a function that gives the Jacobian of `func`, all columns at once.

    Its shape is as that of `jacrev`, which needs fewer passes if there are fewer outputs than
    inputs.

    Args:
        func, argnums, has_aux: as for `jacrev`.
        randomness: "error" to refuse random functions, else "same" or "different": they draw once
            for all columns.

    Raises:
        RuntimeError, ValueError: what is returned does so, as `jvp`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.jacfwd.html

    >>> import minigrad as torch
    >>> torch.func.jacfwd(lambda x: x * x)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        check_randomness(randomness)
        inputs, spec = tree_flatten(chosen(args, argnums))
        with Unseen():
            numbers = [one.numel() for one in inputs]
            count, starts = sum(numbers), accumulate(numbers, initial=0)
            vectors = [
                eye(count, dtype=one.dtype)[:, start : start + number].view(count, *one.shape)
                for one, number, start in zip(inputs, numbers, starts, strict=False)
            ]
        with Refusing() if randomness == "error" else contextlib.nullcontext():
            _, products, tree, aux = push(func, args, argnums, vectors, count, False, has_aux)
        with Unseen():
            rows = [
                tree_unflatten(blocks(columns.movedim(0, -1), inputs), spec) for columns in products
            ]
        result = tree_unflatten(rows, tree)
        return (result, aux) if has_aux else result

    return jacobian


def blocks(every: Tensor, inputs: Sequence[Tensor]) -> list[Tensor]:
    """Return the Jacobian of an output, given by all its columns, with respect to each input."""
    return [
        part.unflatten(-1, one.shape) if one.dim() else part.squeeze(-1)
        for part, one in zip(every.split([one.numel() for one in inputs], -1), inputs, strict=True)
    ]


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """Return a function that gives the Hessian of `func`, by columns of `jacrev`.

    Args:
        func: takes tensors, or trees of them, and returns such; mostly one without dimensions.
        argnums: as for `jacrev`.

    Raises:
        RuntimeError, ValueError: what is returned does so, as `jacfwd`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.hessian.html

    >>> import minigrad as torch
    >>> torch.func.hessian(lambda x: (x**3).sum())(torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """Return what `func` gives for some arguments, and the function that approximates it there.

    That takes a vector for each argument, and gives the product of the Jacobian with them; it may
    be called several times.

    Raises:
        RuntimeError, ValueError: for arguments that are no tensors of floating point dtype, or if
            `func` returns anything else; by the function returned, for vectors that do not fit.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.linearize.html

    >>> import minigrad as torch
    >>> value, product = torch.func.linearize(torch.sin, torch.zeros(2))
    >>> product(torch.tensor([1.0, 2.0]))
    tensor([1., 2.])
    """
    inputs, primals_spec = tree_flatten(primals)

    def jvp_fn(*tangents: Any) -> Any:
        vectors, spec = tree_flatten(tangents)
        if spec != primals_spec:
            raise RuntimeError(
                f"Expected the tangents {spec} to have the same argspec as the primals "
                f"{primals_spec}"
            )
        for place, (vector, one) in enumerate(zip(vectors, inputs, strict=True)):
            for name in ("shape", "device", "dtype"):
                given, wanted = getattr(vector, name), getattr(one, name)
                if given != wanted:
                    raise RuntimeError(
                        f"tangent:{place} with {name} {given} in flattened pytree doesn't match "
                        f"the {name} {wanted} of the corresponding primal."
                    )
        return jvp(func, primals, tangents)[1]

    return func(*primals), jvp_fn
