"""Why a gradient is what it is: None, zero, not finite, or a sum."""

import linecache
import re
from collections.abc import Iterator

import numpy as np

from minigrad.explain.case import Case, is_parameter
from minigrad.explain.graph_errors import OFF
from minigrad.explain.history import Call
from minigrad.explain.page import Causes, Fields
from minigrad.explain.source import Place, find_lines
from minigrad.explain.watch import CLEARING, parameters_of
from minigrad.explain.why import Question, questions_in

CAUSES = Causes()
# What has the slope 0 wherever it has one, and an infinite one where its result is 0.
_STEPS = {"round", "floor", "ceil", "sign", "trunc"}
_STEEP = {"sqrt", "norm", "std", "pow", "rsqrt", "cdist"}
_CHOICES = {"max", "min", "amax", "amin", "maximum", "minimum", "where", "masked_fill", "topk"}
_FLAT = {"relu": "gave 0 everywhere, and its slope is 0 there", "sigmoid": "is saturated"}
_FLAT |= {"tanh": "is saturated", "clamp": "cut everything off", "clip": "cut everything off"}
_MANY = 20  # operations, whose slopes together may be too small for a float
_PRODUCTS = {"mul", "__mul__", "__rmul__", "multiply"}


@CAUSES.declare(
    r"unsupported operand type\(s\) .*'NoneType'|'NoneType' object has no", "12_optimizers"
)
def gradient_that_is_none(case: Case) -> Fields | None:
    """A line computes with a .grad that is None.

    `{name}.grad` is None.

    Example::

        w = torch.ones(3, requires_grad=True)
        for step in range(2):
            loss = (w * w).sum()
            loss.backward()
            w = w - 0.1 * w.grad  # cause
    """
    found = next(questions_in(case, case.raised.text, case.trail), None)
    return found and {"name": found[0], "instead": found[1]}


@CAUSES.declare("why: None, computed", "11_training_by_hand")
def leaf_replaced(question: Question) -> Fields | None:
    """A computed tensor has taken the name of the leaf.

    `{x}` isn't a leaf: {made} gave the leaf's name to a computed tensor, and computed tensors don't
    keep their gradient.

    cause: `{x}` is no longer a leaf
    fix: with {torch}.no_grad(): | {moved} -- moves the leaf itself
    graph: x

    Example::

        w = torch.ones(3, requires_grad=True)
        w = w - 0.1  # cause
        (w * w).sum().backward()
        why(w)
    """
    name, birth = question.fields["x"].text, question.fields["birth"]
    text = birth.text if birth else ""
    if not re.match(rf"{re.escape(name)} *= .*(?<![\w.]){re.escape(name)}(?![\w.])", text):
        return None
    moved = re.sub(rf"^{re.escape(name)} *= *{re.escape(name)} *([-+*/]) *", rf"{name} \1= ", text)
    return {"cause": birth, "moved": moved if moved != text else None}


@CAUSES.declare("why: None, computed", "07_leaves_and_retain_grad")
def gradient_of_a_computed_tensor(question: Question) -> Fields:
    """Only leaves keep their gradient.

    `{x}` isn't a leaf: it was computed{where}, and only leaves keep their gradient.

    cause: computes `{x}`
    fix: {asked} -- asks for the gradient of the result: a leaf
    fix: {x}.retain_grad() -- before the backward pass: keeps its gradient, too
    graph: x

    Example::

        w = torch.ones(3, requires_grad=True)
        y = w * 2  # cause
        y.sum().backward()
        why(y)
    """
    birth = question.fields["birth"]
    text = birth.text if birth else ""
    late = re.fullmatch(r"(\w+ *= *)(.*), *requires_grad=True\)(.*)", text)
    asked = late and late[3] and f"{late[1]}({late[2]}){late[3]}).requires_grad_()"
    where = f" by {question.at(birth)}" if birth else ""
    return {"cause": birth, "where": where, "asked": asked or None}


@CAUSES.declare("why: None, constant", "02_recording_the_graph")
def gradient_that_was_not_asked_for(question: Question) -> Fields:
    """The tensor doesn't require grad.

    `{x}` doesn't require grad, so no gradient is computed for it.

    cause: {note}
    fix: {asking} -- asks for its gradient
    fix: {x}.requires_grad_() -- before the forward pass, for a tensor that is there already

    Example::

        w = torch.ones(3)  # cause
        v = torch.ones(3, requires_grad=True)
        (w * v).sum().backward()
        why(w)
    """
    x, birth = question.fields["x"].text, question.fields["birth"]
    parameter, module = is_parameter(question.tensor), re.split(r"[.\[]", x)[0]
    frozen = [one for one in question.lines(OFF) if parameter or module in one.text]
    called = {call.place for call in question.history.changes_of_flag(id(question.tensor))}
    off = next((one for one in frozen if one in called), next(iter(frozen), None))
    if off is not None:
        return {"cause": off, "note": f"freezes `{x}`"}
    asking = birth and birth.with_argument("requires_grad=True")
    asked = asking if birth and asking != birth.text else None
    return {"cause": birth, "note": f"made `{x}` without requires_grad", "asking": asked}


@CAUSES.declare("why: None, no backward pass", "06_non_scalar_backward")
def gradients_that_were_returned(question: Question) -> Fields | None:
    """autograd.grad returns gradients and doesn't store them.

    `torch.autograd.grad` in {at} returned the gradients, and doesn't store them in .grad.

    cause: returns the gradients
    fix: {out}.backward() -- adds them to .grad of the leaves

    Example::

        w = torch.ones(3, requires_grad=True)
        slopes = torch.autograd.grad((w * w).sum(), w)  # cause
        why(w)
    """
    asked = [one for one in question.history.backward_passes() if one.name == "grad"]
    if not asked:
        return None
    out = asked[-1].arguments and question.thing(asked[-1].arguments[0], asked[-1].index)
    return {"cause": asked[-1].place, "at": question.at(asked[-1].place), "out": out or None}


@CAUSES.declare("why: None, no backward pass", "03_backward_on_a_scalar")
def gradient_before_backward(question: Question) -> Fields:
    """No backward pass has run.

    No backward pass has run since `{x}` was made.

    cause: made `{x}`
    fix: loss.backward() -- adds to {x}.grad

    Example::

        w = torch.ones(3, requires_grad=True)  # cause
        loss = (w * w).sum()
        why(w)
    """
    return {"cause": question.fields["birth"]}


@CAUSES.declare("why: None, cleared", "11_training_by_hand")
def gradient_cleared(question: Question) -> Fields:
    """The gradient arrived, and was cleared afterward.

    The gradient of `{x}` arrived in {at_last}, and was cleared afterward{where}.

    cause: sets .grad to None
    line last: added to {x}.grad
    fix: {clearing} -- at the start of the iteration, before the backward pass

    Example::

        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        (w * w).sum().backward()
        optimizer.step()
        optimizer.zero_grad()  # cause
        why(w)
    """
    clears = list(question.lines(r"\.zero_grad\(|\.grad *= *None"))
    last = question.reaching[-1].place
    after = [one for one in clears if one.number > last.number] or clears
    if not after:
        return {"where": ""}
    where = f" by {question.at(after[0])}"
    return {"cause": after[0], "last": last, "where": where, "clearing": after[0].text}


@CAUSES.declare("why: None, not reached", "02_recording_the_graph")
def tensor_that_was_not_used(question: Question) -> Fields:
    """The result was computed without the tensor.

    `{root}` was computed without `{x}`, so the backward pass in {at_last} doesn't reach it.

    cause: starts at `{root}`
    line x: made `{x}`
    fix: {root} = ... -- compute it with `{x}`, or leave `{x}` out of the optimizer

    Example::

        w = torch.ones(3, requires_grad=True)
        unused = torch.ones(3, requires_grad=True)
        loss = (w * w).sum()
        loss.backward()  # cause
        why(unused)
    """
    return {"cause": question.fields.get("last")}


@CAUSES.declare("why: not finite", "16_vanish_explode_nan")
def gradient_that_is_not_finite(question: Question) -> Fields:
    """NaN or infinity appeared on the way.

    The gradient of `{x}` has NaN or inf{reason}.

    cause: where it appears
    line last: the backward pass
    fix: {cause.text} -- keep what goes into it away from there, with clamp or + 1e-8 for example

    Example::

        w = torch.tensor([0.0, 4.0], requires_grad=True)
        size = torch.sqrt(w)  # cause
        loss = size.sum()
        loss.backward()
        why(w)
    """
    passes = question.reaching
    calls = list(question.path(passes[-1])) if passes else []
    for call in calls:  # a value that isn't finite comes before all slopes
        for result in question.values(call.results, call.index + 1):
            if not np.isfinite(result).all():
                given = [f"{one.min():g} to {one.max():g}" for one in question.given(call)]
                said = f"`{call.name}` in {question.at(call.place)} gave it"
                said += f", given values from {'; '.join(given)}" if given else ""
                return {"cause": call.place, "reason": f": {said}", "last": passes[-1].place}
    for call in reversed(calls):
        zero = [one for one in question.given(call) if (one == 0).any()]
        if call.name.strip("_") in _STEEP and (zero or not question.given(call)):
            where = f"`{call.name}` in {question.at(call.place)}"
            reason = f" because the slope of {where} is infinite at 0"
            return {"cause": call.place, "reason": reason, "last": passes[-1].place}
    return {"reason": ""}


@CAUSES.declare("why: zero", "16_vanish_explode_nan")
def gradient_times_zero(question: Question) -> Fields:
    """A factor on the way was 0.

    The gradient of `{x}` is 0{reason}.

    cause: multiplies the gradient by 0
    line last: the backward pass

    Example::

        w = torch.ones(3, requires_grad=True)
        hidden = torch.relu(w - 2)  # cause
        loss = hidden.sum()
        loss.backward()
        why(w)
    """
    passes = question.reaching
    found = next(_zero_factors(question, passes[-1]), None) if passes else None
    if found is None:
        return {"reason": ": on the way it was multiplied by 0, or it was set to 0"}
    return {"cause": found[0].place, "reason": f" because {found[1]}", "last": passes[-1].place}


def _zero_factors(question: Question, backward: Call) -> Iterator[tuple[Call, str]]:
    """The calls between a tensor and a backward pass whose slope is 0 everywhere."""
    calls = list(question.path(backward))
    for call in calls:
        where, name = question.at(call.place), call.name.strip("_")
        result = question.values(call.results, call.index + 1)
        if name in _STEPS:
            yield call, f"`{name}` in {where} is flat between its steps"
        elif name in _FLAT and result and np.isin(result[0], (-1, 0, 1, result[0].flat[0])).all():
            yield call, f"`{name}` in {where} {_FLAT[name]}"
        elif call.name in _PRODUCTS:
            for one in call.arguments:
                if not any(values.any() for values in question.values([one], call.index)):
                    yield (
                        call,
                        f"{where} multiplies by `{question.thing(one, call.index):}`, which is 0",
                    )
        elif name in _CHOICES:
            yield call, f"`{name}` in {where} hands the gradient to other elements alone"
    if len(calls) > _MANY:
        slopes = f"the product of the slopes of {len(calls)} operations is too small for its dtype"
        yield calls[0], f"it underflowed: {slopes}"


@CAUSES.declare("why: added up", "12_optimizers")
def tensor_not_in_the_optimizer(question: Question) -> Fields | None:
    """The tensor has a gradient, and no optimizer moves it.

    `{x}` has a gradient and doesn't move, because `{optimizer}` doesn't have it.

    cause: makes `{optimizer}` without `{x}`
    fix: {optimizer}.add_param_group(dict(params=[{x}])) -- or where the optimizer is made

    Example::

        w = torch.ones(3, requires_grad=True)
        b = torch.zeros(1, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)  # cause
        (w + b).sum().backward()
        optimizer.step()
        why(b)
    """
    if not question.optimizers or question.optimizer is not None or not question.reaching:
        return None
    last = question.reaching[-1]
    used = question.history.ancestors(last.arguments[0], last.index).values()
    beside = {one for call in used for one in call.arguments}
    for name, optimizer in question.optimizers:
        if beside & {id(one) for one in parameters_of(optimizer)}:
            made = next(find_lines(question.home, rf"\b{re.escape(name)} *="), last.place)
            return {"optimizer": name, "cause": made}
    return None


@CAUSES.declare("why: added up", "12_optimizers")
def tensor_with_a_learning_rate_of_zero(question: Question) -> Fields | None:
    """The learning rate is 0.

    `{x}` has a gradient and doesn't move, because its learning rate in `{optimizer}` is 0.

    cause: makes `{optimizer}`
    fix: {optimizer}.param_groups[{group}]["lr"] = 0.01 -- or where the optimizer is made

    Example::

        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.0)  # cause
        (w * w).sum().backward()
        optimizer.step()
        why(w)
    """
    name, optimizer = question.optimizer or ("", None)
    for index, group in enumerate(optimizer.param_groups if optimizer else ()):
        if group["lr"] == 0 and any(one is question.tensor for one in group["params"]):
            made = next(find_lines(question.home, rf"\b{re.escape(name)} *="), None)
            return {"optimizer": name, "group": index, "cause": made}
    return None


@CAUSES.declare("why: added up", "11_training_by_hand")
def tensor_stepped_before_backward(question: Question) -> Fields | None:
    """The step comes before the backward pass, when the gradients are cleared.

    `{x}` has a gradient and doesn't move: {at} makes the step before the backward pass in
    {at_last}, and {at_clear} has cleared the gradients by then.

    cause: makes a step without gradients
    line clear: clears the gradients
    line last: computes them
    fix: {last.text} | {cause.text} -- the backward pass first

    Example::

        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        for step in range(3):
            optimizer.zero_grad()
            loss = (w * w).sum()
            optimizer.step()  # cause
            loss.backward()
        why(w)
    """
    last = question.reaching[-1].place if question.optimizer and question.reaching else None
    if last is None or question.optimizer is None:
        return None
    name = re.escape(question.optimizer[0])
    steps = list(find_lines(last.filename, rf"\b{name}\.step\("))
    clears = list(find_lines(last.filename, r"\.zero_grad\("))
    for step in steps if len(steps) == 1 == len(clears) else ():
        if clears[0].number < step.number < last.number and _indent(step) == _indent(last):
            at = {"at": question.at(step), "at_clear": question.at(clears[0])}
            return {"cause": step, "clear": clears[0], **at}
    return None


@CAUSES.declare("why: added up", "12_optimizers")
def tensor_overwritten(question: Question) -> Fields | None:
    """The tensor is overwritten after each step.

    `{x}` has a gradient and doesn't stay where the steps move it: {at} overwrites it.

    cause: overwrites `{x}`
    fix: {x} -- leave this line out, or write to a copy

    Example::

        w = torch.ones(3, requires_grad=True)
        start = w.detach().clone()
        optimizer = torch.optim.SGD([w], lr=0.1)
        for step in range(3):
            optimizer.zero_grad()
            (w * w).sum().backward()
            optimizer.step()
            w.data = start.clone()  # cause
        why(w)
    """
    if question.optimizer is None:
        return None
    name, x = re.escape(question.optimizer[0]), re.escape(question.fields["x"].text)
    module = re.escape(question.fields["x"].text.partition(".")[0])
    pattern = rf"^{x}\.(data *=|data\.copy_\(|copy_\()|^{module}\.load_state_dict\("
    for step in find_lines(question.home, rf"\b{name}\.step\("):
        for writing in find_lines(question.home, pattern):
            if step.number < writing.number and _indent(step) == _indent(writing):
                return {"cause": writing, "at": question.at(writing)}
    return None


@CAUSES.declare("why: added up", "04_gradients_add_up")
def gradient_added_up(question: Question) -> Fields:
    """.grad is the sum of what all backward passes since the last clearing have brought.

    {x}.grad is the sum of what {said}: {places}.

    cause: adds to {x}.grad
    fix: {clearing} -- before each pass, if only the last one counts
    graph: root

    Example::

        w = torch.ones(3, requires_grad=True)
        (w * 2).sum().backward()  # cause
        (w * 3).sum().backward()
        why(w)
    """
    passes = list(_since_clearing(question.reaching))
    places = list(dict.fromkeys(one.place for one in passes))
    plural = f"{len(passes)} backward pass{'es' * (len(passes) != 1)}"
    count = plural if passes else "a backward pass"
    uses = [one for one in question.uses if len(passes) == 1]
    said = f"{count} added"
    if len(uses) > 1:
        said = f"{len(uses)} paths brought in one backward pass"
        places = list(dict.fromkeys(one.place for one in uses))
    return {
        "cause": places[0] if places else None,
        "said": said,
        "places": ", ".join(map(question.at, places[:4])) or "unseen",
        "lines": [(place, "adds to it, too") for place in places[1:4]],
        "clearing": f"{question.fields['x']:}.grad = None" if len(passes) > 1 else None,
    }


def _since_clearing(passes: list[Call]) -> Iterator[Call]:
    """The passes that .grad is the sum of, as far as the source tells where it is cleared."""
    last = passes[-1].place if passes else None
    clears = find_lines(last.filename, CLEARING) if last else ()
    above = [one.number for one in clears if last and _indent(one) == _indent(last)]
    start = max((number for number in above if last and number < last.number), default=0)
    latest = {one.place: one for one in passes}
    for one in passes:
        same = one.place.filename == passes[-1].place.filename
        if not start or (same and one.place.number > start and latest[one.place] is one):
            yield one


def _indent(place: Place) -> int:
    return len(line := linecache.getline(place.filename, place.number)) - len(line.lstrip())
