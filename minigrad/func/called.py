"""A function that was called to be differentiated: its inputs and outputs, inside and outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.creation import eye
from minigrad.func.levels import Level
from minigrad.func.trees import Argnums, chosen, output_and_aux, output_tensors, replaced
from minigrad.overrides.asking import Unseen
from minigrad.tensor import Tensor
from minigrad.utils._pytree import tree_flatten


class Called:
    """One call of a function, with new tensors in the place of those to differentiate by.

    Inside, `inputs` are these, in a tree of the form `spec`, and `inner` the tensors returned, in
    one of the form `output_spec`. Outside there are `primals`, `outputs` and `aux`.

    Args:
        func: takes and returns tensors, or trees of them.
        args: its arguments.
        argnums: which to differentiate by: a place, a tuple of places, or None for all.
        has_aux: whether it returns a pair, of which only the first is differentiated.

    Raises:
        RuntimeError, ValueError: for arguments and outputs that cannot be differentiated.
    """

    of: str  # what the texts of errors call it
    aux: Any = None

    def __init__(
        self, func: Callable[..., Any], args: tuple[Any, ...], argnums: Argnums, has_aux: bool
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
                outputs, aux = output_and_aux(outputs, self.of)
                self.aux = self.level.leave(aux)
            self.inner, self.output_spec = output_tensors(outputs, self.of)
            self.primals = self.level.leave(self.inputs)
            self.outputs = self.level.leave(outputs)
            self.prepare()

    def prepare(self) -> None:
        """Do what has to be done while the level is active."""


def units(like: Tensor) -> tuple[Tensor, ...]:
    """Return tensors like another, each with 1 in one place and 0 elsewhere."""
    with Unseen():
        count = like.numel()
        every: Tensor = eye(count, dtype=like.dtype).view(count, *like.shape)
        return every.unbind(0)  # type: ignore[no-any-return]
