"""Answers that know by heart what one check has asked them, and nothing else."""

from collections.abc import Callable
from typing import Any

from minigrad.viz.read.protocol import is_tensor

Call = Callable[..., Any]


class ByHeart:
    """Does what `right` does and learns what it is asked; once it `knows`, only for the same.

    Otherwise it raises, or, if stale, gives back what it gave at that turn while it learnt.
    """

    def __init__(self, right: Call, stale: bool) -> None:
        self.right = right
        self.stale = stale
        self.knows = self.telling = False
        self.asked: set[str] = set()
        self.given: list[Any] = []
        self.turn = 0

    def __call__(self, /, *arguments: Any, **named: Any) -> Any:
        if self.telling:  # to tell tensors of the learner's own engine apart runs the engine
            return self.right(*arguments, **named)
        self.telling = True
        question = repr([_told_apart(one) for one in (*arguments, *named.items())])
        self.telling = False
        self.turn += 1
        if not self.knows:
            self.asked.add(question)
            self.given.append(self.right(*arguments, **named))
            return self.given[-1]
        if question in self.asked:
            return self.right(*arguments, **named)
        if self.stale:
            return self.given[(self.turn - 1) % len(self.given)]
        raise LookupError("never heard of it")

    def learnt(self) -> None:
        """From now on it answers from memory."""
        self.knows, self.turn = True, 0


def learners(answer: Any, stale: bool) -> list[tuple[ByHeart, Any]]:
    """For each function in an answer: one that learns it by heart, and the answer with it."""
    if is_tensor(answer) or not callable(answer):
        return []
    if not isinstance(answer, type):
        learner = ByHeart(answer, stale)
        return [(learner, lambda *arguments, **named: learner(*arguments, **named))]
    found = []
    for name, member in vars(answer).items():
        if isinstance(member, staticmethod):
            learner = ByHeart(member.__func__, stale)
            found.append((learner, type(answer.__name__, (answer,), {name: _static(learner)})))
    return found


def _static(learner: ByHeart) -> Any:
    return staticmethod(lambda *arguments, **named: learner(*arguments, **named))


def _told_apart(thing: Any) -> Any:
    """What an answer can tell one question from another by: numbers, and the shape of graphs."""
    if is_tensor(thing):
        return [*thing.shape], thing.detach().tolist()
    if isinstance(thing, list | tuple):
        return [_told_apart(one) for one in thing]
    if isinstance(thing, dict):
        return [_told_apart(one) for one in thing.items()]
    if hasattr(thing, "next_functions"):
        return _graph(thing)
    if hasattr(thing, "parameters"):
        return [_told_apart(one) for one in thing.parameters()]
    return thing if isinstance(thing, int | float | str) else type(thing).__name__


def _graph(root: Any) -> list[Any]:
    nodes = [root]
    for node in nodes:
        nodes += [one for one, _ in node.next_functions if one is not None and one not in nodes]
    return [
        (node.name(), [nodes.index(one) for one, _ in node.next_functions if one is not None])
        for node in nodes
    ] + [_told_apart(node.variable) for node in nodes if hasattr(node, "variable")]
