"""Gradients, vector-Jacobian products and Jacobians of functions, by backward passes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from minigrad.autograd.anomaly_mode import is_anomaly_enabled
from minigrad.autograd.forward_ad import dual_at
from minigrad.autograd.forward_ad.following import dual_level_within
from minigrad.autograd.grad_mode import is_grad_enabled
from minigrad.autograd.node import AccumulateGrad
from minigrad.creation import eye, ones_like
from minigrad.func.batched import Batched
from minigrad.func.levels import Level, zeros_where_none
from minigrad.func.trees import Argnums, chosen, output_and_aux, output_tensors, replaced
from minigrad.functions import cat, stack
from minigrad.ops.rule import OperationNode
from minigrad.overrides.asking import Unseen
from minigrad.tensor import Tensor
from minigrad.utils._pytree import TreeSpec, tree_flatten, tree_unflatten

Function = Callable[..., Any]

GRAD = "grad_and_value(f)(*args)"
VJP = "vjp(f, *primals)"
FEW = 12  # rows that are faster computed one by one
# Nodes that go by the signs of gradients, whose derivative a gradient of zero does not tell.
BY_SIGN = {"LogcumsumexpBackward0"}


def grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """Return a function that gives the gradient of `func`.

    It may be transformed again, for higher derivatives; whether gradients are enabled around it
    does not matter to it, and it touches no tensor's `.grad`.

    Args:
        func: takes tensors, or trees of them, and returns a tensor without dimensions.
        argnums: with respect to which argument; a tuple of gradients is returned for a tuple.
        has_aux: whether `func` returns the tensor and a tree of others, which are returned besides.

    Raises:
        RuntimeError, ValueError: what is returned does so, for arguments that there are not or that
            are no tensors of floating point dtype; if `func` returns anything else, or changes in
            place a tensor that it was neither given nor made itself; and by `backward`,
            `requires_grad_`, `retain_grad` and custom Functions without `setup_context` in it.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.grad.html

    >>> import minigrad as torch
    >>> torch.func.grad(torch.sin)(torch.tensor(0.0))
    tensor(1.)
    >>> torch.func.grad(torch.func.grad(lambda x: x**3))(torch.tensor(2.0))
    tensor(12.)
    """
    with_value = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        slope, value = with_value(*args, **kwargs)
        return (slope, value[1]) if has_aux else slope

    return gradient


def grad_and_value(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """Return a function that gives the gradient of `func`, and its value.

    With `has_aux` the value is the pair that `func` returned.

    Args:
        func, argnums, has_aux: as for `grad`.

    Raises:
        RuntimeError, ValueError: what is returned does so, as by `grad`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.grad_and_value.html

    >>> import minigrad as torch
    >>> torch.func.grad_and_value(lambda x: (x * x).sum())(torch.tensor([1.0, 2.0]))
    (tensor([2., 4.]), tensor(5.))
    """

    @functools.wraps(func)
    def gradient_and_value(*args: Any, **kwargs: Any) -> Any:
        with Level() as level:
            level.scope.admit((args, kwargs))
            inputs = level.enter(chosen(args, argnums))
            value = func(*replaced(args, argnums, inputs), **kwargs)
            aux = None
            if has_aux:
                value, aux = output_and_aux(value, GRAD)
            check_scalar(value)
            leaves, spec = tree_flatten(inputs)
            found = level.gradients([value], leaves, recorded=level.recorded)
            slope = tree_unflatten(zeros_where_none(found, level.leave(leaves)), spec)
            value = level.leave(value)
            return slope, ((value, level.leave(aux)) if has_aux else value)

    return gradient_and_value


def check_scalar(value: Any) -> None:
    """Refuse what has no gradient: anything but a tensor without dimensions.

    Raises:
        RuntimeError: with PyTorch's text.
    """
    if not isinstance(value, Tensor):
        raise RuntimeError(f"{GRAD}: Expected f(*args) to return a Tensor, got {type(value)}")
    if value.dim() != 0:
        raise RuntimeError(
            f"{GRAD}: Expected f(*args) to return a scalar Tensor, got tensor with {value.dim()} "
            "dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """Return what `func` gives for some arguments, and the function of its vector-Jacobian product.

    That takes a vector for each output, in a tree as they are, and gives a tuple with the product
    for each argument. It may be called several times.

    Args:
        func: takes tensors, or trees of them, and returns such.
        primals: its arguments.
        has_aux: whether `func` returns a pair, of which only the first is differentiated; the other
            is returned as third.

    Raises:
        RuntimeError, ValueError: for arguments that are no tensors of floating point dtype, or if
            `func` returns anything else, or does what `grad` refuses; by the function returned, for
            vectors that do not fit.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.vjp.html

    >>> import minigrad as torch
    >>> value, product = torch.func.vjp(lambda x: x * x, torch.tensor([1.0, 2.0]))
    >>> product(torch.tensor([1.0, 10.0]))
    (tensor([ 2., 40.]),)
    """
    pulled = Pullback(func, primals, None, has_aux)
    outputs = pulled.outputs, pulled.product
    return (*outputs, pulled.aux) if has_aux else outputs


class Pullback:
    """A function that was called, and its vector-Jacobian product.

    Inside, `inputs` are new tensors in the place of those to differentiate by, in a tree of the
    form `spec`, and `inner` the tensors returned, in one of the form `output_spec`. Outside there
    are `primals`, `outputs` and `aux`.

    Args:
        func: takes and returns tensors, or trees of them.
        args: its arguments.
        argnums: which to differentiate by: a place, a tuple of places, or None for all.
        has_aux: whether it returns a pair, of which only the first is differentiated.

    Raises:
        RuntimeError, ValueError: for arguments and outputs that cannot be differentiated.
    """

    aux: Any = None

    def __init__(
        self, func: Function, args: tuple[Any, ...], argnums: Argnums, has_aux: bool
    ) -> None:
        with Level() as self.level:
            self.level.scope.admit(args)
            if argnums is None:
                args = inputs = self.level.enter(args)
            else:
                inputs = self.level.enter(chosen(args, argnums))
                args = replaced(args, argnums, inputs)
            self.inputs, self.spec = tree_flatten(inputs)
            outputs = func(*args)
            if has_aux:
                outputs, aux = output_and_aux(outputs, VJP)
                self.aux = self.level.leave(aux)
            self.inner, self.output_spec = output_tensors(outputs, VJP)
            self.primals = self.level.leave(self.inputs)
            self.outputs = self.level.leave(outputs)
            for one in self.inner:
                if not one.is_floating_point():
                    raise RuntimeError(
                        "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, "
                        f"got Tensor with dtype {one.dtype}"
                    )

    def product(
        self, cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None
    ) -> Any:
        """Return the products of the vectors with the Jacobian, as the arguments are.

        Args:
            cotangents: the vectors, in a tree as the outputs are.
            retain_graph: whether it may be called again.
            create_graph: whether this is recorded; by default, if gradients are enabled.

        Raises:
            RuntimeError: if there is not one vector for each output, of its shape, or the last call
                did not retain the graph.
        """
        vectors, spec = tree_flatten(cotangents)
        if spec != self.output_spec:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of "
                f"outputs to the function. cotangents: {starred(spec)}, primal output: "
                f"{starred(self.output_spec)}"
            )
        recorded = is_grad_enabled() if create_graph is None else create_graph
        found = self.level.gradients(
            self.inner, self.inputs, vectors, recorded, retain_graph=retain_graph
        )
        return tree_unflatten(zeros_where_none(found, self.primals), self.spec)

    def rows(self, number: int, chunk_size: int | None) -> list[Tensor]:
        """Return the Jacobian of one output with respect to each argument.

        As many rows as a chunk has are computed at once, where their gradients can be followed.
        """
        output = self.inner[number]
        recorded = is_grad_enabled() and self.level.leads_outside([output])
        with Unseen():
            count = output.numel()
            units: Tensor = eye(count, dtype=output.dtype).view(count, *output.shape)
            at_once = count > FEW and chunk_size != 1 and self.is_simple(output)
        size = chunk_size or count
        every = self.rows_at_once(output, units, size, recorded) if at_once else None
        if every is None:
            every = self.rows_one_by_one(output, units, recorded)
        with Unseen():
            return [
                one.view((*output.shape, *primal.shape))
                for one, primal in zip(every, self.primals, strict=True)
            ]

    def rows_one_by_one(self, output: Tensor, units: Tensor, recorded: bool) -> list[Tensor]:
        """Return all rows, with respect to each argument, by a backward pass for each."""
        with Unseen():
            each = units.unbind(0)
        rows = [
            zeros_where_none(
                self.level.gradients([output], self.inputs, [unit], recorded), self.primals
            )
            for unit in each
        ]
        with Unseen():
            if not rows:
                return [one.new_zeros((0, *one.shape)) for one in self.primals]
            return [stack(one) for one in zip(*rows, strict=True)]

    def rows_at_once(
        self, output: Tensor, units: Tensor, size: int, recorded: bool
    ) -> list[Tensor] | None:
        """Return all rows, with respect to each argument, by a pass for so many.

        It is None where a gradient is computed by what has no gradient itself.
        """
        with Unseen():
            chunks = units.split(size)
        try:
            products = [self.products(output, chunk, recorded) for chunk in chunks]
        except NotImplementedError:
            return None
        with Unseen():
            return [cat(parts) for parts in zip(*products, strict=True)]

    def products(self, output: Tensor, vectors: Tensor, recorded: bool) -> list[Tensor]:
        """Return the products of many vectors with the Jacobian of an output.

        The product is linear in the vector, and so its own derivative along any direction.
        """
        with Unseen(), dual_level_within(len(vectors)) as along:
            start = dual_at(along, ones_like(output), vectors)
            found = self.level.gradients([output], self.inputs, [start], recorded)
            tangents = [None if one is None else along.tangent_of(one) for one in found]
            return [
                along.zeros_for(one) if tangent is None else tangent
                for one, tangent in zip(self.primals, tangents, strict=True)
            ]

    def is_simple(self, output: Any) -> bool:
        """Return whether a backward pass may be differentiated for many gradients at once.

        Not if a function of the user's, `vmap` or anomaly mode, which looks at each gradient, takes
        part, or a formula that is linear in what it computes, but not in how.
        """
        mapped = any(isinstance(one, Batched) for one in (output, *self.inputs))
        if mapped or is_anomaly_enabled():
            return False
        stack = [output._gradient_edge()[0]] if output.requires_grad else []
        seen = set(stack)
        while stack:
            node = stack.pop()
            known = isinstance(node, (OperationNode, AccumulateGrad))
            if node.hooks is not None or not known or node.name() in BY_SIGN:
                return False
            new = {edge[0] for edge in node.edges} - seen - {None}
            seen |= new
            stack += new
        return True


def starred(spec: TreeSpec) -> str:
    """Return the text of a tree with stars for its leaves."""
    tree = tree_unflatten([Star()] * spec.num_leaves, spec)
    return repr(tree)


class Star:
    """A leaf that is shown as ``*``."""

    def __repr__(self) -> str:
        return "*"


def jacrev(
    func: Function,
    argnums: Argnums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Function:
    """Return a function that gives the Jacobian of `func`, by its rows: by backward passes.

    Its shape is that of the output followed by that of the argument; for trees of outputs, and of
    arguments, there is a tree of such trees.

    Args:
        func: takes tensors, or trees of them, and returns such.
        argnums, has_aux: as for `grad`.
        chunk_size: how many rows to compute at once; all by default.
        _preallocate_and_copy: accepted, and without effect.

    Raises:
        ValueError, RuntimeError: for a `chunk_size` that is not positive; and by what is returned,
            as by `vjp`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.jacrev.html

    >>> import minigrad as torch
    >>> torch.func.jacrev(lambda x: x * x)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        pulled = Pullback(func, args, argnums, has_aux)
        rows = [
            tree_unflatten(pulled.rows(number, chunk_size), pulled.spec)
            for number in range(len(pulled.inner))
        ]
        result = tree_unflatten(rows, pulled.output_spec)
        return (result, pulled.aux) if has_aux else result

    return jacobian
