"""checkup: what goes wrong in a program without an error."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Self

from minigrad.explain.diagnose import reports_on
from minigrad.explain.run import Run
from minigrad.explain.shell import program_frames
from minigrad.explain.trail import unseen
from minigrad.explain.watch import Watch
from minigrad.viz.read.protocol import is_tensor

_STEPS = 5


class Checkup:
    """A block that is checked; ``checkup`` makes one. ``text`` is what was found, or empty."""

    def __init__(self, models: list[Any], optimizers: list[Any]) -> None:
        self.text = ""
        self._given = models, optimizers
        self._watch = Watch()

    def __enter__(self) -> Self:
        with suppress(Exception):
            with unseen():
                self._watch.begin(*self._given, sys._getframe(1))
            self._watch.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        watch = self._watch
        watch.leave()
        with suppress(Exception), unseen():
            watch.look_around(sys._getframe(1))
            run = Run(watch, program_frames(sys._getframe(1)))
            found = [report.text for report in reports_on(run)]
            many = f"checkup found {len(found)} problem{'s' * (len(found) != 1)}."
            self.text = "\n\n".join([many, *found]) if found else ""
        watch.forget()
        self._given, self._watch = ([], []), Watch()
        if self.text:
            print(self.text)

    def __repr__(self) -> str:
        return self.text or "checkup found nothing."


def checkup(model: Any = None, optimizer: Any = None) -> Any:
    """Print what goes wrong in a training loop without an error; nothing if all is well.

    Use it as ``with checkup(model, optimizer):`` around a few iterations. The model may be a list
    of modules or tensors, and the optimizer a list or left out. ``checkup(step)`` calls a function
    that trains for one iteration five times, and looks at these. It changes nothing that the block
    computes, and keeps nothing alive. TypeError for anything else.

    >>> import minigrad as torch
    >>> from minigrad.explain import checkup
    >>> w = torch.ones(3, requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.1)
    >>> with checkup(w, optimizer):
    ...     for _ in range(3):
    ...         optimizer.zero_grad()
    ...         (w * w).sum().backward()
    ...         optimizer.step()
    """
    step = model if callable(model) and not hasattr(model, "parameters") else None
    models = [] if step is not None else _listed(model, "parameters", "a module or tensor")
    checked = Checkup(models, _listed(optimizer, "param_groups", "an optimizer"))
    if step is None:
        return checked
    with checked:
        for _ in range(_STEPS):
            step()
    return None


def _listed(given: Any, attribute: str, wanted: str) -> list[Any]:
    """One thing, or a list or iterator of them, as a list; TypeError if one is something else."""
    one = given is None or is_tensor(given) or hasattr(given, attribute)
    several = given.values() if isinstance(given, dict) else given
    things = (
        [] if given is None else [given] if one or not isinstance(several, Iterable) else [*several]
    )
    for thing in things:
        if not hasattr(thing, attribute) and not (is_tensor(thing) and attribute == "parameters"):
            raise TypeError(f"checkup() takes {wanted}, but got {type(thing).__name__}")
    return things
