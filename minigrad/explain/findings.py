"""What checkup finds: faults that raise no error."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from minigrad.explain.cuts import find_cut
from minigrad.explain.history import Call
from minigrad.explain.page import Causes, Fields
from minigrad.explain.run import Run
from minigrad.explain.source import Place
from minigrad.explain.watch import (
    CLEARING,
    DIFFERENCES,
    EQUAL,
    FETCHES,
    LOSSES,
    REGRESSION,
    Event,
    Strange,
)
from minigrad.explain.why import Question

CAUSES = Causes()
_REDUCTIONS = {"mean", "sum", "pow", "__pow__", "square", "abs", "sqrt", "mul", "__mul__", "div"}
_ADDING = {"add", "add_", "__add__", "__radd__", "__iadd__"}


@CAUSES.declare("checkup", "11_training_by_hand")
def gradients_never_cleared(run: Run) -> Fields | None:
    """Gradients are never cleared, so each step goes along the sum of all passes.

    Nothing clears the gradients, so each step uses the sum of all passes: the largest element of
    {x}.grad is {first} after the first pass and {now} after {count}.

    cause: adds to what the earlier passes have left
    fix: {clearing} -- at the start of each iteration

    Example::

        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        with checkup(w, optimizer):
            for step in range(4):
                loss = (w * w).sum()
                loss.backward()  # cause
                optimizer.step()
    """
    for number, tensor in run.params.items():
        sizes = run.sizes(number)
        first = next((index for index, size in enumerate(sizes) if size), len(sizes))
        kept = all(run.sizes(number, after=False)[first + 1 :])
        moves = [index for index in range(first, len(sizes)) if number in run.moved(index)]
        if kept and len(moves) > 1 and sizes[moves[-1]]:
            optimizer = run.optimized.get(number)
            name = run.thing(tensor)
            known = optimizer and f"{run.name_of(optimizer, 'optimizer')}.zero_grad()"
            return {
                "x": name,
                "cause": run.fields["last"],
                "first": _number(sizes[first]),
                "now": _number(sizes[-1]),
                "clearing": known or f"{name}.grad = None",
            }
    return None


@CAUSES.declare("checkup", "11_training_by_hand")
def gradients_cleared_before_the_step(run: Run) -> Fields | None:
    """Gradients are cleared between the backward pass and the step.

    The gradients are gone before the weights move: {at} clears them between the backward pass in
    {at_last} and the step in {at_step}. In all of {count}, {x} got a gradient and didn't move.

    cause: clears the gradients too early
    line last: computes the gradients
    line step: finds no gradients
    fix: {cause.text} -- before the backward pass or after the step

    Example::

        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        with checkup(w, optimizer):
            for step in range(3):
                loss = (w * w).sum()
                loss.backward()
                optimizer.zero_grad()  # cause
                optimizer.step()
    """
    for number in _still(run):
        optimizer, name = run.optimized.get(number), run.named_all([number])
        steps = [one for one in run.watch.steps if one.optimizer == id(optimizer)]
        places = [one.place for one in steps if one.empty]
        if optimizer is None:
            text = rf"(?<![\w.]){re.escape(name.strip('`'))}\b.*\.grad\b"
            writes = [one.place for one in run.history.calls if one.writes]
            places = [one for one in writes if re.search(text, one.text)]
            places = [one for one in places if not re.search(CLEARING, one.text)]
        if len(places) > 1 and len(places) >= len(steps):
            clearing = run.find(places[0], CLEARING)
            return {"cause": clearing, "at": run.at(clearing), "x": name, **_step(run, places[0])}
    return None


@CAUSES.declare("checkup", "12_optimizers")
def step_never_called(run: Run) -> Fields | None:
    """The optimizer never makes a step.

    `{optimizer}` made no step in {count}, so {x} didn't move.

    cause: {note}
    fix: {optimizer}.step() -- after each backward pass

    Example::

        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        with checkup(w, optimizer):
            for step in range(3):
                optimizer.zero_grad()
                (w * w).sum().backward()
                optimizer.step  # cause
    """
    for number in _still(run):
        optimizer = run.optimized.get(number)
        if optimizer is None or any(one.optimizer == id(optimizer) for one in run.watch.steps):
            continue
        cause = run.find(run.fields["last"], r"\.step *$")
        uncalled = cause.text.endswith(".step")
        note = "names the method, and doesn't call it" if uncalled else "no step comes after it"
        name = run.name_of(optimizer, "optimizer")
        return {"cause": cause, "note": note, "optimizer": name, "x": run.named_all([number])}
    return None


@CAUSES.declare("checkup", "12_optimizers")
def learning_rate_of_zero(run: Run) -> Fields | None:
    """The learning rate is 0.

    The learning rate of {x} is 0: {steps} steps didn't move it, though its gradient is up to
    {size}.

    cause: makes the optimizer
    fix: {optimizer}.param_groups[{group}]["lr"] = 0.01 -- or where the optimizer is made

    Example::

        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.0)  # cause
        with checkup(w, optimizer):
            for step in range(3):
                optimizer.zero_grad()
                (w * w).sum().backward()
                optimizer.step()
    """
    for number in _still(run):
        optimizer = run.optimized.get(number)
        steps = [one for one in run.watch.steps if one.optimizer == id(optimizer) and not one.empty]
        for index, group in enumerate(optimizer.param_groups if optimizer and steps else ()):
            if group["lr"] == 0 and any(id(one) == number for one in group["params"]):
                name = run.name_of(optimizer, "optimizer")
                cause = run.find(steps[0].place, rf"\b{re.escape(name)} *=")
                size = _number(run.sizes(number)[-1])
                fields = {"x": run.named_all([number]), "steps": len(steps), "group": index}
                return {**fields, "cause": cause, "size": size, "optimizer": name}
    return None


@CAUSES.declare("checkup", "12_optimizers")
def parameter_not_in_the_optimizer(run: Run) -> Fields | None:
    """A parameter gets gradients, and no optimizer moves it.

    The optimizer doesn't have {x}: {n} of {all} parameters got gradients (of up to {size}), and
    didn't move in {steps} steps.

    cause: makes the optimizer without {x}
    fix: {optimizer}.add_param_group(dict(params=[...])) -- or where the optimizer is made
    fix: {first}.requires_grad_(False) -- if it is meant to stay as it is

    Example::

        w = torch.ones(3, requires_grad=True)
        b = torch.zeros(1, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)  # cause
        with checkup([w, b], optimizer):
            for step in range(3):
                optimizer.zero_grad()
                ((w + b) ** 2).sum().backward()
                optimizer.step()
    """
    steps = run.watch.steps
    left = [one for one in run.params if one not in run.optimized and one not in run.movers]
    left = [one for one in left if any(run.sizes(one))]
    moved_input = not run.optimized.keys() & run.given and any(
        any(run.sizes(one)) for one in run.optimized
    )
    if not steps or not left or moved_input:
        return None
    stepped = [one for one in run.watch.optimizers if id(one) == steps[0].optimizer]
    name = run.name_of(stepped[0], "optimizer")
    cause = run.find(steps[0].place, rf"\b{re.escape(name)} *=")
    size = max(size or 0 for one in left for size in run.sizes(one))
    fields = {"x": run.named_all(left), "first": run.thing(run.params[left[0]]), "n": len(left)}
    return {
        **fields,
        "cause": cause,
        "optimizer": name,
        "all": len(run.params),
        "size": _number(size),
        "steps": len(steps),
    }


@CAUSES.declare("checkup", "02_recording_the_graph")
def parameter_without_gradient(run: Run) -> Fields | None:
    """A parameter gets no gradient.

    {x} got no gradient in {count}.

    Example::

        w = torch.ones(3, requires_grad=True)
        b = torch.zeros(1, requires_grad=True)
        with checkup([w, b]):
            for step in range(3):
                hidden = (w * 2).detach()  # cause
                loss = (hidden + b).sum()
                loss.backward()
                b.grad = None
    """
    stepped = {one.optimizer for one in run.watch.steps}
    trained = {one for one, optimizer in run.optimized.items() if id(optimizer) in stepped}
    reached = {one for one in run.watch.params if any(size is not None for size in run.sizes(one))}
    if not run.optimized:
        modules = [{id(one) for one in each.parameters()} for each in run.watch.modules]
        trained = run.watch.listed.union(*(one for one in modules if one & reached))
    alive = {number: one for number, one in run.watch.alive() if one.is_leaf}
    asked = {one for one in alive if alive[one].requires_grad or one in run.watch.listed}
    left = [one for one in alive if one in (trained & asked & (run.given or trained)) - reached]
    if not left or not reached:
        return None
    question = Question(alive[left[0]], run.frames, run.trail)
    question.__dict__["variables"] = run.variables
    return {"x": run.named_all(left), "instead": question}


@CAUSES.declare("checkup", "09_cutting_the_graph")
def loss_without_its_graph(run: Run) -> Fields | None:
    """backward() is called on a new tensor, so no parameter gets a gradient.

    `{root}` is a new tensor without a graph, so the backward pass ends there: in {count}, no
    parameter got a gradient.

    cause: leaves the graph behind
    line last: starts at `{root}`
    fix: {root}.backward() -- on the loss as it was computed, without detach, item or torch.tensor

    Example::

        w = torch.ones(3, requires_grad=True)
        with checkup(w):
            for step in range(3):
                loss = (w * w).sum()
                loss = torch.tensor(loss.item(), requires_grad=True)  # cause
                loss.backward()
    """
    roots = [each for each in run.passes if each.of_a_leaf and not any(each.after.values())]
    call = run.call(roots[-1].raw) if roots and run.params else None
    if call is None or call.arguments[0] in run.params:
        return None
    root, cut = run.thing(call.arguments[0], call.index), find_cut(run, call.arguments[0])
    birth = (root and root.birth) or call.place
    cause = birth if "requires_grad" in birth.text or cut is None else cut.call.place
    return {"root": root, "cause": cause}


@CAUSES.declare("checkup", "08_saved_and_freed")
def losses_kept(run: Run) -> Fields | None:
    """Losses are kept with their graphs.

    The losses of earlier iterations are kept, each with its graph: {kept} of {passes} are still
    there, so memory grows.

    cause: keeps `{root}` with its graph
    line last: the backward pass
    fix: {number} -- keeps the number alone

    Example::

        w = torch.ones(3, requires_grad=True)
        losses = []
        with checkup(w):
            for step in range(5):
                loss = (w * w).sum()
                loss.backward()
                w.grad = None
                losses.append(loss)  # cause
    """
    lines = Counter(each.raw[1:3] for each in run.passes[:-1] if each.root() is not None)
    raw: Any = next((each.raw for each in run.passes if lines[each.raw[1:3]] > 2), None)
    call = run.call(raw)
    if call is None:
        return None
    root = call.place.source(call.place.node).partition(".backward")[0]
    cause = run.find(call.place, rf"\.append\(.*\b{re.escape(root)}\b")
    number = re.sub(rf"\b{re.escape(root)}\b(?!\.)", f"{root}.item()", cause.text)
    kept = lines[raw[1:3]] + 1
    fixed = number if "append" in cause.text else None
    return {"cause": cause, "root": root, "kept": kept, "number": fixed, "last": call.place}


@CAUSES.declare("checkup", "08_saved_and_freed")
def graphs_added_up(run: Run) -> Fields | None:
    """A sum of losses keeps all their graphs.

    The sum in {at} keeps the graphs of the losses: after {count}, it has {n} of them, and memory
    grows with each iteration.

    cause: adds a loss with its graph
    fix: {number} -- adds the number alone

    Example::

        w = torch.ones(3, requires_grad=True)
        total = 0
        with checkup(w):
            for step in range(5):
                loss = (w * w).sum()
                loss.backward()
                w.grad = None
                total = total + loss  # cause
    """
    calls = [call for call in (run.call(each.raw) for each in run.passes) if call is not None]
    births = [run.history.birth(call.arguments[0], call.index) for call in calls]
    roots = {birth.index for birth in births if birth is not None}
    sums: dict[Place, list[tuple[Call, int]]] = {}
    for call in run.history.calls if roots else ():
        recorded = call.requires_grad and len(call.arguments) == 2  # an optimizer's has a third one
        if call.name in _ADDING and recorded and call.index not in roots:
            for one in call.arguments:
                birth = run.history.birth(one, call.index)
                if birth is not None and birth.index in roots:
                    sums.setdefault(call.place, []).append((call, one))
    for place, added in sums.items():
        if len(added) > 2:
            inside = run.history.ancestors(added[-1][0].results[0])
            loss = run.thing(added[-1][1], added[-1][0].index)
            if sum(call.index in inside for call, _ in added) > 2:
                text = f"{loss:}"
                number = re.sub(rf"\b{re.escape(text)}\b", f"{text}.item()", place.text)
                return {"cause": place, "at": run.at(place), "n": len(added), "number": number}
    return None


@CAUSES.declare("checkup", "14_shapes")
def softmax_twice(run: Run) -> Fields | None:
    """Softmax comes before cross_entropy, which has a softmax of its own.

    `cross_entropy` in {at} computes a softmax itself, and is given the result of one: with {n}
    classes, the loss can't fall below {floor}.

    cause: the softmax that is too much
    line loss: computes another one
    fix: {without} -- give cross_entropy the scores themselves

    Example::

        net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Softmax(dim=1))  # cause
        target = torch.tensor([0, 1, 2, 0])
        with checkup(net):
            loss = torch.nn.functional.cross_entropy(net(torch.ones(4, 2)), target)
            loss.backward()
    """
    for event, loss, origin in _losses(run, "cross_entropy", "softmax"):
        shape = event.shapes[0]
        classes = shape[1] if len(shape) > 1 else shape[0]
        floor = _number(math.log(1 + (classes - 1) / math.e))
        cause = run.find(origin.place, r"[sS]oftmax\(")
        without = re.sub(r",? *(\w+\.)*Softmax\(.*?\)", "", cause.text)
        fields = {"at": run.at(loss.place), "n": classes, "floor": floor, "loss": loss.place}
        return {**fields, "cause": cause, "without": without if without != cause.text else ""}
    return None


@CAUSES.declare("checkup", "14_shapes")
def sigmoid_twice(run: Run) -> Fields | None:
    """Sigmoid comes before BCEWithLogitsLoss, which has a sigmoid of its own.

    `binary_cross_entropy_with_logits` in {at} computes a sigmoid itself, and is given the result of
    one: the loss can't fall below 0.313 for a target of 1, and 0.693 for 0.

    cause: the sigmoid that is too much
    line loss: computes another one
    fix: {without} -- give the loss the scores themselves

    Example::

        layer = torch.nn.Linear(2, 1)
        criterion = torch.nn.BCEWithLogitsLoss()
        with checkup(layer):
            guess = torch.sigmoid(layer(torch.ones(4, 2)))  # cause
            criterion(guess, torch.ones(4, 1)).backward()
    """
    for _, loss, origin in _losses(run, "binary_cross_entropy_with_logits", "sigmoid"):
        cause = run.find(origin.place, r"[sS]igmoid\(")
        inner = re.sub(r"(?:\w+\.)*sigmoid\((.*)\)", r"\1", cause.text)
        without = re.sub(r",? *(\w+\.)*Sigmoid\(\)|\.sigmoid\(\)", "", inner)
        fields = {"at": run.at(loss.place), "loss": loss.place, "cause": cause}
        return {**fields, "without": without if without != cause.text else ""}
    return None


@CAUSES.declare("checkup", "14_shapes")
def shapes_that_broadcast(run: Run) -> Fields | None:
    """A loss compares (N, 1) with (N,), which gives (N, N).

    The loss in {at} compares shape {a} with {b}, and broadcasting makes {n} differences of them
    instead of {wanted}.

    cause: compares each output with each target
    fix: {target}.view({view}) -- gives the target the shape of the output

    Example::

        layer = torch.nn.Linear(2, 1)
        x, y = torch.ones(4, 2), torch.ones(4)
        with checkup(layer):
            loss = ((layer(x) - y) ** 2).mean()  # cause
            loss.backward()
    """
    for event in run.events():
        call = run.call(event.raw)
        if event.name not in REGRESSION | DIFFERENCES or len(event.shapes) < 3 or call is None:
            continue
        first, second, *_ = event.shapes
        counts = math.prod(first), math.prod(second)
        if sorted((len(first), len(second))) != [1, 2] or counts[0] != counts[1] or counts[0] < 2:
            continue
        column = first if len(first) == 2 else second
        if column[1] != 1 or (event.name in DIFFERENCES and not _in_a_loss(run, call)):
            continue
        target = run.thing(call.arguments[1], call.index)
        fields = {"a": list(first), "b": list(second), "n": counts[0] ** 2, "wanted": counts[0]}
        view = "-1, 1" if len(second) == 1 else "-1"
        place = call.place
        return {**fields, "cause": place, "at": run.at(place), "target": target, "view": view}
    return None


def _in_a_loss(run: Run, difference: Call) -> bool:
    """Whether a difference of a computed tensor and a constant ends as a loss, after reductions."""
    history, asks = run.history, []
    for one in difference.arguments[:2]:
        asks.append(bool(history.required_grad(one, difference.index)))
    if asks[0] == asks[1] or difference.arguments[asks.index(True)] in run.watch.params:
        return False
    for each in run.passes:
        root = run.call(each.raw)
        call = root and history.birth(root.arguments[0], root.index)
        while call is not None and call.name in _REDUCTIONS and call.index != difference.index:
            call = history.birth(call.arguments[0], call.index) if call.arguments else None
        if call is not None and call.index == difference.index:
            return True
    return False


def _losses(run: Run, loss: str, squash: str) -> Iterator[tuple[Event, Call, Call]]:
    """The calls of a loss that are given the result of ``squash``, with that call."""
    for event in run.events():
        call = run.call(event.raw) if event.name == loss else None
        origin = call and run.origin(call.arguments[0], call)
        if call is not None and origin is not None and origin.name == squash:
            yield event, call, origin


@CAUSES.declare("checkup", "09_cutting_the_graph")
def training_in_evaluation_mode(run: Run) -> Fields | None:
    """The model learns in evaluation mode.

    `{name}` was in evaluation mode in {n} of {count} that moved its weights: its dropout or batch
    norm was switched off.

    cause: switches to evaluation mode
    line last: the backward pass
    fix: {name}.train() -- before the training iterations

    Example::

        net = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Dropout(0.5))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        net.eval()  # cause
        with checkup(net, optimizer):
            for step in range(3):
                optimizer.zero_grad()
                net(torch.ones(4, 2)).sum().backward()
                optimizer.step()
    """
    for module in run.watch.modules:
        own = {id(one) for one in module.parameters()}
        passes = [
            each
            for index, each in enumerate(run.passes)
            if any(module is one for one in each.evaluating) and run.moved(index) & own
        ]
        if len(passes) > 1:
            name = run.name_of(module, "model")
            cause = run.find(run.fields["last"], r"\.eval\(\)|\.train\(False\)")
            return {"cause": cause, "name": name, "n": len(passes)}
    return None


@CAUSES.declare("checkup", "09_cutting_the_graph")
def evaluation_in_training_mode(run: Run) -> Fields | None:
    """The model is evaluated in training mode.

    The model is evaluated in {at}, under no_grad, with dropout or batch norm in training mode: that
    changes the results of {n} evaluation{s}.

    cause: runs the model in training mode
    line measured: measures its results
    fix: {name}.eval() -- before the evaluation, and {name}.train() after it

    Example::

        net = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Dropout(0.5))
        x, y = torch.ones(4, 2), torch.ones(4, 1)
        with checkup(net), torch.no_grad():
            guess = net(x)  # cause
            error = torch.nn.functional.mse_loss(guess, y)
    """
    events = list(run.events())
    noisy = {id(event.raw): event for event in events if event.noisy}
    found: list[tuple[Call, Call]] = []
    for event in events:
        call = run.call(event.raw) if event.name in LOSSES | EQUAL else None
        if call is None or call.requires_grad or not call.arguments:
            continue
        inside = run.history.ancestors(call.arguments[0], call.index).values()
        used = [one for one in inside if id(one.raw) in noisy]
        weights = Counter(noisy[id(one.raw)].weights for one in used)
        if used and max(weights.values()) == 1:  # several samples of dropout are drawn on purpose
            found.append((used[0], call))
    if not found:
        return None
    model, measured = found[0]
    fields = {"n": len(found), "s": "s" * (len(found) > 1), "measured": measured.place}
    ids = {*noisy[id(model.raw)].weights}
    owners = (one for one in run.watch.modules if ids & {id(each) for each in one.parameters()})
    name = run.name_of(next(owners), "model")
    return {"cause": model.place, "at": run.at(model.place), "name": name, **fields}


@CAUSES.declare("checkup", "11_training_by_hand")
def leaf_lost(run: Run) -> Fields | None:
    """An update gives the name of a leaf to a computed tensor.

    The update in {at} makes `{name}` the name of a new tensor: the leaf keeps its old values, and
    the new `{name}` isn't a leaf, so it gets no .grad.

    cause: makes `{name}` a computed tensor
    fix: with {torch}.no_grad(): | {moved} -- moves the leaf itself

    Example::

        w = torch.ones(3, requires_grad=True)
        with checkup(w):
            loss = (w * w).sum()
            loss.backward()
            w = w - 0.1 * w.grad  # cause
    """
    for name, (old, new, raw) in run.watch.lost.items():
        later = run.call(raw)
        birth = later and run.history.birth(new, later.index + 1)
        if birth is None or birth.place.target != name or old not in birth.arguments:
            continue
        step = run.history.ancestors(birth.arguments[-1], birth.index).values()
        if any(call.name == "grad" and call.is_property for call in step):
            text = re.escape(name)
            moved = re.sub(rf"^{text} *= *{text} *([-+*/]) *", rf"{name} \1= ", birth.place.text)
            return {"cause": birth.place, "at": run.at(birth.place), "name": name, "moved": moved}
    return None


@CAUSES.declare("checkup", "10_in_place")
def weight_changed_before_backward(run: Run) -> Fields | None:
    """A weight is changed through .data between the forward pass and the backward pass.

    The values of {x} change in {at}, after {at_used} has used them and before the backward pass in
    {at_last}. .data hides this, so the gradients are those of other values.

    cause: changes {x} too early
    line used: uses {x}
    line last: goes back with the new values
    fix: {cause.text} -- after the backward pass, under {torch}.no_grad()

    Example::

        w = torch.ones(3, requires_grad=True)
        with checkup(w):
            loss = (w * w).sum()
            w.data.mul_(0.5)  # cause
            loss.backward()
    """
    history = run.history
    roots = list(filter(None, (run.call(each.raw) for each in run.passes)))
    for change in history.calls if roots else ():
        alias = history.birth(change.arguments[0], change.index) if change.writes else None
        if alias is None or alias.name not in ("data", "detach"):
            continue
        weight = alias.arguments[0]
        root = next((one for one in roots if one.index > change.index), None)
        start = max((one.index for one in roots if one.index < change.index), default=-1)
        if root is None or weight not in run.params:
            continue
        for used in history.ancestors(root.arguments[0], root.index).values():
            saves = used.requires_grad and weight in used.arguments and not used.writes
            if saves and start < used.index < change.index:
                places = {"cause": change.place, "used": used.place, "last": root.place}
                at = {"at": run.at(change.place), "at_used": run.at(used.place)}
                x = run.named_all([weight])
                return {**places, **at, "x": x, "at_last": run.at(root.place)}
    return None


@CAUSES.declare("checkup", "16_vanish_explode_nan")
def not_a_number(run: Run) -> Fields | None:
    """NaN or infinity appears.

    In backward pass {pass}, {what}, and it began in {at}: {began}.

    cause: {note}
    line last: the backward pass
    fix: {line.text} -- keep what goes into it away from there, with clamp or + 1e-8 for example

    Example::

        w = torch.tensor([0.5, -0.5], requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        with checkup(w, optimizer):
            for step in range(3):
                optimizer.zero_grad()
                loss = torch.log(w).sum()  # cause
                loss.backward()
                optimizer.step()
    """
    broken = run.watch.broken
    if broken is None:
        return None
    what = f"the loss became {_number(broken.value)}"
    kinds: tuple[str, ...] = ("nan", "inf")
    if math.isfinite(broken.value):
        bad = [one for one, size in broken.after.items() if not math.isfinite(size or 0)]
        if not run.broken_weights and run.movers & set(bad):  # such steps are left out
            return None
        what = f"{run.named_all(bad)} got a gradient of NaN or inf, though the loss is finite"
        kinds = ("inf", "steep", "nan")
    kind = next((kind for kind in kinds if kind in broken.strange), "")
    found = broken.strange.get(kind)
    if found and kind == "nan" and any(math.isinf(high - low) for _, low, high in found.given):
        found = broken.strange.get("inf", found)
    call = None if found is None else run.call(found.raw)
    fields = {"pass": broken.number, "what": what}
    if found is None or call is None:
        place, began = run.fields["last"], "its gradients are too large for their dtype"
        return {**fields, "cause": place, "at": run.at(place), "began": began, "note": "overflows"}
    began = _beginning(run, kind, found, call)
    note = f"{found.name} gives the first one"
    places = {"cause": call.place, "line": call.place, "at": run.at(call.place)}
    return {**fields, **places, "began": began, "note": note}


def _beginning(run: Run, kind: str, found: Strange, call: Call) -> str:
    """What a call was given, and gave."""
    for number, low, high in found.given:
        if not math.isfinite(low - high):
            return f"`{run.thing(number, call.index):}` has NaN or inf already"
    gave = {"nan": "NaN", "inf": "inf", "steep": "0, where its slope is infinite,"}[kind]
    said = f"`{found.name}` gave {gave} for {found.number} of its elements"
    given = "; ".join(f"{_number(low)} to {_number(high)}" for _, low, high in found.given)
    return f"{said}, given values from {given}" if given else said


@CAUSES.declare("checkup", "16_vanish_explode_nan")
def dead_layer(run: Run) -> Fields | None:
    """All units of a ReLU layer are dead.

    The ReLU in {at}, after {layer}, gave 0 for all of its {n} elements in the last {times} passes:
    its slope is 0 there, so no gradient reaches {layer}.

    cause: a ReLU that gives nothing but 0
    fix: {torch}.nn.LeakyReLU() -- has a slope there, too
    fix: lr=... -- a smaller learning rate, and biases that start at 0, keep units alive

    Example::

        first, last = torch.nn.Linear(2, 8), torch.nn.Linear(8, 1)
        with torch.no_grad():
            first.bias.fill_(-100)
        x = torch.ones(8, 2)
        with checkup([first, last]):
            for step in range(3):
                hidden = torch.relu(first(x))  # cause
                loss = (last(hidden) ** 2).mean()
                loss.backward()
                first.zero_grad(), last.zero_grad()
    """
    return _flat(run, ("relu",), 1.0)


@CAUSES.declare("checkup", "16_vanish_explode_nan")
def saturated_layer(run: Run) -> Fields | None:
    """A layer of sigmoids or tanhs is saturated.

    The {name} in {at}, after {layer}, is saturated in the last {times} passes: its slope is next to
    0 for {share} of its {n} elements, so almost no gradient reaches {layer}.

    cause: works where its slope is next to 0
    fix: {torch}.nn.init.xavier_normal_({weight}) -- small weights, and inputs of about size 1, keep
    it away from there

    Example::

        first, last = torch.nn.Linear(2, 8), torch.nn.Linear(8, 1)
        x = torch.full((8, 2), 1e4)
        with checkup([first, last]):
            for step in range(3):
                hidden = torch.tanh(first(x))  # cause
                loss = (last(hidden) ** 2).mean()
                loss.backward()
                first.zero_grad(), last.zero_grad()
    """
    from_the_start = [each for each in run.passes if each.number == 1]  # training may end like this
    return _flat(run, ("tanh", "sigmoid"), 0.95) if from_the_start else None


def _flat(run: Run, names: tuple[str, ...], share: float) -> Fields | None:
    """A hidden layer whose activations were flat in the last passes."""
    last = [each.events for each in run.passes[-3:]]
    kept: dict[int, list[Event]] = {}
    for event in itertools.chain.from_iterable(last):
        if event.name in names and event.raw[5] and event.layer in run.matrices[:-1]:
            kept.setdefault(event.layer, []).append(event)
    for number, events in kept.items():
        event, call = events[-1], run.call(events[-1].raw)
        enough = len(last) > 1 and sum(math.prod(one.shapes[-1]) for one in events) >= 100
        if enough and call is not None and min(one.flat for one in events) >= share:
            layer = run.named_all([number])
            weight = layer.strip("`")
            n, flat = math.prod(event.shapes[-1]), f"{event.flat:.0%}"
            fields = {"layer": layer, "weight": weight, "n": n, "share": flat, "times": len(last)}
            return {**fields, "name": event.name, "cause": call.place, "at": run.at(call.place)}
    return None


@CAUSES.declare("checkup", "16_vanish_explode_nan")
def gradients_vanish(run: Run) -> Fields | None:
    """Gradients vanish toward the inputs.

    The gradients vanish on the way to the inputs: {last_layer} gets {last}, and {first_layer}
    {first} ({layers}).

    cause: goes back through all layers
    fix: {torch}.nn.ReLU() -- instead of sigmoid or tanh between many layers, with He initialization
    fix: x + layer(x) -- a way around each layer keeps gradients large

    Example::

        torch.manual_seed(0)
        layers = [torch.nn.Linear(4, 4) for _ in range(12)]
        with checkup(layers):
            for step in range(3):
                x = torch.ones(2, 4)
                for layer in layers:
                    x = torch.sigmoid(layer(x))
                x.sum().backward()  # cause
                [layer.zero_grad() for layer in layers]
    """
    slopes = [run.slopes(each) for each in run.passes[-3:]]
    if len(slopes) < 2 or not all(_ratio(one) < 1e-6 for one in slopes) or run.watch.broken:
        return None
    return _by_layer(run, slopes[-1])


@CAUSES.declare("checkup", "16_vanish_explode_nan")
def gradients_explode(run: Run) -> Fields | None:
    """Gradients explode.

    The gradients explode{where}: {how}.

    cause: computes these gradients
    fix: lr=... -- a smaller learning rate
    fix: {torch}.nn.utils.clip_grad_norm_(parameters, 1.0) -- before the step: limits their size
    fix: {torch}.nn.init.kaiming_normal_(weight) -- He initialization keeps it from layer to layer

    Example::

        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=10.0)
        with checkup(w, optimizer):
            for step in range(4):
                optimizer.zero_grad()
                (w * w).sum().backward()  # cause
                optimizer.step()
    """
    for each in run.passes:
        slopes = run.slopes(each)
        if slopes and _ratio(slopes) > 1e5:
            fields = _by_layer(run, slopes)
            how = "{first_layer} gets {first}, and {last_layer} {last} ({layers})".format(**fields)
            return {**fields, "where": " on the way to the inputs", "how": how}
    values = [each.value for each in run.passes if math.isfinite(each.value)]
    grows = all(old < new for old, new in itertools.pairwise(values))
    lines = {each.raw[1:3] for each in run.passes if each.raw}
    alone = len(lines) == 1 and run.movers  # an attack on the inputs moves no parameter
    if len(values) < 3 or not grows or not alone or not 0 < 1e3 * values[0] < values[-1]:
        return None
    first, now = map(_number, (values[0], values[-1]))
    how = f"the loss grows in each iteration, from {first} to {now} in {run.fields['count']}"
    return {"cause": run.fields["last"], "where": "", "how": how}


def _ratio(slopes: dict[int, float]) -> float:
    """How the size of the first layer's gradient compares with the last one's; 1 if not by layers.

    A single layer may be far from the others on purpose, such as one that a penalty is put on.
    """
    sizes = list(slopes.values())
    if len(sizes) < 4:
        return 1.0
    jumps = [math.log(old / new) for old, new in itertools.pairwise(sizes)]
    return sizes[0] / sizes[-1] if max(map(abs, jumps)) < 0.6 * abs(sum(jumps)) else 1.0


def _by_layer(run: Run, slopes: dict[int, float]) -> Fields:
    first, *_, last = slopes
    sizes = [_number(size) for size in slopes.values()]
    names = {"first_layer": run.named_all([first]), "last_layer": run.named_all([last])}
    layers = ", ".join([*sizes[:7], "..."] if len(sizes) > 8 else sizes)
    fields = {**names, "first": sizes[0], "last": sizes[-1], "layers": f"by layer: {layers}"}
    return {**fields, "cause": run.fields["last"]}


@CAUSES.declare("checkup", "15_train_a_small_net")
def batch_that_never_changes(run: Run) -> Fields | None:
    """Every iteration trains on the same batch.

    The batch in {at} is the same {rows} of {all} examples in each iteration: {x} had the same
    elements in all of {count}.

    cause: takes the same batch each time
    fix: for x, y in loader: | ... -- goes through all batches; shuffle=True mixes them

    Example::

        data = torch.linspace(0, 1, 40).reshape(20, 2)
        layer = torch.nn.Linear(2, 1)
        with checkup(layer):
            for step in range(4):
                x = data[:5]  # cause
                layer(x).sum().backward()
                layer.zero_grad()
    """
    found: list[tuple[Call, Place, int, int]] = []
    prints = set()
    for each in run.passes:
        met = {event.data[0]: event for event in each.events if event.data and event.raw[5]}
        event = next(iter(met.values()), None)
        call = run.call(event.raw) if event is not None and len(met) == 1 else None
        if event is None or event.data is None or call is None:
            return None
        prints.add(event.data[1])
        inside = run.history.ancestors(event.data[0], call.index).values()
        taken = {id(one.raw): one.shapes[0][:1] for one in each.events if one.name in FETCHES}
        fetches = [one for one in inside if taken.get(id(one.raw))]
        most = max((taken[id(one.raw)][0] for one in fetches), default=0)
        rows = event.shapes[0][0] if event.shapes[0] else 1
        if most < 3 * rows:
            return None
        found.append((call, fetches[0].place, rows, most))
    if len(prints) != 1 or len(found) < 4:
        return None
    call, place, rows, most = found[-1]
    name = f"`{run.thing(next(iter(met)), call.index):}`"
    return {"cause": place, "at": run.at(place), "rows": rows, "all": most, "x": name}


def _still(run: Run) -> Iterator[int]:
    """The parameters that got gradients in at least three passes, and never moved.

    Their gradients were cleared each time, so that they don't add up for a step to come.
    """
    for number in run.params:
        cleared = not any(run.sizes(number, after=False)[1:])
        if number not in run.movers and cleared and sum(map(bool, run.sizes(number))) > 2:
            yield number


def _step(run: Run, place: Place) -> Fields:
    return {"step": place, "at_step": run.at(place)}


def _number(value: float | None) -> str:
    """A number in a sentence."""
    return f"{value or 0.0:.3g}".replace("nan", "NaN")
