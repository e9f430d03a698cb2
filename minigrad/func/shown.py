"""The text of tensors in the functions of transforms: what each level made of them."""

from __future__ import annotations

from typing import Any

from minigrad import printing
from minigrad.autograd.grad_mode import state
from minigrad.func.batched import Batched
from minigrad.func.captured import Scope
from minigrad.overrides.asking import Unseen


def text_in_transform(one: Any) -> str:
    """Return the text of a tensor as the function that is running sees it; "" outside of any."""
    if state.scope is None and not isinstance(one, Batched):
        return ""
    with Unseen():
        return text_of(one, state.scope)


def text_of(one: Any, scope: Scope | None) -> str:
    """Return the text of a tensor in the function of one transform: around what is outside it."""
    while scope is not None and not (scope.made(one) or scope.transform.gave(one)):
        scope = scope.around
    if isinstance(one, Batched) and (scope is None or scope.level < one.vmap.level):
        return wrapped(f"BatchedTensor(lvl={one.vmap.level}, bdim=0", text_of(one.batch, scope))
    if scope is None:
        return printing.own_text(one)
    value = text_of(scope.transform.value_of(one), scope.around)
    return wrapped(f"GradTrackingTensor(lvl={scope.level}", value)


def wrapped(wrapper: str, value: str) -> str:
    """Return the text of a tensor around that of another."""
    text = value.replace("\n", "\n    ")
    return f"{wrapper}, value=\n    {text}\n)"


printing.told_otherwise.append(text_in_transform)
