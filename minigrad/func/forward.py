"""Jacobian-vector products of functions, Jacobians by their columns, and Hessians.

What forward mode gives is computed by two backward passes: the vector-Jacobian product is linear in
its vector, and its derivative with respect to that is the Jacobian, transposed once more. So what a
function computes under `no_grad` is constant to it, as to a backward pass.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any

from minigrad.autograd import forward_ad
from minigrad.autograd.forward_ad.custom import NOT_FLOATING, OTHER_SIZE
from minigrad.autograd.grad_mode import is_grad_enabled
from minigrad.creation import ones_like
from minigrad.func.at_random import Refusing
from minigrad.func.called import Called, units
from minigrad.func.levels import zeros_where_none
from minigrad.func.reverse import jacrev
from minigrad.func.trees import Argnums, chosen
from minigrad.functions import stack
from minigrad.ops.check import check
from minigrad.tensor import Tensor
from minigrad.utils._pytree import tree_flatten, tree_map, tree_unflatten

Function = Callable[..., Any]

JVP = "jvp(f, primals, tangents)"
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
    for one, vector in zip(inputs, vectors, strict=True):
        check_dual(one, vector)
    pushed = Pushforward(func, primals, None, has_aux)
    product = pushed.product(vectors, strict)
    outputs = tree_map(lambda one: one[...] if one.requires_grad else one, pushed.outputs)
    return (outputs, product, pushed.aux) if has_aux else (outputs, product)


def check_tensors(given: Sequence[Any], name: str) -> None:
    """Refuse anything but tensors."""
    if not given:
        raise RuntimeError(f"{JVP}: Expected {name} to contain at least one Tensor.")
    for one in given:
        if not isinstance(one, Tensor):
            raise RuntimeError(f"{JVP}: Expected {name} to only contain Tensors, got {type(one)}")


def check_dual(one: Tensor, vector: Tensor) -> None:
    """Refuse a vector that is no tangent of a tensor.

    Raises:
        ValueError, RuntimeError: as `minigrad.autograd.forward_ad.make_dual` does.
    """
    check(one.is_floating_point(), NOT_FLOATING, "primal", one.dtype, error=ValueError)
    check(one.shape == vector.shape, OTHER_SIZE, list(one.shape), list(vector.shape))


class Pushforward(Called):
    """A function that was called, and its Jacobian-vector product.

    It is refused while a level of `minigrad.autograd.forward_ad` is open, as in PyTorch.
    `starts` are vectors of a vector-Jacobian product, one for each output that has a gradient, and
    `products` what that gives for each argument. Any vectors will do, but formulas that take
    logarithms do not like zeros.
    """

    of = JVP
    refusing_hooks = False

    def __init__(self, *arguments: Any) -> None:
        check(forward_ad._current_level < 0, forward_ad.NESTED)
        super().__init__(*arguments)

    def prepare(self) -> None:
        """Compute the vector-Jacobian product, to be differentiated by its vectors."""
        self.leaves = tree_flatten(self.outputs)[0]
        self.starts = [
            self.level.new_input(ones_like(one)) if one.is_floating_point() else one
            for one in self.inner
        ]
        self.products = self.level.gradients(self.inner, self.inputs, self.starts, kept=True)

    def tangents(self, vectors: Sequence[Any], recorded: bool) -> list[Any]:
        """Return the product of the Jacobian with vectors, None for outputs that do not depend.

        There is one vector for each argument, None where it is zero. `recorded` is that of
        `Level.gradients`.
        """
        pairs = [
            (product, vector)
            for product, vector in zip(self.products, vectors, strict=True)
            if product is not None and vector is not None
        ]
        places = [place for place, one in enumerate(self.starts) if one is not self.inner[place]]
        result: list[Any] = [None] * len(self.starts)
        if pairs:
            products, given = zip(*pairs, strict=True)
            found = self.level.gradients(
                products, [self.starts[place] for place in places], given, recorded
            )
            for place, one in zip(places, found, strict=True):
                result[place] = one
        return result

    def product(self, vectors: Sequence[Any], strict: bool = False) -> Any:
        """Return the product of the Jacobian with vectors, as the outputs are.

        Raises:
            RuntimeError: if `strict` and an output does not depend on the arguments.
        """
        found = self.tangents(vectors, is_grad_enabled())
        if strict and any(one is None for one in found):
            raise RuntimeError(INDEPENDENT)
        return tree_unflatten(zeros_where_none(found, self.leaves), self.output_spec)

    def columns(self, number: int) -> list[Tensor]:
        """Return the Jacobian of each output with respect to one argument."""
        one, columns = self.inputs[number], []
        products = [product for product in self.products if product is not None]
        recorded = is_grad_enabled() and self.level.leads_outside(products)
        for unit in units(one):
            vectors: list[Any] = [None] * len(self.inputs)
            vectors[number] = unit
            columns.append(zeros_where_none(self.tangents(vectors, recorded), self.leaves))
        shapes = [(*like.shape, *one.shape) for like in self.leaves]
        if not columns:
            pairs = zip(self.leaves, shapes, strict=True)
            return [like.new_zeros(shape) for like, shape in pairs]
        rows = zip(*columns, strict=True)
        return [stack(row, -1).view(shape) for row, shape in zip(rows, shapes, strict=True)]


def jacfwd(
    func: Function, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Function:
    """Return a function that gives the Jacobian of `func`, column by column.

    Its shape is as that of `jacrev`, which needs fewer passes if there are fewer outputs than
    inputs.

    Args:
        func, argnums, has_aux: as for `jacrev`.
        randomness: as for `vmap`: by default random functions are refused.

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
        for one in tree_flatten(chosen(args, argnums))[0]:
            check_dual(one, one)
        with Refusing() if randomness == "error" else contextlib.nullcontext():
            pushed = Pushforward(func, args, argnums, has_aux)
        columns = [pushed.columns(number) for number in range(len(pushed.inputs))]
        rows = [tree_unflatten(row, pushed.spec) for row in zip(*columns, strict=True)]
        result = tree_unflatten(rows, pushed.output_spec)
        return (result, pushed.aux) if has_aux else result

    return jacobian


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
    pushed = Pushforward(func, primals, None, False)

    def product(*tangents: Any) -> Any:
        vectors, spec = tree_flatten(tangents)
        if spec != pushed.spec:
            raise RuntimeError(
                f"Expected the tangents {spec} to have the same argspec as the primals "
                f"{pushed.spec}"
            )
        for place, (vector, one) in enumerate(zip(vectors, pushed.inputs, strict=True)):
            for name in ("shape", "device", "dtype"):
                given, wanted = getattr(vector, name), getattr(one, name)
                if given != wanted:
                    raise RuntimeError(
                        f"tangent:{place} with {name} {given} in flattened pytree doesn't match "
                        f"the {name} {wanted} of the corresponding primal."
                    )
        return pushed.product(vectors)

    return pushed.outputs, product
