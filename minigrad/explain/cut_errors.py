"""Graphs that were cut: by detach, a number, numpy, a copy, a comparison, integers, no_grad.

A cut shows as an error of backward, of autograd.grad or of retain_grad, or as a .grad that is None.
"""

import re
from collections.abc import Set

from minigrad.explain.case import Case, Scene
from minigrad.explain.cuts import (
    COMPARISONS,
    COPIES,
    COUNTS,
    DETACHING,
    NAMED,
    NUMBERS,
    Cut,
    find_cut,
)
from minigrad.explain.graph_errors import wanted_input
from minigrad.explain.page import Causes, Fields
from minigrad.explain.source import Place, switched_off
from minigrad.explain.why import Question

CAUSES = Causes()
_CUT = (
    "does not require grad and does not have a grad_fn|appears to not have been used in the graph"
    "|can't retain_grad on Tensor|cannot register a hook|why: None, (constant|not reached)"
)


def _cut(scene: Scene, names: Set[str]) -> Fields | None:
    """The fields of a graph that was cut by a call of these names; without names, by any other."""
    found: Cut | None
    if isinstance(scene, Question):
        start, found = scene.start, scene.cut
    elif isinstance(scene, Case) and scene.root is not None:
        found, start = _cut_of_error(scene)
    else:
        return None
    if found is None or (found.call.name not in names if names else found.call.name in NAMED):
        return None
    place = found.call.place
    source = scene.thing(found.source, found.call.index)
    fields = {"start": start, "cause": place, "at": scene.at(place), "source": source}
    return {**fields, "how": found.call.name, "uncut": _without(place.text, names)}


def _cut_of_error(case: Case) -> tuple[Cut | None, str]:
    name, root = f"`{case.operands[0]:}`" if case.operands else "This tensor", id(case.root)
    if "appears to not" in case.text:
        wanted = wanted_input(case)
        start = f"The graph of {name} doesn't reach `{wanted:}`"
        return find_cut(case, root, getattr(wanted, "tensor", None)), start
    if "grad_fn" in case.text:
        return find_cut(case, root), f"{name} has no graph"
    return find_cut(case, root), f"No gradient will ever reach {name}"


def _without(text: str, names: Set[str]) -> str | None:
    """A line without the calls of these names."""
    calls = "|".join(map(re.escape, sorted(names | {"detach", "cpu"} if names else names)))
    without = re.sub(rf"\.({calls})\(\)|\.data\b", "", text) if calls else text
    return None if without == text else without


@CAUSES.declare(_CUT, "09_cutting_the_graph")
def cut_by_detach(scene: Scene) -> Fields | None:
    """detach() or .data cuts the graph.

    {start}: `{how}` in {at} cut it off from `{source}`.

    cause: cuts `{source}` off
    fix: {uncut} -- gradients reach `{source}` again
    more: A gradient goes back along the graph that the forward pass has recorded. What was computed
    after the cut knows nothing about what came before it.

    Example::

        w = torch.ones(3, requires_grad=True)
        y = (w * 2).detach()  # cause
        loss = y.sum()
        loss.backward()
    """
    return _cut(scene, DETACHING)


@CAUSES.declare(_CUT, "09_cutting_the_graph")
def cut_by_a_number(scene: Scene) -> Fields | None:
    """A value leaves the graph as a Python number or a numpy array.

    {start}: {at} took the values out of `{source}` with `{how}`, and a graph doesn't follow them to
    Python and numpy.

    cause: takes the values out of `{source}`
    fix: {uncut} -- stays with tensors, so the computation is recorded

    Example::

        w = torch.ones(1, requires_grad=True)
        value = (w * 2).item()  # cause
        loss = torch.tensor(value) ** 2
        loss.backward()
    """
    return _cut(scene, NUMBERS)


@CAUSES.declare(_CUT, "09_cutting_the_graph")
def cut_by_a_copy(scene: Scene) -> Fields | None:
    """torch.tensor(...) makes a new tensor from old values.

    {start}: `{how}` in {at} made a new tensor from the values of `{source}`, without its graph.

    cause: copies the values of `{source}`
    fix: {uncopied} -- goes on with the tensors themselves

    Example::

        w = torch.ones(2, requires_grad=True)
        total = torch.tensor([w[0] * 2, w[1] * 3]).sum()  # cause
        total.backward()
    """
    fields = _cut(scene, COPIES)
    return fields and {**fields, "uncopied": _uncopied(fields["cause"])}


def _uncopied(place: Place) -> str | None:
    """The line without ``torch.tensor(...)`` around its argument; of a list, stacked."""
    text = place.source(place.node)
    inner = re.fullmatch(r"(.*?)\w+\((.*?)(, *requires_grad *= *True)?\)", text)
    if inner is None:
        return None
    stacked = f"{inner[1]}stack({inner[2]})" if inner[2].startswith(("[", "(")) else inner[2]
    return place.replaced(place.node, stacked)


@CAUSES.declare(_CUT, "09_cutting_the_graph")
def cut_by_a_comparison(scene: Scene) -> Fields | None:
    """A comparison has no gradient.

    {start}: the comparison in {at} gives true or false, and has no gradient.

    cause: compares `{source}`
    fix: {torch}.sigmoid({source}) -- a soft decision has a gradient

    Example::

        w = torch.ones(3, requires_grad=True)
        wrong = (w > 0).float().sum()  # cause
        wrong.backward()
    """
    return _cut(scene, COMPARISONS)


@CAUSES.declare(_CUT, "09_cutting_the_graph")
def cut_by_integers(scene: Scene) -> Fields | None:
    """An operation whose result is integers has no gradient.

    {start}: `{how}` in {at} gives integers, and they have no gradient.

    cause: makes integers of `{source}`
    fix: {torch}.softmax({source}, -1) -- weights instead of one index have a gradient

    Example::

        w = torch.ones(3, requires_grad=True)
        best = w.argmax()  # cause
        loss = best * 2.0
        loss.backward()
    """
    return _cut(scene, COUNTS)


@CAUSES.declare(_CUT, "18_slopes_of_slopes")
def cut_by_a_gradient(scene: Scene) -> Fields | None:
    """A gradient has no graph of its own unless it was asked for.

    {start}: the gradient that {at} gives has no graph of its own.

    cause: computes gradients, and doesn't record how
    fix: {recorded} -- records the backward pass, too

    Example::

        w = torch.ones(3, requires_grad=True)
        (slope,) = torch.autograd.grad((w * w).sum(), w)  # cause
        slope.sum().backward()
    """
    fields = _cut(scene, {"grad"})
    return fields and {**fields, "recorded": fields["cause"].with_argument("create_graph=True")}


@CAUSES.declare(_CUT, "09_cutting_the_graph")
def cut_by_no_grad(scene: Scene) -> Fields | None:
    """Recording was switched off: no_grad, inference_mode.

    {start}: {at} ran under `{switch}` ({where}), so it wasn't recorded.

    cause: switches recording off
    line unrecorded: uses `{source}`, and isn't recorded
    fix: {unrecorded.text} -- outside of `{switch}`

    Example::

        w = torch.ones(3, requires_grad=True)
        with torch.no_grad():  # cause
            y = w * 2
        y.sum().backward()
    """
    fields = _cut(scene, set())
    if fields is None:
        return None
    place = fields["cause"]
    switch = switched_off(place)
    if switch is None:
        off = next(scene.lines(r"set_grad_enabled\(False\)"), None)
        where = scene.at(off) if off else "switched off before it"
        known = {"switch": "set_grad_enabled(False)" if off else "no_grad()", "where": where}
        return {**fields, **known, "cause": off or place, "unrecorded": place}
    switched = {"switch": switch.source(switch.node), "where": scene.at(switch), "cause": switch}
    return {**fields, **switched, "unrecorded": place}


@CAUSES.declare(
    r"'(float|int|list|tuple|numpy\.\w+|ndarray)' object has no attribute 'backward'",
    "09_cutting_the_graph",
)
def backward_of_no_tensor(case: Case) -> Fields | None:
    """backward() is called on a number, an array or a list.

    `{a}` is of type {0}, and only a tensor has a graph to go back through{where}.

    cause: {note}
    fix: {uncut} -- stays with tensors, so the graph is kept
    fix: sum({a}).backward() -- {several}one tensor, with the graphs of all

    Example::

        w = torch.ones(3, requires_grad=True)
        loss = (w * w).sum().item()  # cause
        loss.backward()
    """
    made = next(case.lines(rf"^{re.escape(case.operands[0].text)} *\+?= "), None)
    if "'list'" in case.text or "'tuple'" in case.text:
        return {"cause": made, "where": "", "note": "makes a list", "several": ""}
    for call in reversed(case.history.calls):
        if call.name in NUMBERS or call.name in DETACHING:
            where = f": {case.at(call.place)} took the values out of the graph"
            known = {"cause": call.place, "where": where, "note": "takes the values out"}
            return {**known, "uncut": _without(call.place.text, NUMBERS)}
    return {"cause": made, "where": "", "note": "gives no tensor"}
