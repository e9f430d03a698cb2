"""What a backward pass hands from node to node, noted while it runs."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any

from minigrad.viz.read.engines import Engine
from minigrad.viz.read.notes import Stamp, Turn, stamp_of, write_stamp
from minigrad.viz.read.protocol import GraphNode, TensorLike, is_tensor
from minigrad.viz.read.values import Value, read_value
from minigrad.viz.read.walk import Walk

_MOST_NODES = 1_000
_BACKWARD = ("backward", "grad")
_numbers = count(1)

Gradients = Sequence[TensorLike | None]


def is_backward(func: Any) -> bool:
    """Whether a call begins a backward pass."""
    return getattr(func, "__name__", "") in _BACKWARD


def with_gradients(engine: Engine, args: tuple[Any, ...], call: Callable[[], Any]) -> Any:
    """The result of a call that is a backward pass, whose gradients are noted.

    It begins at the tensors in ``args``. The gradients go through unchanged, and the hooks are gone
    afterward, also after an exception.
    """
    __tracebackhide__ = True  # IPython shows the user's lines alone
    run = next(_numbers)
    with engine.unseen():
        roots = list(_roots(args))
        nodes = Walk(roots, [], _MOST_NODES).graph if roots else {}
        notes = ((node, partial(_note, engine, node, run)) for node in nodes)
        handles: list[Any] = [node.register_hook(note) for node, note in notes]
    try:
        return call()
    finally:
        for handle in handles:
            handle.remove()


def _roots(args: tuple[Any, ...]) -> Iterator[TensorLike]:
    """The tensors that a backward pass begins with."""
    first = args[0] if args else ()
    for thing in first if isinstance(first, list | tuple) else (first,):
        if is_tensor(thing) and thing.grad_fn is not None:
            yield thing


def _note(
    engine: Engine, node: GraphNode, run: int, passed: Gradients, received: Gradients
) -> None:
    stamp = stamp_of(node)
    if stamp is None:
        stamp = Stamp(None, 0)
        write_stamp(node, stamp)
    with engine.unseen():
        stamp.turn = Turn(run, next(_numbers), _values(passed), _values(received))


def _values(gradients: Gradients) -> tuple[Value | None, ...]:
    return tuple(None if one is None else read_value(one) for one in gradients)
