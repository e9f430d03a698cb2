"""What transforms differentiate with respect to, one inside another.

All levels record in the same graph. A level gives its function new tensors in the place of the
inputs: leaves of its own, or views of inputs that require grad for somebody further out. What it
hands out keeps its graph only if that leads to anything else than its own leaves. So perturbations
are not confused: each level has its own tensors to ask the graph about.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from minigrad.autograd.differentiate import grad
from minigrad.autograd.forward_ad.tangents import carry, with_tangents
from minigrad.autograd.grad_mode import (
    Inside,
    enable_grad,
    inference_mode,
    is_grad_enabled,
    state,
)
from minigrad.autograd.node import AccumulateGrad, Node
from minigrad.autograd.saved_tensors_hooks import disable_saved_tensors_hooks
from minigrad.creation import ones_like, zeros_like
from minigrad.func.batched import Batched, plain, spread
from minigrad.func.captured import Scope
from minigrad.overrides.asking import Unseen
from minigrad.tensor import Tensor
from minigrad.utils._pytree import tree_map

HOOKS = (
    "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. Please open an "
    "issue with your use case."
)


class Level:
    """One transform that differentiates, active in its ``with`` block, where recording is on."""

    def __init__(self) -> None:
        self.recorded = is_grad_enabled()  # outside
        self.scope = Scope()  # which the leaves of this level know
        self.given: dict[int, tuple[Tensor, Tensor]] = {}  # new tensors and what they stand for

    def __enter__(self) -> Level:
        with contextlib.ExitStack() as modes:
            modes.enter_context(inference_mode(False))
            modes.enter_context(enable_grad())
            modes.enter_context(disable_saved_tensors_hooks(HOOKS))
            modes.enter_context(self.scope.running(self))
            self.modes = modes.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self.modes.close()

    def enter(self, tree: Any) -> Any:
        """Return a tree with new tensors in the place of those to differentiate with respect to.

        Raises:
            ValueError, RuntimeError: for what is no tensor, or not of floating point dtype.
        """
        return tree_map(self.new_input, tree)

    def new_input(self, one: Any) -> Tensor:
        """Return a new tensor in the place of an input, mapped over by each `vmap` around.

        Raises:
            ValueError, RuntimeError: for what is no tensor, or not of floating point dtype.
        """
        if not isinstance(one, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(one)}")
        with Unseen():
            if not one.is_floating_point():
                raise RuntimeError("only Tensors of floating point dtype can require gradients")
            new: Tensor = self.fresh(spread(one))
        self.given[id(new)] = new, one
        transforms, state.transforms = state.transforms, 0
        try:
            new.requires_grad_()  # which modes see
        finally:
            state.transforms = transforms
        return new

    def fresh(self, one: Any) -> Any:
        """Return a new tensor of the same memory, which gradients can be asked for."""
        if isinstance(one, Batched):
            return one.like(self.fresh(one.batch))
        if one._requires_grad and self.recorded:
            return one.view_as(one)
        leaf = self.cut_off(one, self.recorded)
        leaf._scope = self.scope
        return leaf

    def leave(self, tree: Any) -> Any:
        """Return a tree of tensors as they are outside.

        Raises:
            RuntimeError: if there is anything else in it.
        """
        with Unseen():
            return tree_map(lambda one: self.outside(one, self.recorded), tree)

    def outside(self, one: Any, recorded: bool) -> Any:
        """Return a tensor as it is outside, part of the graph there if that is `recorded`.

        Raises:
            RuntimeError: for what is no tensor.
        """
        if not isinstance(one, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(one)}")
        if id(one) in self.given:
            return self.given[id(one)][1]
        if isinstance(one, Batched):
            inner = self.outside(one.batch, recorded)
            return one if inner is one.batch else one.like(inner)
        inside = one._find_edge() is not None or getattr(one, "_scope", None) is self.scope
        if inside and not (recorded and self.leads_outside([one])):
            return self.cut_off(one, recorded)
        return one

    def cut_off(self, one: Any, recorded: bool) -> Any:
        """Return a tensor of the same elements that is no part of the graph, with its tangents."""
        leaf = one.clone() if one.is_inference() else one.detach()
        carry(leaf, one, lambda tangent: self.outside(tangent, recorded))
        return leaf

    def leads_outside(self, tensors: Iterable[Any]) -> bool:
        """Return whether anything that other levels, or the user, differentiate is behind these."""
        leaves = (node.leaf for node in nodes_behind(tensors) if isinstance(node, AccumulateGrad))
        return any(map(self.is_outside, leaves))

    def gave(self, one: Any) -> bool:
        """Return whether a tensor is one of the new inputs, or was computed of them."""
        inputs = {plain(new)._gradient_edge()[0] for new, _ in self.given.values()}
        return not inputs.isdisjoint(nodes_behind([one]))

    def value_of(self, one: Any) -> Any:
        """Return a tensor as it is outside while the function runs."""
        return self.outside(one, self.recorded)

    def is_outside(self, leaf: Tensor) -> bool:
        """Return whether a leaf is one of another level that is active, or of the user's."""
        scope = getattr(leaf, "_scope", None)
        if scope is None:
            return not isinstance(leaf._counter, Inside) or leaf._counter.scope is not self.scope
        return scope.transform is not None and scope is not self.scope

    def gradients(
        self,
        outputs: Sequence[Any],
        inputs: Sequence[Any],
        vectors: Sequence[Any] | None = None,
        recorded: bool = False,
        retain_graph: bool = True,
    ) -> list[Any]:
        """Return for each input the gradient of the outputs, None if there is none.

        Args:
            outputs: those without gradient are left out.
            inputs: what `enter` returned, or was computed of it.
            vectors: those of the vector-Jacobian product; 1 if left out.
            recorded: whether somebody outside differentiates the gradients, should they be able to.
            retain_graph: whether this may be asked again.
        """
        vectors = [None] * len(outputs) if vectors is None else vectors
        given = zip(outputs, vectors, strict=True)
        pairs = [(one, vector) for one, vector in given if plain(one).requires_grad]
        if not pairs:
            return [None] * len(inputs)
        with Unseen():
            starts = [ones_like(end) if one is None else one for end, one in pairs]
        ends = [end for end, _ in pairs]
        recorded = recorded and self.leads_outside([*ends, *starts])
        with inference_mode(False):
            found = grad(
                ends,
                tuple(inputs),
                starts,
                retain_graph=retain_graph or recorded,
                create_graph=recorded,
                allow_unused=True,
            )
        with Unseen():
            return [None if one is None else self.outside(one, recorded) for one in found]


def nodes_behind(tensors: Iterable[Any]) -> Iterator[Node]:
    """Yield the nodes of the graph behind tensors and their tangents."""
    reached = with_tangents(list(map(plain, tensors)))
    edges = [one._gradient_edge() for one in reached if one._requires_grad]
    stack = [edge[0] for edge in edges if edge[0] is not None]
    seen = set(stack)
    while stack:
        node = stack.pop()
        yield node
        new = {edge[0] for edge in node.edges} - seen - {None}
        seen |= new
        stack += new


def zeros_where_none(gradients: Iterable[Any], like: Iterable[Any]) -> list[Any]:
    """Return gradients, zeros in the place of those that there are none of."""
    pairs = zip(gradients, like, strict=True)
    with Unseen():
        return [zeros_like(tensor) if one is None else one for one, tensor in pairs]
