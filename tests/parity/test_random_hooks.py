"""Random graphs with random hooks: the same hooks run in the same order on minigrad and PyTorch.

A program is drawn as plain data: operations, hooks, changes in place, and walks. All numbers are
small and whole, so they are exact, and so is the comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parity.logs import Log, attempt, same_notes, text

pytestmark = pytest.mark.parity

OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "-": lambda a, b: a - b * 2,
    "first": lambda a, b: a.clone(),
    "both halves": lambda a, b: sum(a.split(1)) + b,
    "one half": lambda a, b: a.split(1)[-1] + b,
    "largest": lambda a, b: a.max(0)[0] + b,
    "summed": lambda a, b: a.sum() * b,
    "view": lambda a, b: a.view(-1) * b,
    "part": lambda a, b: (a * 1)[:1],
    "twice": lambda a, b: a + a,
}
ACTIONS: dict[str, Callable[[Any], Any]] = {
    "look": lambda gradient: None,
    "double": lambda gradient: gradient * 2,
    "same": lambda gradient: gradient,
    "zero": lambda gradient: gradient * 0,
    "wrong": lambda gradient: gradient.double(),
    "raise": lambda gradient: 1 / 0,
}
WALKS = ["backward", "backward inputs", "grad", "grad create_graph", "backward again"]
KINDS = ["tensor", "before", "after", "retain", "post", "multi", "any"]

place = st.integers(0, 9)
operations = st.tuples(st.just("operation"), st.sampled_from(sorted(OPERATIONS)), place, place)
hooks = st.tuples(
    st.just("hook"),
    st.sampled_from(KINDS),
    st.sampled_from(["look"] * 6 + ["double", "double", "same", "zero", "wrong", "raise"]),
    place,
    place,
)
others = st.one_of(
    st.tuples(st.just("walk"), st.sampled_from(WALKS), place, place),
    st.tuples(st.just("change"), place),
    st.tuples(st.just("remove"), place),
)
steps = st.lists(st.one_of(operations, hooks, operations, hooks, others), min_size=6, max_size=20)


def latest(tensors: list[Any], place: int) -> Any:
    """Return a tensor, counted from the one made last."""
    return tensors[-1 - place % len(tensors)]


def add_hook(torch: Any, log: Log, name: str, hook: tuple[Any, ...], tensors: list[Any]) -> Any:
    """Register a drawn hook on one of the tensors, or on its node; return the handle."""
    kind, action, place, other = hook
    tensor = latest(tensors, place)

    def note(seen: Any) -> None:
        log.append(f"{name} {kind}: {text(seen)}")

    def one(gradient: Any) -> Any:
        note(gradient)
        return None if gradient is None else ACTIONS[action](gradient)

    def several(*gradients: Any) -> Any:
        note(gradients)
        changed = tuple([None if one is None else ACTIONS[action](one) for one in gradients[0]])
        return None if action == "look" else changed

    if kind == "tensor":
        return tensor.register_hook(one)
    if kind == "retain":
        return tensor.retain_grad()
    if kind == "post":
        return tensor.register_post_accumulate_grad_hook(lambda leaf: note(leaf.grad))
    if kind in ("multi", "any"):
        both = (tensor, latest(tensors, other))
        mode = "all" if kind == "multi" else "any"
        return torch.autograd.graph.register_multi_grad_hook(both, note, mode=mode)
    node = torch.autograd.graph.get_gradient_edge(tensor).node
    return (node.register_prehook if kind == "before" else node.register_hook)(several)


def change(tensor: Any) -> None:
    """Change a tensor in place."""
    tensor.mul_(2)


def walk(torch: Any, kind: str, output: Any, targets: list[Any]) -> Any:
    """Do a drawn backward pass."""
    if kind == "grad":
        return torch.autograd.grad(output, targets, allow_unused=True, retain_graph=True)
    if kind == "grad create_graph":
        return torch.autograd.grad(output, targets, allow_unused=True, create_graph=True)
    inputs = targets if kind == "backward inputs" else None
    return output.backward(retain_graph=kind != "backward again", inputs=inputs)


@settings(max_examples=300, deadline=None)
@given(steps)
def test_hooks_run_in_the_same_order(steps: list[Any]) -> None:
    def program(torch: Any, log: Log) -> None:
        tensors = [torch.tensor([float(n), 2.0], requires_grad=True) for n in (1, 3, -1)]
        leaves, handles = list(tensors), []
        # The ends of the graph live as long as they are held, and so do the hooks of their nodes.
        held = [torch.autograd.graph.get_gradient_edge(leaf) for leaf in leaves]
        for number, (kind, *drawn) in enumerate([*steps, ("walk", "backward", 0, 0)]):
            if kind == "operation":
                name, a, b = drawn
                tensors.append(OPERATIONS[name](latest(tensors, a), latest(tensors, b)))
                held.append(torch.autograd.graph.get_gradient_edge(tensors[-1]))
            elif kind == "hook":

                def register(number: int = number, drawn: Any = drawn) -> None:
                    handles.append(add_hook(torch, log, str(number), drawn, tensors))

                attempt(log, register)
            elif kind == "change":
                attempt(log, lambda: change(latest(tensors, drawn[0])))
            elif kind == "remove" and handles and handles[drawn[0] % len(handles)]:
                handles[drawn[0] % len(handles)].remove()
            elif kind == "walk":
                name, a, b = drawn
                output = tensors[-1 - a % 2].sum()
                targets = [latest(tensors, a), latest(tensors, b)]
                attempt(log, lambda: walk(torch, name, output, targets))
                log.append([one.grad for one in leaves])
                log.append([one.grad for one in tensors if one.retains_grad])

    same_notes(program)
